"""What a person types, as a tree: literal text, or a regular expression."""

from __future__ import annotations

import re

# Private modules of the standard library: the syntax is exactly that of `re`, and what is not known here is refused.
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import threading
import warnings
from dataclasses import dataclass
from typing import Any

from explorer.errors import QueryError
from explorer.i18n import mark, tr
from explorer.patterns.charset import CharSet, named

MOST_REPEATS = 1_000


@dataclass(frozen=True)
class Chars:
    """One character of a set."""

    chars: CharSet


@dataclass(frozen=True)
class Border:
    """A condition on the characters before and after a place: one of BORDERS."""

    condition: str


BORDERS = ("border", "inside", "start", "end")
"""Where a word begins or ends (`\\b`); where none does (`\\B`); where a whole word may begin; where it may end."""


@dataclass(frozen=True)
class Sequence:
    """One part after the other; none: the empty text."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    """Any of the parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """A part `least` to `most` times; most None: without end."""

    part: Node
    least: int
    most: int | None


Node = Chars | Border | Sequence | Choice | Repeat


def literal(text: str, ignore_case: bool) -> Node:
    """Make the tree of a literal text, character by character.

    Parameters
    ----------
    text
        The text.
    ignore_case
        Whether characters that differ in case only are equal.

    Returns
    -------
    Node
        The tree.
    """
    # Character by character, so that folding never joins or divides characters.
    sets = (CharSet.of_text(char) for char in text)
    return Sequence(tuple(Chars(chars.folded() if ignore_case else chars) for chars in sets))


def expression(text: str, ignore_case: bool) -> Node:
    """Parse a regular expression.

    Parameters
    ----------
    text
        The expression, in the syntax of Python's `re`.
    ignore_case
        Whether characters that differ in case only are equal; the flag (?i) does the same.

    Returns
    -------
    Node
        The tree.

    Raises
    ------
    QueryError
        If it is not a regular expression, or uses something that is not supported; the message names the place.
    """
    try:
        tree = _parsed(text, re.IGNORECASE if ignore_case else 0)
        # Flags that are written in the expression, such as (?i), are known only after it is parsed.
        flags = tree.state.flags
        if flags & ~_FLAGS:
            raise _unsupported(tr("A flag other than i"))
        return _Reader(bool(flags & re.IGNORECASE)).sequence(tree)
    except FutureWarning as error:
        # A set within a set, a difference or an intersection for others, plain characters for the standard library.
        raise QueryError(
            mark("A set cannot contain another set here."),
            reason="nested-set",
        ) from error
    except re.error as error:
        raise QueryError(
            mark("This is not a regular expression: {cause} at character {at}."),
            reason="not-an-expression",
            cause=error.msg,
            at=(error.pos or 0) + 1,
        ) from error
    except OverflowError as error:
        raise _too_often() from error
    except RecursionError as error:
        raise QueryError(mark("This regular expression is nested too deeply."), reason="nested-too-deeply") from error


_FLAGS = re.IGNORECASE | re.VERBOSE | re.UNICODE
_MAY_BE_NESTED = re.compile(r"\[\^?\[|--|&&|~~|\|\|")
_warnings = threading.Lock()


def _parsed(text: str, flags: int) -> Any:
    """The standard library's tree; raises FutureWarning for what may come to mean something else."""
    if not _MAY_BE_NESTED.search(text):
        return parser.parse(text, flags)
    # Filters of warnings belong to the whole process, hence the lock, and hence the look at the text before.
    with _warnings, warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        return parser.parse(text, flags)


def _too_often() -> QueryError:
    return QueryError(
        mark("A part can be repeated at most {most:,} times."), reason="too-many-repeats", most=MOST_REPEATS
    )


def _unsupported(what: str) -> QueryError:
    return QueryError(
        mark("{what} cannot be used here. A pattern can contain classes, groups, alternatives, repeats and \\b."),
        reason="pattern-unsupported",
        what=what,
    )


_NAMES = {
    codes.CATEGORY_DIGIT: ("digit", False), codes.CATEGORY_NOT_DIGIT: ("digit", True),
    codes.CATEGORY_SPACE: ("space", False), codes.CATEGORY_NOT_SPACE: ("space", True),
    codes.CATEGORY_WORD: ("word", False), codes.CATEGORY_NOT_WORD: ("word", True),
}  # fmt: skip
_NEWLINE = CharSet.of_text("\n")


class _Reader:
    """Turns the standard library's parse tree into ours."""

    def __init__(self, ignore_case: bool) -> None:
        self.ignore_case = ignore_case

    def sequence(self, items: Any) -> Node:
        return Sequence(tuple(self.node(code, value) for code, value in items))

    def node(self, code: Any, value: Any) -> Node:
        if code in (codes.LITERAL, codes.NOT_LITERAL):
            chars = self._cased(CharSet(((value, value),)))
            return Chars(chars if code is codes.LITERAL else ~chars)
        if code is codes.ANY:
            return Chars(~_NEWLINE)
        if code is codes.IN:
            return Chars(self._set(value))
        if code is codes.BRANCH:
            return Choice(tuple(self.sequence(part) for part in value[1]))
        if code is codes.SUBPATTERN:
            return self._group(value)
        # Greedy or not makes no difference: all matches are looked for, of which the longest counts.
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            return self._repeat(*value)
        if code is codes.AT and value in (codes.AT_BOUNDARY, codes.AT_NON_BOUNDARY):
            return Border("border" if value is codes.AT_BOUNDARY else "inside")
        raise _unsupported(tr(_DESCRIPTIONS[code]))

    def _cased(self, chars: CharSet) -> CharSet:
        return chars.folded() if self.ignore_case else chars

    def _set(self, items: Any) -> CharSet:
        # Folded before it is negated: [^a] without case excludes A, too.
        negated = bool(items) and items[0][0] is codes.NEGATE
        members = (self._member(code, value) for code, value in (items[1:] if negated else items))
        chars = CharSet.of(pair for member in members for pair in member.ranges)
        return ~chars if negated else chars

    def _member(self, code: Any, value: Any) -> CharSet:
        if code is codes.LITERAL:
            return self._cased(CharSet(((value, value),)))
        if code is codes.RANGE:
            return self._cased(CharSet((tuple(value),)))
        name, negated = _NAMES[value]
        return ~named(name) if negated else named(name)

    def _group(self, value: Any) -> Node:
        _, added, removed, items = value
        inside = _Reader((self.ignore_case or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE)
        if (added | removed) & ~_FLAGS:
            raise _unsupported(tr("A flag other than i"))
        return inside.sequence(items)

    def _repeat(self, least: int, most: Any, items: Any) -> Node:
        endless = most is codes.MAXREPEAT
        if least > MOST_REPEATS or (not endless and most > MOST_REPEATS):
            raise _too_often()
        return Repeat(self.sequence(items), least, None if endless else most)


_DESCRIPTIONS = {
    codes.ASSERT: mark("Look-around"), codes.ASSERT_NOT: mark("Look-around"), codes.FAILURE: mark("Look-around"),
    codes.GROUPREF: mark("A back-reference"), codes.GROUPREF_EXISTS: mark("A conditional group"),
    codes.AT: mark("^, $, \\A or \\Z"), codes.ATOMIC_GROUP: mark("An atomic group"),
    codes.POSSESSIVE_REPEAT: mark("A possessive repeat"),
}  # fmt: skip
