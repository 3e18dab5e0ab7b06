"""The first documents of a build, each with its title, its metadata and the beginning of its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.screens.index.parts import elided
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import scaled
from explorer.gui.style.untrusted import tip

if TYPE_CHECKING:
    from explorer.gui.screens.index.build.state import SeenDocument

_SIDE, _PAD = 16, 10


class _Entry(QFrame):
    """One document; another one writes into the same labels."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title, self.facts, self.text = elided("strong"), elided("small", "·"), label("")
        self.text.setWordWrap(True)
        self._column = QVBoxLayout(self)
        for part in (self.title, self.facts, self.text):
            self._column.addWidget(part)
        self._leave_room()
        when_restyled(self, self._leave_room)

    def _leave_room(self) -> None:
        side, pad = scaled(_SIDE), scaled(_PAD)
        self._column.setContentsMargins(side, pad, side, pad)
        self._column.setSpacing(scaled(2))

    def show_document(self, document: SeenDocument) -> None:
        self.title.setText(document.title)
        self.facts.setText(document.facts)
        self.facts.setToolTip(tip(document.facts))
        self.facts.setVisible(bool(document.facts))
        self.text.setText(document.text)
        self.setAccessibleName(document.title)
        self.show()


class DocumentList(QWidget):
    """Documents below each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: tuple[SeenDocument, ...] = ()
        self._entries: list[_Entry] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def show_documents(self, documents: Sequence[SeenDocument]) -> None:
        """Show these documents."""
        self.shown = tuple(documents)
        while len(self._entries) < len(documents):
            entry = _Entry(self)
            self._entries.append(entry)
            self._column.addWidget(entry)
        for entry, document in zip(self._entries, documents, strict=False):
            entry.show_document(document)
        for entry in self._entries[len(documents) :]:
            entry.hide()
