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
    """One setting.

    key, default: Its name in the file, and its value until another is chosen.
    title, help: Its name and one sentence, not yet translated.
    section: The page that shows it; "" for what the program remembers by itself.
    low, high, unit: Limits of a number, and what is counted; "" for nothing that is shown.
    kind: "font", "fixed_font" or "folder" for texts that are chosen in their own way.
    """

    key: str
    default: Any
    title: str = ""
    help: str = ""
    section: str = ""
    choices: tuple[tuple[Any, str], ...] = ()
    low: int = 0
    high: int = 0
    unit: str = ""
    kind: str = ""

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


# The order is that of the pages and of their rows. A new row needs no new version of the file: a value that is missing
# counts as the default. A row that is renamed or whose values change their meaning needs a migration below.
SETTINGS = (
    Setting(
        "scheme",
        "system",
        "Theme",
        "Like the system, or always light or dark.",
        "Appearance",
        (("system", "System"), ("light", "Light"), ("dark", "Dark")),
    ),
    Setting(
        "text_size",
        0,
        "Text size",
        "In points. Icons, check boxes and rows grow with it.",
        "Appearance",
        low=0,
        high=28,
        kind="text_size",
    ),
    # A family that is not installed any more is replaced by Qt, so any text is valid.
    Setting("text_font", "", "Text font", "For prose, lines and menus.", "Appearance", kind="font"),
    Setting("code_font", "", "Code font", "For tokens, queries and code.", "Appearance", kind="fixed_font"),
    Setting(
        "language",
        "system",
        "Language",
        "Takes effect at the next start, also for the format of numbers.",
        "Appearance",
        (("system", "System"), ("en", "English")),
    ),
    Setting(
        "motion",
        "system",
        "Motion",
        "Reduced: menus and lists open at once, and the cursor does not blink.",
        "Appearance",
        (("system", "System"), ("reduced", "Reduced")),
    ),
    # What follows is read once per window, when a screen is made: an open window keeps what was chosen in it, and a
    # session that is restored comes after and wins.
    Setting("whole_words", True, "Whole words", "Leaves out matches within longer words.", "Search"),
    Setting("ignore_case", False, "Ignore case", "Finds small and capital letters alike.", "Search"),
    Setting("as_typed", False, "Exactly as typed", "Tells line breaks, quotation marks and forms apart.", "Search"),
    Setting(
        "context_unit",
        "fill",
        "Context",
        "How much text is shown on each side of a match.",
        "Search",
        (("fill", "Fill column"), ("words", "Words"), ("characters", "Characters")),
    ),
    Setting(
        "remember_queries",
        True,
        "Remember queries",
        "After two seconds of rest, or when a line is opened. They are stored on this computer.",
        "Search",
    ),
    Setting(
        "trace_match",
        "words",
        "Match",
        "What is looked up: words, whatever their case, line breaks and punctuation, or the tokens of the index.",
        "Trace",
        (("words", "Words"), ("tokens", "Tokens")),
    ),
    Setting(
        "trace_min_length",
        1,
        "Shortest passage",
        "Shorter ones are not marked.",
        "Trace",
        low=1,
        high=100,
        unit="tokens",
    ),
    Setting(
        "trace_documents",
        10,
        "Documents per span",
        "How many documents are looked up for each match.",
        "Trace",
        low=1,
        high=100,
        unit="documents",
    ),
    Setting(
        "trace_relevance",
        "share",
        "Relevance",
        "How documents are ranked: by the share of the text that they contain, or as OLMoTrace does.",
        "Trace",
        (("share", "Share of text"), ("olmotrace", "OLMoTrace")),
    ),
    Setting(
        "agreement_n",
        5,
        "n-gram model",
        "The model of fixed length that is compared with the longest context.",
        "Agreement",
        low=1,
        high=100,
        unit="tokens",
    ),
    Setting(
        "restore",
        True,
        "Reopen last session",
        "Indexes, screen, queries and texts. They are stored in the settings file on this computer.",
        "Indexes and memory",
    ),
    # Empty leaves the choice to the system, which usually remembers the last folder.
    Setting(
        "folder",
        "",
        "Default folder",
        "Where dialogs begin that open an index or save a file.",
        "Indexes and memory",
        kind="folder",
    ),
    # At least two, since one of them is always left to quick requests.
    Setting(
        "threads",
        3,
        "Threads",
        "Answers that are computed at the same time. More need more memory.",
        "Indexes and memory",
        low=2,
        high=16,
        unit="threads",
    ),
    Setting("recent_indexes", []),
    Setting("pinned_indexes", []),
    Setting("recent_opened", {}),
    Setting("recent_names", {}),
    Setting("recent_tokens", {}),
    Setting("recent_tokenizers", {}),
    Setting("recent_token_files", {}),
    Setting("remote_hosts", []),
    Setting("index_names", {}),
    Setting("recent_commands", []),
    Setting("recent_projects", []),
    # That the user chose or agreed to, so that no project has to ask about them.
    Setting("known_files", []),
    Setting("queries", []),
    Setting("query_facts", {}),
    Setting("pinned_queries", []),
    Setting("shortcuts", {}),
    # Shares of panes by the name of their splitter, and the width of the document.
    Setting("splits", {}),
    # In Help, New versions.
    Setting("updates_weekly", False),
    Setting("updates_asked", ""),
    Setting("updates_told", ""),
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

    values: The values as they were stored.
    """
    # One step at a time: each migration knows only its neighbor.
    for old in range(version, VERSION):
        values = MIGRATIONS[old](values)
    return values
