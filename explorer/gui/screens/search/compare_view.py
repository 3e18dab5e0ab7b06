"""Several queries in one or several indexes, side by side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from explorer.api import Corpus, open_index
from explorer.gui.cells import Cell
from explorer.gui.runner import Runner
from explorer.gui.screen import Notice, label
from explorer.gui.text_positions import short_text
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.i18n import numeral, tr
from explorer.search.compare import Cell as Figure
from explorer.search.compare import Comparison, compare
from explorer.search.find import QueryOptions


class CompareView(QWidget):
    """A list of queries with their counts. `query_chosen(str)`: search for this one; `export_wanted()`."""

    query_chosen = Signal(str)
    export_wanted = Signal()

    def __init__(
        self, runner: Runner, options: Callable[[], QueryOptions], figure: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._options = runner, options
        self._corpus: Corpus | None = None
        self._beside: tuple[Corpus, ...] = ()
        self.queries: list[str] = []
        self.result: Comparison | None = None
        self.add_field = QLineEdit(placeholderText=tr("Type a query to compare and press Enter"))
        self.add_field.setAccessibleName(tr("Query to compare"))
        self.remove = QPushButton(tr("Remove"))
        self.remove.setToolTip(tr("Remove the selected query (Delete)"))
        self.add_index = QPushButton(tr("Add an index …"))
        self.add_index.setToolTip(tr("Also count these queries in another index"))
        self.clear_indexes = QPushButton(tr("This index only"))
        self.clear_indexes.hide()
        self.export = QPushButton(tr("Export …"))
        self.notice = Notice()
        self.how = label("", "muted")
        self.how.setWordWrap(True)
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Comparison of queries"), wide=(2,))
        top = QHBoxLayout()
        top.addWidget(self.add_field, 1)
        for button in (self.remove, self.add_index, self.clear_indexes, figure, self.export):
            top.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(top)
        for part in (self.notice, self.how):
            layout.addWidget(part)
        layout.addWidget(self.table, 1)
        self.add_field.returnPressed.connect(self._add_typed)
        self.remove.clicked.connect(self.remove_selected)
        self.add_index.clicked.connect(self._ask_index)
        self.clear_indexes.clicked.connect(self._only_this_index)
        self.export.clicked.connect(self.export_wanted)
        self.table.activated.connect(lambda index: self.query_chosen.emit(self._query_of(index.row())))
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self.remove_selected)

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Count in another index only."""
        self._corpus, self._beside = corpus, ()
        self.run()

    def run(self) -> None:
        """Count every query in every index."""
        if self._corpus is None or not self.queries:
            self.show_result(None)
            return
        indexes = [self._corpus.index, *(corpus.index for corpus in self._beside)]
        queries, options, report = tuple(self.queries), self._options(), self._runner.reporter()
        self._runner.run(
            lambda cancel: compare(indexes, queries, options, report, cancel), self.show_result, self.notice.show_error
        )

    def _ask_index(self) -> None:
        path = QFileDialog.getExistingDirectory(self, tr("Choose another index folder to compare with"))
        if path:
            self.add_index_beside(path)

    def add_index_beside(self, path: str) -> None:
        """Open another index to count the same queries in; reports an index that is already open."""
        known = [*self._beside, *((self._corpus,) if self._corpus is not None else ())]
        if any(Path(path).resolve() == folder.resolve() for corpus in known for folder in corpus.folders):
            self.notice.show_text(tr("{path} is already in the comparison.", path=path))
            return

        def opened(corpus: Corpus) -> None:
            self._beside = (*self._beside, corpus)
            self.notice.show_text("")
            self.run()

        self._runner.run(lambda cancel: open_index(path), opened, self.notice.show_error)

    def _only_this_index(self) -> None:
        self._beside = ()
        self.run()

    def _add_typed(self) -> None:
        self.add(self.add_field.text())
        self.add_field.clear()

    def add(self, query: str) -> None:
        """Add a query, unless it is already in the list."""
        if query.strip() and query not in self.queries:
            self.queries.append(query)
            self.run()

    def remove_selected(self) -> None:
        """Remove the selected query."""
        index = self.table.currentIndex()
        if index.isValid():
            # The table may still show a query that was just removed.
            self.queries = [query for query in self.queries if query != self._query_of(index.row())]
            self.run()

    def _query_of(self, row: int) -> str:
        assert self.result is not None
        return self.result.queries[row // max(1, len(self.result.indexes))]

    def show_result(self, result: Comparison | None) -> None:
        """Show counts, or nothing."""
        self.result = result
        self.export.setEnabled(result is not None and bool(result.queries))
        self.remove.setEnabled(bool(self.queries))
        if result is None or not result.queries:
            self.how.setText(tr("Add queries here, or with “Compare” next to the count."))
            self.model.show((), ())
            return
        self.clear_indexes.setVisible(result.by_index)
        reference = result.indexes[0] if result.by_index else f"“{short_text(result.queries[0])}”"
        than = tr("in {reference}", reference=reference) if result.by_index else reference
        self.how.setText(
            tr(
                "Log ratio: binary logarithm of the frequency relative to {than}. 1 means twice as frequent, −1 "
                "half as frequent. A count of 0 is treated as 0.5.",
                than=than,
            )
        )
        most = max((f.per_million for row in result.cells for f in row), default=0.0) or 1.0
        rows = [
            _row(query, name, figure, most, show_query=column == 0)
            for query, figures in zip(result.queries, result.cells, strict=True)
            for column, (name, figure) in enumerate(zip(result.indexes, figures, strict=True))
        ]
        self.model.show((tr("Query"), tr("Index"), tr("Per million"), tr("Count"), tr("Log ratio")), rows)


def _row(query: str, index: str, figure: Figure, most: float, show_query: bool) -> tuple[Cell, ...]:
    name = Cell(short_text(query, 80) if show_query else "", tip=query)
    if figure.error:
        return (name, Cell(index, muted=True), Cell(figure.error, muted=True, tip=figure.error), Cell(""), Cell(""))
    about = "" if figure.exact else "≈ "
    return (
        name,
        Cell(index, muted=True),
        Cell(
            tr("{about}{per_million:,.2f}", about=about, per_million=figure.per_million), bar=figure.per_million / most
        ),
        Cell(tr("{about}{count:,}", about=about, count=figure.count), right=True),
        Cell(_log_ratio(figure.log_ratio), right=True),
    )


def _log_ratio(value: float | None) -> str:
    return tr("reference") if value is None else numeral(value, "+.2f").replace("-", "−")
