"""What the tab of diversity and growth does, and what it shows. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from explorer.api import Corpus
from explorer.chart import Chart
from explorer.errors import CorpusError
from explorer.export.provenance import with_facts
from explorer.export.word_charts import growth_chart
from explorer.gui.answer import Answer
from explorer.gui.hints import told
from explorer.gui.job import Job
from explorer.gui.presenter import Presenter, Services
from explorer.gui.requests import Saved
from explorer.gui.screens.statistics.growth.work import GrowthAnswer, run_growth, shown
from explorer.i18n import mark, numeral, tr, trn
from explorer.jobs import CancelToken, Kind
from explorer.statistics.diversity import DIVERSITIES

HEADER = (mark("Group"), mark("Documents"), mark("Words"), mark("Different"))


@dataclass(frozen=True, eq=False)
class GrowthState:
    """What is measured.

    Attributes
    ----------
    corpus
        The open index.
    by
        The metadata field of the groups; "" for one group of all documents.
    answer
        The measures.
    error
        Why something beside the measures failed.
    """

    corpus: Corpus | None = None
    by: str = ""
    answer: Answer[GrowthAnswer] = field(default_factory=Answer[GrowthAnswer])
    error: CorpusError | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """The metadata fields of the index."""
        return () if self.corpus is None else self.corpus.metadata_fields

    @property
    def found(self) -> GrowthAnswer | None:
        """The measures that are shown."""
        value = self.answer.value
        return value if value is not None and value.found is not None else None

    @property
    def missing(self) -> bool:
        """Whether the words of the index have to be made first."""
        found = self.answer.current
        return found is not None and found.found is None

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of the measures: a line, and what to do."""
        if self.corpus is None:
            return tr("No index is open"), tr("Open an index folder with Ctrl+O, or build one in the Index screen.")
        if not self.missing:
            return (tr("Counting …"), "") if self.answer.awaited else ("", "")
        assert self.answer.value is not None
        return tr("The words of this index are not listed yet"), tr(
            "One pass cuts the texts into words, and a sort orders them. The word index is kept in the cache "
            "folder and takes up to {size} MB there.",
            size=numeral(self.answer.value.bytes / 1e6, ",.1f"),
        )

    @property
    def headline(self) -> tuple[str, str, str]:
        """The vocabulary of the whole index in a sentence; see `Headline`."""
        answer = self.found
        if answer is None or answer.whole is None:
            return "", "", ""
        whole, types = answer.whole, numeral(answer.whole.types)
        return (
            tr("{types} different words among {words}", types=types, words=numeral(whole.words)),
            types,
            tr("MATTR {mattr}, MTLD {mtld}", mattr=shown(whole.mattr, "mattr"), mtld=shown(whole.mtld, "mtld")),
        )

    @property
    def law(self) -> str:
        """The power law of the growth; "" where there is none."""
        answer = self.found
        if answer is None or answer.heaps is None:
            return ""
        return tr(
            "Heaps' law: V = {factor} · N^{exponent}, fitted to {points} points in the order of the documents",
            factor=numeral(answer.heaps.factor, ".3g"),
            exponent=numeral(answer.heaps.exponent, ".3f"),
            points=numeral(answer.heaps.points),
        )

    @property
    def header(self) -> tuple[str, ...]:
        """The columns of the table."""
        return (*map(tr, HEADER), *(row.label for row in DIVERSITIES.values()))

    @property
    def header_tips(self) -> tuple[str, ...]:
        """What the columns mean."""
        return (
            tr("The value of the field"),
            tr("Documents of the group"),
            tr("All words of the group"),
            tr("Different words of the group"),
            *(f"{row.formula} ({row.source})" for row in DIVERSITIES.values()),
        )

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        failed = self.answer.error or self.error
        return "" if failed is None else told(failed)


