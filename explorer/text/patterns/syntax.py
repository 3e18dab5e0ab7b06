"""What a person types, as a tree: literal text, or a regular expression."""

from __future__ import annotations

import re

# Private modules of the standard library: the syntax is exactly that of `re`, and what is not known here is refused.
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import threading
import warnings
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from explorer.errors import QueryError
from explorer.i18n import mark, tr
from explorer.text.patterns.charset import CharSet, named
from explorer.text.patterns.equal import QUOTES, Lattice, Translation, translation
from explorer.text.patterns.kinds import JOINER, JOINERS, MARK, kind_of, of_kinds

MOST_REPEATS = 1_000
MOST_NESTED = 100


@dataclass(frozen=True)
class Chars:
    """One character of a set."""

    chars: CharSet


@dataclass(frozen=True)
class Border:
    """A condition on the characters before and after a place: one of CONDITIONS."""

    condition: str


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


@dataclass(frozen=True)
class Web:
    """Places with steps between them, from the first to the last: (place, character, place)."""

    size: int
    steps: tuple[tuple[int, Chars, int], ...]


Node = Chars | Border | Sequence | Choice | Repeat | Web


def literal(text: str, how: Translation, *, within: bool = False) -> Node:
    """Make the tree of a literal text.

    within: Whether it is a part of an expression, in which a run of white space must not be divided.
    Raises `QueryError` if nothing is left of the text, or it is too complex.
    """
    if not how.equate and not how.ignore_case:
        return Sequence(tuple(Chars(CharSet.of_text(char)) for char in text))
    translated = how.of_text(text)
    if not translated:
        raise QueryError(
            mark("This query consists of joiners and soft hyphens, which are left out where forms are equated."),
            reason="only-joiners",
        )
    lattice = Lattice(translated, how)
    spaced = how.spacing and " " in translated
    # The usual case: one set of characters after the other, as without any translation.
    if not how.forms and not spaced and all(step.end == step.start + 1 for step in lattice.steps):
        return Sequence(tuple(Chars(step.chars) for step in lattice.steps))
    parts: list[Node] = [_web(lattice, how)]
    if how.spacing and translated[0] == " ":
        # A run is one place, which begins with its first character, and with joiners before it.
        parts = [_JOINED_RUN_START, _JOINERS, *parts] if how.forms else [Border("run start"), *parts]
    if how.spacing and translated[-1] == " " and within:
        parts.append(Border("joined run end" if how.forms else "run end"))
    # Marks alone are looked for as such, whatever follows them.
    if how.forms and not all(kind_of(ord(char)) == MARK for char in translated):
        parts.append(_WHOLE_CHARACTER)
    return parts[0] if len(parts) == 1 else Sequence(tuple(parts))


_JOINED_RUN_START = Border("joined run start")
_JOINERS = Repeat(Chars(JOINERS), 0, None)
_WHOLE_CHARACTER = Border("whole character")


def _web(lattice: Lattice, how: Translation) -> Web:
    steps = [(step.start, step.chars, step.end) for step in lattice.steps]
    if how.spacing:
        steps += [(step.end, named("space"), step.end) for step in lattice.steps if ord(" ") in step.chars]
    if how.forms:
        # Not before the first character: there is one match per place.
        steps += [(number, JOINERS, number) for number in range(1, lattice.size)]
    # The last place is the one after the text.
    swap = {lattice.last: lattice.size - 1, lattice.size - 1: lattice.last}
    return Web(
        lattice.size, tuple((swap.get(start, start), Chars(chars), swap.get(end, end)) for start, chars, end in steps)
    )


def whole_words(node: Node, forms: bool) -> Node:
    """Find a pattern only where a word begins before it and ends after it.

    forms: Whether joiners are left out.
    Returns: The tree of the pattern with its borders.
    """
    start: Node = Border("start")
    if forms:
        # Joiners at the beginning of a word are part of the match, so that there is one match per place.
        joiners = Repeat(Chars(JOINERS), 1, None)
        start = Choice((start, Sequence((Border("joined start"), joiners, Border("no ideograph")))))
    return Sequence((start, node, Border("end")))


def expression(text: str, how: Translation) -> Node:
    """Parse a regular expression.

    text: The expression, in the syntax of Python's `re`.
    how: What counts as the same; the flag (?i) ignores case, too. Characters that are written count as in `literal`. Of
        a set, quotation marks and simple cases do, and the forms of characters that are listed one by one.
    Raises `QueryError` if it is not a regular expression, or uses something that is not supported; the message names
        the place.
    """
    for found in _OTHERS.finditer(text):
        if found["sign"] or found["name"]:
            raise _unsupported(found[0])
    if _deepest(text) > MOST_NESTED:
        raise _too_deep()
    try:
        tree = _parsed(text, re.IGNORECASE if how.ignore_case else 0)
        # Flags that are written in the expression, such as (?i), are known only after it is parsed.
        flags = tree.state.flags
        if flags & ~_FLAGS:
            raise _unsupported(tr("A flag other than i"))
        return _Reader(translation(how.equate, bool(flags & re.IGNORECASE))).sequence(tree)
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
        raise _too_deep() from error


