"""The sources of an analysis as a table, each compared with a chosen one."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QHeaderView, QVBoxLayout, QWidget

from explorer.analyses.agreement.compare import SourceSummary, compare_shares
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.agreement.sentences import p_words, percent, percents
from explorer.gui.screens.screen import label, named
from explorer.gui.sources.inputs import source_key
from explorer.gui.style.text_positions import cell_text
from explorer.gui.style.theme import em
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import mark, numeral, tr

_HEADER = (
    mark("Source"),
    mark("Agreement"),
    mark("95% interval"),
    mark("Mean n"),
    mark("Median n"),
    mark("Single continuation"),
    mark("Tokens"),
    mark("Texts"),
    mark("Difference (points)"),
    "p",
    mark("Effect size (h)"),
)
_SPARED = (7, 4, 3, 5, 6)
"""Columns that are left out in this order where there is no room: they are about one source, not about two."""
_NAME = 12
"""Em for the name of a source at least."""


class SourcesView(QWidget):
    """A table of sources.

    `reference_chosen(str)`: the name of the source to compare with; `source_chosen(str)`: the key of one to be shown.
    """

    reference_chosen = Signal(str)
    source_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reference = named(QComboBox(), tr("Compare with"))
        self.how = label("", "muted")
        self.how.setWordWrap(True)
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Sources"), wide=(0,))
        self._top = QWidget()
        top = QHBoxLayout(self._top)
        top.setContentsMargins(0, 0, 0, 0)
        top.addWidget(label(tr("Compare with"), "muted"))
        top.addWidget(self.reference)
        top.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 12)
        layout.addWidget(self._top)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.how)
        self._names: tuple[str, ...] = ()
        # Rows keep the order of the sources, so the number of a row is that of its source.
        self.table.activated.connect(lambda at: self.source_chosen.emit(source_key(self._names[at.row()])))
        self.reference.currentIndexChanged.connect(lambda _: self.reference_chosen.emit(self.reference.currentData()))

    def show_sources(self, sources: tuple[SourceSummary, ...], reference: int) -> None:
        """Show sources, each compared with one of them.

        reference: The place of the one to compare with among them, from 0.
        """
        self._names = tuple(source.name for source in sources)
        # A combo box chooses its first item when it is filled. Blocked, that is not taken for the user's choice.
        with QSignalBlocker(self.reference):
            self.reference.clear()
            for source in sources:
                self.reference.addItem(cell_text(source.name) or tr("text"), source.name)
            self.reference.setCurrentIndex(reference if sources else -1)
        self._top.setVisible(len(sources) > 1)
        self.how.setText(_explained(len(sources)))
        if not sources:
            self.model.show((), ())
            return
        self.model.show(tuple(map(tr, _HEADER)), [_cells(source, sources[reference]) for source in sources])
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out columns where there is no room for all."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide as many columns as leave room for the names of the sources, the least important first."""
        count = self.model.columnCount()
        header = self.table.horizontalHeader()
        needed = [max(self.table.sizeHintForColumn(n), header.sectionSizeHint(n)) for n in range(count)]
        left = self.table.viewport().width() - em(_NAME) - sum(needed[1:])
        for number in _SPARED if count else ():
            # Asked first: each change lays out the table.
            hidden = left < 0
            if hidden != self.table.isColumnHidden(number):
                self.table.setColumnHidden(number, hidden)
            left += needed[number] if hidden else 0
        if count:
            # Where even that leaves no room, the table scrolls sideways.
            mode = QHeaderView.ResizeMode.Stretch if left >= 0 else QHeaderView.ResizeMode.Interactive
            header.setSectionResizeMode(0, mode)
            if left < 0:
                header.resizeSection(0, em(_NAME))


def _explained(sources: int) -> str:
    """What the table shows, below it."""
    if sources < 2:
        return tr("Add a second source to compare this one with.")
    return tr(
        "Difference in agreement from the source above, in percentage points, with its p-value and effect size "
        "(Cohen's h: 0.2 small, 0.5 medium, 0.8 large). Intervals and p allow for tokens of one text that depend on "
        "each other. Double-click a source to show it."
    )


def _cells(source: SourceSummary, reference: SourceSummary) -> tuple[Cell, ...]:
    name = (cell_text(source.name) or tr("text")) + (tr("  (few tokens: uncertain)") if source.few else "")
    # None if one of the sources has no tokens: no test, rather than a p of 1.
    found = compare_shares(source.share, reference.share)
    compared = (Cell("—", right=True, muted=True),) * 3
    # A source compared with itself differs by 0 with p = 1, which is true and of no use.
    if found is not None and source is not reference:
        points = f"{100 * found.difference:+.1f}".replace("-", "−")
        effect = tr("{h:+.2f} {size}", h=found.h, size=tr(found.size)).replace("-", "−")
        compared = (Cell(points, right=True), Cell(p_words(found.p), right=True), Cell(effect, right=True))
    return (
        Cell(name, muted=source.few, tip=source.name),
        Cell(percent(source.agreement), right=True),
        Cell(percents(source.low, source.high), right=True, muted=True),
        Cell(numeral(source.mean_n, ".1f"), right=True),
        Cell(numeral(source.median_n, "g"), right=True),
        Cell(percent(source.sparse), right=True),
        Cell(numeral(source.tokens, ",d"), right=True, muted=True),
        Cell(numeral(source.texts, ",d"), right=True, muted=True),
        *compared,
    )
