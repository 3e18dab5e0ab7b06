"""The content of a file while it is read: its bytes, its lines, and its text with notes about the character set."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from explorer.core.files.encoding import (
    BYTES_REPLACED,
    READ_AS,
    UTF8,
    WITH_NULLS,
    WRONG_DECLARATION,
    Decoded,
    decode_text,
)
from explorer.core.files.streams import BrokenStreamError, chunks
from explorer.documents.declared import declared_set
from explorer.documents.lines import lines_of
from explorer.documents.read_settings import AS_USUAL, ReadSettings
from explorer.documents.record import IdForm, Record
from explorer.i18n import tr

PEEKED = 1 << 13
"""Bytes at the beginning that show what a file is."""


@dataclass(frozen=True)
class Whole:
    """All bytes of a file, or those before `broken`; and their text, if it was decoded."""

    data: bytes
    broken: BrokenStreamError | None = None
    text: str = ""

    def end(self) -> None:
        """Raise the error at which the bytes end, if there is one."""
        if self.broken is not None:
            raise self.broken


def _ignore(*_: object) -> None:
    """Nothing is noted."""


@dataclass(frozen=True)
class Content:
    """A file that is open.

    name: Its name without the endings of packing, in lower case.
    stream: Its bytes without packing.
    path: Where it is; None for a stream.
    size: The number of stored bytes.
    encoding: The character set of its texts, as of `explorer.core.files.encoding.decode_text`.
    text_field: The name or path of the text in records.
    skip_bad: Whether what precedes a damage is read.
    reading: How it becomes texts, where a person may choose.
    ids: How token ids are stored; None if only texts are wanted.
    note: Receives a kind of change and its reason.
    moved: Receives the number of stored bytes that have been read.
    """

    name: str
    label: str
    raw: IO[bytes]
    stream: io.BufferedReader
    path: Path | None = None
    size: int = 0
    encoding: str = ""
    text_field: str = "text"
    skip_bad: bool = False
    reading: ReadSettings = AS_USUAL
    ids: IdForm | None = None
    note: Callable[[str, str], None] = _ignore
    moved: Callable[[int], None] = _ignore

    def file(self) -> Path | IO[bytes]:
        """The content as a file that can be entered at any place."""
        if self.stream is self.raw and self.path is not None:
            return self.path
        # A file on another machine, of which only some parts are read.
        if self.stream is self.raw and self.raw.seekable():
            return self.raw
        return io.BytesIO(b"".join(chunks(self.stream)))

    def lines(self) -> Iterator[bytes | str]:
        """Every line with its line feed, as of `lines_of`."""
        for line in lines_of(self.stream, self.label, self.encoding):
            # The place in the file as stored. It is ahead of the line by what the streams have buffered.
            self.moved(self.raw.tell())
            yield line

    def reached(self) -> None:
        """Report the place in the file as stored; what comes through a pipe has none."""
        if self.size:
            self.moved(self.raw.tell())

    def row_done(self, row: int, rows: int) -> None:
        """Report the progress in a file that was read completely or by an index."""
        self.moved(self.size * row // max(1, rows))

    def counted(self, records: Iterable[Record], total: int) -> Iterator[Record]:
        """The records of a file that was read completely; `total`: one more than the largest number."""
        for record in records:
            self.row_done(record.number, total)
            yield record

    def whole(self) -> Whole:
        """All bytes, or those before a damage."""
        parts: list[bytes] = []
        try:
            parts.extend(chunks(self.stream))
        except BrokenStreamError as error:
            return Whole(b"".join(parts), error)
        return Whole(b"".join(parts))

    def texts(self) -> Iterator[str]:
        """The text of the whole file; of a damaged one with `skip_bad`, what precedes the damage and then the error."""
        whole = self.whole()
        # Yielded before the error is raised, so that the beginning of a damaged file is kept.
        if whole.broken is None or (self.skip_bad and whole.data):
            yield self.decoded(whole, declared_set(whole.data[:PEEKED], self.name))
        whole.end()

    def decoded(self, whole: Whole, declared: str = "") -> str:
        """The text of some bytes; what is not plain UTF-8 is noted."""
        found = decode_text(whole.data, self.encoding, declared, whole.broken is None)
        self._note_encoding(found)
        return found.text

    def _note_encoding(self, decoded: Decoded) -> None:
        if decoded.encoding != UTF8:
            self.note(READ_AS + decoded.encoding, decoded.note)
        elif decoded.note:
            self.note(WRONG_DECLARATION, decoded.note)
        if "\0" in decoded.text:
            self.note(WITH_NULLS, tr("null bytes: {nulls:,}", nulls=decoded.text.count("\0")))
        if decoded.broken:
            self.note(BYTES_REPLACED, tr("invalid bytes replaced by U+FFFD: {broken:,}", broken=decoded.broken))
