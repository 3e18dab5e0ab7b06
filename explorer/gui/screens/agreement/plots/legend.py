"""What the marks of the plot mean."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.analyses.agreement.compare import FEW_IN_BIN
from explorer.gui.screens.agreement.plots.plotted import Plotted
from explorer.gui.sources.marks import draw_mark
from explorer.gui.style.text_positions import short_text
from explorer.gui.style.theme import font_of, qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.painting import draw_words
from explorer.i18n import tr

_SAMPLE, _GAP = 26, 8
_MOST = 8
"""Other sources that are named."""


@dataclass(frozen=True)
class Entry:
    """One sample and its words.

    place: The shape of the mark, by the place of its source; -1 for none.
    line: The style of the line; None for no line.
    hollow: Whether the mark is hollow.
    wedge: Whether it is the wedge of a dip.
    hint: More about it, for the tool tip.
    """

    words: str
    place: int = -1
    color: str = "muted"
    line: Qt.PenStyle | None = None
    hollow: bool = False
    wedge: bool = False
    hint: str = ""


def entries(plotted: Plotted) -> tuple[Entry, ...]:
    """What there is to explain in a plot."""
    solid = Qt.PenStyle.SolidLine
    own = tr("∞-gram, single continuation, 95% interval") if plotted.look.sparse else tr("∞-gram, 95% interval")
    found = [Entry(own, plotted.place, "accent", solid)]
    found += [
        Entry(short_text(name, 28) or tr("text"), place, "muted", solid) for place, name, _ in plotted.others[:_MOST]
    ]
    if plotted.look.ngram:
        found.append(Entry(tr("{n}-gram model", n=plotted.figure.n), -1, "ghost", Qt.PenStyle.DashLine))
    if any(b.tokens < FEW_IN_BIN for b in plotted.bins):
        words = tr("fewer than {n} tokens", n=FEW_IN_BIN)
        hint = tr("So few tokens give an uncertain share: read it with care")
        found.append(Entry(words, plotted.place, "accent", None, hollow=True, hint=hint))
    if plotted.steps:
        hint = tr("Agreement falls here by more than chance explains")
        found.append(Entry(tr("significant dip"), wedge=True, color="text", hint=hint))
    return tuple(found)


class _Sample(QWidget):
    """One entry, painted."""

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        self._entry = entry
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(entry.words)
        self.setToolTip(tip(entry.hint))

    def sizeHint(self) -> QSize:
        """The sample and its words."""
        metrics = QFontMetrics(font_of(0.92))
        words = metrics.horizontalAdvance(self._entry.words) + 1
        return QSize(scaled(_SAMPLE) + scaled(_GAP) + words, metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The sample and its words."""
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        right = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        side, entry = scaled(_SAMPLE), self._entry
        area = QRectF(self.width() - side if right else 0, 0, side, self.height())
        # A triangle that points down is the wedge.
        place = 4 if entry.wedge else entry.place
        draw_mark(painter, area, place, entry.color, entry.line, entry.hollow)
        painter.setFont(font_of(0.92))
        painter.setPen(qcolor("muted"))
        left = 0 if right else side + scaled(_GAP)
        draw_words(painter, QRectF(left, 0, self.width() - side - scaled(_GAP), self.height()), entry.words)
        painter.end()


class PlotLegend(QWidget):
    """Entries in a row that wraps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[Entry, ...] = ()
        self._samples: list[_Sample] = []
        self._flow = FlowLayout(self, gap=16)

    @property
    def words(self) -> tuple[str, ...]:
        """What it explains."""
        return tuple(entry.words for entry in self._entries)

    def explain(self, plotted: Plotted | None) -> None:
        """Show what the marks of a plot mean."""
        found = entries(plotted) if plotted is not None else ()
        if found == self._entries:
            return
        self._entries = found
        for sample in self._samples:
            self._flow.removeWidget(sample)
            # Hide it at once: it is deleted only in the next turn of the event loop.
            sample.hide()
            sample.deleteLater()
        self._samples = [_Sample(entry) for entry in found]
        for sample in self._samples:
            self._flow.addWidget(sample)
        self._keep_lines()

    def _keep_lines(self) -> None:
        # Above it are a splitter and a stack, which ask only for the least height and not for that of this width.
        self.setMinimumHeight(self._flow.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the room of all its lines."""
        super().resizeEvent(event)
        self._keep_lines()
