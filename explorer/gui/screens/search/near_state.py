"""What the tabs that count around the query show alike: collocates and clusters. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from explorer.api import Corpus
from explorer.collation import collation_key
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.hints import told, unable, why_unable
from explorer.gui.screens.search.work import LinesAnswer
from explorer.gui.text_positions import cell_text
from explorer.gui.word_index import offer
from explorer.i18n import tr, trn
from explorer.search.language import Expression, quoted
from explorer.search.values import FieldFilter


@dataclass(frozen=True, eq=False)
class NearQuestion:
    """What is counted around, and where.

    filters: Conditions that the documents meet.
    lines: The lines whose hits are taken; None if the query is one phrase, which is looked up in what is counted.
    in_lines: How many lines the tab Lines has; None if that is an estimate.
    """

    corpus: Corpus
    text: str = ""
    filters: tuple[FieldFilter, ...] = ()
    lines: LinesAnswer | None = None
    in_lines: int | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What two questions about one index differ in."""
        if self.lines is None:
            return self.text, self.filters, None
        request = self.lines.request
        # Not the order of the lines, nor how they are laid out.
        chosen = request.view.filters, request.view.sample, request.view.collapse, request.view.seed
        return self.text, request.options, chosen, request.handled.kept, request.handled.deleted

    @property
    def conditions(self) -> tuple[FieldFilter, ...]:
        """The filters, unless the lines state them."""
        return self.filters if self.lines is None else ()

    @property
    def node(self) -> str:
        """What the hits are of: of what AND joins, the phrases whose occurrences they are."""
        if self.lines is None:
            return self.text
        found = self.lines.request.found
        phrases = found.parsed.clauses[found.node]
        return " OR ".join(quoted(each) if isinstance(each, Expression) else each for each in phrases)

    @property
    def sampled(self) -> int:
        """How many hits the sample has whose hits are taken; 0 if they are all hits."""
        if self.lines is None:
            return 0
        lines = self.lines.lines
        some = bool(self.lines.request.view.sample) or not self.lines.request.found.exact or not lines.arranged.exact
        return len(lines) if some else 0


def question_of(answer: LinesAnswer) -> NearQuestion:
    """What the query of the screen asks for here.

    Returns: One phrase and conditions on documents, or else the lines themselves.
    """
    request = answer.request
    clauses, filters = request.found.parsed.clauses, request.view.filters
    of_fields = tuple(each for each in filters if isinstance(each, FieldFilter))
    handled = request.handled
    phrase = request.found.parsed.plain and not isinstance(clauses[0][0], Expression)
    whole = not (request.view.sample or request.view.collapse or handled.deleted) and handled.kept is None
    if phrase and whole and len(of_fields) == len(filters):
        exact = request.found.exact and answer.lines.arranged.exact
        return NearQuestion(request.corpus, clauses[0][0], of_fields, in_lines=len(answer.lines) if exact else None)
    return NearQuestion(request.corpus, request.found.query, of_fields, answer)


def _of_lines(question: NearQuestion, left_out: int) -> tuple[str, ...]:
    """Which hits were taken."""
    sample = question.sampled
    return (
        trn("≈ from a sample of {n:,} line", "≈ from a sample of {n:,} lines", sample) if sample else "",
        tr("the hits of the tab Lines"),
        trn("{n:,} left out, since no word begins in it", "{n:,} left out, since no word begins in them", left_out)
        if left_out
        else "",
    )


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

    @property
    def left_out(self) -> int | None:
        """Hits of the lines in which no word begins; None if the query is one phrase."""


R = TypeVar("R", bound=NearRule)
A = TypeVar("A", bound=NearAnswer)


@dataclass(frozen=True, eq=False)
class NearState(Generic[R, A]):
    """What is counted around the query.

    question: Around what; None without a query.
    row: The chosen row, by the order of the answer; -1 for none.
    sort: The column that the table is sorted by, and whether from the greatest on.
    reading: Whether lines are shown beside the table.
    error: Why something beside the rows failed.
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
        """What a row is sorted by in a column after the first; None if it is unknown."""

    @abstractmethod
    def count_of(self, row: int) -> int:
        """How many lines belong to a row."""

    @property
    def current(self) -> bool:
        """Whether the answer is about this query and this rule."""
        found = self.answer.current
        return found is not None and found.question is self.question and found.rule == self.rule

    @property
    def listed(self) -> A | None:
        """The rows that are shown."""
        value = self.answer.value
        if value is None or value.found is None or self.question is None:
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
        if why_not := why_unable(self.answer.error):
            return unable(why_not)
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

        tokens: The words or tokens of the documents that count.
        """
        words, listed = self.shown_rule.words, self.listed
        if not tokens:
            return tr("The index has no words.") if words else tr("The index has no tokens.")
        if listed is not None and listed.question.lines is not None:
            if len(listed.question.lines.lines):
                return tr("No word begins in the hits. Tokens can be counted around them.")
            return tr("The query has no lines.")
        # The text search also finds parts of words, so there can be lines and no word.
        if words:
            return tr("The query does not occur as whole words. The lines have it inside words, or cut in another way.")
        return tr("The query does not occur as these tokens. With a space before it, it is other tokens.")

    @property
    def how(self) -> str:
        """Why the number of hits differs from that of the lines; "" where it does not."""
        listed = self.listed
        if listed is not None and listed.question.lines is not None:
            return " · ".join(part for part in _of_lines(listed.question, listed.left_out or 0) if part)
        if listed is not None and listed.found is not None and listed.question.in_lines == listed.found.node_count:
            # Nothing to explain: one more line would take the room of a row in a narrow window.
            return ""
        if self.shown_rule.words:
            return tr("whole words in any case, from the word index; the other tabs search the text")
        return tr("the tokens of the query as typed; the other tabs search the text")

    def hits_told(self, count: int) -> str:
        """Write how many hits were counted, and where the lines are more or fewer, how many they are.

        Returns: The number and its unit.
        """
        hits, listed = trn("{n:,} hit", "{n:,} hits", count), self.listed
        others = None if listed is None else listed.question.in_lines
        return hits if others in (None, count) else tr("{hits} (tab Lines: {lines:,})", hits=hits, lines=others)

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
        found = {row: self.value_in(row, column) for row in places}
        values = {row: collation_key(each) if isinstance(each, str) else each for row, each in found.items()}
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
        """What the hits are of, as it is drawn."""
        return "" if self.listed is None else cell_text(self.listed.question.node)

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        # What can never be counted takes the place of the table.
        failed = self.error if why_unable(self.answer.error) else self.answer.error or self.error
        return "" if failed is None else told(failed)