def _too_deep() -> QueryError:
    return QueryError(mark("This regular expression is nested too deeply."), reason="nested-too-deeply")


def _deepest(text: str) -> int:
    """The most groups that are open at once. Python's own limit depends on its version and on who calls."""
    depth = most = 0
    for found in _PARENTHESES.finditer(text):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        most = max(most, depth)
    return most


_FLAGS = re.IGNORECASE | re.VERBOSE | re.UNICODE
_PARENTHESES = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|[()]", re.S)
"""Parentheses; what is escaped and whole sets are passed over."""
_MAY_BE_NESTED = re.compile(r"\[\^?\[|--|&&|~~|\|\|")
_OTHERS = re.compile(r"\\(?P<sign>[<>`])|\\.|(?P<name>\[:\w+:\])", re.S)
"""Borders and classes of other dialects, which the standard library takes for plain characters; or an escape."""
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
        mark("{what} cannot be used here."),
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

    def __init__(self, how: Translation) -> None:
        self.how = how

    def sequence(self, items: Any) -> Node:
        parts: list[Node] = []
        for written, some in groupby(items, key=lambda item: item[0] is codes.LITERAL):
            if written:
                parts.append(self._written("".join(chr(value) for _, value in some)))
            else:
                parts += [self.node(code, value) for code, value in some]
        return Sequence(tuple(parts))

    def node(self, code: Any, value: Any) -> Node:
        if code is codes.LITERAL:
            return self._written(chr(value))
        if code is codes.NOT_LITERAL:
            return self._any_of(~self._cased(CharSet(((value, value),))))
        if code is codes.ANY:
            return self._any_of(~_NEWLINE)
        if code is codes.IN:
            return self._set(value)
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

    def _written(self, text: str) -> Node:
        """Characters that are written as themselves."""
        return literal(text, self.how, within=True) if self.how.of_text(text) else Sequence(())

    def _cased(self, chars: CharSet) -> CharSet:
        if "quotes" in self.how.equate:
            groups = [CharSet.of_text(group) for group in QUOTES if any(ord(char) in chars for char in group)]
            chars = CharSet.of(pair for some in (chars, *groups) for pair in some.ranges)
        return chars.folded() if self.how.ignore_case else chars

    def _any_of(self, chars: CharSet) -> Node:
        """One character of a large set; of equated forms with its marks."""
        if not self.how.forms:
            return Chars(chars)
        marks = Repeat(Chars(of_kinds((MARK, JOINER))), 0, None)
        return Sequence((Chars(chars - JOINERS), marks, _WHOLE_CHARACTER))

    def _set(self, items: Any) -> Node:
        # Folded before it is negated: [^a] without case excludes A, too.
        negated = bool(items) and items[0][0] is codes.NEGATE
        items = items[1:] if negated else items
        members = [self._member(code, value) for code, value in items]
        chars = CharSet.of(pair for member in members for pair in member.ranges)
        if negated or any(code is codes.CATEGORY for code, _ in items):
            return self._any_of(~chars if negated else chars)
        if not self.how.forms and not self.how.spacing:
            return Chars(chars)
        listed = [chr(value) for code, value in items if code is codes.LITERAL]
        spaces = [" "] * (self.how.spacing and any(char.isspace() for char in listed))
        some = Chars(chars - named("space") if spaces else chars)
        alone: Node = Sequence((some, _JOINERS, _WHOLE_CHARACTER)) if self.how.forms else some
        return Choice((alone, *map(self._written, listed if self.how.forms else spaces)))

    def _member(self, code: Any, value: Any) -> CharSet:
        if code is codes.LITERAL:
            return self._cased(CharSet(((value, value),)))
        if code is codes.RANGE:
            return self._cased(CharSet((tuple(value),)))
        name, negated = _NAMES[value]
        return ~named(name) if negated else named(name)

    def _group(self, value: Any) -> Node:
        _, added, removed, items = value
        ignore_case = (self.how.ignore_case or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE
        if (added | removed) & ~_FLAGS:
            raise _unsupported(tr("A flag other than i"))
        return _Reader(translation(self.how.equate, ignore_case)).sequence(items)

    def _repeat(self, least: int, most: Any, items: Any) -> Node:
        endless = most is codes.MAXREPEAT
        if least > MOST_REPEATS or (not endless and most > MOST_REPEATS):
            raise _too_often()
        # However often a space is repeated, it is a run, of which there is one in a place.
        if self.how.spacing and len(items) == 1 and items[0][0] is codes.LITERAL and chr(items[0][1]).isspace():
            return Repeat(self.sequence(items), min(least, 1), 1 if endless else min(most, 1))
        return Repeat(self.sequence(items), least, None if endless else most)


_DESCRIPTIONS = {
    codes.ASSERT: mark("Look-around"), codes.ASSERT_NOT: mark("Look-around"), codes.FAILURE: mark("Look-around"),
    codes.GROUPREF: mark("A back-reference"), codes.GROUPREF_EXISTS: mark("A conditional group"),
    codes.AT: mark("^, $, \\A or \\Z"), codes.ATOMIC_GROUP: mark("An atomic group"),
    codes.POSSESSIVE_REPEAT: mark("A possessive repeat"),
}  # fmt: skip
