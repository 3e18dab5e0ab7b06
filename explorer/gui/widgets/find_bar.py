"""A field to find text, with buttons for the next and the previous occurrence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from explorer.gui.icons import icon
from explorer.gui.screen import label
from explorer.gui.surfaces import keep_icon_size
from explorer.i18n import tr


class FindBar(QWidget):
    """`asked(text, backwards)`: find the next occurrence."""

    asked = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(placeholderText=tr("Find in this document"))
        self.field.setAccessibleName(tr("Find in this document"))
        self.field.setClearButtonEnabled(True)
        self.message = label("", "muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.field, 1)
        layout.addWidget(self.message)
        for name, text, backwards in (("previous", tr("Previous match"), True), ("following", tr("Next match"), False)):
            button = QToolButton()
            button.setIcon(icon(name))
            keep_icon_size(button, 16)
            button.setToolTip(text)
            button.setAccessibleName(text)
            button.clicked.connect(lambda _=False, backwards=backwards: self.ask(backwards))
            layout.addWidget(button)
        self.hide()

    def ask(self, backwards: bool) -> None:
        """Find the next occurrence."""
        if self.field.text():
            # Until the answer comes, the old message would be about another text.
            self.message.setText("…")
            self.asked.emit(self.field.text(), backwards)

    def open(self) -> None:
        """Show it with the focus in its field."""
        self.show()
        self.field.setFocus()
        # What was looked for last is kept, and is replaced by what is typed.
        self.field.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter finds, with Shift backwards."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.ask(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)
