"""What the tab of keywords does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.api import Corpus
from explorer.chart import Chart
from explorer.errors import CorpusError
from explorer.export.keyword_charts import keyword_chart
from explorer.export.provenance import with_facts
from explorer.gui.answer import Answer
from explorer.gui.found_lines.presenter import LinesPresenter
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.job import Job
from explorer.gui.presenter import Presenter, Services
from explorer.gui.requests import DocumentRequest, Saved
from explorer.gui.screens.statistics.keywords.state import KeywordState
from explorer.gui.screens.statistics.keywords.work import (
    COMPARED,
    REFERENCES,
    REST,
    KeywordAnswer,
    KeywordRule,
    condition_of,
    keywords_of,
    run_keywords,
    run_values,
)
from explorer.i18n import tr, trn
from explorer.jobs import CancelToken, Kind
from explorer.search.facets import Bar
from explorer.statistics.keyness import KEYNESS

LEAST = (1, 999_999)
"""The range of the least count."""
_DEBOUNCE_MS = 400
_OF_BUILDERS = ("path", "linenum")


class KeywordsPresenter(Presenter[KeywordState]):
    """The tab without its widgets.

    Parameters
    ----------
    services
        Slots and delays.
    show
        Called with a document that is to be opened.
    saved
        Called with a file that was written.
    """

    def __init__(
        self,
        services: Services,
        show: Callable[[DocumentRequest], None] = lambda request: None,
        saved: Callable[[Saved], None] = lambda request: None,
    ) -> None:
        super().__init__(KeywordState())
        # Minutes, where words are made.
        self.comparing = services.slot("keywords list", kind=Kind.APART)
        self.offering = services.slot("keywords values")
        self.writing = services.slot("keywords file", kind=Kind.APART)
        self.lines = LinesPresenter(services, "keywords lines", show, saved, self.fail_beside)
        self.typing = services.delay(_DEBOUNCE_MS, self.run)
        self._saved = saved
        self._making = False
        # A comparison costs a walk over the index: not while nobody sees it.
        self._seen, self._due = False, False

    def appear(self, seen: bool) -> None:
        """The tab came to the front, or left it."""
        self._seen = seen
        # The words may have been made in another tab.
        if seen and (self._due or self.state.missing):
            self.run()

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Compare the same of another index."""
        for slot in (self.comparing, self.offering):
            slot.cancel()
        self.lines.clear()
        self._making = False
        self.change(corpus=corpus, values=None, answer=Answer(), row=-1, error=None)
        self._choose_known_field()
        self._due = True
        if self._seen:
            self.run()

    def _choose_known_field(self) -> None:
        """A field that this index lacks gives way to its first one."""
        known = self.state.fields
        if self.state.corpus is None:
            return
        if self.state.rule.field not in known:
            # Rather one that the texts came with than the file and the line that a builder noted.
            first = next((name for name in known if name not in _OF_BUILDERS), next(iter(known), ""))
            self.change(rule=replace(self.state.rule, field=first, value="", condition=""))
        self._offer()

    def _offer(self) -> None:
        corpus, field = self.state.corpus, self.state.rule.field
        self.change(values=None)
        if corpus is not None and field:
            report = self.offering.reporter()
            self.offering.run(
                lambda cancel: run_values(corpus, field, report, cancel),
                lambda values: self.change(values=values),
                self.fail_beside,
            )

    def set(self, **values: Any) -> None:
        """Change what is compared, by the names in `KeywordRule`."""
        changed = replace(self.state.rule, **values)
        if changed != self.state.rule:
            self.change(rule=changed)
            # The wheel turns a number through many values: only the last one is asked about.
            self.typing.start()

    def choose_field(self, field: str) -> None:
        """Choose another field, of which no value is chosen yet."""
        if field != self.state.rule.field:
            self.change(rule=replace(self.state.rule, field=field, value="", condition=""))
            self._offer()

    def choose_operator(self, operator: str) -> None:
        """Choose how documents' values are compared with the value."""
        rule = replace(self.state.rule, operator=operator)
        self.set(operator=operator, condition=condition_of(rule, None))

    def choose_value(self, text: str, bar: Bar | None) -> None:
        """Choose a value: as typed, or one of those that are offered."""
        self.set(value=text, condition=condition_of(replace(self.state.rule, value=text), bar))

    def make_words(self) -> None:
        """Make the index of words, then compare."""
        self.run(make=True)

    def run(self, make: bool = False) -> None:
        """Compare what is asked for."""
        self.typing.stop()
        corpus, rule = self.state.corpus, self.state.rule
        if corpus is None or self._making:
            return
        self._due = False
        if not rule.complete:
            self.comparing.cancel()
            self.lines.clear()
            self.change(answer=Answer(), row=-1, error=None)
            return
        self._making = make
        self.change(answer=self.state.answer.asked(), error=None)
        report = self.comparing.reporter()
        self.comparing.run(
            lambda cancel: run_keywords(corpus, rule, make, report, cancel),
            self._arrived,
            self._failed,
            Job(tr("Keywords"), self.stop),
        )

    def _arrived(self, answer: KeywordAnswer) -> None:
        self.lines.clear()
        self._making = False
        self.change(answer=self.state.answer.arrived(answer), row=-1)
        # What was chosen while the words were made.
        if answer.rule != self.state.rule:
            self.run()

    def _failed(self, error: CorpusError) -> None:
        self._making = False
        self.change(answer=self.state.answer.failed(error))

    def stop(self) -> None:
        """End the comparison; the last one stays dimmed."""
        self.comparing.cancel()
        self._making = False
        self.change(answer=self.state.answer.stopped())

    def choose(self, row: int) -> None:
        """Show the cells and the lines of a row."""
        state, answer = self.state, self.state.found
        if answer is None or answer.corpus is None or not 0 <= row < len(answer.rows) or row == state.row:
            return
        self.change(row=row, error=None)
        assert state.corpus is not None
        record = answer.rows[row]
        # A word that only the reference has is in no text here.
        ids = tuple(answer.corpus.encode(record.form or "")) if record.count else ()
        self.lines.read(LinesOf(state.corpus, answer.corpus, ids, record.form or "", record.count, answer.rule.where))

    def fail_beside(self, error: CorpusError) -> None:
        """Show why something failed that leaves the keywords as they are."""
        self.change(error=error)

    def save(self, path: Path) -> None:
        """Write all keywords to a file, with the reference and all that was asked."""
        answer, corpus = self.state.found, self.state.corpus
        if answer is None or corpus is None:
            return
        rule, report = answer.rule, self.writing.reporter()

        def write(cancel: CancelToken) -> tuple[Path, int]:
            found = keywords_of(corpus, rule, None, report, cancel)
            found.write(path, report=report, cancel=cancel)
            return path, len(found)

        self.writing.run(write, self._wrote, self.fail_beside, Job(tr("Keywords to a file"), self.writing.cancel))

    def _wrote(self, written: tuple[Path, int]) -> None:
        path, rows = written
        self._saved(Saved(path, trn("Saved {n:,} row", "Saved {n:,} rows", rows)))

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the keywords; None if there is none."""
        found, corpus = self.state.found, self.state.corpus
        return None if found is None or corpus is None else partial(_charts, found, corpus)

    def session(self) -> dict[str, Any]:
        """What is compared, as JSON values."""
        return asdict(self.state.rule)

    def restore(self, values: dict[str, Any]) -> None:
        """Compare the same again; what has no such value is left as it is."""
        texts = {each.name for each in fields(KeywordRule) if each.name != "min_count"}
        kept: dict[str, Any] = {
            name: value for name, value in values.items() if name in texts and isinstance(value, str)
        }
        if kept.get("reference", REST) not in REFERENCES:
            del kept["reference"]
        if kept.get("operator", "=") not in COMPARED:
            del kept["operator"]
        if kept.get("measure", "g2") not in KEYNESS:
            del kept["measure"]
        least = values.get("min_count")
        rule = replace(self.state.rule, **kept)
        if type(least) is int and LEAST[0] <= least <= LEAST[1]:
            rule = replace(rule, min_count=least)
        self.change(rule=rule)
        self._choose_known_field()
        self._due = True
        if self._seen:
            self.run()


def _charts(answer: KeywordAnswer, corpus: Corpus) -> tuple[Chart, ...]:
    assert answer.found is not None
    found, rule = answer.found, answer.rule
    name = f"{corpus.index.name}, {rule.where}" if rule.where else corpus.index.name
    chart = keyword_chart(
        tr("Keywords of {name} against {reference}", name=name, reference=found.reference), answer.rows
    )
    asked = (
        ("reference", found.reference),
        ("where", rule.where or "all documents"),
        ("sorted by", rule.measure),
        ("least count", str(rule.min_count)),
        ("total", str(found.total)),
        ("reference total", str(found.reference_total)),
        ("tested", str(found.tested)),
        ("most rows of either sign", str(max(answer.positive, len(answer.rows) - answer.positive))),
    )
    return with_facts((chart,), corpus.index, asked)
