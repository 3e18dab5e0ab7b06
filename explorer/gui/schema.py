"""The program's settings as a table: the purpose, the valid values and the default of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

VERSION = 3
"""Of the settings file; older ones are brought up to it by `MIGRATIONS`."""

MOST_RECENT = 12
MOST_QUERIES = 50


@dataclass(frozen=True)
class Setting:
    """One setting. section: the part of the dialog that shows it ("": none). choices: (value, name) pairs.

    low, high: limits of a number.
    """

    key: str
    default: Any
    title: str = ""
    help: str = ""
    section: str = ""
    choices: tuple[tuple[Any, str], ...] = ()
    low: int = 0
    high: int = 0

    def valid(self, value: Any) -> bool:
        """Whether a value is valid."""
        if self.choices:
            return value in [choice for choice, _ in self.choices]
        # Before the numbers: `True` is an `int`, and 1 is not a valid switch.
        if isinstance(self.default, bool) or isinstance(value, bool):
            return isinstance(self.default, bool) and isinstance(value, bool)
        if isinstance(self.default, int):
            return isinstance(value, int) and self.low <= value <= self.high
        if isinstance(self.default, list):
            return isinstance(value, list) and all(isinstance(item, str) and item for item in value)
        return isinstance(value, type(self.default))


SETTINGS = (
    Setting(
        "scheme",
        "system",
        "Theme",
        "Light, dark, or the same as the system.",
        "Appearance",
        (("system", "System"), ("light", "Light"), ("dark", "Dark")),
    ),
    Setting(
        "text_size",
        0,
        "Text size",
        "In points; 0 uses the system's size. Applies to text, tables and plots.",
        "Appearance",
        low=0,
        high=28,
    ),
    Setting(
        "restore",
        True,
        "Restore the last session",
        "Reopen the indexes, screen, queries and texts of the last session. They are stored in the "
        "settings file on this computer.",
        "Startup",
    ),
    Setting("recent_indexes", []),
    Setting("pinned_indexes", []),
    Setting("recent_commands", []),
    Setting("recent_projects", []),
    Setting("queries", []),
    Setting("query_facts", {}),
    Setting("pinned_queries", []),
    Setting("shortcuts", {}),
    Setting("geometry", ""),
    Setting("session", {}),
)
BY_KEY = {setting.key: setting for setting in SETTINGS}


def _from_1(values: dict[str, Any]) -> dict[str, Any]:
    """Version 1 was in the platform's settings store, under other names."""
    names = {
        "appearance/scheme": "scheme",
        "search/queries": "queries",
        "search/pinned": "pinned_queries",
        "recent_indexes": "recent_indexes",
    }
    return {names[key]: value for key, value in values.items() if key in names}


# Written out, not taken from the registry: these are names of the past, which a new title must not change.
_SCREENS_OF_2 = {
    "Search": "search",
    "Next token": "next_token",
    "Trace": "trace",
    "Agreement": "agreement",
    "Index": "index",
}


def _from_2(values: dict[str, Any]) -> dict[str, Any]:
    """Version 2 named screens by their titles, in the shortcuts and in the session."""
    changed = _changed(values, "shortcuts", _by_id)
    changed = _changed(changed, "session", lambda kept: _changed(_changed(kept, "screen", _id_of), "screens", _by_id))
    return dict(changed)


def _changed(values: Any, key: str, change: Callable[[Any], Any]) -> Any:
    """The values with one of them changed, if it is there; the file may hold anything."""
    return {**values, key: change(values[key])} if isinstance(values, dict) and key in values else values


def _id_of(title: Any) -> Any:
    return _SCREENS_OF_2.get(title, title) if isinstance(title, str) else title


def _by_id(values: Any) -> Any:
    return {_id_of(title): value for title, value in values.items()} if isinstance(values, dict) else values


MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1, 2: _from_2}
"""From a version to the next."""


def migrated(version: int, values: dict[str, Any]) -> dict[str, Any]:
    """Bring settings of an older version up to date.

    Parameters
    ----------
    version
        The version that the values were stored with.
    values
        The values as they were stored.

    Returns
    -------
    dict[str, Any]
        The values for this version.
    """
    # One step at a time: each migration knows only its neighbor.
    for old in range(version, VERSION):
        values = MIGRATIONS[old](values)
    return values
