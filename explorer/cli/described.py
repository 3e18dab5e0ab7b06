"""The commands with their options and arguments as data, for what is written in other languages: shells and manuals."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from explorer.cli.commands import COMMANDS, command_parser, window_parser
from explorer.cli.parser import Parser

# What the value of a metavar is.
_FOLDERS = ("INDEX", "DIR")
_FILES = ("FILE", "SOURCE", "OUT", "LEFT", "RIGHT", "T")
FOLDER, FILE, TEXT = "folder", "file", "text"


@dataclass(frozen=True)
class Word:
    """An option or an argument.

    names: The names of an option, short ones first; empty for an argument.
    metavar: What its value is called in the help; "" if it takes none.
    takes: FOLDER, FILE or TEXT; "" if it takes no value.
    choices: The values that it can have; empty if there are too many to list.
    repeats: Whether it can be given several times.
    """

    names: tuple[str, ...]
    metavar: str
    text: str
    takes: str
    choices: tuple[str, ...]
    repeats: bool


@dataclass(frozen=True)
class Described:
    """A command, or with the name "" what is typed without one."""

    name: str
    summary: str
    usage: str
    options: tuple[Word, ...]
    arguments: tuple[Word, ...]


def described() -> tuple[Described, ...]:
    """Describe what can be typed without a command, then each command."""
    first = _described(
        "", "explore a text corpus, and find what a language model's output shares with it", window_parser()
    )
    return (first, *(_described(command.name, command.summary, command_parser(command)) for command in COMMANDS))


def _described(name: str, summary: str, parser: Parser) -> Described:
    words = [_word(action) for action in parser.words]
    options, arguments = tuple(w for w in words if w.names), tuple(w for w in words if not w.names)
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    return Described(name, summary, usage, options, arguments)


def _word(action: argparse.Action) -> Word:
    # Options without a value have nargs 0.
    valued = action.nargs != 0
    metavar = (action.metavar or action.dest.upper()) if valued else ""
    takes = FOLDER if metavar in _FOLDERS else FILE if metavar in _FILES else TEXT
    repeats = action.nargs in ("+", "*") or type(action).__name__ == "_AppendAction"
    return Word(
        tuple(action.option_strings),
        str(metavar),
        (action.help or "").replace("%%", "%"),
        takes if valued else "",
        tuple(map(str, action.choices or ())),
        repeats,
    )
