"""A question: the settings of an analysis, each declared once."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

from explorer.derive.kinds import Kind
from explorer.errors import QueryError

T = TypeVar("T")
Q = TypeVar("Q", bound="Question")

_KEY = "setting"


@dataclass(frozen=True)
class Setting:
    """The declaration of a setting.

    Attributes
    ----------
    kind
        The kind of its values, with their limits or choices.
    label
        The label in the window, marked for translation.
    help
        One sentence without a full stop, for options, tool tips and the reference; marked for translation.
    fact
        The name in provenance; "" for a setting that is stated by other means.
    always
        Whether provenance states the default, too.
    option
        The name of the option, if it is not that of the field.
    name, default
        The name of the field and its default, set by the question.
    """

    kind: Kind
    label: str
    help: str
    fact: str
    always: bool
    option: str = ""
    name: str = ""
    default: Any = None


def setting(
    default: T, kind: Kind, label: str, help: str, *, fact: str = "", always: bool = True, option: str = ""
) -> T:
    """Declare a setting of a question, as the default of a field.

    Parameters
    ----------
    default, kind, label, help, fact, always, option
        As in `Setting`.

    Returns
    -------
    T
        A field of a dataclass; to type checkers its default, as from `dataclasses.field`.
    """
    declared = Setting(kind, label, help, fact, always, option, default=default)
    return field(default=default, metadata={_KEY: declared})


def setting_of(question: type[Question], name: str) -> Any:
    """Declare a setting as another question does, as the default of a field."""
    declared = settings_of(question)[name]
    return field(default=declared.default, metadata={_KEY: declared})


@dataclass(frozen=True)
class Question:
    """The settings of an analysis. Every one is checked when a question is made; invalid ones raise `QueryError`."""

    title: ClassVar[str]
    """What is counted, for messages and the window; marked for translation."""

    def __post_init__(self) -> None:
        for each in settings_of(type(self)).values():
            # A frozen value is set once, here: a number of numpy becomes one of Python.
            object.__setattr__(self, each.name, each.kind.check(each.name, getattr(self, each.name)))

    @classmethod
    def of(cls, **values: Any) -> Self:
        """Make a question of values that a caller gave, of any type."""
        return cls(**values)

    def arguments(self, *without: str) -> dict[str, Any]:
        """The settings as arguments of the library, without those that its method does not have."""
        return {name: value for name, value in vars(self).items() if name not in without}

    def changed(self) -> Iterator[tuple[Setting, Any]]:
        """The settings that differ from their defaults."""
        for each in settings_of(type(self)).values():
            if (value := getattr(self, each.name)) != each.default:
                yield each, value

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The settings in provenance."""
        found = ((each, getattr(self, each.name)) for each in settings_of(type(self)).values() if each.fact)
        stated = ((each, value) for each, value in found if each.always or value != each.default)
        return tuple((each.fact, text) for each, value in stated for text in each.kind.stated(value))

    @property
    def options(self) -> list[str]:
        """The settings that differ from their defaults, as options of the command line."""
        return [option for each, value in self.changed() for option in each.kind.options(each.option, value)]

    @property
    def session(self) -> dict[str, Any]:
        """The settings as JSON values."""
        return {name: each.kind.saved(getattr(self, name)) for name, each in settings_of(type(self)).items()}

    def restored(self, values: Mapping[str, Any]) -> Self:
        """This question with the values of a session, which may be anything; not with those that no form shows."""
        made = self
        for name in settings_of(type(self)):
            made = made._with(name, values[name]) if name in values else made
        return made

    def _with(self, name: str, value: Any) -> Self:
        kind = settings_of(type(self))[name].kind
        try:
            made = type(self)(**{**vars(self), name: kind.restored(value)})
        except QueryError:
            return self
        return made if kind.offers(getattr(made, name)) else self


def described(question: type[Q]) -> type[Q]:
    """Give a question that scripts make the list of its settings, after the first line of its docstring."""
    summary, _, rest = inspect.cleandoc(question.__doc__ or "").partition("\n\n")
    texts = ((each.name, f"{each.help[:1].upper()}{each.help[1:]}.") for each in settings_of(question).values())
    lines = (f"{name}\n{textwrap.indent(text, '    ')}" for name, text in texts)
    question.__doc__ = "\n".join((summary, "", "Attributes", "----------", *lines, "", rest))
    return question


def settings_of(question: type[Question]) -> Mapping[str, Setting]:
    """The settings of a question by name, in their order."""
    if question not in _KNOWN:
        found = {
            each.name: _named(each.metadata[_KEY], each.name) for each in fields(question) if _KEY in each.metadata
        }
        _KNOWN[question] = MappingProxyType(found)
    return _KNOWN[question]


def _named(declared: Setting, name: str) -> Setting:
    return replace(declared, name=name, option=declared.option or f"--{name.replace('_', '-')}")


_KNOWN: dict[type[Question], Mapping[str, Setting]] = {}
