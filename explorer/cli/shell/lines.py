"""A line that was typed in the shell: its command, its text as it was typed, and its options at either end."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.cli.options import ranges
from explorer.errors import QueryError

_TYPES: Mapping[str, Callable[[str], Any]] = {
    "n": ranges.whole(1, 100_000),
    "w": ranges.CONTEXT_TOKENS,
    "t": ranges.TEMPERATURE,
    "l": ranges.whole(1, 100_000),
}
"""Options with a value, by their letters; every other one is a switch."""


@dataclass(frozen=True)
class ShellLine:
    """A line of the shell.

    command: Its first word, in lower case.
    text: What follows, with its inner spaces as they were typed.
    options: Values by letter; True for a switch.
    """

    command: str
    text: str
    options: Mapping[str, Any]


def read_line(line: str, letters: Mapping[str, str]) -> ShellLine:
    """Read a line.

    letters: The letters of the options that each command takes.
    Returns: The line. Options are read at both ends of the text, outside of its quotes.
    Raises `QueryError` if the value of an option is not valid.

    Examples
    --------
    >>> read_line("complete the  cat -n 5", {"complete": "nt"})
    ShellLine(command='complete', text='the  cat', options={'n': 5})
    >>> read_line('complete "the cat -n 5" -n 6', {"complete": "nt"})
    ShellLine(command='complete', text='"the cat -n 5"', options={'n': 6})
    """
    command, _, rest = line.strip().partition(" ")
    command, rest, options = command.lower(), rest.strip(), dict[str, Any]()
    taken = letters.get(command, "")
    valued = "".join(letter for letter in taken if letter in _TYPES)
    switches = "".join(letter for letter in taken if letter not in _TYPES)
    ends = []
    if valued:
        ends += [rf"(?P<text>.*?)(?:^|\s)-(?P<name>[{valued}])\s+(?P<value>[^\s\"]+)$"]
        ends += [rf"^-(?P<name>[{valued}])\s+(?P<value>[^\s\"]+)(?:\s+|$)(?P<text>.*)"]
    if switches:
        ends += [rf"(?P<text>.*?)(?:^|\s)-(?P<name>[{switches}])$", rf"^-(?P<name>[{switches}])(?:\s+|$)(?P<text>.*)"]
    while found := next((match for end in ends if (match := re.fullmatch(end, rest, re.DOTALL))), None):
        rest = found["text"].strip()
        options.setdefault(found["name"], _value(found["name"], found.groupdict().get("value")))
    return ShellLine(command, rest, options)


def unquoted(text: str) -> str:
    """Take the quotes around a text off: inside them, it can begin and end with spaces.

    Returns: What the quotes contain; the same text if it is not in quotes.

    Examples
    --------
    >>> unquoted('"the cat "')
    'the cat '
    """
    whole = len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1]
    return text[1:-1] if whole else text


def _value(name: str, value: str | None) -> Any:
    if value is None:
        return True
    try:
        return _TYPES[name](value)
    except ArgumentTypeError as error:
        raise QueryError(f"-{name} {error}.", reason="bad-option") from error
