"""A row of buttons that give up their words, from the last on, where there is no room for all of them."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from explorer.gui.style.untrusted import caption


class FoldingRow(QWidget):
    """A row of buttons with icons. A button without its words keeps them as its tool tip and its name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: dict[QPushButton, str] = {}
        self._room = -1
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(4)

    def put(self, button: QPushButton, first: bool = False) -> None:
        """Add a button.

        button: The button; its words are kept as its name, and as its tool tip if it has none.
        first: Whether it comes first, and so is the last to lose its words; otherwise it is added at the end.
        """
        name = button.text().replace("&&", "&")
        if not button.toolTip():
            button.setToolTip(name)
        button.setAccessibleName(name)
        self.row.insertWidget(0 if first else len(self._names), button)
        # In the order of the row, in which words are given up from the end.
        self._names = {button: name, **self._names} if first else {**self._names, button: name}

    def fold(self, room: int) -> None:
        """Show words on as many buttons as there is room for, from the first on; the others keep their icons.

        room: The width in pixels; -1 forgets the last one, after the text size has changed.
        """
        if room == self._room:
            return
        self._room = room
        if room < 0:
            return
        # First all words, then without them from the last on: widths are known only once the words are set.
        for button, name in self._names.items():
            button.setText(caption(name))
        for button in reversed(self._names):
            if self.row.sizeHint().width() <= room:
                break
            button.setText("")
