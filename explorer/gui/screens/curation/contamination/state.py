"""What the tab of contamination shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.export.records.contamination import BenchmarkRecord
from explorer.gui.asking.state import TabState
from explorer.gui.cells import Cell
from explorer.gui.hints import no_index
from explorer.gui.screens.curation.contamination.work import LENGTHS, BenchAnswer, BenchRule, percent
from explorer.gui.text_positions import cell_text, short_text
from explorer.gui.word_index import offer
from explorer.i18n import mark, numeral, tr

HEADER = (mark("Item"), mark("Question"), mark("Longest"), mark("Share"), mark("Verdict"))
TIPS = (
    mark("The name of the item, or the number of its row"),
    mark("Its question"),
    mark("Words or tokens of its longest match"),
    mark("The share of the item that this is"),
    mark("Flagged: half of it or more occurs in one piece. Suspicious: a fifth or more is in matches of 8 or more"),
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
        mark("With 80 % or more in matches of more than ten (Touvron et al. 2023)"),
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
        mark("infini-gram mini"),
        mark("With 80 % or more of their substrings of 50 characters within matches (Xu et al. 2025)"),
    ),
    ("bff", mark("BFF"), mark("With more than 80 % of their 13-grams, AI2's rule for a paragraph turned around")),
)
BINS = ((0, 8), (8, 13), (13, 25), (25, 50), (50, None))
"""The bars of the histogram: from the first length to before the second."""


@dataclass(frozen=True, eq=False)
class BenchState(TabState[BenchRule, BenchAnswer]):
    """What is looked for, and what was found.

    Attributes
    ----------
    file
        The number of the benchmark whose items are listed.
    rules
        Whether the table of benchmarks has the rules of others; otherwise lengths.
    """

    file: int = 0
    rules: bool = False

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

    @property
    def headline(self) -> tuple[str, str, str]:
        """How many items of a benchmark are flagged, in a sentence; see `Headline`."""
        if (shown := self.shown) is None:
            return "", "", ""
        flagged = numeral(shown.flagged)
        judged = numeral(shown.items - shown.too_short)
        sentence = (
            tr("{flagged} of the {judged} items of {name} that are long enough to tell are flagged")
            if shown.too_short
            else tr("{flagged} of {judged} items of {name} are flagged")
        )
        told = sentence.format(flagged=flagged, judged=judged, name=short_text(Path(shown.file).name))
        if shown.flagged_share is None or shown.flagged_low is None or shown.flagged_high is None:
            return told, flagged, ""
        low, high = (numeral(100 * end, ".1f") for end in (shown.flagged_low, shown.flagged_high))
        share = numeral(100 * shown.flagged_share, ".1f")
        return told, flagged, tr("({share} %, 95 %: {low}–{high})", share=share, low=low, high=high)

    @property
    def told(self) -> str:
        """What else is known of this benchmark."""
        if (shown := self.shown) is None:
            return ""
        whole = sum(row.longest == row.units > 0 and row.verdict == "flagged" for row in shown.rows)
        parts = [
            tr("{n} suspicious", n=numeral(shown.suspicious)),
            tr("{n} too short to tell", n=numeral(shown.too_short)),
            tr("{n} flagged items with their answer near", n=numeral(shown.answers_near)),
            tr("{n} occur from beginning to end", n=numeral(whole)),
        ]
        if 2 * whole > shown.items:
            parts.append(tr("The benchmark itself may be in these texts"))
        return " · ".join(parts)

    @property
    def board_header(self) -> tuple[str, ...]:
        """The columns of the table of benchmarks."""
        lengths = (*(f"{numeral(length)}+" for length in LENGTHS), tr("Longest"))
        # Eight rules leave no room for the longest match, which is beside the lengths.
        last = tuple(tr(name) for _, name, _ in RULES) if self.rules else lengths
        return (tr("Benchmark"), tr("Items"), tr("Flagged"), *last)

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
            tr("Items of the file"),
            tr("Half of it or more occurs in one piece; the share of those that are long enough to tell"),
            *last,
        )

    @property
    def board(self) -> tuple[tuple[Cell, ...], ...]:
        """A row per benchmark."""
        return tuple(self._board_row(each) for each in self.files)

    def _board_row(self, record: BenchmarkRecord) -> tuple[Cell, ...]:
        longest = [row.longest for row in record.rows]
        counts = (
            [getattr(record.rules, name) for name, _, _ in RULES]
            if self.rules
            else [sum(each >= least for each in longest) for least in LENGTHS]
        )
        flagged = "–" if record.flagged_share is None else percent(record.flagged_share)
        return (
            Cell(cell_text(Path(record.file).name), tip=record.file),
            Cell(numeral(record.items), right=True),
            Cell(flagged, right=True, tip=numeral(record.flagged)),
            *(Cell(percent(count / record.items), right=True, tip=numeral(count)) for count in counts),
            *(() if self.rules else (Cell(numeral(max(longest, default=0)), right=True),)),
        )

    @property
    def order(self) -> tuple[int, ...]:
        """The items of the benchmark, the most severe first."""
        return self.found.lists[self.file].order if self.found and self.shown else ()

    @property
    def first(self) -> int:
        """The number of the benchmark's first item among all."""
        return sum(len(each.rows) for each in self.files[: self.file])

    @property
    def table(self) -> tuple[tuple[Cell, ...], ...]:
        """The items in that order."""
        return self.found.lists[self.file].table if self.found and self.shown else ()

    @property
    def histogram(self) -> tuple[tuple[str, int], ...]:
        """The lengths of longest matches, and how many items have one of them."""
        rows = () if self.shown is None else self.shown.rows
        return tuple(
            (
                f"{low}+" if high is None else f"{low}–{high - 1}",
                sum(low <= row.longest and (high is None or row.longest < high) for row in rows),
            )
            for low, high in BINS
        )
