"""What the tab of contamination shows. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from explorer.curation.item_matches import VERDICTS
from explorer.export.records.contamination import BenchmarkRecord, GainRecord, OwnRecord
from explorer.gui.asking.state import TabState
from explorer.gui.cells import Cell
from explorer.gui.hints import no_index
from explorer.gui.screens.curation.contamination.judging import (
    LENGTHS,
    WORDS_OF,
    ItemColumns,
    JudgedItems,
    Limits,
    judge,
    percent,
)
from explorer.gui.screens.curation.contamination.marking import LEAKED, NOT_A_LEAK, Marks, file_key, index_key
from explorer.gui.screens.curation.contamination.work import BenchAnswer, BenchRule
from explorer.gui.text_positions import cell_text, short_text
from explorer.gui.word_index import offer
from explorer.i18n import mark, numeral, tr, trn
from explorer.project.undo import Steps

HEADER = (mark("Item"), mark("Question"), mark("Longest"), mark("Share"), mark("Verdict"), mark("Your mark"))
TIPS = (
    mark("The name of the item, or the number of its row"),
    mark("Its question"),
    mark("Words or tokens of its longest match"),
    mark("The share of the item that this is"),
    mark("Measured, by the thresholds of the bars: the longest match, and the share in matches of 8 or more"),
    mark("What you made of it; it does not change what is counted"),
)
RULES = (
    (
        "gpt_3",
        mark("GPT-3"),
        mark("With an N-gram that occurs, N from 8 to 13 (Brown et al. 2020)"),
    ),
    ("palm", mark("PaLM"), mark("With 70 % or more of their 8-grams (Chowdhery et al. 2022)")),
    (
        "llama_2",
        mark("Llama 2"),
        mark("With 80 % or more in matches of more than ten, up to four mismatches included (Touvron et al. 2023)"),
    ),
    ("any_13", mark("13-gram"), mark("With a 13-gram that occurs, as lm-evaluation-harness had it")),
    (
        "llama_3",
        mark("Llama 3"),
        mark("With half or more in 8-grams that occur (Grattafiori et al. 2024; they choose the share by scores)"),
    ),
    (
        "con_tam",
        mark("ConTAM"),
        mark("With half or more in one match of 8 or more (Singh et al. 2024; they choose the share by scores)"),
    ),
    (
        "infini_gram_mini",
        mark("IG mini"),
        mark("infini-gram mini: 80 % or more of their substrings of 50 characters are within matches (Xu et al. 2025)"),
    ),
    ("bff", mark("BFF"), mark("With more than 80 % of their 13-grams, AI2's rule for a paragraph turned around")),
)


GAIN_BY = "longest_share"
"""The share by which gains are told: that of the threshold of flagged items."""


@dataclass(frozen=True, eq=False)
class BenchState(TabState[BenchRule, BenchAnswer]):
    """What is looked for, and what was found.

    Attributes
    ----------
    file
        The number of the benchmark whose items are listed.
    rules
        Whether the table of benchmarks has the rules of others; otherwise lengths.
    limits
        The shares from which an item is flagged or suspicious.
    marks
        What the user made of items, with what can be undone.
    """

    file: int = 0
    rules: bool = False
    limits: Limits = field(default_factory=Limits)
    marks: Steps[Marks] = field(default_factory=lambda: Steps(Marks()))

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of the benchmarks: a line, and what to do."""
        if self.corpus is None:
            return no_index()
        if self.answer.awaited:
            return tr("Looking for the items …"), ""
        if self.missing:
            return offer(self.most_bytes, tr("Tokens can be compared without it."))
        if not self.rule.files:
            return (
                tr("Which items of a benchmark are in these texts?"),
                tr("Add its file: JSON Lines, JSON, CSV or Parquet, with a question, and an answer if it has one."),
            )
        return "", ""

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
        return tuple(judge(items, self.limits) for items in (self.found.lists if self.found else ()))

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
        return self.marks.now.rows(index_key(self.corpus), file_key(self.shown.file), self.items[0])

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
    def own(self) -> tuple[OwnRecord, ...]:
        """The sources of the index that are one of the benchmarks."""
        answer = self.found
        return () if answer is None or answer.found is None else tuple(filter(_is_benchmark, answer.found.own))

    @property
    def gains(self) -> tuple[GainRecord, ...]:
        """What a model's score gains by items of the listed benchmark, by the share in their longest match."""
        every = self.found.gains[self.file] if self.found is not None and self.shown is not None else ()
        return tuple(each for each in every if each.metric == GAIN_BY)

    def _told_gain(self) -> list[str]:
        if not (gains := self.gains):
            return []
        # Gains are known in steps of five percent: the nearest one is named.
        near = min(gains, key=lambda each: abs(100 * each.threshold - self.limits.flagged))
        percent = numeral(100 * near.threshold, ".0f")
        if near.gain is None:
            return [tr("no item below {percent} % has a score", percent=percent)]
        told = tr("score gains ≈ {gain} by items from {percent} %", gain=numeral(near.gain, "+.3f"), percent=percent)
        if near.gain_low is None or near.gain_high is None:
            return [told]
        ends = (numeral(end, "+.3f") for end in (near.gain_low, near.gain_high))
        return [tr("{told} (95 %: {low} to {high})", told=told, **dict(zip(("low", "high"), ends, strict=True)))]

    @property
    def board_header(self) -> tuple[str, ...]:
        """The columns of the table of benchmarks."""
        lengths = (*(f"{numeral(length)}+" for length in LENGTHS), tr("Longest"))
        # Eight rules leave no room for the longest match, which is beside the lengths.
        last = tuple(tr(name) for _, name, _ in RULES) if self.rules else lengths
        # The numbers of items are there as well.
        items = () if self.rules else (tr("Items"),)
        return (tr("Benchmark"), *items, tr("Flagged"), *last)

    @property
    def board_tips(self) -> tuple[str, ...]:
        """What the columns mean."""
        words = self.rule.unit == "words"
        longer = (
            tr("Items whose longest match has this many words or more")
            if words
            else tr("Items whose longest match has this many tokens or more")
        )
        lengths = (*(longer,) * len(LENGTHS), tr("The longest match of any item"))
        last = tuple(tr(about) for _, _, about in RULES) if self.rules else lengths
        return (
            tr("The file"),
            *(() if self.rules else (tr("Items of the file"),)),
            tr(
                "{percent} % of it or more occurs in one piece; the share of those that are long enough to tell",
                percent=numeral(self.limits.flagged),
            ),
            *last,
        )

    @property
    def board(self) -> tuple[tuple[Cell, ...], ...]:
        """A row per benchmark."""
        lists = self.found.lists if self.found else ()
        return tuple(self._board_row(*each) for each in zip(self.files, lists, self.judged, strict=True))

    def _board_row(self, record: BenchmarkRecord, items: ItemColumns, judged: JudgedItems) -> tuple[Cell, ...]:
        counts = [getattr(record.rules, name) for name, _, _ in RULES] if self.rules else items.at_least
        share = judged.interval
        return (
            Cell(cell_text(Path(record.file).name), tip=record.file),
            *(() if self.rules else (Cell(numeral(record.items), right=True),)),
            Cell("–" if share is None else percent(share[0]), right=True, tip=numeral(judged.flagged)),
            *(Cell(percent(count / record.items), right=True, tip=numeral(count)) for count in counts),
            *(() if self.rules else (Cell(numeral(items.longest), right=True),)),
        )

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
