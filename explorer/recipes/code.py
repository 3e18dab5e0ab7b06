"""Python and shell, written so that any text means itself in them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from explorer.derive.question import Question

_STDIN = "-"
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_NOTE = "# For a POSIX shell, such as bash or zsh. Other shells, such as PowerShell, have other rules for quotes.\n"


@dataclass(frozen=True)
class Source:
    """What an index was opened from.

    paths: Its folders or addresses.
    minus: Those of the indexes that are subtracted.
    tokenizer: A tokenizer.json, "bytes", or None for its own.
    check_fit: Whether a tokenizer that does not fit is refused.
    allow_remote: Whether the user agreed to send queries to another machine, so that the code may do so, too.
    token_file: The file with the token of the server; "" for none.
    """

    paths: tuple[str, ...]
    minus: tuple[str, ...] = ()
    tokenizer: str | None = None
    check_fit: bool = True
    allow_remote: bool = False
    token_file: str = ""

    @property
    def python(self) -> str:
        """The call that opens it."""
        paths = repr(self.paths[0]) if len(self.paths) == 1 else repr(list(self.paths))
        options = {"minus": list(self.minus) or None, "tokenizer": self.tokenizer}
        given: dict[str, object] = {name: value for name, value in options.items() if value is not None}
        if not self.check_fit:
            given["check_fit"] = False
        if self.allow_remote:
            given["allow_remote"] = True
        if self.token_file:
            # The file and not the token: code is passed on.
            given["token"] = _Python(f"open({self.token_file!r}).read().strip()")
        return call("explorer.open_index", [paths], given)

    @property
    def options(self) -> tuple[str, ...]:
        """The options of the command line, without the first folder, which is an argument."""
        more = (*(("--index", path) for path in self.paths[1:]), *(("--minus", path) for path in self.minus))
        tokenizer = () if self.tokenizer is None else (("--tokenizer", self.tokenizer),)
        # The first folder is the argument of every command; options come before it.
        pairs = [option(name, value) for name, value in (*more, *tokenizer)]
        token = [option("--token-file", self.token_file)] if self.token_file else []
        flags = (("--no-fit-check", not self.check_fit), ("--allow-remote", self.allow_remote))
        return (*pairs, *token, *(name for name, given in flags if given))


class _Python(str):
    """A value that is written as this code."""

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Recipe:
    """A result as code.

    python: A Python program that prints the number.
    commands: Commands that print it; if there are none, a comment that gives the reason.
    """

    python: str
    commands: tuple[str, ...]

    @property
    def command(self) -> str:
        """The commands for a POSIX shell, with a note on other shells if that matters."""
        text = "".join(self.commands)
        return f"{_NOTE}{text}" if "'" in text and not text.startswith("#") else text


class Code(str):
    """Python that is written for a value in a call."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def program(imports: Iterable[str], source: Source, lines: Iterable[str]) -> str:
    """Write a Python program that opens an index.

    imports: Import statements, besides that of the library.
    """
    # Sorted and without duplicates, so that equal results have equal programs.
    head = ["import explorer", *sorted(set(imports))]
    return "\n".join([*head, "", f"corpus = {source.python}", *lines, ""])


def call(name: str, arguments: Sequence[str], options: Mapping[str, object]) -> str:
    """Write a call in Python.

    Examples
    --------
    >>> call("corpus.count", ["'cat'"], {"ignore_case": True})
    "corpus.count('cat', ignore_case=True)"
    """
    return f"{name}({', '.join([*arguments, *(f'{key}={value!r}' for key, value in options.items())])})"


def changed(question: Question, *without: str) -> dict[str, object]:
    """The settings that differ from their defaults, as arguments of a call."""
    return {each.name: Code(each.kind.python(value)) for each, value in question.changed() if each.name not in without}


def option(name: str, value: object) -> str:
    """An option with its value, which may begin with a dash."""
    # In one word: a value that begins with a dash, as the next word, would be taken for an option.
    return f"{name}={value}"


def command(name: str, source: Source, options: Iterable[str], *arguments: str, stdin: str | None = None) -> str:
    r"""Write a command.

    stdin: What it reads from standard input; None for nothing.
    Returns: The command, or a comment with the reason why there is none.

    Examples
    --------
    >>> command("count", Source(("index",)), (), "the cat")
    "corpus-explorer count index 'the cat'\n"
    """
    # An argument that is a dash alone would be taken for standard input.
    if stdin is None and _STDIN in arguments:
        number = arguments.index(_STDIN)
        stdin, arguments = _STDIN, (*arguments[:number], _STDIN, *arguments[number + 1 :])
    given = [source.paths[0], *arguments]
    # Nothing after this mark is an option.
    marked = ["--"] if any(text.startswith("-") and text != _STDIN for text in given) else []
    words = ["corpus-explorer", name, *source.options, *options, *marked, *given]
    # Quoted by the standard library: a query may have any sign that a shell reads as a command.
    text = shlex.join(words)
    if stdin is not None:
        text = f"printf %s {shlex.quote(stdin)} | {text}"
    # A byte of a file name that is not UTF-8 is a lone surrogate in Python, and has no form in a text that is copied.
    if _SURROGATE.search(text):
        return comment("The text has a character that no shell can pass on. Use the Python program.")
    return f"{text}\n"


def comment(sentence: str) -> str:
    """A line that a shell, and Python, ignores."""
    return f"# {sentence}\n"
