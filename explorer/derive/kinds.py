"""The kinds of values that a setting can have: how each is checked, read from a text, and written."""

from __future__ import annotations

import math
import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.graphemes import beginning

# Python's int() also takes 1_000, spaces and digits of other scripts, which are rather a typing error here.
_WHOLE = re.compile(r"[+-]?[0-9]{1,30}", re.ASCII)
_REAL = re.compile(r"[+-]?([0-9]{1,300}\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]{1,3})?", re.ASCII | re.IGNORECASE)
_MOST_SHOWN = 40


@dataclass(frozen=True)
class Kind(ABC):
    """A kind of value; `metavar` represents the value in the help of an option."""

    metavar: str | None = field(default=None, kw_only=True)

    @abstractmethod
    def check(self, name: str, value: Any) -> Any:
        """The value that is used. Anything invalid raises `QueryError`, with the same sentence on every surface."""

    def read(self, text: str) -> Any:
        """The value that a text means, to be checked; the text itself if it means none."""
        return text

    def text(self, value: Any) -> str:
        """The value in an option."""
        return str(value)

    def stated(self, value: Any) -> tuple[str, ...]:
        """The value in provenance and in help, a line for each part."""
        return (self.text(value),)

    def option(self, name: str, value: Any) -> str:
        """An option with the value, as one argument."""
        # As a word of its own, a value that begins with a dash would be taken for an option.
        return f"{name}={self.text(value)}"

    def options(self, name: str, value: Any) -> list[str]:
        """The options with the value: several for one that is given in parts."""
        return [self.option(name, value)]

    def python(self, value: Any) -> str:
        """The value as Python."""
        return repr(value)

    def saved(self, value: Any) -> Any:
        """The value as JSON."""
        return value

    def restored(self, value: Any) -> Any:
        """The value that JSON means, to be checked."""
        return value

    def offers(self, value: Any) -> bool:
        """Whether the window can show a valid value."""
        return True

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the values, as an assistant gives them."""
        return {"type": "string"}


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number within limits; the window offers numbers up to `offered`. `zero` is a word for 0, such as all."""

    least: int = 0
    most: int = 10**12
    offered: int = 999_999
    zero: str = ""
    metavar: str | None = field(default="N", kw_only=True)

    def check(self, name: str, value: Any) -> int:
        number = _whole(value)
        if number is None or not self.least <= number <= self.most:
            raise refusal(
                mark("{name} must be a whole number from {least:,} to {most:,}, not {value}."),
                name,
                value,
                reason="not-a-whole-number" if number is None else "out-of-range",
                least=self.least,
                most=self.most,
            )
        return number

    def read(self, text: str) -> Any:
        if self.zero and text == self.zero:
            return 0
        return int(text) if _WHOLE.fullmatch(text) else text

    def stated(self, value: Any) -> tuple[str, ...]:
        return (str(value or self.zero or 0),)

    def offers(self, value: Any) -> bool:
        return bool(value <= self.offered)

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True)
class Sides(Kind):
    """Two whole numbers within limits, on the left and on the right, not both 0."""

    most: int = 1_000
    offered: int = 100
    metavar: str | None = field(default="L,R", kw_only=True)

    def check(self, name: str, value: Any) -> tuple[int, int]:
        parts = _parts(value)
        left, right = map(_whole, parts) if len(parts) == 2 else (None, None)
        if left is None or right is None or not (0 <= left <= self.most and 0 <= right <= self.most):
            raise refusal(
                mark("{name} must be two whole numbers from {least:,} to {most:,}, such as 5,5, not {value}."),
                name,
                value,
                reason="not-a-whole-number" if left is None or right is None else "out-of-range",
                least=0,
                most=self.most,
            )
        if not left + right:
            raise QueryError(mark("A window needs a token on the left or on the right."), reason="empty-window")
        return left, right

    def read(self, text: str) -> Any:
        parts = text.split(",")
        return tuple(map(int, parts)) if all(map(_WHOLE.fullmatch, parts)) else text

    def text(self, value: Any) -> str:
        return ",".join(map(str, value))

    def saved(self, value: Any) -> Any:
        return list(value)

    def offers(self, value: Any) -> bool:
        return bool(max(value) <= self.offered)

    @property
    def schema(self) -> dict[str, Any]:
        number = {"type": "integer", "minimum": 0, "maximum": self.most}
        return {"type": "array", "items": number, "minItems": 2, "maxItems": 2}


