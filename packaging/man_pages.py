"""Makes the manual pages of the commands from their parsers.

man_pages.py FOLDER: writes FOLDER/corpus-explorer.1, and FOLDER/corpus-explorer-COMMAND.1 for each command.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from explorer.cli.described import Described, Word, described
from explorer.cli.options.environment import VARIABLES
from explorer.cli.output.codes import MEANINGS
from explorer.cli.window import CONVENTIONS
from explorer.version import VERSION

_LONGEST = 120
"""Characters of the choices of an option that are listed beside its name."""


def man_pages() -> dict[str, str]:
    """Make every page.

    Returns
    -------
    dict[str, str]
        The texts in roff by the names of their files.
    """
    first, *commands = described()
    pages = {f"corpus-explorer-{command.name}.1": _page(command, []) for command in commands}
    return {"corpus-explorer.1": _page(first, commands), **pages}


def _page(command: Described, commands: Iterable[Described]) -> str:
    name = "-".join(filter(None, ("corpus-explorer", command.name)))
    commands = list(commands)
    parts = [
        f'.TH "{name.upper()}" "1" "" "Corpus Explorer {VERSION}" "Corpus Explorer"',
        *_section("NAME", [f"{_text(name)} \\- {_text(command.summary)}"]),
        # No hyphenation and no filling to both margins in the synopsis.
        *_section("SYNOPSIS", [".nh", ".ad l", _text(command.usage), ".ad b", ".hy"]),
    ]
    if commands:
        parts += _section("COMMANDS", _listed((f"corpus-explorer-{c.name}(1)", c.summary) for c in commands))
        parts += _section(
            "CONVENTIONS", [line for text in CONVENTIONS.splitlines()[1:] for line in (".PP", _text(text.strip()))]
        )
    parts += _section("ARGUMENTS", _listed((word.metavar, word.text) for word in command.arguments))
    parts += _section("OPTIONS", [line for word in command.options for line in _option(word)])
    parts += _section("ENVIRONMENT", _listed(VARIABLES))
    parts += _section("EXIT STATUS", _listed((str(code), text) for code, text in MEANINGS))
    # The first page lists the others itself.
    parts += _section("SEE ALSO", ["\\fBcorpus\\-explorer\\fR(1)"] if command.name else [])
    return "\n".join(parts) + "\n"


def _section(title: str, lines: list[str]) -> list[str]:
    return [f'.SH "{title}"', *lines] if lines else []


def _listed(rows: Iterable[tuple[str, str]]) -> list[str]:
    return [line for name, meaning in rows for line in (".TP", f"\\fB{_text(name)}\\fR", _text(meaning))]


def _option(word: Word) -> list[str]:
    names = ", ".join(f"\\fB{_text(name)}\\fR" for name in word.names)
    choices = f"{{{','.join(word.choices)}}}" if word.choices else ""
    # roff cannot break a list without spaces; the text of an option with so many choices lists them.
    value = f" {choices if choices and len(choices) <= _LONGEST else word.metavar}" if word.takes else ""
    return [".TP", names + _text(value), _text(word.text)]


def _text(text: str) -> str:
    """Escape what roff would read as a request or as typography."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    # troff reads bytes; names of characters are read by every version of it.
    escaped = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in escaped)
    # A line that begins with one of these would be a request.
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped


def main(folder: Path) -> None:
    """Write the pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    # Those of commands that are gone.
    for old in folder.glob("corpus-explorer*.1"):
        old.unlink()
    for name, text in man_pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
