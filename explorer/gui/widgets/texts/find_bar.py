"""A field to find text, with buttons for the next and the previous occurrence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.style.theme import scaled
from explorer.gui.widgets.fields.buttons import icon_button
from explorer.gui.widgets.fields.end_button import add_clear_button
from explorer.i18n import tr


class FindBar(QWidget):
    """`asked(text, backwards)`: find the next occurrence."""

    asked = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(placeholderText=tr("Find in this document"))
        self.field.setAccessibleName(tr("Find in this document"))
        add_clear_button(self.field)
        self.message = label("", "muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(scaled(12), scaled(6), scaled(8), scaled(2))
        layout.setSpacing(scaled(6))
        layout.addWidget(self.field, 1)
        layout.addWidget(self.message)
        # The same arrows as for the hits above.
        for name, text, backwards in (
            ("chevron-up", tr("Previous match"), True),
            ("chevron-down", tr("Next match"), False),
        ):
            button = icon_button(name, text)
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
