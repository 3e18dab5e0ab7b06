"""The table of the Perplexity tab: a row per method, or per source."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.screen import label
from explorer.gui.screens.model.perplexity.presenter import PerplexityPresenter
from explorer.gui.screens.model.perplexity.state import PerplexityState
from explorer.gui.screens.model.perplexity.words import HEADER, HEADER_TIPS
from explorer.gui.theme import em
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.segments import Segments
from explorer.i18n import tr

_SPARED = (4, 3, 2)
"""Columns that are left out where there is no room, in this order."""


class FiguresPanel(QWidget):
    """Rows of figures; a click, or Enter, on one shows what it is about.

    Parameters
    ----------
    presenter
        The tab's.
    """

    def __init__(self, presenter: PerplexityPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        self.by = Segments((tr("By method"), tr("By source")), tr("Rows of the table"))
        self.panel = Panel(actions=(self.by,), footer=())
        # The choice is at the end of the header, as actions of other panels are.
        self.panel.header_row.insertStretch(0, 1)
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Perplexity by method"), wide=(0,))
        self.panel.hold(self.table)
        self.how = label("", "small")
        self.how.setWordWrap(True)
        self.panel.footer_row.addWidget(self.how)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.panel)
        self.by.chosen.connect(lambda number: presenter.show_by(number == 1))
        self.table.clicked.connect(self._pick)
        self.table.activated.connect(self._pick)

    def _pick(self, at: QModelIndex) -> None:
        self._presenter.pick(at.row())

    def draw(self, state: PerplexityState, before: PerplexityState | None) -> None:
        """Show the figures of a state.

        Parameters
        ----------
        state
            The new state.
        before
            The one that was drawn before; None for the first.
        """
        self.panel.show_header(state.several)
        self.by.choose(1 if state.by_source else 0)
        self.how.setText(state.explanation)
        shown = (state.answer.value, state.chosen, state.by_source)
        # Setting rows forgets what is chosen and scrolled, so only when there are others.
        if before is None or shown != (before.answer.value, before.chosen, before.by_source):
            header = (tr("Source") if state.by_source and state.several else tr(HEADER[0]), *map(tr, HEADER[1:]))
            self.model.show(header if state.table else (), state.table, tuple(map(tr, HEADER_TIPS)))
            self._fit()
        if 0 <= state.table_row < self.model.rowCount():
            flags = QItemSelectionModel.SelectionFlag
            index = self.model.index(state.table_row, 0)
            # Not `selectRow`, which would take the focus of the keys along.
            self.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

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
