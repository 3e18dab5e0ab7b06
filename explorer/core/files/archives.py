"""The files in ZIP and TAR archives, one after the other, without unpacking them to the disk.

An entry that must not or cannot be read has a problem; a damaged archive raises BrokenStreamError at the place. What is
read is limited: an archive of a few kilobytes can expand to more than a disk holds.
"""

from __future__ import annotations

import functools
import io
import lzma
import re
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any, cast

from explorer.core.files.encoding import UTF8
from explorer.core.files.signatures import ZIP, ZIP_STARTS, foreign_kind
from explorer.core.files.streams import CHUNK, BrokenStreamError, chunks, unpacked
from explorer.i18n import tr

MOST_ENTRIES = 200_000
"""Entries of an archive: the list of more would take too much memory."""
MOST_EXPANSION, FREE = 200, 16 << 20
"""The most times its packed size a file may have, if it has more than 16 MiB: texts have three to ten times."""
MOST_SPOOLED = 2 << 30
"""Bytes of an archive within another one, or from a pipe, that are copied to a temporary file."""
_IN_MEMORY = 16 << 20
_MOST_DIRECTORY = 128 << 20
"""Bytes of the directory of a ZIP archive, which is read at once."""
_MOST_HEADER = 1 << 20
"""Bytes of a name or of attributes in a TAR archive, which are read at once."""
_BLOCK = 512
_SIGN = 4
_TAIL = 66_000
"""Bytes at the end of a ZIP archive that contain the place of its directory."""
_DRIVE = re.compile(r"[A-Za-z]:/")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_ENCRYPTED, _IS_UTF8 = 0x1, 0x800
_FAULTS = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, RuntimeError,
    NotImplementedError, struct.error, OverflowError,
)  # fmt: skip
"""What the libraries raise for archives that are damaged."""


class LockedError(BrokenStreamError):
    """An archive that is encrypted as a whole: nothing is wrong with it, and nothing of it can be read."""

    def __init__(self) -> None:
        super().__init__(locked(), cut=False)


def locked() -> str:
    """Why something encrypted is not read."""
    return tr("encrypted: unpack the archive with its password, and name the folder")


@dataclass(frozen=True)
class Entry:
    """A file in an archive.

    name: Its path in the archive, with slashes.
    size: Its bytes, as the archive states them.
    open: Opens its content, once, and until the next entry is asked for.
    problem: Why it is not read; "" if it can be.
    """

    name: str
    size: int
    open: Callable[[], EntryStream]
    problem: str = ""


