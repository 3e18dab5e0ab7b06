"""The small editor of notes, next to the button that opens it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.gui.help.topics import help_button
from explorer.gui.screens.screen import label, named
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.texts.plain_text import PlainText
from explorer.i18n import tr

_MOST = 10_000
"""Characters of a note."""


class NoteText(PlainText):
    """A text. `finished()`: Ctrl+Enter was pressed; Enter alone begins a line."""

    finished = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take Ctrl+Enter out of the keys of the text."""
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finished.emit()
        else:
            super().keyPressEvent(event)


class NoteEditor(Popover):
    """A text, and two buttons. Ctrl+Enter saves, Esc leaves the note as it was.

    anchor: The widget that it opens next to.
    save: Takes the text; "" removes the note.
    """

    def __init__(self, anchor: QWidget, save: Callable[[str], object]) -> None:
        super().__init__(anchor, tr("Note"))
        self.head.addWidget(help_button("search#marks-notes-and-sets", tr("Note"), anchor))
        # Not `_save` nor `save`: these are the slot and the button.
        self._take: Callable[[str], object] = save
        self.about = label("", "muted")
        self.text = named(NoteText(), tr("Note"))
        # Tab leads to the buttons; typed into the note, it would keep the keyboard in the text.
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(tr("What is worth remembering about this line"))
        self.text.finished.connect(self._save)
        self.save, self.cancel = push_button(tr("Save note"), "primary"), push_button(tr("Cancel"))
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        self.body.addWidget(self.about)
        self.body.addWidget(self.text)
        self.body.addLayout(buttons)

    def edit(self, note: str, about: str) -> None:
        """Open it."""
        self.about.setText(about)
        self.text.setPlainText(note)
        self.text.selectAll()
        # At each opening: the size of the text may have been changed in the settings meanwhile.
        self.text.setFixedSize(em(26), em(9))
        self.open()
        # After `open`, which gives the focus to the first control.
        self.text.setFocus()

    def _save(self) -> None:
        self._take(self.text.toPlainText()[:_MOST])
        self.close()
