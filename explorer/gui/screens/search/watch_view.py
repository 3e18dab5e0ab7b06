"""A file of many patterns, all of them counted: a table with the first documents of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.export.registry import TABLES
from explorer.export.tables import save_table_as
from explorer.export.watched import watched_header, watched_rows
from explorer.gui.cells import Cell
from explorer.gui.direction import isolated
from explorer.gui.runner import Runner
from explorer.gui.save_dialog import ask_where
from explorer.gui.screen import Notice, label
from explorer.gui.text_positions import short_text
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.i18n import mark, numeral, tr, trn
from explorer.jobs import CancelToken, Report
from explorer.search.find import QueryOptions
from explorer.search.language import ParsedQuery
from explorer.search.watch import Watched, WatchList, count_patterns, read_watch_list

_HEADER = (mark("Label"), mark("Pattern"), mark("Count"), mark("Documents"), mark("First documents"))


@dataclass(frozen=True)
class WatchAnswer:
    """A list with the counts of its patterns, and the cells of the table."""

    listed: WatchList
    watched: tuple[Watched, ...]
    cells: tuple[tuple[Cell, ...], ...]


def watch(corpus: Corpus, path: Path, options: QueryOptions, report: Report, cancel: CancelToken) -> WatchAnswer:
    """Read a watch list and count its patterns. Runs off the interface thread.

    Parameters
    ----------
    corpus
        The index.
    path
        The file of the list.
    options
        How patterns are matched.
    report
        Called with the progress.
    cancel
        Stops the count.

    Returns
    -------
    WatchAnswer
        The list, its counts, and the rows to show.

    Raises
    ------
    CorpusError
        If the list cannot be read. What is wrong with one pattern is in its row.
    """
    listed = read_watch_list(path)
    watched = tuple(count_patterns(corpus.index, listed.patterns, options, report, cancel))
    return WatchAnswer(listed, watched, tuple(map(_row, watched)))


def _row(found: Watched) -> tuple[Cell, ...]:
    pattern = found.pattern
    names = (_shown(pattern.label), _shown(pattern.pattern))
    if found.count is None or found.documents is None:
        return (*names, Cell("–", right=True), Cell("–", right=True), Cell(found.error, muted=True, tip=found.error))
    titles = ", ".join(isolated(short_text(document.title, 40)) for document in found.first_documents)
    more = found.documents - len(found.first_documents)
    rest = " " + trn("and {n:,} more", "and {n:,} more", more) if more > 0 else ""
    counts = (Cell(numeral(found.count), right=True), Cell(numeral(found.documents), right=True))
    return (*names, *counts, Cell(titles + rest, muted=True, tip=titles + rest))


def _shown(text: str) -> Cell:
    return Cell(isolated(short_text(text, 80)), tip=text)


class WatchView(QWidget):
    """Signals: `pattern_chosen(str)`, a query for its lines; `message(str)`, a short message."""

    pattern_chosen = Signal(str)
    message = Signal(str)

    def __init__(self, runner: Runner, options: Callable[[], QueryOptions], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner, self._options = runner, options
        self._corpus: Corpus | None = None
        self.path: Path | None = None
        self.answer: WatchAnswer | None = None
        self.open_button = QPushButton(tr("Open a watch list …"))
        self.open_button.setToolTip(
            tr("A text file with one pattern per line, or a table (CSV, TSV) with a column “pattern”")
        )
        self.export = QPushButton(tr("Export …"))
        self.summary = label("", "muted")
        self.summary.setWordWrap(True)
        self.notice = Notice()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Watch list"), wide=(4,))
        top = QHBoxLayout()
        top.addWidget(self.open_button)
        top.addWidget(self.summary, 1)
        top.addWidget(self.export)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(top)
        layout.addWidget(self.notice)
        layout.addWidget(self.table, 1)
        self.open_button.clicked.connect(self.ask)
        self.export.clicked.connect(self._ask_export)
        self.table.activated.connect(lambda index: self._choose(index.row()))
        self.show_answer(None)

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Count in another index."""
        self._corpus = corpus
        self.run()

    def ask(self) -> None:
        """Ask for a list and count it."""
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Open a watch list"), "", tr("Lists (*.txt *.csv *.tsv);;All files (*)")
        )
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Count the patterns of a file."""
        self.path = path
        self.run()

    def run(self) -> None:
        """Count again: the list, the index or the options changed."""
        self.show_answer(None)
        self.notice.show_text("")
        corpus, path = self._corpus, self.path
        if corpus is None or path is None:
            self._runner.cancel()
            return
        self.summary.setText(tr("Counting the patterns of {name} …", name=path.name))
        options, report = self._options(), self._runner.reporter()
        self._runner.run(lambda cancel: watch(corpus, path, options, report, cancel), self.show_answer, self._fail)

    def stopped(self) -> None:
        """The user stopped the counting."""
        if self.answer is None and self.path is not None:
            self.summary.setText(tr("Stopped. Open the list again to count it."))

    def _fail(self, error: CorpusError) -> None:
        self.summary.setText("")
        self.notice.show_error(error)

    def show_answer(self, answer: WatchAnswer | None) -> None:
        """Show counts, or none."""
        self.answer = answer
        self.export.setEnabled(answer is not None)
        if answer is None:
            self.summary.setText(tr("Count all patterns in a file: names, addresses, keys, canaries."))
            self.model.show((), ())
            return
        found = sum(bool(row.count) for row in answer.watched)
        wrong = sum(row.count is None for row in answer.watched)
        sentence = trn(
            "{n:,} pattern, {found:,} found", "{n:,} patterns, {found:,} found", len(answer.watched), found=found
        )
        self.summary.setText(sentence + (trn(", {n:,} invalid", ", {n:,} invalid", wrong) if wrong else ""))
        self.model.show(tuple(map(tr, _HEADER)), answer.cells)

    def _choose(self, row: int) -> None:
        """Ask for the lines of a pattern, which is one phrase, whatever words it has."""
        if self.answer is None:
            return
        pattern = self.answer.watched[row].pattern.pattern
        literal = self._options().match != "regex"
        self.pattern_chosen.emit(str(ParsedQuery(((pattern,),))) if literal else pattern)

    def _ask_export(self) -> None:
        answer = self.answer
        path = ask_where(self, tr("Export watch list"), "watched", TABLES)
        if path is None or answer is None:
            return

        def work(cancel: CancelToken) -> None:
            save_table_as(path, watched_header(answer.listed), watched_rows(answer.watched))

        self._runner.run(work, lambda _: self.message.emit(tr("Wrote {path}.", path=path)), self.notice.show_error)