class EntryStream(io.RawIOBase):
    """The content of an entry; what is wrong with it raises BrokenStreamError.

    opener: Opens the content as the library reads it.
    """

    def __init__(self, opener: Callable[[], IO[bytes]]) -> None:
        self._opener = opener
        self._inner: IO[bytes] | None = None
        self._read = bytearray()
        self._again = b""
        self._keeps = True
        self._done = 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def tell(self) -> int:
        """Bytes that were read."""
        return self._done

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer; returns 0 at the end."""
        data = self._again[: len(buffer)] or self._new(len(buffer))
        self._again = self._again[len(data) :]
        buffer[: len(data)] = data
        self._done += len(data)
        return len(data)

    def _new(self, size: int) -> bytes:
        try:
            if self._inner is None:
                self._inner = self._opener()
            data = self._inner.read(size)
        except _FAULTS as error:
            raise _damaged(error, self._done) from error
        if self._keeps:
            self._read += data
        return data

    def from_beginning(self) -> EntryStream:
        """The content from its beginning, after its first bytes were looked at; can be asked for once."""
        again = EntryStream(self._opener)
        again._inner, again._again, again._keeps = self._inner, bytes(self._read), False
        return again


def opened(entry: Entry, size: int) -> tuple[bytes, io.BufferedReader]:
    """Open an entry.

    size: The most bytes to look at.
    Returns: Its first bytes without packing, and its content from the beginning.
    Raises `BrokenStreamError` if it is damaged at its beginning.
    """
    stream = entry.open()
    head = unpacked(io.BufferedReader(stream, CHUNK), entry.name).peek(size)[:size]
    return head, io.BufferedReader(stream.from_beginning(), CHUNK)


def _damaged(error: Exception, done: int) -> BrokenStreamError:
    if isinstance(error, EOFError) or "unexpected end of data" in str(error):
        return BrokenStreamError(tr("is cut short: it ends after {done:,} bytes of content", done=done), cut=True)
    reason = tr("is damaged: it cannot be read after {done:,} bytes of content ({error})", done=done, error=error)
    return BrokenStreamError(reason, cut=False)


def is_archive(head: bytes, name: str) -> bool:
    """Recognize a ZIP or TAR archive that is not the document of a program.

    head: The first bytes of a file, about 8,000, without packing.
    """
    if head.startswith(ZIP_STARTS):
        return foreign_kind(head, name) == ZIP
    return _is_tar(head)


def _is_tar(head: bytes) -> bool:
    """By the sum of the first header: old archives have no other sign."""
    header = head[:_BLOCK]
    if len(header) < _BLOCK or not header[0]:
        return False
    try:
        stated = int(header[148:156].strip(b"\0 ") or b"x", 8)
    except ValueError:
        return False
    # The sum is of the header with spaces in place of the sum itself.
    return stated == sum(header) - sum(header[148:156]) + 8 * 0x20


def entries_of(raw: IO[bytes], name: str) -> Iterator[Entry]:
    """List the files in a ZIP or TAR archive, in their order.

    raw: The archive, at its beginning; a TAR archive may be compressed.
    Yields: A file; folders are not listed.
    Raises `BrokenStreamError` if the archive is damaged, or expands too far; what precedes the damage was listed.
    """
    with seekable(raw) as whole:
        stream = unpacked(whole, name)
        if stream is not whole:
            stream = io.BufferedReader(_Guarded(whole, stream), CHUNK)
        if _beginning(stream).startswith(ZIP_STARTS):
            with seekable(stream) as plain:
                yield from limited(_zip_entries(plain))
        else:
            yield from limited(_tar_entries(stream))


def _beginning(stream: IO[bytes]) -> bytes:
    if not stream.seekable():
        return cast(io.BufferedReader, stream).peek(_SIGN)[:_SIGN]
    head = stream.read(_SIGN)
    stream.seek(-len(head), io.SEEK_CUR)
    return head


def seekable(stream: IO[bytes]) -> _Borrowed:
    """A stream that can be entered at any place: itself, or a temporary copy.

    Returns: A context with the stream; a copy is closed at its end.
    Raises `BrokenStreamError` if there is too much to copy.
    """
    if stream.seekable():
        return _Borrowed(stream, False)
    copy = cast(IO[bytes], tempfile.SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 - closed by the context
    try:
        for data in chunks(cast(io.BufferedReader, stream)):
            if copy.tell() + len(data) > MOST_SPOOLED:
                raise BrokenStreamError(
                    tr("is too large to be read within an archive or from a pipe: unpack it first"), cut=False
                )
            copy.write(data)
        copy.seek(0)
    except BaseException:
        copy.close()
        raise
    return _Borrowed(copy, True)


@dataclass(frozen=True)
class _Borrowed:
    """A stream that is closed after use if it was made for it."""

    stream: IO[bytes]
    ours: bool

    def __enter__(self) -> IO[bytes]:
        return self.stream

    def __exit__(self, *_: object) -> None:
        if self.ours:
            self.stream.close()


class _Guarded(io.RawIOBase):
    """A decompressed stream that ends with an error if it expands too far."""

    def __init__(self, raw: IO[bytes], stream: io.BufferedReader) -> None:
        self._raw, self._stream = raw, stream
        self._done = 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer; returns 0 at the end."""
        data = self._stream.read1(len(buffer))
        self._done += len(data)
        if expands_too_far(self._done, self._raw.tell()):
            raise BrokenStreamError(expansion(), cut=False)
        buffer[: len(data)] = data
        return len(data)


def expands_too_far(size: int, packed: int) -> bool:
    """Whether a file is so much larger than its packed form that it was made to fill memory and disk."""
    return size > FREE and size > MOST_EXPANSION * max(1, packed)


def expansion() -> str:
    """Why a file that expands too far is not read; the text follows the file's name."""
    return tr("expands to more than {times} times its packed size: unpack it if that is right", times=MOST_EXPANSION)


