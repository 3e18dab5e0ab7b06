"""The base of every dialog: it has the theme's style sheet, and follows a change of theme while it is open."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QMessageBox, QWidget

from explorer.gui.surfaces import apply_stylesheet
from explorer.gui.untrusted import plain


class Dialog(QDialog):
    """A dialog in the current theme; it is deleted when it is closed."""

    def __init__(self, parent: QWidget | None, title: str, flags: Qt.WindowType = Qt.WindowType.Dialog) -> None:
        super().__init__(parent, flags)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        apply_stylesheet(self)


def message_box(parent: QWidget, title: str, text: str) -> QMessageBox:
    """Make a message box with plain text, deleted when it is closed; the caller adds the buttons.

    Parameters
    ----------
    parent
        The window that it belongs to.
    title
        Its title.
    text
        Its text, in which nothing is taken for markup.

    Returns
    -------
    QMessageBox
        The box, not shown yet.
    """
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(title)
    apply_stylesheet(box)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(plain(text))
    return box


def without_icons(box: QDialogButtonBox) -> None:
    """Remove the style's icons from the buttons, since no other button has one."""
    for button in box.buttons():
        button.setIcon(QIcon())
