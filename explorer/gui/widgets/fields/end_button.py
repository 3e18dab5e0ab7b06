"""Buttons inside a field, at its end. Those that Qt offers keep their size in every text size."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton

from explorer.gui.widgets.fields.buttons import icon_button
from explorer.i18n import tr

_WATCHED = (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.ShowToParent, QEvent.Type.HideToParent)
_EDGE = 4


class _Room(QObject):
    """Keeps the text of a field off the button in it."""

    def __init__(self, field: QLineEdit, button: QToolButton) -> None:
        # A child of the field, so that it lives as long: Qt does not own an event filter.
        super().__init__(field)
        self._button = button
        for watched in (field, button):
            watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make room when the button appears, disappears or changes its size or side.

        Returns: Whether the event ends here, which it never does.
        """
        kind = event.type()
        of_button = isinstance(watched, QToolButton) and kind in (*_WATCHED, QEvent.Type.Resize)
        if of_button or kind == QEvent.Type.LayoutDirectionChange:
            self.make()
        return False

    def make(self) -> None:
        """Set the margin of the text."""
        # Asked each time: a field that Qt itself made, as in `QKeySequenceEdit`, has an object in Python that becomes
        # invalid while the field lives. An error in an event filter would end the program.
        field = self.parent()
        if not (isinstance(field, QLineEdit) and shiboken6.isValid(self._button)):
            return
        taken = 0 if self._button.isHidden() else self._button.sizeHint().width() + _EDGE
        left, right = (taken, 0) if field.isRightToLeft() else (0, taken)
        field.setTextMargins(left, 0, right, 0)


def add_end_button(field: QLineEdit, icon_name: str, text: str) -> QToolButton:
    """Put a button into a field, at the end of its lines.

    field: The field, which has no other button.
    text: What the button does: its tool tip and its name for assistive technology.
    Returns: The button, which Tab passes over: a key of the field does the same.
    """
    button = icon_button(icon_name, text)
    button.setProperty("role", "inside")
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setCursor(Qt.CursorShape.ArrowCursor)
    row = QHBoxLayout(field)
    row.setContentsMargins(_EDGE, 0, _EDGE, 0)
    row.addStretch(1)
    row.addWidget(button)
    _Room(field, button).make()
    return button


def add_clear_button(field: QLineEdit, text: str = "") -> QToolButton:
    """Put a button into a field that empties it, as long as there is something in it.

    field: The field, which has no other button.
    text: What the button does; "" for "Clear".
    """
    button = add_end_button(field, "close", text or tr("Clear"))
    button.setVisible(bool(field.text()))
    button.clicked.connect(field.clear)
    field.textChanged.connect(lambda typed: button.setVisible(bool(typed)))
    return button
