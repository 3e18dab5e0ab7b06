"""Options of the command line from the declarations of a question, and the question from what was typed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeVar

from explorer.cli.common import stop_words
from explorer.derive.kinds import Choice, Flag, Kind, Maybe, Real, Whole, Words
from explorer.derive.question import Question, Setting, settings_of
from explorer.errors import QueryError

Q = TypeVar("Q", bound=Question)


def add_settings(group: argparse._ArgumentGroup, question: type[Question]) -> None:
    """Define an option for each setting."""
    for each in settings_of(question).values():
        group.add_argument(each.option, **_given(each))


def question_of(args: argparse.Namespace, question: type[Q]) -> Q:
    """Make a question of what was typed."""
    values = {name: _value(each, getattr(args, name)) for name, each in settings_of(question).items()}
    return question.of(**values)


def _given(setting: Setting) -> dict[str, Any]:
    """How argparse reads the option of a setting."""
    kind, text = setting.kind, setting.help
    if isinstance(kind, Flag):
        return {"action": "store_true", "help": text}
    if isinstance(kind, Words):
        text += "; separated by commas, or @FILE with one per line; repeatable"
        return {"action": "append", "default": [], "metavar": kind.metavar, "help": text}
    found: dict[str, Any] = {"type": _type(setting, kind), "metavar": _metavar(kind)}
    found["default"] = setting.default if isinstance(kind, Whole | Real) else kind.text(setting.default)
    text += f" (default {kind.text(setting.default)})"
    if isinstance(kind, Choice):
        found["choices"] = tuple(kind.labels)
        text += f": {', '.join(kind.labels)}" if kind.metavar else ""
    return found | {"help": text}


def _metavar(kind: Kind) -> str | None:
    return kind.kind.metavar if isinstance(kind, Maybe) else kind.metavar


def _type(setting: Setting, kind: Kind) -> Callable[[str], Any]:
    if isinstance(kind, Whole):
        return _whole(setting)
    return _real(setting) if isinstance(kind, Real) else _text(setting)


# argparse calls a type with the typed text. The annotated result is the type in the JSON Schema of the command.


def _whole(setting: Setting) -> Callable[[str], int]:
    def read(text: str) -> int:
        return int(_checked(setting, text))

    return read


def _real(setting: Setting) -> Callable[[str], float]:
    def read(text: str) -> float:
        return float(_checked(setting, text))

    return read


def _text(setting: Setting) -> Callable[[str], str]:
    def read(text: str) -> str:
        return setting.kind.text(_checked(setting, text))

    return read


def _checked(setting: Setting, text: str) -> Any:
    value = setting.kind.read(text)
    try:
        return setting.kind.check(setting.name, value)
    except QueryError as error:
        # argparse begins the sentence with the option, which is the name of the setting here.
        sentence = str(error)
        if sentence.startswith(f"{setting.name} "):
            raise argparse.ArgumentTypeError(sentence.removeprefix(f"{setting.name} ")) from error
    # A sentence that does not begin with the name is raised as it is, by the question.
    return value


def _value(setting: Setting, given: Any) -> Any:
    if isinstance(setting.kind, Words):
        return tuple(stop_words(given))
    return setting.kind.read(given) if isinstance(given, str) else given
