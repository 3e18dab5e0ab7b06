"""The files in an archive and in the archives within it, each with its place."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import IO

from explorer.core.files.archives import Entry, opened, seekable
from explorer.core.files.encoding import NotTextError
from explorer.core.files.streams import BrokenStreamError, inner_name, unpacked
from explorer.core.files.text_field import take_text
from explorer.documents.content import PEEKED, Content
from explorer.documents.kind import Kind, Opener
from explorer.documents.record import Document, Records
from explorer.i18n import tr

MOST_DEPTH = 2
"""How deeply archives are read: an archive, and one in it."""

ArchiveKind = Callable[[bytes, str], Kind | None]
"""The kind of an archive by its first bytes without packing and its name; None for other files."""
FileKind = Callable[[bytes, str, str], Kind]
"""The kind of a file by its first bytes, its name and the encoding of texts; raises NotTextError if it is not read."""


@dataclass(frozen=True)
class Member:
    """A file in an archive.

    place: The number of its entry; within an archive in the archive, after the number of that one.
    entry: The entry, with its path in the outer archive.
    head: Its first bytes without packing.
    stream: Its content, until the next one is asked for; None if it is not read.
    fault: Why it cannot be read, if it is damaged.
    """

    place: tuple[int, ...]
    entry: Entry
    head: bytes = b""
    stream: io.BufferedReader | None = None
    fault: BrokenStreamError | None = None


def members_of(opens: Opener, raw: IO[bytes], name: str, archive_kind: ArchiveKind, depth: int = 1) -> Iterator[Member]:
    """List the files in an archive, with those of the archives in it in place of these.

    raw: Its bytes as stored, at their beginning.
    depth: How many archives it is in, itself included.
    Yields: A file; what is not read has a problem, or a fault.
    Raises `BrokenStreamError` if the archive is damaged; what precedes the damage was listed.
    """
    for number, entry in enumerate(opens(raw, name)):
        if entry.problem:
            yield Member((number,), entry)
            continue
        try:
            head, stream = opened(entry, PEEKED)
        except BrokenStreamError as error:
            yield Member((number,), entry, fault=error)
            continue
        inner = archive_kind(head, inner_name(entry.name))
        if inner is None or inner.opens is None:
            yield Member((number,), entry, head, stream)
        elif depth == MOST_DEPTH:
            yield Member((number,), replace(entry, problem=tr("an archive in an archive in an archive: unpack it")))
        elif not inner.is_installed:
            yield Member((number,), replace(entry, problem=inner.why_not))
        else:
            for member in _inner_members(inner.opens, entry, stream, archive_kind, depth):
                yield replace(member, place=(number, *member.place))


def opener_of(raw: IO[bytes], name: str, archive_kind: ArchiveKind) -> Opener:
    """Find what opens an archive.

    raw: Its bytes as stored, at their beginning; they can be entered at any place.
    Raises `BrokenStreamError` if it is not an archive any more.
    """
    head = unpacked(raw, name).read(PEEKED)
    raw.seek(0)
    kind = archive_kind(head, inner_name(name))
    if kind is None or kind.opens is None:
        raise BrokenStreamError(tr("has changed: it is not an archive"), cut=False)
    return kind.opens


def _inner_members(
    opens: Opener, entry: Entry, stream: io.BufferedReader, archive_kind: ArchiveKind, depth: int
) -> Iterator[Member]:
    """The files of an archive in an archive; if it is damaged, also itself, after those that precede the damage."""
    try:
        with seekable(stream) as copy:
            for member in members_of(opens, copy, entry.name, archive_kind, depth + 1):
                yield replace(member, entry=replace(member.entry, name=f"{entry.name}/{member.entry.name}"))
    except BrokenStreamError as error:
        yield Member((), entry, fault=error)


def read(content: Content, archive_kind: ArchiveKind, file_kind: FileKind) -> Iterator[Document]:
    """Read the texts of all files in an archive; a file that is not read has a problem in place of its text."""
    # Of a pipe, the beginning has been read.
    with seekable(content.raw if content.raw.seekable() else content.stream) as raw:
        raw.seek(0)
        place, label = 0, content.label
        for member in members_of(opener_of(raw, label, archive_kind), raw, label, archive_kind):
            for document in _documents(member, content, file_kind):
                yield replace(document, metadata={"path": member.entry.name, **document.metadata}, place=place)
                place += 1


def _documents(member: Member, content: Content, file_kind: FileKind) -> Iterator[Document]:
    try:
        if member.fault is not None:
            raise member.fault
        if member.entry.problem:
            raise NotTextError("", member.entry.problem)
        kind = file_kind(member.head, inner_name(member.entry.name), content.encoding)
        if not kind.is_installed:
            raise NotTextError("", kind.why_not)
        yield from _of_kind(kind, member, content)
    except (BrokenStreamError, NotTextError) as error:
        yield Document("", problem=f"{member.entry.name}: {error}")


def _of_kind(kind: Kind, member: Member, content: Content) -> Iterator[Document]:
    entry, raw = member.entry, member.stream
    assert raw is not None
    inner = replace(
        content,
        name=inner_name(entry.name),
        label=f"{content.label}/{entry.name}",
        raw=raw,
        stream=unpacked(raw, entry.name),
        path=None,
        size=entry.size,
        moved=lambda done: None,
    )
    found = kind.read(inner)
    if not isinstance(found, Records):
        yield from found
        return
    for record in found.records:
        try:
            if record.problem:
                raise ValueError(record.problem)
            text = take_text(record.fields, content.text_field)
        except ValueError as error:
            yield Document("", problem=str(error))
            continue
        yield Document(text, record.fields)
