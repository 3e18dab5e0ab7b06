"""A query as conditions: phrases joined by OR, the conditions joined by AND or AND NOT. No Qt.

The conditions are written as the text of the query, and read from it, so that the two always agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from explorer.analyses.search.find import Match
from explorer.analyses.search.language import Expression, ParsedQuery, parse
from explorer.errors import QueryError
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.presenter import Presenter
from explorer.i18n import tr


@dataclass(frozen=True)
class Condition:
    """Phrases of which one must occur or, if `excluded`, none. An excluded condition has one phrase."""

    phrases: tuple[str, ...]
    excluded: bool = False

    @property
    def filled(self) -> tuple[str, ...]:
        """The phrases that are not empty."""
        return tuple(phrase for phrase in self.phrases if phrase.strip())


@dataclass(frozen=True)
class BuilderState:
    """The conditions.

    match: How phrases are read.
    conditions: In the order in which they are shown.
    note: Why the typed query cannot be shown as conditions; "" if it can.
    """

    match: Match = "text"
    conditions: tuple[Condition, ...] = (Condition(("",)),)
    note: str = ""

    @property
    def empty(self) -> str:
        """A phrase to be typed."""
        return Expression("") if self.match == "regex" else ""

    @property
    def query(self) -> str:
        """The text of the query; "" without a phrase to look for."""
        clauses = tuple(each.filled for each in self.conditions if not each.excluded and each.filled)
        excluded = tuple(text for each in self.conditions if each.excluded for text in each.filled)
        # Phrases after NOT alone are not a query.
        return str(ParsedQuery(clauses, excluded)) if clauses else ""

    @property
    def shape(self) -> tuple[tuple[bool, int], ...]:
        """Which widgets the conditions need: whether each is excluded, and its number of phrases."""
        return tuple((each.excluded, len(each.phrases)) for each in self.conditions)


class BuilderPresenter(Presenter[BuilderState]):
    """Edits the conditions.

    typed: Takes the text of the query after each edit.
    """

    def __init__(self, typed: Callable[[str], None]) -> None:
        super().__init__(BuilderState())
        self._typed = typed

    def read(self, text: str, match: Match) -> None:
        """Show the conditions of a query; one that cannot be read is reported and leaves them unchanged."""
        same = match == self.state.match
        # First: the empty phrase of a new condition depends on it.
        self.change(match=match)
        # What was written here comes back as the text of the query: reading it again would drop empty phrases.
        if same and text and text == self.state.query:
            self.change(note="")
            return
        empty = self.state.empty
        try:
            parsed = parse(text, match) if text.strip() else ParsedQuery(((empty,),))
        except QueryError as error:
            self.change(note=tr("The query is not valid yet: {error}", error=told(error)))
            return
        # The order of a query is clauses first, whatever the order in which they were typed.
        made = [Condition(phrases) for phrases in parsed.clauses]
        made += [Condition((phrase,), excluded=True) for phrase in parsed.excluded]
        # What was read is the text of the query already.
        self._put(tuple(made), tell=False)

    def edit(self, number: int, place: int, text: str) -> None:
        """Change a phrase.

        place: The phrase in it, from 0.
        """
        condition = self.state.conditions[number]
        phrases = list(condition.phrases)
        # A phrase keeps its kind: “a.c” and /a.c/ are the same characters.
        phrases[place] = Expression(text) if isinstance(phrases[place], Expression) else text
        self._replace(number, replace(condition, phrases=tuple(phrases)))

    def add_phrase(self, number: int) -> None:
        """Add an alternative to a condition."""
        condition = self.state.conditions[number]
        self._replace(number, replace(condition, phrases=(*condition.phrases, self.state.empty)))

    def remove_phrase(self, number: int, place: int) -> None:
        """Remove a phrase; with its last phrase, the condition goes.

        place: The phrase in it, from 0.
        """
        condition = self.state.conditions[number]
        phrases = condition.phrases[:place] + condition.phrases[place + 1 :]
        if phrases:
            self._replace(number, replace(condition, phrases=phrases))
        else:
            self.remove(number)

    def add(self) -> None:
        """Add a condition."""
        self._put((*self.state.conditions, Condition((self.state.empty,))))

    def remove(self, number: int) -> None:
        """Remove a condition; a query needs a phrase to look for, so the last one is emptied."""
        rest = self.state.conditions[:number] + self.state.conditions[number + 1 :]
        self._put(rest if any(not each.excluded for each in rest) else (Condition((self.state.empty,)), *rest))

    def exclude(self, number: int, excluded: bool) -> None:
        """Let a condition require its phrases, or exclude them; then each becomes a condition of its own.

        excluded: Whether its phrases must not occur.
        """
        before, condition, after = (
            self.state.conditions[:number],
            self.state.conditions[number],
            self.state.conditions[number + 1 :],
        )
        # NOT takes a single phrase, so alternatives become conditions of their own: none of them may occur.
        made = (
            tuple(Condition((phrase,), True) for phrase in condition.phrases)
            if excluded
            else (replace(condition, excluded=False),)
        )
        self._put((*before, *made, *after))

    def clear(self) -> None:
        """Begin again with one empty condition."""
        self._put((Condition((self.state.empty,)),))

    def _replace(self, number: int, condition: Condition) -> None:
        conditions = list(self.state.conditions)
        conditions[number] = condition
        self._put(tuple(conditions))

    def _put(self, conditions: tuple[Condition, ...], tell: bool = True) -> None:
        before = self.state.query
        self.change(conditions=conditions, note="")
        if tell and self.state.query != before:
            self._typed(self.state.query)
