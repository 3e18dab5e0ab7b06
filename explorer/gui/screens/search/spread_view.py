"""Where the lines occur: along the corpus, and by document."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from explorer.gui.cells import Cell
from explorer.gui.direction import isolated
from explorer.gui.screen import label
from explorer.gui.text_positions import cell_text
from explorer.gui.theme import qcolor
from explorer.gui.untrusted import tip
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.i18n import counted, numeral, tr, trn
from explorer.search.facets import Dispersion

_MOST_TICKS = 400


class Histogram(QWidget):
    """Hits along the corpus, from its beginning at the left to its end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bins: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self.setAccessibleName(tr("Hits by position in the corpus"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_bins(self, bins: NDArray[np.int64]) -> None:
        """Show other numbers."""
        self._bins = bins
        most = int(bins.max()) if len(bins) else 0
        self.setAccessibleDescription(
            trn(
                "{n:,} hit in {count} equal parts of the corpus, at most {most:,} in one part",
                "{n:,} hits in {count} equal parts of the corpus, at most {most:,} in one part",
                int(bins.sum()),
                count=len(bins),
                most=most,
            )
        )
        self.update()

    def sizeHint(self) -> QSize:
        """A low plot."""
        return QSize(300, 132)

    def _plot(self) -> QRect:
        return self.rect().adjusted(1, 6, -1, -QFontMetrics(self.font()).height() - 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw bars, a ground line, and the two ends in words."""
        painter = QPainter(self)
        plot, most = self._plot(), max(1, int(self._bins.max()))
        count = len(self._bins)
        for i, value in enumerate(self._bins.tolist()):
            left = plot.left() + i * plot.width() // count
            right = plot.left() + (i + 1) * plot.width() // count
            height = round(plot.height() * value / most)
            painter.fillRect(left, plot.bottom() - height + 1, max(1, right - left - 1), height, qcolor("bar"))
        painter.setPen(qcolor("border"))
        painter.drawLine(plot.left(), plot.bottom() + 1, plot.right(), plot.bottom() + 1)
        painter.setPen(qcolor("muted"))
        below = QRect(plot.left(), plot.bottom() + 3, plot.width(), self.height() - plot.bottom() - 3)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, tr("start of the corpus"))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, tr("end"))
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, tr("tallest bar: {most:,}", most=int(self._bins.max())))
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Show a part's number of hits in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            plot, count = self._plot(), len(self._bins)
            part = min(count - 1, max(0, (event.pos().x() - plot.left()) * count // max(1, plot.width())))
            text = trn(
                "{begin:.1%} to {end:.1%} of the corpus: {n:,} hit",
                "{begin:.1%} to {end:.1%} of the corpus: {n:,} hits",
                int(self._bins[part]),
                begin=part / count,
                end=(part + 1) / count,
            )
            QToolTip.showText(event.globalPos(), tip(text), self)
            return True
        return super().event(event)


class SpreadView(QWidget):
    """Hits along the corpus, and the documents with the most hits. `document_chosen(int)`: a row of them."""

    document_chosen = Signal(int)

    def __init__(self, figure: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dispersion: Dispersion | None = None
        self.summary = label("", "muted")
        self.summary.setWordWrap(True)
        self.histogram = Histogram()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Documents with the most hits"), wide=(3,))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        top = QHBoxLayout()
        top.addWidget(self.summary, 1)
        top.addWidget(figure)
        layout.addLayout(top)
        layout.addWidget(self.histogram)
        layout.addWidget(self.table, 1)
        self.table.activated.connect(lambda index: self._choose(index.row()))

    def _choose(self, row: int) -> None:
        if self.dispersion is not None and row < len(self.dispersion.most):
            self.document_chosen.emit(self.dispersion.most[row].number)

    def show_spread(self, found: Dispersion | None) -> None:
        """Show the spread of the lines, or nothing."""
        self.dispersion = found
        self.histogram.setVisible(found is not None)
        if found is None:
            self.summary.setText("")
            self.model.show((), ())
            return
        self.histogram.show_bins(found.bins)
        self.summary.setText(
            tr(
                "in {documents:,} of {all_documents} · deviation of proportions (DP) {deviation:.2f}: 0 means "
                "evenly spread, 1 means all in one small part",
                documents=found.documents,
                all_documents=counted("document", found.all_documents),
                deviation=found.deviation,
            )
            + (
                trn(
                    " · ≈ from a sample of {looked_at:,} of {n:,} line",
                    " · ≈ from a sample of {looked_at:,} of {n:,} lines",
                    found.of,
                    looked_at=found.looked_at,
                )
                if found.looked_at < found.of
                else ""
            )
        )
        rows = [
            (
                Cell(isolated(cell_text(document.title)), tip=document.title),
                Cell(numeral(document.hits), right=True),
                Cell(numeral(1000000.0 * document.hits / max(1, document.tokens), ",.0f"), right=True, muted=True),
                Cell("", ticks=_ticks(document.at)),
            )
            for document in found.most
        ]
        self.model.show(
            (tr("Documents with the most hits"), tr("Hits"), tr("Per million"), tr("Positions in the document")), rows
        )


def _ticks(places: NDArray[np.float64]) -> tuple[float, ...]:
    """The positions to draw: no more than can be distinguished."""
    return tuple(np.unique(np.round(places * _MOST_TICKS) / _MOST_TICKS).tolist())
