"""What counts as the same: white space, quotation marks, forms of one character, and cases.

A text is translated character by character, and each of these steps is one of them:

1. `forms`: joiners and soft hyphens are left out, and characters are decomposed (NFD).
2. Ignoring case: full case folding (`str.casefold`).
3. `quotes`: each apostrophe, quotation mark and dash becomes the plain one of its group.
4. `spacing`: each run of white space becomes one space.

A query matches where a text has the same translation, from the beginning of one character to the end of another.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.patterns.charset import CharSet, named
from explorer.text.patterns.equates import EQUATES, Equate
from explorer.text.patterns.kinds import JOINERS, decomposing

QUOTES = (
    "'\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bb\u02bc\uff07",
    '"\u201c\u201d\u201e\u201f\u2033\u2036\u02ba\u301d\u301e\u301f\uff02',
    "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d",
)
"""Apostrophes, single quotation marks and primes; double ones; dashes. The first of each represents all."""

_PLAIN = {ord(char): group[0] for group in QUOTES for char in group}
_LAST_WITH_CASE = 0x1E943
_MOST_STATES = 20_000
"""As many as a pattern can have places."""


def checked_equate(equate: Iterable[str]) -> tuple[Equate, ...]:
    """Check what is to count as the same.

    equate: Names of EQUATES, in any order.
    Returns: The names, each once, in the order of EQUATES.
    Raises `QueryError` if a name is not known.

    Examples
    --------
    >>> checked_equate(["quotes", "spacing"])
    ('spacing', 'quotes')
    """
    names = (equate,) if isinstance(equate, str) else tuple(equate)
    if unknown := [name for name in names if name not in EQUATES]:
        raise QueryError(
            mark('"{name}" cannot be equated. The choices are {names}.'),
            reason="unknown-equate",
            name=unknown[0],
            names=", ".join(EQUATES),
        )
    return tuple(name for name in EQUATES if name in names)


@dataclass(frozen=True)
class Translation:
    """What a text becomes before it is compared.

    equate: Names of EQUATES, in their order.
    ignore_case: Whether case is folded.
    """

    equate: tuple[Equate, ...] = ()
    ignore_case: bool = False

    @property
    def spacing(self) -> bool:
        """Whether runs of white space are equal."""
        return "spacing" in self.equate

    @property
    def forms(self) -> bool:
        """Whether canonically equivalent characters are equal, and joiners are left out."""
        return "forms" in self.equate

    def of_char(self, char: str) -> str:
        """Translate one character.

        Returns: None, one or several characters.

        Examples
        --------
        >>> Translation(("forms",), ignore_case=True).of_char("ﬁ"), Translation(("quotes",)).of_char("’")
        ('fi', "'")
        """
        if self.forms and ord(char) in JOINERS:
            return ""
        text = unicodedata.normalize("NFD", char) if self.forms else char
        if self.ignore_case:
            text = text.casefold()
            text = unicodedata.normalize("NFD", text) if self.forms else text
        if "quotes" in self.equate:
            text = text.translate(_PLAIN)
        return " " if self.spacing and text.isspace() else text

    def of_text(self, text: str) -> str:
        """Translate a text.

        Examples
        --------
        >>> Translation(("spacing",)).of_text("one of \\n the")
        'one of the'
        """
        pieces: list[str] = []
        for char in text:
            piece = self.of_char(char)
            if not (self.spacing and piece == " " and pieces and pieces[-1] == " "):
                pieces += [piece] if piece else []
        joined = "".join(pieces)
        # Marks of neighboring characters have one order.
        return unicodedata.normalize("NFD", joined) if self.forms else joined

    @cached_property
    def sources(self) -> dict[str, tuple[tuple[str, CharSet], ...]]:
        """The characters whose translation is not themselves: (translation, characters), by its first character."""
        found: dict[str, set[str]] = {}
        for char in map(chr, self._candidates()):
            became = self.of_char(char)
            if became and became != char:
                found.setdefault(became, set()).add(char)
        by_first: dict[str, list[tuple[str, CharSet]]] = {}
        for became, chars in found.items():
            by_first.setdefault(became[0], []).append((became, CharSet.of_text(chars)))
        return {first: tuple(some) for first, some in by_first.items()}

    def _candidates(self) -> Iterator[int]:
        if self.ignore_case:
            yield from range(_LAST_WITH_CASE + 1)
        if self.forms:
            yield from decomposing()
            yield from range(0xAC00, 0xD7A4)
        if "quotes" in self.equate:
            yield from _PLAIN
        if self.spacing:
            yield from (code for first, last in named("space").ranges for code in range(first, last + 1))


@cache
def translation(equate: tuple[Equate, ...], ignore_case: bool) -> Translation:
    """The translation with these settings, whose table of characters is made once."""
    return Translation(equate, ignore_case)


@dataclass(frozen=True)
class Step:
    """Characters that lead from one state of `Lattice` to another."""

    start: int
    chars: CharSet
    end: int


class Lattice:
    """All texts with one translation, as steps between numbered states, from 0 to `last`.

    Characters whose order makes no difference can come in any: a state is the number of complete blocks (a character
    and its marks), and how many marks of each combining class have been read of the next one.

    last: The state in which the text is complete.
    """

    def __init__(self, text: str, how: Translation) -> None:
        self._how = how
        self._blocks = list(_blocks(text)) if how.forms else [_Block(char, {}) for char in text]
        numbers = {self._begin(0): 0}
        self.steps: list[Step] = []
        waiting = list(numbers)
        while waiting:
            state = waiting.pop()
            for after, chars in self._from(state).items():
                if after not in numbers:
                    numbers[after] = len(numbers)
                    waiting.append(after)
                self.steps.append(Step(numbers[state], chars, numbers[after]))
            if len(numbers) > _MOST_STATES:
                raise QueryError(mark("This pattern is too complex."), reason="pattern-too-complex")
        self.last = numbers[self._begin(len(self._blocks))]
        self.size = len(numbers)

    def _begin(self, number: int) -> _State:
        if number == len(self._blocks):
            return number, False, ()
        block = self._blocks[number]
        return number, not block.first, (0,) * len(block.marks)

    def _after(self, state: _State, char: str) -> _State | None:
        """The state after one more character of the translation; None if it does not follow."""
        if char not in self._next(state):
            return None
        number, begun, counts = state
        marks = self._blocks[number].marks
        if begun:
            rank = list(marks).index(unicodedata.combining(char))
            counts = (*counts[:rank], counts[rank] + 1, *counts[rank + 1 :])
        done = all(count == len(some) for count, some in zip(counts, marks.values(), strict=True))
        return self._begin(number + 1) if done else (number, True, counts)

    def _next(self, state: _State) -> list[str]:
        """The characters of the translation that may follow."""
        number, begun, counts = state
        if number == len(self._blocks):
            return []
        block = self._blocks[number]
        if not begun:
            return [block.first]
        return [some[count] for count, some in zip(counts, block.marks.values(), strict=True) if count < len(some)]

    def _from(self, state: _State) -> dict[_State, CharSet]:
        """The characters that lead on from a state, by the state to which they lead."""
        found: dict[_State, CharSet] = {}
        for char in self._next(state):
            for became, chars in ((char, CharSet.of_text(char)), *self._how.sources.get(char, ())):
                after: _State | None = state
                for each in became:
                    after = None if after is None else self._after(after, each)
                if after is not None:
                    found[after] = found[after] | chars if after in found else chars
        return found


_State = tuple[int, bool, tuple[int, ...]]
"""Complete blocks, whether the first character of the next one has been read, and its marks by class."""


@dataclass(frozen=True)
class _Block:
    """A character and its marks, by combining class; first: "" where the text begins with marks."""

    first: str
    marks: dict[int, str]


def _blocks(text: str) -> Iterator[_Block]:
    first, marks = "", dict[int, str]()
    for char in text:
        kind = unicodedata.combining(char)
        if kind:
            marks[kind] = marks.get(kind, "") + char
            continue
        if first or marks:
            yield _Block(first, marks)
        first, marks = char, {}
    if first or marks:
        yield _Block(first, marks)


def may_equate(name: Equate, text: str) -> bool:
    """Tell whether a text could be found in more places if something was equated.

    Returns: False if it certainly has no effect.

    Examples
    --------
    >>> may_equate("spacing", "cat"), may_equate("forms", "cat")
    (False, True)
    """
    if name == "spacing":
        return any(map(str.isspace, text))
    return name == "forms" or any(ord(char) in _PLAIN for char in text)