class GrowthPresenter(Presenter[GrowthState]):
    """The tab without its widgets.

    Parameters
    ----------
    services
        Slots and delays.
    saved
        Called with a file that was written.
    """

    def __init__(self, services: Services, saved: Callable[[Saved], None] = lambda request: None) -> None:
        super().__init__(GrowthState())
        self.measuring = services.slot("growth list", kind=Kind.APART)
        self.writing = services.slot("growth file", kind=Kind.APART)
        self._saved = saved
        self._making = False
        # Every word is read: not while nobody sees it.
        self._seen, self._due = False, False

    def appear(self, seen: bool) -> None:
        """The tab came to the front, or left it."""
        self._seen = seen
        # The words may have been made in another tab.
        if seen and (self._due or self.state.missing):
            self.run()

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Measure another index."""
        self.measuring.cancel()
        self._making = False
        self.change(corpus=corpus, answer=Answer(), error=None)
        if corpus is not None and self.state.by not in self.state.fields:
            self.change(by="")
        self._run_if_seen()

    def _run_if_seen(self) -> None:
        self._due = True
        if self._seen:
            self.run()

    def group_by(self, by: str) -> None:
        """Measure the values of a field; "" for the whole index."""
        if by != self.state.by:
            self.change(by=by)
            self._run_if_seen()

    def make_words(self) -> None:
        """Make the index of words, then measure."""
        self.run(make=True)

    def run(self, make: bool = False) -> None:
        """Measure what is asked for."""
        corpus, by = self.state.corpus, self.state.by
        if corpus is None or self._making:
            return
        self._making, self._due = make, False
        self.change(answer=self.state.answer.asked(), error=None)
        # The growth and the whole are those of any groups.
        report, known = self.measuring.reporter(), self.state.found
        self.measuring.run(
            lambda cancel: run_growth(corpus, by, make, known, report, cancel),
            self._arrived,
            self._failed,
            Job(tr("Diversity and growth"), self.stop),
        )

    def _arrived(self, answer: GrowthAnswer) -> None:
        self._making = False
        self.change(answer=self.state.answer.arrived(answer))
        # What was chosen while the words were made.
        if answer.by != self.state.by:
            self.run()

    def _failed(self, error: CorpusError) -> None:
        self._making = False
        self.change(answer=self.state.answer.failed(error))

    def stop(self) -> None:
        """End the work; the last measures stay dimmed."""
        self.measuring.cancel()
        self._making = False
        self.change(answer=self.state.answer.stopped())

    def fail_beside(self, error: CorpusError) -> None:
        """Show why something failed that leaves the measures as they are."""
        self.change(error=error)

    def save(self, path: Path) -> None:
        """Write all groups to a file."""
        answer = self.state.found
        if answer is None or answer.found is None:
            return
        found, report = answer.found, self.writing.reporter()

        def write(cancel: CancelToken) -> Path:
            found.write(path, report=report, cancel=cancel)
            return path

        rows = trn("Saved {n:,} row", "Saved {n:,} rows", len(found))
        self.writing.run(
            write,
            lambda written: self._saved(Saved(written, rows)),
            self.fail_beside,
            Job(tr("Diversity to a file"), self.writing.cancel),
        )

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the growth; None if there is none."""
        answer, corpus = self.state.found, self.state.corpus
        if answer is None or corpus is None or answer.growth is None or not len(answer.growth.words):
            return None
        return partial(_charts, answer, corpus)

    def session(self) -> dict[str, Any]:
        """What is measured, as JSON values."""
        return {"by": self.state.by}

    def restore(self, values: dict[str, Any]) -> None:
        """Measure the same again; a field that this index lacks is left out."""
        by = values.get("by")
        if isinstance(by, str) and (self.state.corpus is None or by in self.state.fields):
            self.group_by(by)


def _charts(answer: GrowthAnswer, corpus: Corpus) -> tuple[Chart, ...]:
    assert answer.growth is not None
    chart = growth_chart(tr("Growth of the vocabulary of {name}", name=corpus.index.name), answer.growth, answer.heaps)
    law = () if answer.heaps is None else (
        ("heaps exponent", f"{answer.heaps.exponent:.4f}"),
        ("heaps factor", f"{answer.heaps.factor:.4f}"),
    )  # fmt: skip
    return with_facts((chart,), corpus.index, (("unit", "words"), ("order", "documents of the index"), *law))
