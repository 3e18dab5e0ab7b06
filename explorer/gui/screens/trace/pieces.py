"""Which piece of a conversation or of a long text is in the editor."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QWidget

from explorer.gui.screen import label, named
from explorer.i18n import tr
from explorer.trace.conversation import Piece


class PieceBar(QWidget):
    """A list of pieces with buttons for previous and next; hidden unless there are several. `chosen(Piece)`."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pieces: tuple[Piece, ...] = ()
        self.message = label("", "muted")
        self.list = named(QComboBox(), tr("Piece"))
        self.back, self.forth = QPushButton(tr("Previous")), QPushButton(tr("Next"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.message, 1)
        for widget in (self.back, self.list, self.forth):
            layout.addWidget(widget)
        self.list.currentIndexChanged.connect(self._choose)
        self.back.clicked.connect(lambda: self.list.setCurrentIndex(self.list.currentIndex() - 1))
        self.forth.clicked.connect(lambda: self.list.setCurrentIndex(self.list.currentIndex() + 1))
        self.hide()

    def show_pieces(self, pieces: tuple[Piece, ...], message: str = "") -> None:
        """Offer the pieces of a text, and choose the first.

        Parameters
        ----------
        pieces
            The pieces; one alone is chosen without being offered.
        message
            A note about them.
        """
        self._pieces = pieces
        self.message.setText(message)
        with QSignalBlocker(self.list):
            self.list.clear()
            self.list.addItems([piece.name for piece in pieces])
        self.setVisible(len(pieces) > 1)
        self._choose(0)

    def forget(self) -> None:
        """The editor contains a single text again."""
        self._pieces = ()
        self.hide()

    def _choose(self, number: int) -> None:
        if 0 <= number < len(self._pieces):
            self.back.setEnabled(number > 0)
            self.forth.setEnabled(number + 1 < len(self._pieces))
            self.chosen.emit(self._pieces[number])
