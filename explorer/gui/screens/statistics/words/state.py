"""What the tab of words and n-grams shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.analyses.wordlist.table import NgramRecord
from explorer.derive.table import columns_of
from explorer.gui.asking.state import TabState
from explorer.gui.cells import Cell, rate_of
from explorer.gui.hints import no_index
from explorer.gui.screens.statistics.words.work import MOST_ROWS, ListAnswer, sorted_rows
from explorer.gui.word_index import offer
from explorer.i18n import numeral, tr, trn

_COLUMNS = columns_of(NgramRecord)


@dataclass(frozen=True, eq=False)
class WordsState(TabState[WordlistQuestion, ListAnswer]):
    """What is listed, the list, and the chosen row.

    row: The row whose lines are shown; -1 for none.
    sort: The column by which the rows are sorted, and whether the greatest value comes first.
    """

    row: int = -1
    sort: tuple[int, bool] = (0, False)

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of a list: a line, and what to do."""
        if self.corpus is None:
            return no_index()
        if not self.missing:
            return (tr("Counting …"), "") if self.answer.awaited else ("", "")
        return offer(self.most_bytes, tr("Tokens can be listed without it."))

    @property
    def headline(self) -> tuple[str, str, str]:
        """The figures of all n-grams in a sentence; see `Headline`."""
        answer = self.found
        if answer is None or answer.found is None:
            return "", "", ""
        [found] = answer.found.figures
        number = numeral(found.types)
        if answer.rule.max_n > 1:
            unit = (
                trn("{n:,} n-gram of words", "{n:,} n-grams of words", found.total)
                if answer.rule.words
                else trn("{n:,} n-gram of tokens", "{n:,} n-grams of tokens", found.total)
            )
        else:
            unit = trn("{n:,} word", "{n:,} words", found.total) if answer.rule.words else trn(
                "{n:,} token", "{n:,} tokens", found.total
            )  # fmt: skip
        return (
            tr(
                "{unit}, {types} different, {once} of them seen once",
                unit=unit,
                types=number,
                once=numeral(found.hapaxes),
            ),
            number,
            "",
        )

    @property
    def told_rows(self) -> str:
        """How many rows there are, and what counts as the same word."""
        answer = self.found
        if answer is None:
            return ""
        rows = (
            tr("The {n:,} most frequent rows", n=MOST_ROWS)
            if len(answer.rows) == MOST_ROWS
            else trn("{n:,} row, the most frequent first", "{n:,} rows, the most frequent first", len(answer.rows))
        )
        return tr("{rows} · whole words in any case", rows=rows) if answer.rule.words else rows

    @property
    def table(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows, in the order in which they are shown."""
        answer = self.found
        return () if answer is None else tuple(answer.table[row] for row in self.order)

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns, with an arrow at the one that sorts."""
        column, down = self.sort
        # Of the list that is shown, also while another one is awaited.
        rule = self.rule if self.found is None else self.found.rule
        listed = tr("n-gram") if rule.max_n > 1 else tr("Word") if rule.words else tr("Token")
        hits, documents = (tr(_COLUMNS[name].label) for name in ("count", "documents"))
        names = (tr("Rank"), listed, hits, rate_of(rule.words), documents)
        # Qt would draw its own arrow over the name.
        return tuple(f"{name} {'↓' if down else '↑'}" if place == column else name for place, name in enumerate(names))

    @property
    def header_tips(self) -> tuple[str, ...]:
        """What the columns mean."""
        shown = ("form", "count", "per_million", "documents")
        return (tr("The place in this list"), *(tr(_COLUMNS[name].help) for name in shown))

    @property
    def order(self) -> tuple[int, ...]:
        """The rows of the list in the order in which they are shown."""
        answer = self.found
        return () if answer is None else sorted_rows(answer.rows, *self.sort)
