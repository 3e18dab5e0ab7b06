"""What the tab of contamination shows. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from explorer.analyses.contamination.item_matches import VERDICTS, Thresholds
from explorer.analyses.contamination.question import ContaminationQuestion
from explorer.analyses.contamination.table import BenchmarkRecord, GainRecord, OwnRecord
from explorer.gui.asking.state import TabState
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.curation.contamination.items.judging import (
    WORDS_OF,
    ItemColumns,
    JudgedItems,
    judge,
)
from explorer.gui.screens.curation.contamination.items.marking import LEAKED, NOT_A_LEAK, Marks, file_key, index_key
from explorer.gui.screens.curation.contamination.work import BenchAnswer, beside_of
from explorer.gui.style.text_positions import short_text
from explorer.i18n import mark, numeral, tr, trn

HEADER = (mark("Item"), mark("Question"), mark("Longest"), mark("Share"), mark("Verdict"), mark("Your mark"))
TIPS = (
    mark("The name of the item, or the number of its row"),
    mark("Its question"),
    mark("Words or tokens of its longest match"),
    mark("The share of the item that this is"),
    mark("Measured, by the thresholds of the bars: the longest match, and the share in matches of 8 or more"),
    mark("What you made of it; it does not change what is counted"),
)

BOARDS = LENGTHS_OF, RULES_OF, INDEXES_OF = ("lengths", "rules", "indexes")
"""What the columns of the table of benchmarks can be."""
GAIN_BY = Thresholds().flag_by
"""The share by which gains are told: that of the threshold of flagged items."""


@dataclass(frozen=True, eq=False)
class BenchState(TabState[ContaminationQuestion, BenchAnswer]):
    """What is looked for, and what was found.

    file: The number of the benchmark whose items are listed.
    by: What the columns of the table of benchmarks are, one of `BOARDS`.
    marks: What the user made of items.
    """

    working = mark("Looking for the items …")
    otherwise = mark("Tokens can be compared without it.")

    file: int = 0
    by: str = LENGTHS_OF
    thresholds: Thresholds = field(default_factory=Thresholds)
    marks: Marks = field(default_factory=Marks)

    def field_of(self, part: str) -> str:
        """The field of the shown benchmark that is its question, answer or score; "" if unknown or absent."""
        found = None if self.found is None else self.found.found
        return (
            str(getattr(found.columns[self.file], part)) if found is not None and self.file < len(found.columns) else ""
        )

    @property
    def open(self) -> tuple[str, str] | None:
        """The benchmarks."""
        if self.rule.files:
            return None
        return (
            tr("Which items of a benchmark are in these texts?"),
            tr("Add its file: JSON Lines, JSON, CSV or Parquet, with a question, and an answer if it has one."),
        )

    @property
    def files(self) -> tuple[BenchmarkRecord, ...]:
        """The benchmarks."""
        answer = self.found
        return () if answer is None or answer.found is None else answer.found.files

    @property
    def shown(self) -> BenchmarkRecord | None:
        """The benchmark whose items are listed."""
        return self.files[self.file] if self.file < len(self.files) else None

    # Cached per state: a state never changes, and several widgets ask for it.
    @cached_property
    def judged(self) -> tuple[JudgedItems, ...]:
        """The items of each benchmark by the thresholds."""
        return tuple(judge(items, self.thresholds) for items in (self.found.lists if self.found else ()))

    @property
    def items(self) -> tuple[ItemColumns, JudgedItems] | None:
        """The items that are listed."""
        return (
            None if self.found is None or self.shown is None else (self.found.lists[self.file], self.judged[self.file])
        )

    @cached_property
    def marked(self) -> Mapping[int, bool]:
        """The numbers of the listed items that are marked, with whether they are leaked."""
        if self.corpus is None or self.shown is None or self.items is None:
            return {}
        return self.marks.rows(index_key(self.corpus), file_key(self.shown.file), self.items[0])

    @property
    def headline(self) -> tuple[str, str, str]:
        """How many items of a benchmark are flagged, in a sentence; see `Headline`."""
        if (shown := self.shown) is None or self.items is None:
            return "", "", ""
        found = self.items[1]
        flagged = numeral(found.flagged)
        judged = numeral(shown.items - found.too_short)
        sentence = (
            tr("{flagged} of the {judged} items of {name} that are long enough to tell are flagged")
            if found.too_short
            else tr("{flagged} of {judged} items of {name} are flagged")
        )
        told = sentence.format(flagged=flagged, judged=judged, name=short_text(Path(shown.file).name))
        if found.interval is None:
            return told, flagged, ""
        share, low, high = (numeral(100 * each, ".1f") for each in found.interval)
        return told, flagged, tr("({share} %, 95 %: {low}–{high})", share=share, low=low, high=high)

    @property
    def told(self) -> str:
        """What else is known of this benchmark."""
        if self.items is None:
            return ""
        found = self.items[1]
        parts = [
            tr("{n} suspicious", n=numeral(found.suspicious)),
            tr("{n} too short to tell", n=numeral(found.too_short)),
            trn("{n:,} flagged item with its answer near", "{n:,} flagged items with their answer near", found.near),
            trn("{n:,} occurs from beginning to end", "{n:,} occur from beginning to end", found.whole),
        ]
        return " · ".join([*parts, *self._told_gain(), *_told_marks(self.marked)])

    @property
    def sources(self) -> tuple[str, ...]:
        """Where the open index is."""
        return () if self.corpus is None else tuple(self.corpus.index.sources)

    @property
    def beside(self) -> tuple[str, ...]:
        """The indexes in which the items are looked for as well."""
        return beside_of(self.rule, self.sources)

    @property
    def own(self) -> tuple[OwnRecord, ...]:
        """The sources of the index that are one of the benchmarks."""
        return () if self.found is None else tuple(filter(_is_benchmark, self.found.own))

    @property
    def gains(self) -> tuple[GainRecord, ...]:
        """What a model's score gains by items of the listed benchmark, by the share in their longest match."""
        every = self.found.gains[self.file] if self.found is not None and self.shown is not None else ()
        return tuple(each for each in every if each.metric == GAIN_BY)

    def _told_gain(self) -> list[str]:
        if not (gains := self.gains):
            return []
        # Gains are known in steps of five percent: the nearest one is named.
        near = min(gains, key=lambda each: abs(each.threshold - self.thresholds.flag_at))
        percent = numeral(100 * near.threshold, ".0f")
        if near.gain is None:
            return [tr("no item below {percent} % has a score", percent=percent)]
        told = tr("score gains ≈ {gain} by items from {percent} %", gain=numeral(near.gain, "+.3f"), percent=percent)
        if near.gain_low is None or near.gain_high is None:
            return [told]
        ends = (numeral(end, "+.3f") for end in (near.gain_low, near.gain_high))
        return [tr("{told} (95 %: {low} to {high})", told=told, **dict(zip(("low", "high"), ends, strict=True)))]

    def verdict_of(self, row: int) -> str:
        """The verdict of a listed item in words; "" for another one."""
        if self.items is None or not 0 <= row < len(self.items[1].verdicts):
            return ""
        return tr(WORDS_OF[VERDICTS[int(self.items[1].verdicts[row])]])

    def ids(self, verdict: str) -> list[str]:
        """The names of the listed items with a verdict."""
        if self.shown is None or self.items is None:
            return []
        wanted = VERDICTS.index(verdict)
        found = self.items[1].verdicts.tolist()
        return [row.id for row, place in zip(self.shown.rows, found, strict=True) if place == wanted]

    def marked_ids(self, leaked: bool) -> list[str]:
        """The names of the listed items with a mark."""
        chosen = sorted(number for number, each in self.marked.items() if each is leaked)
        return [] if self.shown is None else [self.shown.rows[number].id for number in chosen]

    @property
    def order(self) -> tuple[int, ...]:
        """The numbers of the listed items, the most severe first."""
        return () if self.items is None else tuple(self.items[1].order.tolist())

    @property
    def first(self) -> int:
        """The number of the benchmark's first item among all."""
        return sum(len(each.rows) for each in self.files[: self.file])


def _is_benchmark(own: OwnRecord) -> bool:
    return own.is_benchmark


def _told_marks(marked: Mapping[int, bool]) -> list[str]:
    leaked = sum(marked.values())
    cleared = len(marked) - leaked
    if not marked:
        return []
    # Beside what was measured, not in it.
    return [
        tr("marked by you: {leaked} leaked, {cleared} not a leak", leaked=numeral(leaked), cleared=numeral(cleared))
    ]


def verdict_cells() -> tuple[Cell, ...]:
    """A cell for each verdict, by its place."""
    return tuple(Cell(tr(name), muted=verdict != "flagged") for verdict, name in WORDS_OF.items())


def mark_cell(leaked: bool | None) -> Cell:
    """The cell of a mark."""
    return Cell("" if leaked is None else tr(LEAKED) if leaked else tr(NOT_A_LEAK), muted=leaked is False)
