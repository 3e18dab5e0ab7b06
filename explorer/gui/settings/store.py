"""What the program remembers between runs: one readable JSON file.

An invalid value, for example one edited by hand, counts as absent. A file that cannot be read is renamed and reported,
and the program starts with its defaults.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from explorer.core.files.json_text import own_json_text
from explorer.core.files.paths import write_whole
from explorer.core.jobs.lane import Lane, Outcome
from explorer.core.jobs.pool import Kind
from explorer.gui.index.recents import Recents
from explorer.gui.remote.hosts import Hosts
from explorer.gui.settings.history import PastQuery, past_query
from explorer.gui.settings.schema import BY_KEY, MOST_QUERIES, MOST_RECENT, VERSION, migrated
from explorer.i18n import tr

_MOST_FILES = 500
"""Files that are noted as known."""


def settings_path() -> Path:
    """The folder of the settings; CORPUS_EXPLORER_CONFIG overrides it."""
    chosen = os.environ.get("CORPUS_EXPLORER_CONFIG")
    folder = chosen or QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return (Path(folder) if chosen else Path(folder) / "corpus-explorer") / "settings.json"


_LOG = logging.getLogger("explorer.gui")
# Seconds between two looks at whether the file is written.
_POLL = 0.002


class Settings:
    """Typed access to the stored values; the file is written on a separate thread.

    notice: the problem with the file, "" if there was none. recents: the indexes that were opened before.
    hosts: the other machines that queries may be sent to.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or settings_path()
        self.notice = ""
        self._listeners: list[Callable[[str], None]] = []
        self._values: dict[str, Any] = {}
        self._changed: set[str] = set()
        # What the file holds as far as this program knows; the writing thread's own once the file was read.
        self._written: str | None = None
        self._writer = Lane("settings", _log_bug, Kind.APART)
        self.recents = Recents(self.get, self.set)
        self.hosts = Hosts(self.get, self.set)
        self._load()

    # --- the file ------------------------------------------------------------------------------

    def _load(self) -> None:
        try:
            text = self.path.read_text(encoding="utf-8")
            found = json.loads(text)
            version, values = int(found["version"]), dict(found["values"])
        except FileNotFoundError:
            # Version 1 had no file. If it was ever used, its values are in the platform's store.
            self._values = migrated(1, _platform_values())
            return
        except (OSError, ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
            self._set_aside(error)
            return
        # Kept under another name, and not overwritten: the newer version may be used again.
        if version > VERSION:
            self._set_aside(
                ValueError(tr("it was written by a newer version of this program (format {version})", version=version))
            )
        else:
            self._values, self._written = migrated(version, values), text

    def _set_aside(self, error: Exception) -> None:
        # With the time, so that it does not replace a file that was set aside before.
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        aside = self.path.with_name(f"settings-set-aside-{stamp}.json")
        try:
            self.path.replace(aside)
            where = tr("The file was renamed to {aside}", aside=aside)
        except OSError:
            where = tr("The file is still at {path} and will be overwritten", path=self.path)
        self.notice = tr(
            "The settings could not be read ({error}). {where}. The program starts with default settings.",
            error=error,
            where=where,
        )

    def _save(self) -> None:
        # Made on this thread: the values may change while the other one writes.
        text = own_json_text({"version": VERSION, "values": self._values}, indent=1)
        changed = frozenset(self._changed)
        # Of several pending changes only the last is written, since each contains all values.
        self._writer.submit(lambda _: self._write(text + "\n", changed))

    def _write(self, text: str, changed: frozenset[str]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            text = self._merged(text, changed)
            write_whole(self.path, text)
            self._written = text
        except OSError as error:
            notice = tr(
                "The settings cannot be written to {path}: {reason}. Changes will be lost when you quit. To keep them, "
                "set CORPUS_EXPLORER_CONFIG to a folder of yours and start again.",
                path=self.path,
                reason=error.strerror,
            )
            # Reported once, not at every change that cannot be written.
            if notice != self.notice:
                self.notice = notice
                # A copy: this is the writing thread, and a window may begin to listen meanwhile.
                for tell in tuple(self._listeners):
                    tell(notice)

    def _merged(self, text: str, changed: frozenset[str]) -> str:
        """The values to write: those that another program stored meanwhile, and what was changed here."""
        try:
            found = self.path.read_text(encoding="utf-8")
            if found == self._written:
                return text
            theirs = json.loads(found)
            values, own = dict(theirs["values"]), json.loads(text)["values"]
            version = int(theirs["version"])
        except (OSError, ValueError, TypeError, KeyError, RecursionError, OverflowError):
            # No file, or a damaged one.
            return text
        if version > VERSION:
            raise OSError(errno.EEXIST, tr("a newer version of this program uses the file"))
        kept = migrated(version, values) | {key: value for key, value in own.items() if key in changed}
        return own_json_text({"version": VERSION, "values": kept}, indent=1) + "\n"

    def listen(self, tell: Callable[[str], None]) -> Callable[[], None]:
        """Call `tell` on the writing thread if the settings cannot be written; returns what ends this."""
        self._listeners.append(tell)

        def end() -> None:
            self._listeners = [known for known in self._listeners if known is not tell]

        return end

    def flush(self, seconds: float = 1.0) -> bool:
        """Wait at most this long until the file contains all values; returns whether it does."""
        until = time.monotonic() + seconds
        while self._writer.busy and time.monotonic() < until:
            time.sleep(_POLL)
        return not self._writer.busy

    # --- values --------------------------------------------------------------------------------

    def get(self, key: str) -> Any:
        """A value of the schema, or its default if it is missing or invalid."""
        setting = BY_KEY[key]
        value = self._values.get(key, setting.default)
        return value if setting.valid(value) else setting.default

    def set(self, key: str, value: Any) -> None:
        """Store a value and save the file.

        key: The setting's name in `schema`.
        Raises `ValueError` if the value is not valid for the setting.
        """
        if not BY_KEY[key].valid(value):
            raise ValueError(f"{value!r} is not a value of {key}")
        self._values[key] = value
        self._changed.add(key)
        self._save()

    def recent_indexes(self) -> list[str]:
        """The folders and addresses of recently opened indexes, pinned ones first; see `recents`."""
        return self.recents.paths()

    def add_recent_command(self, id: str) -> None:
        """Note that a command was used from the palette."""
        # Ids of commands that a later version lacks stay in the list until newer ones push them out.
        others = [known for known in self.get("recent_commands") if known != id]
        self.set("recent_commands", [id, *others][:MOST_RECENT])

    def recent_projects(self) -> list[str]:
        """Recently opened project files, newest first."""
        return list(self.get("recent_projects"))

    def add_recent_project(self, path: str) -> None:
        """Move a project file to the top of the list."""
        others = [known for known in self.get("recent_projects") if known != path]
        self.set("recent_projects", [path, *others][:MOST_RECENT])

    def known_files(self) -> list[str]:
        """Files of views that the user chose or agreed to, newest first."""
        return [path for path in self.get("known_files") if isinstance(path, str)]

    def add_known_files(self, paths: Iterable[str]) -> None:
        """Note files of views that the user chose or agreed to."""
        before = self.known_files()
        known = list(dict.fromkeys((*paths, *before)))[:_MOST_FILES]
        if known != before:
            self.set("known_files", known)

    def queries(self) -> list[tuple[str, bool]]:
        """Earlier queries, newest first, each with whether it is pinned; pinned ones come first."""
        pinned = self.get("pinned_queries")
        return [(query, True) for query in pinned] + [
            (query, False) for query in self.get("queries") if query not in pinned
        ]

    def history(self) -> list[tuple[PastQuery, bool]]:
        """The same queries with their results and options."""
        facts = self.get("query_facts")
        return [(past_query(text, facts.get(text)), pinned) for text, pinned in self.queries()]

    def add_query(self, query: str | PastQuery, instead_of: str = "") -> None:
        """Put a query at the top of the list of past queries; an empty one is ignored.

        query: The query, with its result if that is known.
        instead_of: The earlier, incomplete text of the same query, which is removed; "" for none.
        """
        # Queries that are stored already stay: the menu of the history clears them.
        if not self.get("remember_queries"):
            return
        past = query if isinstance(query, PastQuery) else PastQuery(query)
        if past.text:
            others = [known for known in self.get("queries") if known not in (past.text, instead_of)]
            self.set("queries", [past.text, *others][:MOST_QUERIES])
            self._keep_facts({**self.get("query_facts"), past.text: past.as_json()})

    def _keep_facts(self, facts: dict[str, Any]) -> None:
        """Only for the queries on the list, so that the file stays small."""
        listed = {text for text, _ in self.queries()}
        self.set("query_facts", {text: known for text, known in facts.items() if text in listed})

    def clear_queries(self) -> None:
        """Remove all queries except the pinned ones."""
        self.set("queries", [])
        self._keep_facts(self.get("query_facts"))

    def toggle_pin(self, query: str) -> None:
        """Pin a query, or unpin it, which makes it the newest of the earlier ones."""
        pinned = self.get("pinned_queries")
        self.set("pinned_queries", _toggled(pinned, query)[:MOST_QUERIES])
        # It may have dropped out of the list while it was pinned, and would be lost now.
        if query in pinned and query not in self.get("queries"):
            self.set("queries", [query, *self.get("queries")][:MOST_QUERIES])
        self._keep_facts(self.get("query_facts"))

    def geometry(self) -> QByteArray | None:
        """The window's position and size, if known."""
        value = QByteArray.fromBase64(self.get("geometry").encode("ascii", "replace"))
        return value if not value.isEmpty() else None

    def set_geometry(self, geometry: QByteArray) -> None:
        """Store the window's position and size."""
        self.set("geometry", bytes(geometry.toBase64().data()).decode("ascii"))

    def scheme(self) -> str:
        """The theme: light, dark or system."""
        return str(self.get("scheme"))


def _log_bug(outcome: Outcome) -> None:
    if outcome.error is not None:
        _LOG.error("the settings were not written", exc_info=outcome.error)


def _toggled(values: list[str], value: str) -> list[str]:
    kept = [known for known in values if known != value]
    return kept if value in values else [value, *kept]


def _platform_values() -> dict[str, Any]:
    """The values that version 1 left in the platform's store."""
    # Settings in a folder of their own, as in tests, begin empty and not with the user's old values.
    if "CORPUS_EXPLORER_CONFIG" in os.environ:
        return {}
    store = QSettings("Corpus Explorer", "corpus-explorer")
    return {key: store.value(key) for key in store.allKeys()}
