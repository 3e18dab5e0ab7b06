"""Lines that a person types: with history, and completion of commands, settings and words of the corpus."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from explorer.cli.options.common import decode
from explorer.cli.output.terminal import put
from explorer.cli.shell.commands import BY_NAME, COMMANDS, Shell
from explorer.cli.shell.settings import NAMES, values_of
from explorer.core.files.paths import data_folder
from explorer.errors import CorpusError

_HISTORY, _MOST_LINES = "shell-history", 1_000
_WORDS = 20
"""Words of the corpus that are offered, at most."""
_LOOKED_AT, _LONGEST = 200, 30
"""Places that are looked at, and characters after each."""


def completions(shell: Shell, line: str) -> list[str]:
    """Find what the last word of a line may become.

    Returns: Whole words: commands, settings and their values, each with a space; after other commands, words of the
        corpus.

    Examples
    --------
    >>> completions(Shell(corpus), "con")
    ['context ', 'config ']
    >>> completions(Shell(corpus), "set met")
    ['method ']
    >>> completions(Shell(corpus), "count the ca")
    ['cat']
    """
    before, _, word = line.lstrip().rpartition(" ")
    if not before:
        return [f"{each.names[0]} " for each in COMMANDS if each.names[0].startswith(word)]
    command, *given = before.split()
    if command == "set":
        offered = NAMES if not given else values_of(given[0]) if len(given) == 1 else ()
        return [f"{each} " for each in offered if each.startswith(word)]
    if command == "help":
        return [f"{each} " for each in BY_NAME if each.startswith(word)]
    if command not in ("predict", "complete", "sample", "count", "search") or not word:
        return []
    return _words(shell, " ".join((*given, word)), word)


def _words(shell: Shell, text: str, word: str) -> list[str]:
    """What the word becomes after this text, the most frequent first; after no text if it never does."""
    # An error here would only be about half a word.
    with suppress(CorpusError):
        for typed in dict.fromkeys((text.lstrip('"'), word.lstrip('"'))):
            lines = shell.corpus.concordance(typed, sort="index")
            # Spread over all of them, since their order is that of the alphabet.
            step = max(1, len(lines) // _LOOKED_AT)
            found = lines.lines_at(range(0, len(lines), step)[:_LOOKED_AT], _LONGEST, characters=True)
            ends = (re.match(r"\w+", each.right) for each in found if not re.search(r"\w$", each.left))
            words = Counter(end[0] for end in ends if end)
            if words:
                return [word + end for end, _ in words.most_common(_WORDS)]
    return []


def typed_lines(shell: Shell, keep: bool) -> Iterator[str]:
    """Read lines: from a terminal with a prompt, or from a pipe one by one.

    shell: The session, whose corpus is named in the prompt.
    keep: Whether lines of a terminal are kept for the next session.
    Raises `CorpusError` if standard input is closed.
    """
    if sys.stdin is None:
        raise CorpusError("Standard input is closed.", reason="no-standard-input")
    if not sys.stdin.isatty():
        # Line by line, so that another program can wait for each answer.
        for line in iter(sys.stdin.buffer.readline, b""):
            yield decode(line, "standard input").rstrip("\r\n")
        return
    yield from _from_terminal(shell, keep)


def _from_terminal(shell: Shell, keep: bool) -> Iterator[str]:
    readline = _readline()
    path = data_folder() / _HISTORY
    if readline is not None:
        _prepare(readline, shell, path if keep else None)
    try:
        while True:
            try:
                yield input(f"{shell.corpus.index.name}> ")
            except EOFError:
                put()
                return
            except KeyboardInterrupt:
                put()
    finally:
        if readline is not None and keep:
            _save(readline, path)


def _readline() -> Any:
    """The module, which Python for Windows does not have."""
    try:
        import readline
    except ImportError:
        return None
    return readline


def _prepare(readline: Any, shell: Shell, history: Path | None) -> None:
    readline.set_completer(completer(shell, lambda: readline.get_line_buffer()[: readline.get_endidx()]))
    readline.set_completer_delims(" ")
    # macOS has another library of the same name.
    libedit = "libedit" in (getattr(readline, "__doc__", "") or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    readline.clear_history()
    if history is not None:
        with suppress(OSError):
            readline.read_history_file(history)


def completer(shell: Shell, typed: Callable[[], str]) -> Callable[[str, int], str | None]:
    """Make the function that readline asks for completions.

    typed: Gives the line up to the cursor.
    Returns: Gives the completion of each number, from 0, and None after the last.
    """
    found: list[str] = []

    def complete(word: str, number: int) -> str | None:
        if number == 0:
            found[:] = completions(shell, typed())
        return found[number] if number < len(found) else None

    return complete


def _save(readline: Any, path: Path) -> None:
    """Keep the last lines, for this user only: they may quote the corpus."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        readline.set_history_length(_MOST_LINES)
        readline.write_history_file(path)
