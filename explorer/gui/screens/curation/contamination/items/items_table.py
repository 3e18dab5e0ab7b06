"""The items of benchmarks as a file has them: what was measured, and the user's mark in a column of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.analyses.contamination.item_matches import VERDICTS, Thresholds
from explorer.analyses.contamination.table import ContaminationRecord
from explorer.corpus import Corpus
from explorer.corpus.results.origin import Origin, asked_of
from explorer.corpus.results.records import RecordsResult
from explorer.export.provenance import Facts, index_facts
from explorer.gui.screens.curation.contamination.items.judging import JudgedItems
from explorer.gui.screens.curation.contamination.items.marking import LEAKED, NOT_A_LEAK, Marks, file_key, index_key
from explorer.gui.screens.curation.contamination.state import BenchState
from explorer.gui.screens.curation.contamination.work import BenchAnswer


@dataclass(frozen=True)
class MarkedRecord(ContaminationRecord):
    """An item with the user's mark.

    mark: "leaked", "not a leak", or "" for an item without a mark.
    """

    mark: str


class MarkedItems(RecordsResult):
    """The items of all benchmarks.

    origin: What they were found in.
    """

    _record = MarkedRecord

    def __init__(self, rows: Sequence[MarkedRecord], origin: Origin) -> None:
        super().__init__(origin)
        self._rows = tuple(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def _made(self) -> Iterator[MarkedRecord]:
        return iter(self._rows)


def items_table(
    corpus: Corpus, answer: BenchAnswer, judged: Sequence[JudgedItems], thresholds: Thresholds, marks: Marks
) -> MarkedItems:
    """Make a table of all items. Runs off the interface thread.

    judged, thresholds: The verdicts by benchmark, and the thresholds that they are by.
    """
    assert answer.found is not None
    rows = []
    for file, items, verdicts in zip(answer.found.files, answer.lists, judged, strict=True):
        marked = marks.rows(index_key(corpus), file_key(file.file), items)
        for number, (row, place) in enumerate(zip(file.rows, verdicts.verdicts.tolist(), strict=True)):
            word = {None: "", True: LEAKED, False: NOT_A_LEAK}[marked.get(number)]
            rows.append(MarkedRecord(**{**vars(row), "verdict": VERDICTS[place]}, mark=word))
    return MarkedItems(rows, Origin(corpus.index, bench_facts(answer, thresholds)))


def bench_facts(answer: BenchAnswer, thresholds: Thresholds) -> Facts:
    """State what was looked for and how items are judged: of tables, figures and lists of names."""
    assert answer.found is not None
    # With the number of documents that are excluded because they are the benchmark itself.
    beside = (fact for fact in answer.rule.facts if fact not in asked_of(answer.found))
    return (*asked_of(answer.found), *beside, *thresholds.facts)


def ids_facts(state: BenchState, name: str) -> Facts:
    """State what a list of names of items is: which verdict or mark, of which benchmark."""
    assert state.corpus is not None and state.found is not None and state.shown is not None
    listed = (("items listed", name.removesuffix(".ids")), ("benchmark listed", state.shown.file))
    return (*index_facts(state.corpus.index), *bench_facts(state.found, state.thresholds), *listed)
