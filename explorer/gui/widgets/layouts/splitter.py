"""Two or more panes with a grip between them that can be seen and reached by keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from explorer.gui.style.theme import em, qcolor, scaled
from explorer.gui.widgets.painting import ring, rounded
from explorer.i18n import tr

# The width is that of a handle in the style sheet, and does not grow with the text.
_WIDTH, _ACROSS, _ALONG, _STEP = 9, 5, 32, 24


class Grip(QSplitterHandle):
    """A line with a bar in its middle. Arrow keys move it while it has the focus."""

    def __init__(self, orientation: Qt.Orientation, parent: QSplitter) -> None:
        super().__init__(orientation, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Border between two parts"))
        self.setAccessibleDescription(tr("Arrow keys move it"))

    def sizeHint(self) -> QSize:
        """As wide as a pointer needs."""
        return QSize(_WIDTH, _WIDTH)

    def _upright(self) -> bool:
        return self.orientation() == Qt.Orientation.Horizontal

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by a step; other keys are not for it."""
        keys = (
            {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1} if self._upright() else {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        )
        way = keys.get(Qt.Key(event.key()))
        if way is None:
            super().keyPressEvent(event)
            return
        at = self.x() if self._upright() else self.y()
        if self._upright() and self.isRightToLeft():
            # There, Qt takes the place of the grip's other edge.
            at += self.width()
        self.moveSplitter(at + way * scaled(_STEP))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line over its whole length, and the bar."""
        painter = QPainter(self)
        area = QRectF(self.rect())
        middle = area.center()
        upright = self._upright()
        if upright:
            # On a whole pixel: between two, the line would be blurred.
            painter.fillRect(QRectF(int(middle.x()), 0, 1, area.height()), qcolor("line"))
        else:
            painter.fillRect(QRectF(0, int(middle.y()), area.width(), 1), qcolor("line"))
        bar = QRectF(0, 0, _ACROSS, scaled(_ALONG)) if upright else QRectF(0, 0, scaled(_ALONG), _ACROSS)
        bar.moveCenter(middle)
        rounded(painter, bar, _ACROSS / 2, "faint" if self.underMouse() else "line_strong")
        if self.hasFocus():
            ring(painter, bar.adjusted(-2, -2, 2, 2), _ACROSS / 2 + 2)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        """Draw it in the new theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self.update()


class Splitter(QSplitter):
    """A splitter with grips. `chosen(list)`: the user moved a border; the share of each pane, 0 to 1.

    orientation: Horizontal: its panes are next to each other.
    """

    chosen = Signal(list)

    def __init__(self, orientation: Qt.Orientation = Qt.Orientation.Horizontal, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(_WIDTH)
        self._shares: list[float] = []
        self.splitterMoved.connect(lambda *_: self._moved())
        self._keep_edge()

    def changeEvent(self, event: QEvent) -> None:
        """Keep the edges in sight when the direction of the window changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._keep_edge()

    def setOrientation(self, orientation: Qt.Orientation) -> None:
        """Put the panes next to each other, or one above the other."""
        super().setOrientation(orientation)
        self._keep_edge()

    def _keep_edge(self) -> None:
        # From right to left, Qt places every pane one pixel too far to the right, and cuts the frame of the first.
        upright = self.orientation() == Qt.Orientation.Horizontal
        self.setContentsMargins(0, 0, 1 if upright and self.isRightToLeft() else 0, 0)

    def use_shares(self, shares: Sequence[float]) -> None:
        """Divide the room as it was divided before, when it is first shown.

        shares: Of each pane, 0 to 1; any other number of them is ignored.
        """
        self._shares = list(shares) if len(shares) == self.count() else []

    def _moved(self) -> None:
        sizes = self.sizes()
        # A pane that is hidden has no size; its share stays as it was.
        if all(sizes):
            self._shares = []
            self.chosen.emit([size / sum(sizes) for size in sizes])

    def showEvent(self, event: QShowEvent) -> None:
        """Divide the room, now that there is some."""
        super().showEvent(event)
        if self._shares:
            room = self.width() if self.orientation() == Qt.Orientation.Horizontal else self.height()
            self.setSizes([max(1, round(share * room)) for share in self._shares])
            self._shares = []

    def createHandle(self) -> QSplitterHandle:
        """Make a grip."""
        return Grip(self.orientation(), self)


def split(orientation: Qt.Orientation, sizes: Sequence[int], *panes: QWidget) -> Splitter:
    """Panes that share the room; their sizes are proportions, not pixels, and none for equal ones."""
    splitter = Splitter(orientation)
    for pane in panes:
        splitter.addWidget(pane)
    splitter.setSizes(list(sizes) or [500] * len(panes))
    return splitter


def turn_where_narrow(page: QWidget, splitters: Sequence[tuple[Splitter, int]]) -> None:
    """Put the panes of splitters one above the other where a page is narrower than a number of em."""
    for splitter, least in splitters:
        narrow = page.width() < em(least)
        splitter.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
