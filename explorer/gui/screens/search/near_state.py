"""What the tabs that count around the query show alike: collocates and clusters. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.hints import told
from explorer.gui.screens.search.work import LinesAnswer
from explorer.gui.text_positions import cell_text
from explorer.gui.word_index import offer
from explorer.i18n import tr, trn
from explorer.search.arrange import NearFilter
from explorer.search.values import FieldFilter


@dataclass(frozen=True, eq=False)
class NearQuestion:
    """What is counted around, and where.

    Attributes
    ----------
    corpus
        The open index.
    text
        The phrase.
    filters
        Conditions that the documents meet.
    why_not
        Why nothing can be counted around the query of the screen; "" if it can.
    """

    corpus: Corpus
    text: str = ""
    filters: tuple[FieldFilter, ...] = ()
    why_not: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """What two questions about one index differ in."""
        return self.text, self.filters, self.why_not


def question_of(answer: LinesAnswer) -> NearQuestion:
    """What the query of the screen asks for here.

    Parameters
    ----------
    answer
        The lines of the screen.

    Returns
    -------
    NearQuestion
        One phrase and conditions on documents, or why it is something else.
    """
    request = answer.request
    clauses, filters = request.found.parsed.clauses, request.view.filters
    of_fields = tuple(each for each in filters if isinstance(each, FieldFilter))
    why_not = ""
    if request.options.match == "regex":
        why_not = tr("Only words are counted here. Choose “Text” in the “…” menu of the query.")
    elif len(clauses) != 1 or len(clauses[0]) != 1:
        why_not = tr("Only one phrase is counted here, without AND, OR and NOT.")
    elif any(isinstance(each, NearFilter) for each in filters):
        why_not = tr("Only whole documents are counted here. Remove the filter by words near the match.")
    return NearQuestion(request.corpus, "" if why_not else clauses[0][0], of_fields, why_not)


class NearRule(Protocol):
    """How is counted."""

    @property
    def words(self) -> bool:
        """Whether words are counted; otherwise tokens."""


class NearAnswer(Protocol):
    """What was counted."""

    @property
    def question(self) -> NearQuestion:
        """What was asked."""

    @property
    def rule(self) -> Any:
        """How it was counted."""

    @property
    def bytes(self) -> int:
        """How large the index of words becomes at most, where it is missing."""

    @property
    def found(self) -> Any:
        """All rows; None where the words have to be made first."""

    @property
    def rows(self) -> Sequence[Any]:
        """The rows of the table."""


R = TypeVar("R", bound=NearRule)
A = TypeVar("A", bound=NearAnswer)


@dataclass(frozen=True, eq=False)
class NearState(Generic[R, A]):
    """What is counted around the query.

    Attributes
    ----------
    rule
        How is counted.
    question
        Around what; None without a query.
    answer
        The rows.
    row
        The chosen row, by the order of the answer; -1 for none.
    sort
        The column that the table is sorted by, and whether from the greatest on.
    reading
        Whether lines are shown beside the table.
    error
        Why something beside the rows failed.
    """

    rule: R
    question: NearQuestion | None = None
    answer: Answer[A] = field(default_factory=Answer[A])
    row: int = -1
    sort: tuple[int, bool] = (0, False)
    reading: bool = False
    error: CorpusError | None = None

    @property
    @abstractmethod
    def nothing(self) -> tuple[str, str, str]:
        """Titles in place of the table: nothing for this query, and no rows; then why there are none."""

    @property
    @abstractmethod
    def facts(self) -> str:
        """What was counted, in a sentence."""

    @property
    @abstractmethod
    def columns(self) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        """The names of the columns, what they mean, and the column whose order is that of the answer."""

    @abstractmethod
    def value_in(self, row: int, column: int) -> Any:
        """What a row is sorted by in a column after the first; None if it is unknown.

        Parameters
        ----------
        row
            The row of the answer.
        column
            The column, from 1.
        """

    @abstractmethod
    def count_of(self, row: int) -> int:
        """How many lines belong to a row.

        Parameters
        ----------
        row
            The row of the answer.
        """

    @property
    def current(self) -> bool:
        """Whether the answer is about this query and this rule."""
        found = self.answer.current
        return found is not None and found.question is self.question and found.rule == self.rule

    @property
    def listed(self) -> A | None:
        """The rows that are shown."""
        value = self.answer.value
        if value is None or value.found is None or self.question is None or self.question.why_not:
            return None
        return value

    @property
    def dimmed(self) -> bool:
        """Whether what is shown belongs to an earlier question."""
        return self.answer.value is not None and not self.current

    @property
    def missing(self) -> bool:
        """Whether the words of the index have to be made first."""
        found = self.answer.current
        return found is not None and found.found is None

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of the table: a line, and what to do."""
        if self.question is None:
            return "", ""
        if self.question.why_not:
            return self.nothing[0], self.question.why_not
        if self.missing:
            assert self.answer.value is not None
            return offer(self.answer.value.bytes, tr("Tokens can be counted without it."))
        if self.listed is not None:
            return self.nothing[1:]
        return (tr("Counting …"), "") if self.answer.awaited else ("", "")

    @property
    def shown_rule(self) -> R:
        """How what is shown was counted."""
        answer = self.listed
        return self.rule if answer is None else answer.rule

    def absent(self, tokens: int) -> str:
        """Why the query has no hits.

        Parameters
        ----------
        tokens
            The words or tokens of the documents that count.

        Returns
        -------
        str
            A sentence or two.
        """
        words = self.shown_rule.words
        if not tokens:
            return tr("The index has no words.") if words else tr("The index has no tokens.")
        # The text search also finds parts of words, so there can be lines and no word.
        if words:
            return tr("The query does not occur as whole words. The lines have it inside words, or cut in another way.")
        return tr("The query does not occur as these tokens. With a space before it, it is other tokens.")

    @property
    def how(self) -> str:
        """Why the number of hits can differ from that of the lines."""
        if self.shown_rule.words:
            return tr("whole words in any case, from the word index; the other tabs search the text")
        return tr("the tokens of the query as typed; the other tabs search the text")

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns; an arrow is at the one that sorts."""
        names, (column, down) = list(self.columns[0]), self.sort
        # In the order of the answer, the arrow is at what made that order.
        at, arrow = (self.columns[2], "↓") if self.sort == (0, False) else (column, "↓" if down else "↑")
        names[at] = f"{names[at]} {arrow}"
        return tuple(names)

    @property
    def order(self) -> tuple[int, ...]:
        """The rows in the order of the table."""
        answer = self.listed
        if answer is None:
            return ()
        column, down = self.sort
        places = range(len(answer.rows))
        if column == 0:
            return tuple(reversed(places)) if down else tuple(places)
        values = {row: self.value_in(row, column) for row in places}
        known = sorted((row for row in places if values[row] is not None), key=values.__getitem__, reverse=down)
        # What is unknown comes last in either direction.
        return (*known, *(row for row in places if values[row] is None))

    @property
    def chosen(self) -> bool:
        """Whether a row is chosen."""
        return self.listed is not None and 0 <= self.row < len(self.listed.rows)

    @property
    def lines_button(self) -> str:
        """What shows the lines of the chosen row; "" without one."""
        return trn("Show {n:,} line", "Show {n:,} lines", self.count_of(self.row)) if self.chosen else ""

    @property
    def query(self) -> str:
        """The phrase, as it is drawn."""
        return "" if self.listed is None else cell_text(self.listed.question.text)

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        failed = self.answer.error or self.error
        return "" if failed is None else told(failed)
