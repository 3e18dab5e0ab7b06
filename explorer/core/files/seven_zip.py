"""The files in 7z archives, one after the other: py7zr writes them on a thread, and waits until they are read."""

from __future__ import annotations

import functools
import io
import queue
import threading
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any, cast

from explorer.core.files.archives import (
    Entry,
    LockedError,
    expands_too_far,
    expansion,
    limited,
    listed,
    locked,
    seekable,
)
from explorer.core.files.streams import BrokenStreamError, unpacked
from explorer.i18n import tr

if TYPE_CHECKING:
    from py7zr import SevenZipFile

SIGN = b"7z\xbc\xaf\x27\x1c"
_WAITING = 8
"""Pieces of a file that wait to be read: what is read ahead must not fill the memory."""
_MOST_HEADER = 64 << 20
"""Bytes of the list of files, which is read at once."""


def is_seven_zip(head: bytes, name: str) -> bool:
    """Recognize a 7z archive by its first bytes."""
    return head.startswith(SIGN)


def entries_of(raw: IO[bytes], name: str) -> Iterator[Entry]:
    """List the files in a 7z archive: first those that are not read, then the others in the order of their data.

    Yields: A file; folders are not listed.
    Raises `BrokenStreamError` if the archive is damaged or encrypted, or expands too far; what precedes the damage was
        listed.
    """
    with seekable(raw) as whole, seekable(unpacked(whole, name)) as plain:
        yield from limited(_entries(plain))


def _entries(raw: IO[bytes]) -> Iterator[Entry]:
    size = raw.seek(0, io.SEEK_END)
    raw.seek(0)
    if int.from_bytes(raw.read(32)[20:28], "little") > _MOST_HEADER:
        raise BrokenStreamError(tr("is damaged: its list of files is too long"), cut=False)
    raw.seek(0)
    archive = _opened(raw)
    wanted = set()
    total = 0
    for info in archive.files:
        if info.is_directory:
            continue
        problem = _problem(info, archive)
        entry = listed(info.filename, info.uncompressed, _nothing, problem)
        total += info.uncompressed
        if entry.problem:
            yield entry
        else:
            wanted.add(info.filename)
    if expands_too_far(total, size):
        raise BrokenStreamError(expansion(), cut=False)
    if wanted:
        yield from _written(archive, wanted)


def _opened(raw: IO[bytes]) -> SevenZipFile:
    import py7zr

    try:
        return py7zr.SevenZipFile(cast(Any, raw))
    except py7zr.PasswordRequired as error:
        raise LockedError from error
    # Whatever the library raises for a list of files that is damaged.
    except Exception as error:
        raise _damaged(error) from error


def _damaged(error: BaseException) -> BrokenStreamError:
    reason = str(error) or type(error).__name__
    return BrokenStreamError(tr("is damaged: it cannot be read ({error})", error=reason), cut=False)


def _problem(info: Any, archive: SevenZipFile) -> str:
    if info.is_symlink or info.is_junction:
        return tr("a link to another file")
    if info.is_socket:
        return tr("not a regular file")
    if archive.needs_password():
        return locked()
    return ""


def _nothing() -> IO[bytes]:
    return io.BytesIO()


def _written(archive: SevenZipFile, wanted: set[str]) -> Iterator[Entry]:
    """The files as the library writes them."""
    sizes = {info.filename: info.uncompressed for info in archive.files}
    pipe = _Pipe()
    thread = threading.Thread(target=pipe.fill, args=(archive, wanted), daemon=True)
    thread.start()
    try:
        while (name := pipe.next_file()) is not None:
            yield listed(name, sizes.get(name, 0), functools.partial(pipe.file, pipe.number))
    finally:
        pipe.close()
        thread.join()
        archive.close()


class _ClosedError(Exception):
    """Nobody reads on."""


class _Pipe:
    """What the thread writes: names of files, their bytes, and the error at the end."""

    def __init__(self) -> None:
        self._queue: queue.Queue[str | bytes | BaseException | None] = queue.Queue(_WAITING)
        self._is_closed = False
        self._ahead: str | bytes | BaseException | None = b""
        self.number = 0

    def fill(self, archive: SevenZipFile, wanted: set[str]) -> None:
        """Write all files; on the thread."""
        from explorer.core.files.seven_zip_writer import PipeFactory

        end: BaseException | None = None
        try:
            archive.extract(targets=wanted, factory=PipeFactory(self.put))
        except _ClosedError:
            return
        # Whatever the library raises for data that is damaged: it is raised where the data is read.
        except BaseException as error:  # noqa: BLE001
            end = error
        try:
            self.put(end)
        except _ClosedError:
            return

    def put(self, item: str | bytes | BaseException | None) -> None:
        """Pass something on, as soon as there is room."""
        while not self._is_closed:
            try:
                self._queue.put(item, timeout=0.1)
            except queue.Full:
                continue
            return
        raise _ClosedError

    def close(self) -> None:
        """Have the thread end."""
        self._is_closed = True

    def next_file(self) -> str | None:
        """The name of the next file, beyond what is left of this one; None after the last one."""
        while isinstance(self._ahead, bytes):
            self._ahead = self._queue.get()
        if isinstance(self._ahead, BaseException):
            raise _damaged(self._ahead) from self._ahead
        found, self._ahead = self._ahead, b"" if self._ahead is not None else None
        self.number += 1
        return found

    def file(self, number: int) -> IO[bytes]:
        """The bytes of a file."""
        return cast(IO[bytes], _Written(self, number))

    def piece(self, number: int) -> bytes:
        """The next bytes of a file; b"" at its end."""
        while self.number == number:
            if isinstance(self._ahead, BaseException):
                raise _damaged(self._ahead) from self._ahead
            if not isinstance(self._ahead, bytes):
                return b""
            found, self._ahead = self._ahead, self._queue.get()
            if found:
                return found
        return b""


class _Written(io.RawIOBase):
    """The bytes of a file."""

    def __init__(self, pipe: _Pipe, number: int) -> None:
        self._pipe, self._number = pipe, number
        self._left = b""

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer; returns 0 at the end."""
        self._left = self._left or self._pipe.piece(self._number)
        count = min(len(self._left), len(buffer))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        return count