def limited(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries of an archive; raises BrokenStreamError after `MOST_ENTRIES` of them."""
    for number, entry in enumerate(entries):
        if number == MOST_ENTRIES:
            raise BrokenStreamError(
                tr("has more than {most:,} files, which is the most that is read of an archive", most=MOST_ENTRIES),
                cut=False,
            )
        yield entry


def _why_outside(path: str) -> str:
    """Why a path is not one within an archive; "" if it is."""
    if path.startswith("/") or _DRIVE.match(path) or ".." in path.split("/"):
        return tr("its path leads out of the archive")
    return ""


def plain_path(path: str) -> str:
    """A path as it is written on every system: with slashes, without steps that lead nowhere."""
    return "/".join(part for part in path.replace("\\", "/").split("/") if part not in ("", "."))


def listed(path: str, size: int, opener: Callable[[], IO[bytes]], problem: str = "") -> Entry:
    """Describe an entry.

    opener: Opens it as the library reads it.
    problem: Why it is not read; "" if that depends on its path only.
    """
    outside = _why_outside(path.replace("\\", "/"))
    return Entry(plain_path(path) or path, size, functools.partial(EntryStream, opener), outside or problem)


def _zip_entries(raw: IO[bytes]) -> Iterator[Entry]:
    size = raw.seek(0, io.SEEK_END)
    try:
        _check_directory(raw, size)
        archive = zipfile.ZipFile(raw)
    except _FAULTS as error:
        raise _damaged(error, 0) from error
    with archive:
        found = [info for info in archive.infolist() if not info.is_dir()]
        if sum(info.compress_size for info in found) > size:
            raise BrokenStreamError(tr("is damaged: the files in it overlap"), cut=False)
        for info in found:
            yield listed(_zip_name(info), info.file_size, functools.partial(archive.open, info), _zip_problem(info))


def _check_directory(raw: IO[bytes], size: int) -> None:
    """Require a directory that fits into memory: the library reads it at once."""
    raw.seek(max(0, size - _TAIL))
    tail = raw.read(_TAIL)
    at, wide = tail.rfind(b"PK\5\6"), tail.rfind(b"PK\6\6")
    length = int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0
    if length == 0xFFFFFFFF and wide >= 0:
        length = int.from_bytes(tail[wide + 40 : wide + 48], "little")
    if length > _MOST_DIRECTORY:
        raise ValueError(tr("its directory has {length:,} bytes", length=length))
    raw.seek(0)


def _zip_name(info: zipfile.ZipInfo) -> str:
    """The name of an entry: programs that write UTF-8 do not always declare it."""
    if info.flag_bits & _IS_UTF8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode(UTF8)
    except UnicodeError:
        return info.filename


def _zip_problem(info: zipfile.ZipInfo) -> str:
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) and not stat.S_ISREG(mode):
        return _link() if stat.S_ISLNK(mode) else _special()
    if info.flag_bits & _ENCRYPTED:
        return locked()
    if info.compress_type not in _METHODS:
        return tr("packed by a method that is not read ({method}): unpack the archive", method=info.compress_type)
    return expansion() if expands_too_far(info.file_size, info.compress_size) else ""


def _link() -> str:
    return tr("a link to another file")


def _special() -> str:
    return tr("not a regular file")


_HeaderError = tarfile.HeaderError
_END = cast(type[Exception], vars(tarfile)["EOFHeaderError"])
_LONG = (
    tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE
)  # fmt: skip
"""Headers whose content is read at once."""


class _Header(tarfile.TarInfo):
    """The header of a TAR entry: a damaged one is an error, and not the end as which the library takes it."""

    @classmethod
    def fromtarfile(cls, tarfile: tarfile.TarFile) -> _Header:
        """Read the next header."""
        try:
            return super().fromtarfile(tarfile)
        except _END:
            raise
        except _HeaderError as error:
            raise BrokenStreamError(
                tr("is damaged or cut short: it has no valid header at byte {at:,}", at=tarfile.offset),
                cut="truncated" in str(error) or "empty" in str(error),
            ) from error

    def _proc_member(self, tar: tarfile.TarFile) -> Any:
        if self.type in _LONG and self.size > _MOST_HEADER:
            raise BrokenStreamError(tr("is damaged: one of its headers has {size:,} bytes", size=self.size), cut=False)
        return super()._proc_member(tar)  # type: ignore[misc]


def _tar_entries(stream: io.BufferedReader) -> Iterator[Entry]:
    try:
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as archive:
            while (info := archive.next()) is not None:
                # The library would keep all of them.
                vars(archive)["members"].clear()
                if not info.isdir():
                    opener = functools.partial(_tar_content, archive, info)
                    yield listed(info.name, info.size, opener, _tar_problem(info))
            _check_rest(archive)
    except _FAULTS as error:
        raise _damaged(error, 0) from error


def _tar_content(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    found = archive.extractfile(info)
    assert found is not None
    return found


def _tar_problem(info: tarfile.TarInfo) -> str:
    if info.issym() or info.islnk():
        return _link()
    if not info.isreg():
        return _special()
    return tr("a file with holes: unpack the archive") if info.issparse() else ""


def _check_rest(archive: tarfile.TarFile) -> None:
    """Require nothing but zeros after the end: the library does not read an archive that was appended to another."""
    source = cast(IO[bytes], archive.fileobj)
    while data := source.read(CHUNK):
        if data.strip(b"\0"):
            raise BrokenStreamError(tr("has data after its end, such as another archive: unpack it"), cut=False)
