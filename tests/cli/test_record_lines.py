"""Other programs read what every command prints: see tests/test_readers.py."""

from __future__ import annotations

from record_lines import LINES

from explorer.cli.commands import COMMANDS, command_parser


def test_every_command_with_records_is_read():
    with_records = {one.name for one in COMMANDS if "--format" in command_parser(one).format_help()}
    # A new command gets a line, whose input is one of those in tests/test_readers.py.
    # `workers` is about other machines: tests/cluster/test_manifest.py reads what it prints.
    assert {name.split()[0] for name in LINES} == with_records - {"workers"}
