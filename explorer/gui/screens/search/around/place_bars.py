"""Where in the windows a collocate is, drawn: a bar for each place left and right of the match."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.gui.style.theme import font_of, qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.i18n import numeral, tr

_BARS = 36
"""Height of the longest bar."""
_MOST_LABELED = 12
"""Places with a label below; with more of them, only the outermost ones have one."""


class PlaceBars(QWidget):
    """A bar for each place of the window; the match is the gap between both sides."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Places in the window"))
        self._counts: tuple[int, ...] = ()
        self._left = 0

    def show_counts(self, counts: Sequence[int], left: int) -> None:
        """Draw other counts.

        counts: How often the word is at each place, from the furthest left to the furthest right; () for nothing.
        left: How many of them are left of the match.
        """
        self._counts, self._left = tuple(counts), left
        self.setVisible(bool(counts))
        self.setAccessibleDescription(", ".join(map(self.told, range(len(self._counts)))))
        self.update()

    def name(self, place: int) -> str:
        """The name of a place, such as 2L or 1R."""
        return f"{self._left - place}L" if place < self._left else f"{place - self._left + 1}R"

    def told(self, place: int) -> str:
        """A place and its count in words."""
        return tr("{place}: {count}", place=self.name(place), count=numeral(self._counts[place]))

    def sizeHint(self) -> QSize:
        """Room for the bars and a line below."""
        return QSize(scaled(160), round(scaled(_BARS + 6) + QFontMetricsF(font_of(0.85)).height()))

    def bar(self, place: int) -> QRectF:
        """Where the bar of a place is; the gap of the match is as wide as a bar."""
        # Left of the match is on the left in any language of the window: the text has its own direction.
        width = self.width() / (len(self._counts) + 1)
        most = max(*self._counts, 1)
        high = scaled(_BARS) * self._counts[place] / most
        at = place + (place >= self._left)
        return QRectF(at * width + 1, scaled(_BARS) + 2 - high, max(1.0, width - 2), high)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars, and the names of places below."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font_of(0.85))
        last = len(self._counts) - 1
        for place in range(len(self._counts)):
            bar = self.bar(place)
            painter.fillRect(bar, qcolor("accent"))
            if last < _MOST_LABELED or place in (0, last):
                painter.setPen(qcolor("muted"))
                below = QRectF(bar.left() - scaled(12), scaled(_BARS) + 4, bar.width() + scaled(24), scaled(20))
                painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, self.name(place))
        if self._counts:
            painter.setPen(qcolor("line"))
            painter.drawLine(0, scaled(_BARS) + 2, self.width(), scaled(_BARS) + 2)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Tell the count of the place under the mouse."""
        if isinstance(event, QHelpEvent) and self._counts:
            at = int(event.pos().x() * (len(self._counts) + 1) / max(1, self.width()))
            place = at - (at > self._left)
            inside = at != self._left and 0 <= place < len(self._counts)
            QToolTip.showText(event.globalPos(), tip(self.told(place) if inside else tr("The match")), self)
            return True
        return super().event(event)