@dataclass(frozen=True)
class Choice(Kind):
    """One of two names or more, each with the label that the window shows, and perhaps a tip."""

    labels: Mapping[str, str] = field(default_factory=dict)
    tips: Mapping[str, str] = field(default_factory=dict)

    def check(self, name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in self.labels:
            *others, last = self.labels
            sentence = mark("{name} must be {others} or {last}, not {value}.")
            raise refusal(sentence, name, value, others=", ".join(others), last=last)
        return value

    @property
    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.labels)}


@dataclass(frozen=True)
class Flag(Kind):
    """Yes or no."""

    def check(self, name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise refusal(mark("{name} must be True or False, not {value}."), name, value)
        return value

    def option(self, name: str, value: Any) -> str:
        return name

    def text(self, value: Any) -> str:
        return "yes" if value else "no"

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Real(Kind):
    """A number within limits; not `least` itself if it must be above.

    The window offers numbers up to `offered`, of a share in percent.
    """

    least: float = 0.0
    most: float = 1e6
    above: bool = False
    offered: float = math.inf
    decimals: int = 2
    percent: bool = False
    metavar: str | None = field(default="X", kw_only=True)

    def check(self, name: str, value: Any) -> float:
        number = _real(value)
        # NaN compares as False with both limits.
        if number is None or not self.least <= number <= self.most or (self.above and number == self.least):
            sentence = mark("{name} must be a number from {least:g} to {most:g}, not {value}.")
            if self.above:
                sentence = mark("{name} must be a number above {least:g} and at most {most:g}, not {value}.")
            reason = "not-a-number" if number is None or math.isnan(number) else "out-of-range"
            raise refusal(sentence, name, value, reason=reason, least=self.least, most=self.most)
        return number

    def read(self, text: str) -> Any:
        return float(text) if _REAL.fullmatch(text) else text

    def text(self, value: Any) -> str:
        return repr(value).removesuffix(".0")

    def offers(self, value: Any) -> bool:
        return bool(value <= self.offered and round(value, self.decimals) == value)

    @property
    def schema(self) -> dict[str, Any]:
        least = "exclusiveMinimum" if self.above else "minimum"
        return {"type": "number", least: self.least, "maximum": self.most}


@dataclass(frozen=True)
class Share(Real):
    """A share of a whole, 0 to 1, also written as a percentage; the window offers whole ones."""

    most: float = 1.0
    metavar: str | None = field(default="P", kw_only=True)

    def read(self, text: str) -> Any:
        number = super().read(text.removesuffix("%"))
        if isinstance(number, str):
            return text
        return number / 100 if text.endswith("%") else number


@dataclass(frozen=True)
class Span(Kind):
    """A smallest and a largest whole number within limits; one number represents both."""

    least: int = 1
    most: int = 10**12
    offered: int = 999_999
    metavar: str | None = field(default="MIN,MAX", kw_only=True)

    def check(self, name: str, value: Any) -> tuple[int, int]:
        one = _whole(value)
        parts = (one, one) if one is not None else _parts(value)
        first, last = map(_whole, parts) if len(parts) == 2 else (None, None)
        if first is None or last is None or not self.least <= first <= last <= self.most:
            raise refusal(
                mark("{name} must be one or two whole numbers from {least:,} to {most:,}, ascending, not {value}."),
                name,
                value,
                reason="not-a-whole-number" if first is None or last is None else "out-of-range",
                least=self.least,
                most=self.most,
            )
        return first, last

    def read(self, text: str) -> Any:
        parts = text.split(",")
        if not all(map(_WHOLE.fullmatch, parts)):
            return text
        numbers = tuple(map(int, parts))
        return numbers * 2 if len(numbers) == 1 else numbers

    def text(self, value: Any) -> str:
        return ",".join(map(str, value))

    def saved(self, value: Any) -> Any:
        return list(value)

    def offers(self, value: Any) -> bool:
        return bool(value[1] <= self.offered)

    @property
    def schema(self) -> dict[str, Any]:
        number = {"type": "integer", "minimum": self.least, "maximum": self.most}
        return {"type": "array", "items": number, "minItems": 2, "maxItems": 2}


@dataclass(frozen=True)
class Text(Kind):
    """A text, such as the name of a metadata field; "" only if it may be empty. `word` is a word for ""."""

    empty: bool = True
    word: str = ""
    metavar: str | None = field(default="TEXT", kw_only=True)

    def check(self, name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise refusal(mark("{name} must be a text, not {value}."), name, value)
        if not value and not self.empty:
            raise refusal(mark("{name} must not be empty."), name, value, reason="empty")
        return value

    def stated(self, value: Any) -> tuple[str, ...]:
        return (value or self.word,)


@dataclass(frozen=True)
class Phrase(Kind):
    """A text or token ids, or None for no phrase."""

    metavar: str | None = field(default="TEXT", kw_only=True)

    def check(self, name: str, value: Any) -> str | tuple[int, ...] | None:
        if value is None:
            return None
        numbers = tuple(map(_whole, _parts(value)))
        ids = tuple(number for number in numbers if number is not None)
        if not isinstance(value, str | Iterable) or len(ids) < len(numbers):
            raise refusal(mark("{name} must be a text or token ids, not {value}."), name, value)
        found = value if isinstance(value, str) else ids
        if not found:
            raise refusal(mark("{name} must not be empty."), name, value, reason="empty")
        return found

    def text(self, value: Any) -> str:
        if value is None:
            return ""
        return value if isinstance(value, str) else " ".join(map(str, value))

    def saved(self, value: Any) -> Any:
        return list(value) if isinstance(value, tuple) else value

    def offers(self, value: Any) -> bool:
        return not isinstance(value, tuple)


@dataclass(frozen=True)
class Separator(Text):
    """A text between two others; the window offers some, each with its label."""

    labels: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"": mark("nothing"), " ": mark("space"), "\n": mark("line break"), "\n\n": mark("blank line")}
    )

    def stated(self, value: Any) -> tuple[str, ...]:
        return (repr(value) if value else self.labels[value],)


