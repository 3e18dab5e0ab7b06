"""What the tabs that count around the query show alike: collocates and clusters. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol, TypeVar

from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.language import Expression, quoted
from explorer.corpus import Corpus
from explorer.gui.asking.table import TableAnswer, TableState
from explorer.gui.screens.search.work import LinesAnswer
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, tr, trn


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


class NearAnswer(TableAnswer, Protocol):
    """What was counted."""

    @property
    def question(self) -> NearQuestion:
        """What was asked."""

    @property
    def left_out(self) -> int | None:
        """Hits of the lines in which no word begins; None if the query is one phrase."""


R = TypeVar("R", bound=NearRule)
A = TypeVar("A", bound=NearAnswer)


@dataclass(frozen=True, eq=False)
class NearState(TableState[R, A]):
    """What is counted around the query.

    question: Around what; None without a query.
    """

    otherwise = mark("Tokens can be counted without it.")

    question: NearQuestion | None = None

    @property
    @abstractmethod
    def nothing(self) -> tuple[str, str]:
        """What takes the place of an empty table: a title, and why there are no rows."""

    @property
    @abstractmethod
    def facts(self) -> str:
        """What was counted, in a sentence."""

    @abstractmethod
    def count_of(self, row: int) -> int:
        """How many lines belong to a row."""

    @property
    def headline(self) -> tuple[str, str, str]:
        """The headline of the screen is above the tabs."""
        return "", "", ""

    @property
    def current(self) -> bool:
        """Whether the answer is about this query and this rule."""
        found = self.answer.current
        return super().current and found is not None and found.question is self.question

    @property
    def dimmed(self) -> bool:
        """Whether what is shown belongs to an earlier question."""
        return self.answer.value is not None and not self.current

    @property
    def answered(self) -> bool:
        """Whether there are rows."""
        return bool(self.rows)

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of the table: a line, and what to do."""
        if self.question is None:
            return "", ""
        return self.nothing if self.found is not None and not self.missing else super().invitation

    @property
    def shown_rule(self) -> R:
        """How what is shown was counted."""
        rule: R = self.rule if self.found is None else self.found.rule
        return rule

    def absent(self, tokens: int) -> str:
        """Why the query has no hits.

        tokens: The words or tokens of the documents that count.
        """
        words, found = self.shown_rule.words, self.found
        if not tokens:
            return tr("The index has no words.") if words else tr("The index has no tokens.")
        if found is not None and found.question.lines is not None:
            if len(found.question.lines.lines):
                return tr("No word begins in the hits. Tokens can be counted around them.")
            return tr("The query has no lines.")
        # The text search also finds parts of words, so there can be lines and no word.
        if words:
            return tr("The query does not occur as whole words. The lines have it inside words, or cut in another way.")
        return tr("The query does not occur as these tokens. With a space before it, it is other tokens.")

    @property
    def how(self) -> str:
        """Why the number of hits differs from that of the lines; "" where it does not."""
        found = self.found
        if found is not None and found.question.lines is not None:
            return " · ".join(part for part in _of_lines(found.question, found.left_out or 0) if part)
        if found is not None and found.found is not None and found.question.in_lines == found.found.node_count:
            # Nothing to explain: one more line would take the room of a row in a narrow window.
            return ""
        if self.shown_rule.words:
            return tr("whole words in any case, from the word index; the other tabs search the text")
        return tr("the tokens of the query as typed; the other tabs search the text")

    def hits_told(self, count: int) -> str:
        """Write how many hits were counted, and where the lines are more or fewer, how many they are.

        Returns: The number and its unit.
        """
        hits, found = trn("{n:,} hit", "{n:,} hits", count), self.found
        others = None if found is None else found.question.in_lines
        return hits if others in (None, count) else tr("{hits} (tab Lines: {lines:,})", hits=hits, lines=others)

    @property
    def lines_button(self) -> str:
        """What shows the lines of the chosen row; "" without one."""
        return trn("Show {n:,} line", "Show {n:,} lines", self.count_of(self.row)) if self.chosen else ""

    @property
    def query(self) -> str:
        """What the hits are of, as it is drawn."""
        return "" if self.found is None else cell_text(self.found.question.node)
