"""Which piece of a conversation or of a long text is in the editor."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QWidget

from explorer.gui.screens.screen import label, named
from explorer.gui.screens.trace.text.pieces import PiecesPresenter, PiecesState
from explorer.i18n import tr


class PieceBar(QWidget):
    """A list of pieces with buttons for previous and next; hidden unless there are several."""

    def __init__(self, presenter: PiecesPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = label("", "muted")
        self.list = named(QComboBox(), tr("Piece"))
        self.back, self.forth = QPushButton(tr("Previous")), QPushButton(tr("Next"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.message, 1)
        for widget in (self.back, self.list, self.forth):
            layout.addWidget(widget)
        self.list.currentIndexChanged.connect(presenter.choose)
        self.back.clicked.connect(lambda: presenter.step(-1))
        self.forth.clicked.connect(lambda: presenter.step(1))
        self.hide()
        presenter.watch(self._draw)

    def _draw(self, state: PiecesState, before: PiecesState) -> None:
        self.message.setText(state.note)
        with QSignalBlocker(self.list):
            # A step keeps the pieces, of which a long text has many: the list is filled once.
            if state.pieces is not before.pieces:
                self.list.clear()
                self.list.addItems([piece.name for piece in state.pieces])
            self.list.setCurrentIndex(state.number)
        self.back.setEnabled(not state.is_first)
        self.forth.setEnabled(not state.is_last)
        self.setVisible(state.shown)
