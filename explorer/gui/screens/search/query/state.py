"""What is asked on the Search screen, how it was read, and what was found. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from explorer.analyses.search.find import Match, QueryOptions, QueryResult
from explorer.analyses.search.language import QuerySyntaxError
from explorer.corpus import Corpus
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import told
from explorer.gui.screens.search.work import QueryRequest
from explorer.gui.settings.matching import CASES, Matching
from explorer.gui.style.direction import isolated
from explorer.gui.style.text_positions import short_text
from explorer.i18n import tr, trn

USUAL_DISTANCE = 100
"""Tokens between phrases joined by AND, until another distance is chosen."""


@dataclass(frozen=True, eq=False)
class Found:
    """The hits of a query, and the request that they answer."""

    request: QueryRequest
    result: QueryResult


@dataclass(frozen=True)
class Problem:
    """A sentence about part of the query: the characters from `start` to before `end`. "" for none."""

    message: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, eq=False)
class QueryState:
    """A query with its options, and its hits.

    matching: How phrases are matched, as it was chosen. An index that knows tokens only uses `match` in its place.
    distance: The most tokens between phrases joined by AND.
    node: The clause whose occurrences are listed, from 0.
    edited: Whether the query was changed after its newest answer: what was wrong with the old one no longer holds.
    lent: Whether phrases match as another screen counted, and not as it was chosen here.
    """

    corpus: Corpus | None = None
    text: str = ""
    matching: Matching = field(default_factory=Matching)
    distance: int = USUAL_DISTANCE
    node: int = 0
    edited: bool = False
    lent: bool = False
    answer: Answer[Found] = field(default_factory=Answer)

    @property
    def asks(self) -> bool:
        """Whether there is something to ask."""
        return self.corpus is not None and bool(self.text.strip())

    @property
    def why_no_text(self) -> str:
        """Why the open index finds tokens only; "" if it finds any text, or if none is open."""
        return "" if self.corpus is None else self.corpus.index.capabilities.missing("text_patterns")

    @property
    def match(self) -> Match:
        """How phrases are matched in the open index."""
        return "tokens" if self.why_no_text else self.matching.match

    @property
    def matched(self) -> Matching:
        """How phrases are matched in the open index, with all switches."""
        return replace(self.matching, match=self.match)

    @property
    def has_switches(self) -> bool:
        """Whether whole words and ignoring case apply; tokens have variants in their place."""
        return self.match != "tokens"

    @property
    def with_space(self) -> bool:
        """Whether tokens are also counted with a leading space."""
        return "space" in self.matching.variants

    @property
    def in_cases(self) -> bool:
        """Whether tokens are also counted in lower, UPPER and Title case."""
        # `QueryPresenter.vary` adds all cases or none, so one is enough to know.
        return CASES[0] in self.matching.variants

    @property
    def why_no_switches(self) -> str:
        """Why whole words and ignoring case do not apply; "" if they do."""
        if self.has_switches:
            return ""
        return self.why_no_text or tr("Not available for tokens. Choose “Text” in the “…” menu next to it.")

    @property
    def lent_note(self) -> str:
        """That tokens are matched although nobody chose it here; "" if they are not, or if somebody did."""
        return tr("Matches tokens, as Next token counted") if self.lent and self.match == "tokens" else ""

    def options(self, exact: bool | None = None) -> QueryOptions:
        """The chosen options; exact: whether every occurrence is checked, None: as many as are usual."""
        return self.matched.in_options(QueryOptions((), self.distance, exact, node=self.node))

    @property
    def found(self) -> QueryResult | None:
        """The newest hits, which belong to an earlier query while `answer.dimmed`."""
        return None if self.answer.value is None else self.answer.value.result

    @property
    def current(self) -> Found | None:
        """The hits of exactly what is typed and chosen; None while they are unknown."""
        # What is typed may be ahead of what was asked.
        found = self.answer.current
        # How exactly it was counted is not part of the question.
        if found is None or (found.request.text, replace(found.request.options, exact=None)) != (
            self.text,
            self.options(),
        ):
            return None
        return found

    @property
    def answered(self) -> bool:
        """Whether the hits are those of the newest query: it can be read, was not changed since, and has its answer."""
        return self.answer.current is not None and not self.edited

    @property
    def problem(self) -> Problem:
        """What is wrong with the query, and where."""
        error, found = self.answer.error, self.answer.value
        # Positions are those of the text before the edit.
        if self.edited:
            return Problem()
        if isinstance(error, QuerySyntaxError):
            return Problem(told(error), error.start, error.end)
        return Problem() if error is not None or found is None else Problem(impossible(found))

    @property
    def invalid(self) -> bool:
        """Whether the text cannot be read as a query."""
        return not self.edited and isinstance(self.answer.error, QuerySyntaxError)

    @property
    def notice(self) -> str:
        """Why the newest question has no answer, unless its text is wrong; "" for nothing."""
        error = self.answer.error
        return "" if error is None or isinstance(error, QuerySyntaxError) else told(error)

    @property
    def structured(self) -> bool:
        """Whether the query was read as several phrases, so that it is shown how."""
        return self.found is not None and not self.found.parsed.plain

    @property
    def centers(self) -> tuple[str, ...]:
        """Names of the clauses of an AND, one of which the lines are centered on; none for other queries."""
        found = self.found
        if found is None or len(found.clauses) < 2:
            return ()
        return tuple(map(_joined, found.parsed.clauses))

    @property
    def read_as_full(self) -> str:
        """How the query was read, in full; "" if it is one phrase."""
        found = self.found
        return "" if found is None or not self.structured else found.parsed.echo or str(found.parsed)


def _joined(phrases: tuple[str, ...]) -> str:
    return tr(" or ").join(f"“{isolated(short_text(phrase, 30))}”" for phrase in phrases)


def impossible(found: Found) -> str:
    """Name the phrases that cannot occur, for a query of several phrases.

    Returns: One sentence; "" if every phrase occurs, or if there is only one.
    """
    result, options = found.result, found.request.options
    if result.parsed.plain or not result.impossible:
        return ""
    # Three at most: the sentence has one line above the tabs.
    phrases = ", ".join(f"“{isolated(short_text(text))}”" for text in result.impossible[:3])
    number = len(result.impossible)
    if options.match == "tokens":
        return trn(
            "{phrases} does not occur as these tokens in this index.",
            "{phrases} do not occur as these tokens in this index.",
            number,
            phrases=phrases,
        )
    if options.whole_words:
        return trn(
            "{phrases} does not occur in this index as whole words.",
            "{phrases} do not occur in this index as whole words.",
            number,
            phrases=phrases,
        )
    return trn(
        "{phrases} does not occur in this index.", "{phrases} do not occur in this index.", number, phrases=phrases
    )
