"""The table of the Perplexity tab: a row per method, or per source."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent

from explorer.gui.screens.model.perplexity.presenter import PerplexityPresenter
from explorer.gui.screens.model.perplexity.state import PerplexityState
from explorer.gui.screens.model.perplexity.words import HEADER, HEADER_TIPS, explained
from explorer.gui.style.theme import em
from explorer.gui.widgets.tables.table_panel import TablePanel
from explorer.i18n import tr

_SPARED = (4, 3, 2)
"""Columns that are left out where there is no room, in this order."""


class FiguresPanel(TablePanel):
    """Rows of figures; a click, or Enter, on one shows what it is about."""

    def __init__(self, presenter: PerplexityPresenter) -> None:
        super().__init__(tr("Perplexity by method"), (tr("By method"), tr("By source")), tr("Rows of the table"))
        self.by.chosen.connect(lambda number: presenter.show_by(number == 1))
        self.picked.connect(presenter.pick)

    def draw(self, state: PerplexityState, before: PerplexityState | None) -> None:
        """Show the figures of a state.

        before: The one that was drawn before; None for the first.
        """
        self.panel.show_header(state.several)
        self.by.choose(1 if state.by_source else 0)
        self.explain("" if state.row is None else explained(state.row.method))
        shown = (state.answer.value, state.chosen, state.by_source)
        # Setting rows forgets what is chosen and scrolled, so only when there are others.
        if before is None or shown != (before.answer.value, before.chosen, before.by_source):
            header = (tr("Source") if state.by_source and state.several else tr(HEADER[0]), *map(tr, HEADER[1:]))
            self.model.show(header if state.table else (), state.table, tuple(map(tr, HEADER_TIPS)))
            self._fit()
        self.mark_row(state.table_row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what is told elsewhere, too, where there is no room for all columns."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        count, header = self.model.columnCount(), self.table.horizontalHeader()
        needed = [max(self.table.sizeHintForColumn(n), header.sectionSizeHint(n)) for n in range(count)]
        # Measured as if all were shown: a column that is hidden now may have room again.
        left = self.table.viewport().width() - sum(needed)
        for number in _SPARED if count else ():
            hidden = left < 0
            if hidden != self.table.isColumnHidden(number):
                self.table.setColumnHidden(number, hidden)
            left += needed[number] if hidden else 0

    def minimumSizeHint(self) -> QSize:
        """Room for its columns and some rows."""
        return QSize(em(20), em(13))
