"""Documents that are ZIP archives: their members, which are read in memory only, and within limits."""

from __future__ import annotations

import errno
import io
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from explorer.core.files.encoding import NotTextError
from explorer.core.files.signatures import FOREIGN
from explorer.core.files.streams import BrokenStreamError
from explorer.documents.content import Content
from explorer.i18n import tr

_CHUNK = 1 << 18
_MOST_EXPANDED = 1 << 26
"""Bytes that the members which are read may have: their text needs 0.5 GB of memory. A book of 1,000 pages has about a
sixth as DOCX."""
_MOST_RATIO = 500
"""How many times its stored size a document may expand to, from `_LITTLE` bytes on. Large tables of equal cells have
200."""
_LITTLE = 1 << 22
_MOST_TAGS = 4_000_000
"""Tags of all parts, which take about ten seconds."""
_MOST_NAMES = 1 << 23
"""Bytes of the list of members: more than 100,000 members."""
_END, _END_64, _LOCATOR_64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_FAULTS = (BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, OverflowError, IndexError)
"""What the standard library raises for damaged archives."""
_ENCRYPTED = 1


class ZipPackage:
    """The members of a document that is a ZIP archive, by name. No member is written to the disk.

    format: The name of its format in messages, such as "DOCX".
    Raises `BrokenStreamError` if the file is not a ZIP archive, or is damaged, here and while members are read.
    """

    def __init__(self, content: Content, format: str) -> None:
        self.format = format
        self._expanded = self._packed = self._tags = 0
        file = content.file()
        self._file: IO[bytes] = file.open("rb") if isinstance(file, Path) else file
        with ExitStack() as failed:
            failed.callback(self._file.close)
            try:
                self._check_names()
                self._zip = ZipFile(self._file)
            except (*_FAULTS, OSError) as error:
                raise self._of_fault(error) from error
            failed.pop_all()
        self._members = {info.filename.lower(): info for info in self._zip.infolist()}

    def __enter__(self) -> ZipPackage:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()
        self._file.close()

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._members

    def names(self) -> list[str]:
        """The names of all members, as the archive lists them."""
        return [info.filename for info in self._members.values()]

    def read(self, name: str) -> bytes:
        """Read a member.

        name: Its name, in which upper and lower case are the same.
        """
        return b"".join(self.chunks(name))

    def chunks(self, name: str) -> Iterator[bytes]:
        """Read a member in parts.

        name: Its name, in which upper and lower case are the same.
        Raises `BrokenStreamError` if it is missing or damaged, or if the members that are read expand beyond the
            limits.
        """
        info = self._members.get(name.lower())
        if info is None:
            raise self.broken(tr("{part} is missing", part=name))
        if info.flag_bits & _ENCRYPTED:
            raise self.protected()
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise self.broken(tr("{part} is compressed by another method than Deflate", part=name))
        self._packed += info.compress_size
        try:
            yield from self._parts(info)
        except (*_FAULTS, OSError) as error:
            raise self._of_fault(error) from error

    def _parts(self, info: ZipInfo) -> Iterator[bytes]:
        with self._zip.open(info) as member:
            while part := member.read(_CHUNK):
                self._expanded += len(part)
                self._tags += part.count(b"<")
                self._check_expanded()
                yield part

    def broken(self, reason: object) -> BrokenStreamError:
        """Make the error for a file that cannot be read.

        reason: What is wrong, which is shown in parentheses.
        Returns: The error, whose sentence can follow the name of the file.
        """
        cause = " ".join(str(reason).split())
        return BrokenStreamError(
            tr("is damaged, or is not a {format} file ({cause})", format=self.format, cause=cause), False
        )

    def protected(self) -> NotTextError:
        """Make the error for a file whose text is encrypted."""
        return NotTextError(
            FOREIGN,
            tr("its text is encrypted ({format}); save it without a password or copy protection", format=self.format),
        )

    def _of_fault(self, error: Exception) -> Exception:
        """The error of a damaged archive, which may name a place outside the file; or of the drive, as it is."""
        of_drive = isinstance(error, OSError) and error.errno not in (None, errno.EINVAL)
        return error if of_drive else self.broken(error)

    def _check_expanded(self) -> None:
        if self._expanded > _MOST_EXPANDED:
            reason = tr("it expands to more than {most:,} bytes", most=_MOST_EXPANDED)
        elif self._expanded > _LITTLE and self._expanded > _MOST_RATIO * self._packed:
            reason = tr("it expands to more than {most:,} times its size", most=_MOST_RATIO)
        elif self._tags > _MOST_TAGS:
            reason = tr("it has more than {most:,} tags", most=_MOST_TAGS)
        else:
            return
        raise BrokenStreamError(
            tr("is not read: {reason}, which is usual only for files that are made to exhaust memory", reason=reason),
            False,
        )

    def _check_names(self) -> None:
        """Require a list of members that fits in memory, before it is read."""
        file = self._file
        size = file.seek(0, io.SEEK_END)
        file.seek(max(0, size - (1 << 16) - 100))
        tail = file.read()
        end = tail.rfind(_END)
        listed = int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0
        if _LOCATOR_64 in tail and (end := tail.rfind(_END_64)) >= 0:
            listed = max(listed, int.from_bytes(tail[end + 40 : end + 48], "little"))
        file.seek(0)
        if listed > _MOST_NAMES:
            raise self.broken(tr("its list of members has {size:,} bytes", size=listed))