@dataclass(frozen=True)
class Delimiters(Kind):
    """Some strings; as options one each, with \\n and \\t for ends of lines and tabs, or an empty one for none."""

    metavar: str | None = field(default="D", kw_only=True)

    def check(self, name: str, value: Any) -> tuple[str, ...]:
        given = value if isinstance(value, tuple | list) else (None,)
        if not all(isinstance(each, str) for each in given):
            raise refusal(mark("{name} must be a list of strings, not {value}."), name, value)
        return tuple(given)

    def text(self, value: Any) -> str:
        return " ".join(part.replace("\n", "\\n").replace("\t", "\\t") for part in value)

    def read(self, text: str) -> Any:
        return tuple(part.replace("\\n", "\n").replace("\\t", "\t") for part in text.split())

    def stated(self, value: Any) -> tuple[str, ...]:
        return (self.text(value) or "none",)

    def options(self, name: str, value: Any) -> list[str]:
        return [self.option(name, (each,)) for each in value or ("",)]

    def saved(self, value: Any) -> Any:
        return list(value)


@dataclass(frozen=True)
class Several(Kind):
    """Some of several names, each once, in the order of their declaration; none represents all, if it may be empty.

    As an option, they are separated by commas, or `repeated` with one each. The window shows the labels, with tips.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    tips: Mapping[str, str] = field(default_factory=dict)
    empty: bool = True
    repeated: bool = False
    metavar: str | None = field(default="NAMES", kw_only=True)

    def check(self, name: str, value: Any) -> tuple[str, ...]:
        given = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else None
        if given == () and self.empty:
            return tuple(self.labels)
        if given == ():
            raise refusal(mark("{name} must not be empty."), name, value, reason="empty")
        if given is None or not all(isinstance(each, str) and each in self.labels for each in given):
            sentence = mark("{name} must be one or more of {all}, not {value}.")
            raise refusal(sentence, name, value, all=", ".join(self.labels))
        return tuple(each for each in self.labels if each in given)

    def read(self, text: str) -> Any:
        return tuple(part.strip() for part in text.split(","))

    def text(self, value: Any) -> str:
        return ",".join(value)

    def stated(self, value: Any) -> tuple[str, ...]:
        return (", ".join(value),)

    def options(self, name: str, value: Any) -> list[str]:
        return [self.option(name, (each,)) for each in value] if self.repeated else super().options(name, value)

    def python(self, value: Any) -> str:
        return repr(list(value))

    def saved(self, value: Any) -> Any:
        return list(value)

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"enum": list(self.labels)}, "minItems": 1}


@dataclass(frozen=True)
class Paths(Kind):
    """Files, folders or addresses: `arguments` of a command, or options with one each."""

    arguments: bool = False
    metavar: str | None = field(default="PATH", kw_only=True)

    def check(self, name: str, value: Any) -> tuple[str, ...]:
        given = (None,) if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
        if not all(isinstance(each, str) for each in given):
            raise refusal(mark("{name} must be a list of paths, not {value}."), name, value)
        return given

    def text(self, value: Any) -> str:
        return "; ".join(value)

    def options(self, name: str, value: Any) -> list[str]:
        return [] if self.arguments else [self.option(name, (each,)) for each in value]

    def python(self, value: Any) -> str:
        return repr(list(value))

    def saved(self, value: Any) -> Any:
        return list(value)

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "string"}}


@dataclass(frozen=True)
class Maybe(Kind):
    """A value of another kind, or None: a word such as "all" on the command line, a label in the window."""

    kind: Kind = field(default_factory=Whole)
    word: str = "none"
    label: str = ""

    def check(self, name: str, value: Any) -> Any:
        return None if value is None else self.kind.check(name, value)

    def read(self, text: str) -> Any:
        return None if text == self.word else self.kind.read(text)

    def text(self, value: Any) -> str:
        return self.word if value is None else self.kind.text(value)

    def python(self, value: Any) -> str:
        return "None" if value is None else self.kind.python(value)

    def saved(self, value: Any) -> Any:
        return None if value is None else self.kind.saved(value)

    def restored(self, value: Any) -> Any:
        return None if value is None else self.kind.restored(value)

    def offers(self, value: Any) -> bool:
        return value is None or self.kind.offers(value)

    @property
    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.kind.schema, {"type": "null"}]}


@dataclass(frozen=True)
class WordFile:
    """The path of a file with one word per line, which is read when its words are needed."""

    path: str

    @property
    def python(self) -> str:
        """Python that reads the words, with `pathlib.Path` imported."""
        return f"Path({self.path!r}).read_text(encoding='utf-8-sig').splitlines()"


@dataclass(frozen=True)
class Words(Kind):
    """Some words, or the file that lists them; as an option repeatable, separated by commas, or @FILE."""

    metavar: str | None = field(default="WORDS", kw_only=True)

    def check(self, name: str, value: Any) -> tuple[str, ...] | WordFile:
        if isinstance(value, WordFile):
            return value
        words = None if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
        if words is None or not all(isinstance(each, str) for each in words):
            raise refusal(mark("{name} must be a list of words, not {value}."), name, value)
        return words

    def text(self, value: Any) -> str:
        return f"@{value.path}" if isinstance(value, WordFile) else ", ".join(value)

    def python(self, value: Any) -> str:
        return value.python if isinstance(value, WordFile) else repr(list(value))

    def saved(self, value: Any) -> Any:
        # As the path of a file, where there are no words: projects hold paths relative to them.
        return value.path if isinstance(value, WordFile) else list(value) or ""

    def restored(self, value: Any) -> Any:
        return (WordFile(value) if value else ()) if isinstance(value, str) else value

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "string"}}


def refusal(sentence: str, name: str, value: Any, reason: str = "wrong-argument", **fields: Any) -> QueryError:
    """The error about a value; the sentence has fields `name` and `value`."""
    return QueryError(sentence, reason=reason, name=name, value=_shown(value), **fields)


def _whole(value: Any) -> int | None:
    # Python takes True for 1; whoever gives it means something else.
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def _real(value: Any) -> float | None:
    if isinstance(value, bool | str):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _parts(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else ()


def _shown(value: Any) -> str:
    try:
        text = f'"{value}"' if isinstance(value, str) else repr(value)
    except ValueError:
        # Python writes no integers of more than 4,300 digits.
        text = "a number of more than 4,300 digits"
    return text if len(text) <= _MOST_SHOWN else f"{beginning(text, _MOST_SHOWN - 1)}…"
