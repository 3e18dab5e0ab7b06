"""The rule for metadata values, the same for filters, sorting, views by field, exports, the library and the window.

- A number is a number: 1 and 1.0 are the same one, shown as 1. Infinity and integers of any size are numbers.
- true and false are booleans, never numbers.
- "1" is a text. Lists and objects count as the text of their JSON.
- JSON has no infinity: it is exported as null in JSON, and as the word Infinity in tables.
- null, NaN and a field that a document does not have are all "no value".

The order is: numbers by size, and among them texts that are entirely a number; false, true, other texts as a reader
expects (`explorer.text.collation`), no value. No value comes last in both directions.

A condition compares a value with typed text:

- `=` a typed 1 is the number 1 and the text "1"; true is the boolean and the text "true"; "1" in quotes is the
  text only. (none) means no value, an empty condition means no value or an empty text. `!=` is the opposite.
- `==` is typed JSON: 1 is the number only, "1" the text, true the boolean, null no value.
- `~` and `^=` compare the value as it is shown; no value contains nothing and begins with nothing.
- `>=`, `<=`, `>` and `<` with a number compare numbers, and texts that are entirely a number; a date (2020-05…) counts
as its year if the number has four digits. With anything else they compare texts.
  Booleans and no value never pass.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from explorer.errors import QueryError
from explorer.i18n import mark, tr
from explorer.text.collation import collation_key

Value = str | int | float | bool | None
"""A metadata value in the one form that `plain_value` gives it."""
Key = tuple[int, Value]

OPERATORS = {
    "=": mark("is"),
    "!=": mark("is not"),
    "==": mark("is exactly"),
    "~": mark("contains"),
    "!~": mark("does not contain"),
    "^=": mark("starts with"),
    ">=": mark("is at least"),
    "<=": mark("is at most"),
    ">": mark("is more than"),
    "<": mark("is less than"),
}
NO_VALUE = "(none)"
"""How a missing value is shown and typed."""
MOST_DIGITS = 4_300
"""Digits of the longest integer that Python reads; a longer one counts as a text."""
# From 10^21 on, JavaScript writes numbers with an exponent as well.
_EXPONENT_FROM = 10**21
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?Infinity", re.ASCII)
_DATE = re.compile(r"(\d{4})-\d{2}(\D|$)", re.ASCII)
# Looked up by exact type, so that bool is not taken for int, of which it is a subclass.
_ORDER = {int: 0, float: 0, bool: 1, str: 2, type(None): 3}


def plain_value(value: Any) -> Value:
    """Bring a field's value into its one form, so that equal values are equal in type and sign.

    Returns: A text, a number, true, false or None; lists and objects become their JSON.
    """
    # bool before the numbers, since True is an int.
    if isinstance(value, (bool, str)) or value is None:
        return value
    if isinstance(value, (int, float)):
        return _one_number(value)
    # What numpy gives. By its method, since importing numpy here would delay the window by a tenth of a second.
    if hasattr(value, "tolist"):
        return plain_value(value.tolist())
    if not isinstance(value, (dict, list, tuple)):
        # What JSON does not have, such as a date: a caller may give it, and a build has kept it as text.
        return str(value)
    try:
        # Sorted keys: objects that differ only in the order of their fields are the same value.
        return json.dumps(plain_json(value), ensure_ascii=False, sort_keys=True)
    except RecursionError:
        # Deeper than Python can write. All such values are one, which is better than no answer for the whole field.
        return "{…}"


def plain_json(value: Any) -> Any:
    """A value, with nested values by the same rule, for strict JSON: numbers that JSON does not have become null."""
    if isinstance(value, dict):
        return {str(key): plain_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_json(item) for item in value]
    plain = plain_value(value)
    return None if isinstance(plain, float) and math.isinf(plain) else plain


def _one_number(value: int | float) -> int | float | None:
    """Whole numbers as int up to 10^21; beyond that as float where a float is exactly that number."""
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return int(value) if abs(value) < _EXPONENT_FROM and value.is_integer() else value
    if abs(value) < _EXPONENT_FROM:
        return int(value)
    try:
        # Python compares int and float exactly, so no large integer is rounded to another one.
        near = float(value)
    except OverflowError:
        return value
    return near if near == value else value


def value_key(value: Value) -> Key:
    """A dictionary key that tells values apart: Python treats True and 1 as the same key."""
    return (_ORDER[type(value)], value)


def sort_key(value: Value) -> tuple[int, float, str, str]:
    """The order of values: numbers and texts that are numbers, false, true, other texts, no value."""
    if value is None:
        return (3, 0, "", "")
    if isinstance(value, str):
        number = read_number(value)
        # The text itself breaks ties: otherwise the order of "e-mail" and "email" would depend on that of documents.
        key = collation_key(value), value
        return (2, 0, *key) if number is None else (0, number, *key)
    return (_ORDER[type(value)], value, "", "")


def _text_key(text: str) -> tuple[str, str]:
    """By which texts compare in conditions: character by character, since dates and codes are texts, too."""
    return text.casefold(), text


def is_number(value: Value) -> bool:
    """Whether a value is a number, or a text that is one as a whole, as tables have it: 1.10."""
    return not isinstance(value, bool) and _as_number(value, years=False) is not None


def show_value(value: Value) -> str:
    """A value as it is shown."""
    if value is None:
        return NO_VALUE
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return str(value)


def labels(values: Iterable[Value]) -> tuple[str, ...]:
    """Write values as they are shown, all different.

    Returns: The texts; those that look like another value are in quotes.

    Examples
    --------
    >>> labels(["1", 1])
    ('"1"', '1')
    """
    listed = tuple(values)
    # The empty text is in quotes as well, since nobody would see it otherwise.
    taken = {show_value(value) for value in listed if not isinstance(value, str)} | {""}
    texts = {value for value in listed if isinstance(value, str)}
    quoted: set[str] = set()
    # A text in quotes can be equal to another text, which then needs quotes of its own.
    while more := {text for text in texts - quoted if text in taken}:
        quoted |= more
        taken |= {quote(text) for text in more}
    return tuple(quote(value) if isinstance(value, str) and value in quoted else show_value(value) for value in listed)


def quote(text: str) -> str:
    """A text in quotes, which a condition compares only with texts."""
    return json.dumps(text, ensure_ascii=False)


def as_json(value: Value) -> str:
    """A value as `==` takes it."""
    if value is None:
        return "null"
    return quote(value) if isinstance(value, str) else show_value(value)


def read_number(text: str) -> int | float | None:
    """Read a text that is a number as a whole.

    Returns: The number; None for any other text.

    Examples
    --------
    >>> read_number("12"), read_number("12 cats")
    (12, None)
    """
    text = text.strip()
    if len(text) > MOST_DIGITS or not _NUMBER.fullmatch(text):
        return None
    # An integer is read as one: a float has only 53 bits of it.
    whole = text.lstrip("+-").isdecimal()
    return _one_number(int(text) if whole else float(text))


@dataclass(frozen=True)
class FieldFilter:
    """A condition on a metadata field.

    Attributes
    ----------
    field
        The name of the field.
    operator
        One of OPERATORS.
    value
        The value as it was typed.
    """

    field: str
    operator: str
    value: str

    def __str__(self) -> str:
        return f"{self.field} {tr(OPERATORS[self.operator])} {self.value}"

    def test(self) -> Callable[[Value], bool]:
        """The condition as a function of a value. Raises QueryError for an unknown operator."""
        if self.operator not in OPERATORS:
            raise QueryError(
                mark('There is no operator "{operator}". The choices are {names}.'),
                reason="unknown-operator",
                operator=self.operator,
                names=" ".join(OPERATORS),
            )
        if self.operator in ("!=", "!~"):
            # Both negated operators are "!" before another one.
            opposite = _TESTS[self.operator[1:]](self.value)
            return lambda value: not opposite(value)
        return _TESTS[self.operator](self.value)

    def meets(self, value: Value) -> bool:
        """Test a value.

        Parameters
        ----------
        value
            The value of a document.

        Returns
        -------
        bool
            Whether it meets the condition.

        Examples
        --------
        >>> FieldFilter("year", ">=", "1994").meets(1997)
        True
        """
        return self.test()(value)


@dataclass(frozen=True)
class ValueFilter(FieldFilter):
    """A condition that some values meet, and no others.

    values: The values, by the rule for metadata: 1 is not "1".
    """

    values: tuple[Value, ...] = ()

    def test(self) -> Callable[[Value], bool]:
        """The condition as a function of a value."""
        keys = {value_key(value) for value in self.values}
        return lambda value: value_key(value) in keys


def one_of(field: str, values: Iterable[Any]) -> ValueFilter:
    """Make the condition that keeps some values of a field.

    values: The values; None for no value.

    Examples
    --------
    >>> one_of("year", [1990, 1994]).meets(1994), one_of("year", [1990]).meets("1990")
    (True, False)
    """
    plain = tuple(plain_value(value) for value in values)
    return ValueFilter(field, "=", ", ".join(labels(plain)), plain)


def parse_filter(text: str) -> FieldFilter:
    """Parse a condition on a metadata field.

    Raises `QueryError` if it has no operator or no field.

    Examples
    --------
    >>> parse_filter("year>=1994")
    FieldFilter(field='year', operator='>=', value='1994')
    """
    # The first operator counts, and of those at one place the longest, hence the negative length. One at 0 would leave
    # no field.
    places = [(text.find(sign), -len(sign), sign) for sign in OPERATORS if text.find(sign) > 0]
    if not places or not text[: min(places)[0]].strip():
        signs = " ".join(OPERATORS)
        raise QueryError(
            mark('"{text}" is not a condition.'),
            reason="not-a-condition",
            text=text,
            signs=signs,
        )
    at, size, sign = min(places)
    return FieldFilter(text[:at].strip(), sign, text[at - size :].strip())


def exactly(field: str, value: Value) -> FieldFilter:
    """Make the condition that keeps only one value of a field.

    Returns: The condition, with `=` if that is equivalent and reads better.

    Examples
    --------
    >>> str(exactly("author", "Ann"))
    'author is Ann'
    """
    # `parse_filter` strips what is typed, so spaces at the ends survive only in quotes.
    if isinstance(value, str) and value == value.strip() and not _is_more_than_text(value):
        return FieldFilter(field, "=", value)
    return FieldFilter(field, "==", as_json(value))


def _is_more_than_text(typed: str) -> bool:
    """Whether typed text also matches another value, or another text."""
    return typed in ("", "true", "false", NO_VALUE) or read_number(typed) is not None or _quoted(typed) is not None


def _quoted(typed: str) -> str | None:
    """The text that quoted input means."""
    if len(typed) < 2 or not (typed.startswith('"') and typed.endswith('"')):
        return None
    try:
        # Quotes and backslashes inside are escaped as in JSON. What is not JSON, such as a path of Windows, is taken as
        # it is.
        inner = json.loads(typed)
    except ValueError:
        return typed[1:-1]
    return inner if isinstance(inner, str) else typed[1:-1]


def _equals(typed: str) -> Callable[[Value], bool]:
    quoted = _quoted(typed)
    if quoted is not None:
        return lambda value: value == quoted
    if not typed:
        return lambda value: value is None or value == ""
    # By key, since == would take True for 1.
    keys = {value_key(typed)}
    if typed in ("true", "false"):
        keys.add(value_key(typed == "true"))
    if typed == NO_VALUE:
        keys.add(value_key(None))
    if (number := read_number(typed)) is not None:
        keys.add(value_key(number))
    return lambda value: value_key(value) in keys


def _is_exactly(typed: str) -> Callable[[Value], bool]:
    number = read_number(typed)
    if number is None:
        try:
            wanted = plain_value(json.loads(typed))
        except (ValueError, RecursionError):
            wanted = typed
    else:
        wanted = number
    return lambda value: value_key(value) == value_key(wanted)


def _contains(typed: str) -> Callable[[Value], bool]:
    quoted = _quoted(typed)
    wanted = (typed if quoted is None else quoted).casefold()
    return lambda value: _counts_as_text(value, quoted) and wanted in show_value(value).casefold()


def _starts(typed: str) -> Callable[[Value], bool]:
    quoted = _quoted(typed)
    wanted = typed if quoted is None else quoted
    return lambda value: _counts_as_text(value, quoted) and show_value(value).startswith(wanted)


def _counts_as_text(value: Value, quoted: str | None) -> bool:
    return isinstance(value, str) if quoted is not None else value is not None


def _compares(passes: Callable[[int], bool]) -> Callable[[str], Callable[[Value], bool]]:
    def test(typed: str) -> Callable[[Value], bool]:
        quoted = _quoted(typed)
        limit = None if quoted is not None else read_number(typed)
        if limit is None:
            key = _text_key(typed if quoted is None else quoted)
            # The difference of two comparisons is -1, 0 or 1.
            return lambda value: isinstance(value, str) and passes((_text_key(value) > key) - (_text_key(value) < key))
        # Only a limit that can be a year compares with the years of dates.
        years = isinstance(limit, int) and 1000 <= limit <= 9999

        def numbers(value: Value) -> bool:
            number = _as_number(value, years)
            return number is not None and passes((number > limit) - (number < limit))

        return numbers

    return test


def _as_number(value: Value, years: bool) -> int | float | None:
    """A number, or a text that is one; `years`: a date counts as its year."""
    if isinstance(value, bool) or value is None:
        return None
    if not isinstance(value, str):
        return value
    if years and (date := _DATE.match(value)):
        return int(date[1])
    return read_number(value)


_TESTS: dict[str, Callable[[str], Callable[[Value], bool]]] = {
    "=": _equals,
    "==": _is_exactly,
    "~": _contains,
    "^=": _starts,
    ">=": _compares(lambda order: order >= 0),
    "<=": _compares(lambda order: order <= 0),
    ">": _compares(lambda order: order > 0),
    "<": _compares(lambda order: order < 0),
}
