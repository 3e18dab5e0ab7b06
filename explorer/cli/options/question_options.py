"""Options of the command line from the declarations of a question, and the question from what was typed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from explorer.analyses.metadata.conditions import Conditions
from explorer.cli.options.common import stop_words
from explorer.derive.kinds import Choice, Flag, Kind, Maybe, Paths, Real, Several, Whole, Words
from explorer.derive.question import Question, Setting, settings_of
from explorer.errors import QueryError

Q = TypeVar("Q", bound=Question)


def add_settings(
    group: argparse._ActionsContainer, question: type[Question], *without: str, required: str = ""
) -> None:
    """Define an option for each setting but some; one may be required, whose default is that of the window only."""
    for name, each in settings_of(question).items():
        if name == required:
            group.add_argument(each.option, required=True, **given(replace(each, default=None)))
        elif name not in without:
            group.add_argument(each.option, **given(each))


def question_of(args: argparse.Namespace, question: type[Q], **values: Any) -> Q:
    """Make a question of what was typed, and of values that have no option of their own."""
    settings = settings_of(question)
    typed = {name: _value(each, getattr(args, _place(each))) for name, each in settings.items() if name not in values}
    try:
        return question.of(**typed, **values)
    except QueryError as error:
        # Of settings in conflict: those by themselves were refused when they were read.
        named = settings.get(error.fields.get("name", ""))
        raise error if named is None else error.with_fields(name=named.option) from None


def _place(setting: Setting) -> str:
    """The name of what was typed for a setting, which argparse makes of the option."""
    return setting.option.removeprefix("--").replace("-", "_")


def given(setting: Setting) -> dict[str, Any]:
    """How argparse reads the option of a setting."""
    kind, text = setting.kind, setting.help
    if isinstance(kind, Flag):
        return {"action": "store_true", "help": text}
    if isinstance(kind, Words):
        text += "; separated by commas, or @FILE with one per line; repeatable"
        return {"action": "append", "default": [], "metavar": kind.metavar, "help": text}
    if isinstance(kind, Conditions | Paths):
        return {"action": "append", "default": [], "metavar": kind.metavar, "help": f"{text}; repeatable"}
    if isinstance(kind, Several) and kind.repeated:
        text += f"; repeatable (default: {', '.join(kind.stated(setting.default))})"
        return {"action": "append", "choices": tuple(kind.labels), "default": [], "help": text}
    inner = kind.kind if isinstance(kind, Maybe) else kind
    found: dict[str, Any] = {"type": _type(setting, inner), "metavar": inner.metavar, "default": setting.default}
    if setting.default is not None:
        found["default"] = setting.default if isinstance(inner, Whole | Real) else kind.text(setting.default)
        stated = ", ".join(kind.stated(setting.default))
        text += f" (default {stated})" if stated else ""
    if isinstance(inner, Choice):
        found["choices"] = (*inner.labels, *([kind.word] if isinstance(kind, Maybe) else []))
        text += f": {', '.join(inner.labels)}" if inner.metavar else ""
    return found | {"help": text}


def _type(setting: Setting, kind: Kind) -> Callable[[str], Any]:
    if isinstance(kind, Whole):
        return _whole(setting)
    return _real(setting) if isinstance(kind, Real) else _text(setting)


# argparse calls a type with the typed text. The annotated result is the type in the JSON Schema of the command.


def _whole(setting: Setting) -> Callable[[str], int | None]:
    def read(text: str) -> int | None:
        value: int | None = _checked(setting, text)
        return value

    return read


def _real(setting: Setting) -> Callable[[str], float | None]:
    def read(text: str) -> float | None:
        value: float | None = _checked(setting, text)
        return value

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
    if isinstance(setting.kind, Several) and setting.kind.repeated:
        return given or setting.default
    return setting.kind.read(given) if isinstance(given, str) else given
