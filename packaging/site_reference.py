"""The pages of the site that are made from the program: commands from their parsers, the library from docstrings."""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Iterable

import reference

from explorer.cli.described import Described, Word, described
from explorer.cli.options.environment import VARIABLES
from explorer.cli.output.codes import MEANINGS

WIDTH = 84
"""The letters of a line of code on the site, beside the sidebar."""


def command_pages() -> dict[str, str]:
    """The pages about the commands.

    Returns
    -------
    dict[str, str]
        Their texts in Markdown by the paths of their files.
    """
    first, *commands = described()
    common = frozenset.intersection(*(frozenset(command.options) for command in commands))
    pages = {f"commands/{command.name}.md": _page(command, common) for command in commands}
    return {"commands.md": _overview(first, commands), **pages}


def _overview(first: Described, commands: list[Described]) -> str:
    rows = [f"| [`{command.name}`](commands/{command.name}.md) | {_text(command.summary)} |" for command in commands]
    names = [f"/commands/{command.name}" for command in commands]
    return "\n".join(
        [
            "# Commands and options",
            "",
            "Every command with its arguments and options, made from the parser, so it is what `--help` prints.",
            "[The command line](command-line.md) describes what the commands have in common.",
            "",
            *_usage(first),
            *_listed("Options", map(_option, first.options)),
            "## Commands",
            "",
            "| command | what it does |",
            "| --- | --- |",
            *rows,
            "",
            *_listed("Environment variables", ((f"`{name}`", text) for name, text in VARIABLES)),
            *_listed("Exit codes", ((f"`{code}`", text) for code, text in MEANINGS)),
            "```{toctree}",
            ":hidden:",
            "",
            *names,
            "```",
            "",
        ]
    )


def _page(command: Described, common: frozenset[Word]) -> str:
    own = [word for word in command.options if word not in common]
    return "\n".join(
        [
            f"# {command.name}",
            "",
            f"Use `corpus-explorer {command.name}` to {_text(command.summary)}.",
            "",
            *_usage(command),
            *_listed("Arguments", ((f"`{word.metavar}`", word.text) for word in command.arguments)),
            *_listed("Options", map(_option, own)),
            *_listed("Options of every command", (_option(word) for word in command.options if word in common)),
        ]
    )


def _usage(command: Described) -> list[str]:
    return ["```text", *_wrapped(command.usage), "```", ""]


def _wrapped(usage: str) -> list[str]:
    """The lines of a usage; an option and its value stay on one line."""
    words = re.findall(r"\[[^\]]*\](?:\])?|\S+", usage)
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > WIDTH:
            lines.append("   ")
        lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


def _listed(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    found = list(rows)
    # A definition list breaks lines on a narrow screen, where a table would be scrolled.
    lines = [line for name, meaning in found for line in (name, f": {_text(meaning) or '–'}", "")]
    return [f"## {title}", "", *lines] if found else []


def _option(word: Word) -> tuple[str, str]:
    value = f" {{{','.join(word.choices)}}}" if word.choices else f" {word.metavar}" if word.takes else ""
    return ", ".join(f"`{name}{value}`" for name in word.names), word.text


def _text(text: str) -> str:
    """The text without signs that Markdown would read."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>|#" else c for c in text)


def library_page() -> str:
    """A page that lists every public name of the library and leads to the pages that pdoc makes."""
    parts = [
        "# Library: every name",
        "",
        "Each name leads to its description, made from the docstring. [The library](library.md) is a guide for a first",
        "script, and [Stability](stability.md) tells what stays the same from version to version.",
        "",
    ]
    for module in reference.MODULES:
        parts += [f"## {module.__name__}", "", '<ul class="names">']
        parts += [_name(module.__name__, name, getattr(module, name)) for name in sorted(module.__all__, key=str.lower)]
        parts += ["</ul>", ""]
    return "\n".join(parts)


def _name(module: str, name: str, thing: object) -> str:
    # A value would have the docstring of its class.
    text = inspect.getdoc(thing) or "" if inspect.isclass(thing) or inspect.isfunction(thing) else ""
    summary = text.split("\n\n")[0]
    address = f"api/{module.replace('.', '/')}.html#{name}"
    told = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(" ".join(summary.split())))
    rest = f": {told}" if summary else ""
    return f'<li><a href="{address}"><code>{html.escape(name)}</code></a>{rest}</li>'
