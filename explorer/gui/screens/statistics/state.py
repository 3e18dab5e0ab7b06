"""What the Statistics screen shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.cells import Cell
from explorer.gui.hints import told
from explorer.gui.screens.statistics.work import LINES, MOST_ROWS, ListAnswer, ListRule, ShownLine
from explorer.gui.text_positions import cell_text
from explorer.i18n import mark, numeral, tr, trn

HEADER = (mark("Rank"), mark("Form"), mark("Hits"), mark("Per million"), mark("Documents"))
HEADER_TIPS = (
    mark("The place in this list"),
    mark("The word or the n-gram; words are in lower case"),
    mark("How often it occurs within documents"),
    mark("Hits per million words, or per million tokens"),
    mark("How many documents have it"),
)
LINES_HEADER = (mark("Left context"), mark("Match"), mark("Right context"))


@dataclass(frozen=True, eq=False)
class StatisticsState:
    """What is listed, the list, and the lines of one row.

    Attributes
    ----------
    corpus
        The open index.
    rule
        What is listed.
    answer
        The list.
    row
        The row whose lines are shown; -1 for none.
    first
        The number of the first line that is shown, from 0.
    lines
        The lines.
    error
        Why something beside the list failed.
    """

    corpus: Corpus | None = None
    rule: ListRule = field(default_factory=ListRule)
    answer: Answer[ListAnswer] = field(default_factory=Answer[ListAnswer])
    row: int = -1
    first: int = 0
    lines: Answer[tuple[ShownLine, ...]] = field(default_factory=Answer[tuple[ShownLine, ...]])
    error: CorpusError | None = None

    @property
    def listed(self) -> ListAnswer | None:
        """The list that is shown."""
        found = self.answer.value
        return found if found is not None and found.found is not None else None

    @property
    def missing(self) -> bool:
        """Whether the words of the index have to be made first."""
        found = self.answer.current
        return found is not None and found.found is None

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of a list: a line, and what to do."""
        if self.corpus is None:
            return tr("No index is open"), tr("Open an index folder with Ctrl+O, or build one in the Index screen.")
        if not self.missing:
            return (tr("Counting …"), "") if self.answer.awaited else ("", "")
        assert self.answer.value is not None
        return tr("The words of this index are not listed yet"), tr(
            "One pass cuts the texts into words, and a sort orders them. The word index is kept in the cache folder "
            "and takes up to {size} MB there. Tokens can be listed without it.",
            size=numeral(self.answer.value.bytes / 1e6, ",.1f"),
        )

    @property
    def headline(self) -> tuple[str, str, str]:
        """The figures of all n-grams in a sentence; see `Headline`."""
        answer = self.listed
        if answer is None or answer.found is None:
            return "", "", ""
        found, number = answer.found, numeral(answer.found.types)
        if answer.rule.n > 1:
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
        answer = self.listed
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
        """The rows."""
        answer = self.listed
        return () if answer is None else answer.table

    @property
    def count(self) -> int:
        """The lines of the chosen row."""
        answer = self.listed
        return answer.rows[self.row].count if answer is not None and 0 <= self.row < len(answer.rows) else 0

    @property
    def lines_title(self) -> str:
        """What the lines are."""
        answer = self.listed
        if answer is None or not self.count:
            return tr("Choose a row to read its lines")
        form = cell_text(answer.rows[self.row].form or "")
        return tr(
            "Lines {first} to {last} of {count}: {form}",
            first=numeral(self.first + 1),
            last=numeral(min(self.count, self.first + LINES)),
            count=numeral(self.count),
            form=form,
        )

    @property
    def lines_table(self) -> tuple[tuple[Cell, ...], ...]:
        """The lines."""
        return tuple(
            (Cell("", before=cell_text(line.left)), Cell(cell_text(line.match)), Cell(cell_text(line.right)))
            for line in self.lines.value or ()
        )

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        failed = self.answer.error or self.lines.error or self.error
        return "" if failed is None else told(failed)
