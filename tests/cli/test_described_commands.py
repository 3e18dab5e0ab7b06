"""docs/command-line.md has every command, and names each one without `--where`."""

from __future__ import annotations

import re
from pathlib import Path

from explorer.cli.commands import COMMANDS
from explorer.cli.described import described

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
NAMES = {command.name for command in COMMANDS}


def test_the_table_has_every_command():
    assert set(re.findall(r"^\| `([a-z-]+) ?[^`|]*` \| [a-z]", PAGE, re.MULTILINE)) & NAMES == NAMES


def test_commands_without_where_are_named():
    (paragraph,) = re.findall(r"^These commands have no `--where`:.*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    without = {
        command.name
        for command in described()
        if command.name in NAMES and not any("--where" in word.names for word in command.options)
    }
    assert set(re.findall("`([a-z-]+)`", paragraph)) - {"--where"} == without
