"""What the tab of words and n-grams shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.analyses.wordlist.table import NgramRecord
from explorer.gui.asking.table import ShownColumn, TableState, declared, rank_column
from explorer.gui.presenting.cells import rate_of
from explorer.gui.screens.statistics.words.work import MOST_ROWS, ListAnswer
from explorer.i18n import mark, numeral, tr, trn


@dataclass(frozen=True, eq=False)
class WordsState(TableState[WordlistQuestion, ListAnswer]):
    """What is listed, the list, and the chosen row."""

    otherwise = mark("Tokens can be listed without it.")

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
    def columns(self) -> tuple[ShownColumn, ...]:
        """The form, and its counts."""
        # Of the list that is shown, also while another one is awaited.
        rule = self.rule if self.found is None else self.found.rule
        listed = tr("n-gram") if rule.max_n > 1 else tr("Word") if rule.words else tr("Token")
        form, hits, rate, documents = declared(NgramRecord, ("form", "count", "per_million", "documents"))
        rate = rate._replace(title=rate_of(rule.words))
        return rank_column(tr("Rank")), form._replace(title=listed), hits, rate, documents
