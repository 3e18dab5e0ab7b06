"""Where the lines occur: along the corpus, and by document."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QVBoxLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.state import SearchState
from explorer.gui.screens.search.views.state import DispersionState
from explorer.gui.style.theme import qcolor
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr, trn


class Histogram(QWidget):
    """Hits along the corpus, from its beginning at the left to its end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # One empty part and not none, so that painting has a maximum before the first answer.
        self.bins: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self.setAccessibleName(tr("Hits by position in the corpus"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def show_bins(self, bins: NDArray[np.int64]) -> None:
        """Show other numbers."""
        self.bins = bins
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

    def minimumSizeHint(self) -> QSize:
        """Lower where the window is low: the table below it must not be out of view."""
        return QSize(100, 88)

    def _plot(self) -> QRect:
        return self.rect().adjusted(1, 6, -1, -QFontMetrics(self.font()).height() - 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw bars, a ground line, and the two ends in words."""
        painter = QPainter(self)
        plot, most = self._plot(), max(1, int(self.bins.max()))
        count = len(self.bins)
        for i, value in enumerate(self.bins.tolist()):
            left = plot.left() + i * plot.width() // count
            # Edges in whole pixels, from the number of the part: rounding errors do not add up.
            right = plot.left() + (i + 1) * plot.width() // count
            height = round(plot.height() * value / most)
            # With a gap of a pixel, unless the part has only one.
            painter.fillRect(left, plot.bottom() - height + 1, max(1, right - left - 1), height, qcolor("bar"))
        painter.setPen(qcolor("line_strong"))
        painter.drawLine(plot.left(), plot.bottom() + 1, plot.right(), plot.bottom() + 1)
        painter.setPen(qcolor("muted"))
        below = QRect(plot.left(), plot.bottom() + 3, plot.width(), self.height() - plot.bottom() - 3)
        ends = (tr("start of the corpus"), tr("end of the corpus"))
        sides = Qt.AlignmentFlag
        # The bars run from left to right in every language, and so do the words; each text has its own direction.
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        for text, side in zip(ends, (sides.AlignLeft, sides.AlignRight), strict=True):
            painter.drawText(below, side | sides.AlignAbsolute, text)
        metrics = painter.fontMetrics()
        # Centered between the ends, if there is room on both sides.
        room = below.width() - 2 * max(map(metrics.horizontalAdvance, ends)) - 2 * metrics.averageCharWidth()
        fitting = (text for text in self._middle() if metrics.horizontalAdvance(text) <= room)
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, next(fitting, ""))
        painter.end()

    def _middle(self) -> tuple[str, str]:
        """The words between the two ends, longest first."""
        most, parts = int(self.bins.max()), len(self.bins)
        return (
            trn(
                "{parts} equal parts; tallest bar: {n:,} hit",
                "{parts} equal parts; tallest bar: {n:,} hits",
                most,
                parts=parts,
            ),
            trn("tallest bar: {n:,} hit", "tallest bar: {n:,} hits", most),
        )

    def event(self, event: QEvent) -> bool:
        """Show a part's number of hits in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            plot, count = self._plot(), len(self.bins)
            # The pointer may be on the frame, outside of the first or last part.
            part = min(count - 1, max(0, (event.pos().x() - plot.left()) * count // max(1, plot.width())))
            text = trn(
                "{begin:.1%} to {end:.1%} of the corpus: {n:,} hit",
                "{begin:.1%} to {end:.1%} of the corpus: {n:,} hits",
                int(self.bins[part]),
                begin=part / count,
                end=(part + 1) / count,
            )
            QToolTip.showText(event.globalPos(), tip(text), self)
            return True
        return super().event(event)


class SpreadView(QWidget):
    """Hits along the corpus, and the documents with the most hits, which lead to their text. `export_wanted()`."""

    export_wanted = Signal()

    def __init__(self, presenter: SearchPresenter, figure: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = figure
        self.export = push_button(tr("Export …"))
        self.export.setToolTip(tr("Save the number of hits in each part of the corpus to a file"))
        self.export.clicked.connect(self.export_wanted)
        self.summary = label("", "muted")
        self.summary.setWordWrap(True)
        self.histogram = Histogram()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Documents with the most hits"), wide=(3,))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(flowing(figure, self.export))
        layout.addWidget(self.summary)
        layout.addWidget(self.histogram)
        layout.addWidget(self.table, 1)
        self._stale = Dimmer(self.summary, self.histogram, self.table, parent=self)
        self.table.activated.connect(lambda index: presenter.documents.of_dispersion(index.row()))

    def draw(self, state: SearchState, before: SearchState | None) -> None:
        """Show where the lines are.

        before: The one that was drawn before; None for the first.
        """
        now, old = state.dispersion, None if before is None else before.dispersion
        # By identity: the arrays of an answer are not compared, and another answer is another object.
        if old is None or now.shown is not old.shown:
            self._show(now)
        at_once = not (state.awaited or now.answer.awaited)
        self._stale.set_stale(state.dispersion_dimmed, at_once=at_once)
        self.export.setEnabled(now.current)

    def _show(self, state: DispersionState) -> None:
        self.summary.setText(state.summary)
        self.histogram.setVisible(state.shown is not None)
        if state.shown is None:
            self.model.show((), ())
            return
        self.histogram.show_bins(state.shown.bins)
        header = (tr("Documents with the most hits"), tr("Hits"), tr("Per million tokens"), tr("Positions"))
        self.model.show(header, state.rows)
