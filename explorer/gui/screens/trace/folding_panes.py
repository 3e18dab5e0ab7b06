"""Two parts beside each other where there is room, and otherwise one at a time."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.layouts.splitter import Splitter
from explorer.i18n import tr

_NARROW = 54.0
"""Width in em below which one part is shown at a time: beside the text, the tabs of its evidence would be cut."""


class FoldingPanes(QWidget):
    """A text and what belongs to it.

    `segments`: choose between them while there is no room for both; whoever makes the panes gives them a place.
    `folds(bool)`: from now on one part is shown at a time, or both again.

    text: The part that comes first, and is wider.
    """

    folds = Signal(bool)

    def __init__(self, text: QWidget, beside: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = (text, beside)
        self._told = False
        self.segments = Segments((tr("Text"), tr("Evidence")), tr("Show the text, or its documents and measures"))
        self.splitter = Splitter()
        for part in self._parts:
            self.splitter.addWidget(part)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setSizes([720, 480])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.splitter, 1)
        self.segments.chosen.connect(self._fold)
        when_restyled(self, self._fold)

    @property
    def folded(self) -> bool:
        """Whether one part is shown at a time."""
        return self.width() < em(_NARROW)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the wider part: the other one gives way to it."""
        sizes = [part.minimumSizeHint() for part in self._parts]
        return QSize(max(size.width() for size in sizes), max(size.height() for size in sizes))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold below a width, and unfold above it."""
        super().resizeEvent(event)
        self._fold()

    def reveal(self, part: QWidget) -> None:
        """Show one of the parts, if it is folded away."""
        self.segments.choose(self._parts.index(part))
        self._fold()

    def _fold(self) -> None:
        folded, current = self.folded, self.segments.current
        self.segments.setVisible(folded)
        if folded != self._told:
            self._told = folded
            self.folds.emit(folded)
        focus = QApplication.focusWidget()
        hidden = self._parts[1 - current]
        if folded and focus is not None and hidden.isAncestorOf(focus):
            # Qt would give the keyboard to whatever comes next on the page, or to the rail of screens.
            self.segments.button(current).setFocus()
        for number, part in enumerate(self._parts):
            part.setVisible(not folded or number == current)
