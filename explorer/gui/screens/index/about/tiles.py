"""A row of figures in a frame, each under its name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from explorer.gui.screens.index.parts import framed
from explorer.gui.screens.screen import label
from explorer.gui.style.theme import em

_READY = 5
"""Tiles that are made with the row, in a turn ahead of the first figures: those of an index with all of them."""


class Tiles(QWidget):
    """Shows names and figures, evenly spread; a narrow window has several lines of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[tuple[str, str], ...] = ()
        # Kept when others are shown: creating them takes far longer than writing other texts into them.
        frame, content = framed("", inset=False)
        self._holder = QWidget()
        self._made = [_Tile(self._holder) for _ in range(_READY)]
        self._grid = QGridLayout(self._holder)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        content.addWidget(self._holder)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(frame)
        for tile in self._made:
            tile.hide()

    def texts(self) -> tuple[tuple[str, str], ...]:
        """The names and figures that are shown."""
        return self._shown

    def show_tiles(self, tiles: Sequence[tuple[str, str]]) -> None:
        """Show these names and figures."""
        if tuple(tiles) == self._shown:
            return
        self._shown = tuple(tiles)
        while len(self._made) < len(self._shown):
            self._made.append(_Tile(self._holder))
        for number, tile in enumerate(self._made):
            tile.setVisible(number < len(self._shown))
            if number < len(self._shown):
                tile.say(*self._shown[number])
        self._place()

    def _place(self) -> None:
        tiles = self._made[: len(self._shown)]
        widest = max((tile.sizeHint().width() for tile in tiles), default=1)
        columns = max(1, min(len(tiles), self.width() // max(widest, em(11))))
        # No row of one below a row of many.
        columns = -(-len(tiles) // -(-len(tiles) // columns)) if tiles else 1
        for number, tile in enumerate(tiles):
            # A tile that is in the grid already is moved: Qt takes it out of its old cell.
            self._grid.addWidget(tile, number // columns, number % columns)
        # A grid never loses columns, so those that are empty now must not take room.
        for column in range(max(columns, self._grid.columnCount())):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many side by side as fit."""
        super().resizeEvent(event)
        self._place()


class _Tile(QFrame):
    """A name and its figure."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name, self._figure = label("", "small"), label("", "figure")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(4)
        column.addWidget(self._name)
        column.addWidget(self._figure)

    def say(self, name: str, figure: str) -> None:
        """Show another name and figure."""
        self._name.setText(name)
        self._figure.setText(figure)
        # For assistive technology, which would read the two labels apart.
        self.setAccessibleName(f"{name}: {figure}")
