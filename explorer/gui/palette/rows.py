"""What the palette lists for what was typed: commands, indexes, settings, help, each under its heading. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from explorer.gui.palette.fuzzy import Match, match
from explorer.i18n import mark

_MOST_RECENT = 5


class Section(Enum):
    """What an entry is. The value is its heading, not yet translated; the order is that of the palette."""

    RECENT = mark("Recently used")
    COMMANDS = mark("Commands")
    INDEXES = mark("Indexes")
    SETTINGS = mark("Settings")
    HELP = mark("Help")


PREFIXES = {
    ">": (Section.COMMANDS, mark("commands")),
    "@": (Section.INDEXES, mark("indexes")),
    "#": (Section.SETTINGS, mark("settings")),
    "?": (Section.HELP, mark("help")),
}
"""Signs before what is typed, which leave one section, and their names."""


@dataclass(frozen=True)
class Command:
    """An entry of the palette.

    key: Its shortcut as the platform writes it; "" for none.
    picture: The name of its icon; "" for none.
    id: What it is remembered by when it was used; "" for what is not remembered.
    why_not: Why it cannot be used now; "" if it can.
    """

    name: str
    hint: str
    call: Callable[[], object]
    key: str = ""
    section: Section = Section.COMMANDS
    picture: str = ""
    id: str = ""
    why_not: str = ""


@dataclass(frozen=True)
class Row:
    """A line of the palette: a heading, or a command with the letters to mark."""

    heading: Section | None = None
    command: Command | None = None
    match: Match = field(default_factory=Match)


def split_prefix(typed: str) -> tuple[Section | None, str]:
    """The one section that is asked for, None for all, and the rest of what was typed."""
    sign = typed[:1]
    return (PREFIXES[sign][0], typed[1:].strip()) if sign in PREFIXES else (None, typed.strip())


def matching(commands: Sequence[Command], typed: str) -> list[tuple[Command, Match]]:
    """Find commands by what was typed.

    typed: Words, parts of words, or letters in their order.
    Returns: The best first; equal ones stay in the order of `commands`.
    """
    # Order of `commands` among equals: menus first, in their order, which people know.
    found = [(command, fit) for command in commands if (fit := match(typed, command.name, command.hint)) is not None]
    # The sort is stable, so nothing else is compared.
    return sorted(found, key=lambda pair: pair[1].penalty)


def rows(commands: Sequence[Command], typed: str, recent: Sequence[str] = ()) -> list[Row]:
    """The lines of the palette.

    recent: The ids of the commands that were used last, newest first.
    Returns: Headings, each followed by at least one command.
    """
    # A sign alone shows its whole section, so that it can be looked through.
    only, words = split_prefix(typed)
    wanted = [command for command in commands if only is None or command.section is only]
    found = matching(wanted, words)
    listed: list[Row] = []
    shown: set[int] = set()
    if only is None:
        places = {name: place for place, name in enumerate(recent)}
        # What only an explanation has would be above better matches.
        named = [pair for pair in found if pair[0].id in places and not pair[1].about_places]
        used = sorted(named, key=lambda pair: places[pair[0].id])
        listed += _section(Section.RECENT, used[:_MOST_RECENT])
        # By the object: settings and indexes have no id, so theirs would all be equal.
        shown = {id(command) for command, _ in used[:_MOST_RECENT]}
    for section in Section:
        listed += _section(section, [pair for pair in found if pair[0].section is section and id(pair[0]) not in shown])
    return listed


def _section(heading: Section, found: Sequence[tuple[Command, Match]]) -> list[Row]:
    # A heading without anything below it would only take room.
    if not found:
        return []
    return [Row(heading), *(Row(None, command, fit) for command, fit in found)]
