"""The files in archives as files of a build: listed once, and opened one after the other."""

from __future__ import annotations

import io
import threading
import weakref
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from typing import IO, cast

from explorer.building.sources.broken import refuse
from explorer.building.sources.markers import MARKER_FOLDERS, is_marker
from explorer.building.sources.source import (
    CUT,
    IN_ARCHIVES,
    MARKERS,
    NO_DOCUMENT,
    NOTHING_READ,
    SPECIAL,
    UNREADABLE,
    ReadState,
    SourceFile,
)
from explorer.core.files.archives import Entry, LockedError, opened, seekable
from explorer.core.files.streams import CHUNK, BrokenStreamError
from explorer.documents.archives import Member, members_of, opener_of
from explorer.documents.content import PEEKED
from explorer.documents.kinds import archive_kind
from explorer.i18n import tr


def archive_files(file: SourceFile, state: ReadState, skip_bad: bool) -> list[tuple[SourceFile, bytes]]:
    """List the files in an archive, and in the archives within it.

    state: Receives a note for everything that is skipped.
    skip_bad: Whether damage is noted; what precedes it is listed.
    Returns: Each file, whose kind is not known yet, with its first bytes without packing.
    Raises `SourceError` if the archive or a file in it is damaged, and not `skip_bad`.
    Raises `OSError` if the archive cannot be read.
    """
    listing = _Listing(file, state, skip_bad)
    try:
        with file.open() as raw:
            for member in _members(raw, file.path.name):
                listing.add(member)
    except LockedError as error:
        state.note(IN_ARCHIVES, file.label, reason=str(error))
        return []
    except BrokenStreamError as error:
        listing.refuse(file, error)
    if not listing.last:
        # An archive is not a file of the sources itself, but what is found must be what is read and what is skipped.
        state.note(NOTHING_READ if listing.is_broken else NO_DOCUMENT, file.label)
    return listing.kept()


def _members(raw: IO[bytes], name: str) -> Iterator[Member]:
    return members_of(opener_of(raw, name, archive_kind), raw, name, archive_kind)


class _Listing:
    """What is listed of an archive."""

    def __init__(self, file: SourceFile, state: ReadState, skip_bad: bool) -> None:
        self._file, self._state, self._skip_bad = file, state, skip_bad
        self._found: list[tuple[SourceFile, bytes]] = []
        self.last: tuple[int, ...] = ()
        self.is_broken = False

    def refuse(self, file: SourceFile, error: BrokenStreamError) -> None:
        """Stop at the damage, or note it."""
        self.is_broken = True
        refuse(file, self._skip_bad, self._state, CUT if error.cut else UNREADABLE, str(error))

    def add(self, member: Member) -> None:
        """Keep a file, or note why it is skipped."""
        entry = member.entry
        file = replace(
            self._file,
            name=f"{self._file.name}/{entry.name}",
            size=entry.size,
            kind="",
            inner=entry.name,
            entry=member.place,
        )
        if isinstance(member.fault, LockedError):
            self._state.note(IN_ARCHIVES, file.label, reason=str(member.fault))
        elif member.fault is not None:
            self.refuse(file, member.fault)
            # Of a damaged archive in the archive, files were listed before.
            if self.last[:1] != member.place:
                self._state.note(NOTHING_READ, file.label)
        elif entry.problem:
            self._state.note(IN_ARCHIVES, file.label, reason=entry.problem)
        elif not self._is_passed_over(file):
            self._found.append((file, member.head))
        self.last = member.place

    def _is_passed_over(self, file: SourceFile) -> bool:
        """Whether a file is one that is skipped in folders, too; if so, this is noted."""
        *folders, name = file.inner.split("/")
        program = next((MARKER_FOLDERS[folder] for folder in folders if folder in MARKER_FOLDERS), "")
        if program or is_marker(name):
            self._state.note(MARKERS, file.label, reason=tr("written by {program}", program=program) if program else "")
        elif any(part.startswith(".") for part in (*folders, name)):
            self._state.note(SPECIAL, file.label, reason=tr("hidden: its name begins with a dot"))
        else:
            return False
        return True

    def kept(self) -> list[tuple[SourceFile, bytes]]:
        """The files; of those with one path, the last, as unpacking would leave it."""
        last = {file.inner: file.entry for file, _ in self._found}
        for file, _ in self._found:
            if last[file.inner] != file.entry:
                self._state.note(IN_ARCHIVES, file.label, reason=tr("a later file in the archive has the same path"))
        return [(file, head) for file, head in self._found if last[file.inner] == file.entry]


@contextmanager
def open_file(file: SourceFile) -> Iterator[IO[bytes]]:
    """Open a file of a build, which may be in an archive.

    file: The file. Files of one archive are best opened in their order: others mean reading it again.
    Yields: Its bytes as stored; of a file in an archive, until another file in the archive is opened.
    Raises `BrokenStreamError` if the archive is damaged before the file.
    """
    if not file.inner:
        with file.open() as raw:
            yield raw
        return
    yield io.BufferedReader(_entry_of(file).open().from_beginning(), CHUNK)


class _Entries:
    """The entries of an archive that is open, asked for in their order."""

    def __init__(self, whole: AbstractContextManager[IO[bytes]], name: str) -> None:
        with ExitStack() as held:
            raw = held.enter_context(whole)
            found = cast(Generator[Entry, None, None], opener_of(raw, name, archive_kind)(raw, name))
            self._entries = held.enter_context(closing(found))
            # Also with the last reference, since nobody knows which file is the last one to be read.
            self.close = weakref.finalize(self, held.pop_all().close)
        self.next = 0

    def at(self, number: int) -> Entry:
        """The entry of a number, which is not before the next one."""
        for entry in self._entries:
            self.next += 1
            if self.next > number:
                return entry
        raise BrokenStreamError(tr("has changed: it has fewer files than it had before"), cut=False)


@dataclass
class _Cursor:
    """An archive that is open, and the archive in it from which files are read."""

    key: tuple[object, ...]
    outer: _Entries
    number: int = -1
    inner: _Entries | None = None

    def reaches(self, place: tuple[int, ...]) -> bool:
        """Whether the entry was not passed yet."""
        if place[1:] and self.inner is not None and self.number == place[0]:
            return self.inner.next <= place[1]
        return self.outer.next <= place[0]

    def entry(self, place: tuple[int, ...]) -> Entry:
        """The entry at a place that is reached."""
        if place[1:] and self.inner is not None and self.number == place[0]:
            return self.inner.at(place[1])
        entry = self.outer.at(place[0])
        self._close_inner()
        if not place[1:]:
            return entry
        _, stream = opened(entry, PEEKED)
        self.number, self.inner = place[0], _Entries(seekable(stream), entry.name)
        return self.inner.at(place[1])

    def _close_inner(self) -> None:
        if self.inner is not None:
            self.inner.close()
            self.inner = None

    def close(self) -> None:
        """Close the files."""
        self._close_inner()
        self.outer.close()


class _Open(threading.local):
    """The archive that a thread reads."""

    cursor: _Cursor | None = None


_open = _Open()


def _entry_of(file: SourceFile) -> Entry:
    key = (file.path, file.changed)
    cursor = _open.cursor
    if cursor is None or cursor.key != key or not cursor.reaches(file.entry):
        close_archives()
        cursor = _open.cursor = _Cursor(key, _Entries(file.open(), file.path.name))
    return cursor.entry(file.entry)


def close_archives() -> None:
    """Close the archive that this thread has read last: called where a reading of sources ends."""
    if _open.cursor is not None:
        _open.cursor.close()
        _open.cursor = None
