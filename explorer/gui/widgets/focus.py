"""Where the focus goes when the widget that has it is hidden."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QWidget


def leave_focus(part: QWidget) -> None:
    """Give the focus to the input of the screen, if it is in a part that is about to be hidden.

    Qt would pass it to the next widget of the window, which may be on the rail.
    """
    focus = QApplication.focusWidget()
    if focus is None or not part.isAncestorOf(focus):
        return
    above: QWidget | None = part
    while above is not None and not hasattr(above, "focus_input"):
        above = above.parentWidget()
    if above is not None:
        above.focus_input()
