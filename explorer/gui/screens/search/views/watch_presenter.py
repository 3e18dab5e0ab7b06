"""A file of many patterns, all of them counted: a table with the first documents of each. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from explorer.analyses.search.find import QueryOptions
from explorer.analyses.search.language import ParsedQuery
from explorer.analyses.watch.counting import Watched, count_patterns
from explorer.analyses.watch.watch_list import WatchList, read_watch_list
from explorer.core.jobs import CancelToken, Kind, Report
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer, Freshness
from explorer.gui.presenting.cells import Cell
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.style.direction import isolated
from explorer.gui.style.text_positions import short_text
from explorer.i18n import mark, numeral, tr, trn

HEADER = (mark("Label"), mark("Pattern"), mark("Count"), mark("Documents"), mark("First documents"))


@dataclass(frozen=True)
class WatchAnswer:
    """A list with the counts of its patterns, and the cells of the table; the index, the file and the options."""

    listed: WatchList
    watched: tuple[Watched, ...]
    cells: tuple[tuple[Cell, ...], ...]
    corpus: Corpus
    path: Path
    options: QueryOptions


def watch(corpus: Corpus, path: Path, options: QueryOptions, report: Report, cancel: CancelToken) -> WatchAnswer:
    """Read a watch list and count its patterns. Runs off the interface thread.

    Raises `CorpusError` if the list cannot be read. What is wrong with one pattern is in its row.
    """
    # Read again for each count: the file may have been edited since.
    listed = read_watch_list(path)
    watched = tuple(count_patterns(corpus.index, listed.patterns, options, report, cancel))
    # Cells are made here too: the list may be long, and drawing must not wait for it.
    return WatchAnswer(listed, watched, tuple(map(_row, watched)), corpus, path, options)


def _row(found: Watched) -> tuple[Cell, ...]:
    pattern = found.pattern
    names = (_shown(pattern.label), _shown(pattern.pattern))
    # It could not be counted; 0 would be a finding.
    if found.count is None or found.documents is None:
        return (*names, Cell("–", right=True), Cell("–", right=True), Cell(found.error, muted=True, tip=found.error))
    # Isolated, since titles may run in different directions.
    titles = ", ".join(isolated(short_text(document.title, 40)) for document in found.first_documents)
    more = found.documents - len(found.first_documents)
    rest = " " + trn("and {n:,} more", "and {n:,} more", more) if more > 0 else ""
    counts = (Cell(numeral(found.count), right=True), Cell(numeral(found.documents), right=True))
    return (*names, *counts, Cell(titles + rest, muted=True, tip=titles + rest))


def _shown(text: str) -> Cell:
    return Cell(isolated(short_text(text, 80)), tip=text)


@dataclass(frozen=True, eq=False)
class WatchState:
    """A watch list.

    path: The file of the list; None until one is opened.
    answer: The list with its counts.
    """

    corpus: Corpus | None = None
    path: Path | None = None
    answer: Answer[WatchAnswer] = field(default_factory=Answer)

    @property
    def notice(self) -> str:
        """Why the list was not counted; "" if it was."""
        return told(self.answer.error) if self.answer.error is not None else ""

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """One row per pattern, as cells."""
        return () if self.answer.value is None else self.answer.value.cells

    @property
    def summary(self) -> str:
        """What was found, or what is being done."""
        answer = self.answer
        if answer.awaited and self.path is not None:
            return tr("Counting the patterns of {name} …", name=self.path.name)
        if answer.freshness is Freshness.STOPPED:
            return tr("Stopped. Open the list again to count it.")
        # The notice has the reason; the counts that are still shown are of an earlier question.
        if answer.freshness is Freshness.FAILED:
            return ""
        if answer.value is None:
            return tr("Count all patterns in a file: names, addresses, keys, canaries.")
        # None is a pattern that could not be counted, and 0 one that does not occur.
        rows = answer.value.watched
        found = sum(bool(row.count) for row in rows)
        wrong = sum(row.count is None for row in rows)
        sentence = trn("{n:,} pattern, {found:,} found", "{n:,} patterns, {found:,} found", len(rows), found=found)
        return sentence + (trn(", {n:,} invalid", ", {n:,} invalid", wrong) if wrong else "")


class WatchPresenter(Presenter[WatchState]):
    """The watch list.

    options: Gives the options with which patterns are counted.
    search: Called with the query for the lines of a pattern.
    """

    def __init__(self, services: Services, options: Callable[[], QueryOptions], search: Callable[[str], None]) -> None:
        super().__init__(WatchState())
        self._options, self._search = options, search
        # On a thread of its own: a long list must not keep queries waiting.
        self._counter = services.slot("watch", kind=Kind.APART)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Count in another index."""
        # Not dimmed but gone: counts of another index would be taken for those of this one.
        self.change(corpus=corpus, answer=Answer[WatchAnswer]())
        self.run()

    def open(self, path: Path) -> None:
        """Count the patterns of a file."""
        self.change(path=path, answer=Answer[WatchAnswer]())
        self.run()

    def restore(self, path: object) -> None:
        """Count the patterns of the file of a session; "" for none."""
        if isinstance(path, str) and path:
            self.open(Path(path))

    def run(self) -> None:
        """Count again: the list, the index or the options changed."""
        corpus, path = self.state.corpus, self.state.path
        if corpus is None or path is None:
            self._counter.cancel()
            return
        options, report = self._options(), self._counter.reporter()
        self.change(answer=self.state.answer.asked())
        job = Job(tr("Count of {name}", name=path.name), self.stop)
        self._counter.run(lambda cancel: watch(corpus, path, options, report, cancel), self._take, self._fail, job)

    def stop(self) -> None:
        """Stop counting; the old counts stay."""
        self._counter.cancel()
        self.change(answer=self.state.answer.stopped())

    def show_lines(self, row: int) -> None:
        """Search for the lines of a pattern, which is one phrase, whatever words it has."""
        answer = self.state.answer.value
        if answer is None or not 0 <= row < len(answer.watched):
            return
        pattern = answer.watched[row].pattern.pattern
        literal = self._options().match != "regex"
        # As a query, with quotes where its words would be read as operators.
        self._search(str(ParsedQuery(((pattern,),))) if literal else pattern)

    def _take(self, answer: WatchAnswer) -> None:
        self.change(answer=self.state.answer.arrived(answer))

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))
