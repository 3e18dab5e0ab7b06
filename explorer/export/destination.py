"""Writing a file that the user named: completely or not at all, and into whatever exists at the path.

- A link is followed; the link stays.
- A device, a pipe or an open file of this process (/dev/stdout, /dev/fd/3) is written into.
- A plain file is replaced by a new one with the old one's mode, owner and attributes. If that would break a hard link
or change the owner, or if the folder cannot be written to, the file is written in place instead, after its space has
been allocated.
- A new file has the mode that the umask allows.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from explorer.errors import CorpusError
from explorer.i18n import mark

_MOST_LINKS = 40


class ExportError(CorpusError):
    """A file cannot be written."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Write a file completely or not at all.

    Yields: A temporary file to write to. On an error nothing has changed.
    Raises `ExportError` if the path cannot be written.
    """
    try:
        # What exists at the path is looked at before the work and not after it: a result that takes an hour must not
        # fail on a folder that cannot be written to.
        target = _Target(path)
        partial = target.temporary()
        try:
            yield partial
            target.take(partial)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from error


def require_writable(path: Path) -> None:
    """Refuse a path that cannot be written, before the work whose result goes there.

    path: The file. It stays as it is, and none is made.
    """
    try:
        _Target(path).temporary().unlink()
    except OSError as error:
        raise _unwritable(path, error) from error


def save_text(path: Path, text: str) -> None:
    """Write a text file as UTF-8, completely or not at all.

    Raises `ExportError` if it cannot be written; the file is then as before.
    """
    save_bytes(path, text.encode("utf-8"))


def save_bytes(path: Path, data: bytes) -> None:
    """Write a file completely or not at all."""
    with replacing(path) as partial:
        partial.write_bytes(data)


def _unwritable(path: Path, error: OSError) -> ExportError:
    return ExportError(
        mark("{path} cannot be written: {cause}."), reason="unwritable", path=path, cause=error.strerror or error
    )


def is_plain(path: Path) -> bool:
    """Whether the path is, or can become, a plain file, beside which other files can be written."""
    if descriptor(path) is not None:
        return False
    try:
        # `stat` follows links: a link to a device is a device.
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True


def descriptor(path: Path) -> int | None:
    """Find the open file of this process that a path leads to, such as /dev/stdout, however many links lie between.

    Returns: Its number; None for any other path.
    """
    # A thread has a folder of descriptors of its own, the same ones; of another process they are not ours to write to.
    ours = re.compile(rf"/dev/fd|/proc/{os.getpid()}/(task/\d+/)?fd")
    place = path
    # As many links as Linux follows itself, so a circle of links ends.
    for _ in range(_MOST_LINKS):
        # Only folders are resolved: the target of a descriptor's link has no path, or a wrong one.
        place = Path(os.path.realpath(place.parent), place.name)
        if place.name.isdecimal() and ours.fullmatch(str(place.parent)):
            return int(place.name)
        try:
            place = place.parent / place.readlink()
        except OSError:
            return None
    return None


class _Target:
    """What exists at a path, and how its content is written."""

    def __init__(self, path: Path) -> None:
        self._open = descriptor(path)
        self._path = path if self._open is not None else Path(os.path.realpath(path))
        self._old: os.stat_result | None = None
        if self._open is not None:
            # Raises OSError for a number that is not open, before any work is done.
            os.fstat(self._open)
            return
        with suppress(FileNotFoundError):
            self._old = path.stat()
        if self._old is None:
            return
        if stat.S_ISDIR(self._old.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(self._old.st_mode):
            # A pipe of another process has no path of its own.
            self._path = path
        # Renaming over a file needs no permission on the file itself, so a write-protected one would be replaced
        # silently.
        elif not os.access(self._path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    @property
    def _replaced(self) -> bool:
        """Whether a new file takes the old one's place."""
        if self._open is not None:
            return False
        if self._old is None:
            return True
        # A file with several names must keep them: a new file in its place would leave the other names with the old
        # content.
        plain, mine = stat.S_ISREG(self._old.st_mode), _is_mine(self._old)
        return plain and self._old.st_nlink == 1 and mine and os.access(self._path.parent, os.W_OK)

    def temporary(self) -> Path:
        """A new empty file, in a place from which it can replace the old one if needed."""
        if not self._replaced:
            # What is copied afterwards may be on another drive, or in a folder where nothing can be created.
            number, name = tempfile.mkstemp(prefix="corpus-explorer-", suffix=".partial")
            os.close(number)
            return Path(name)
        # In the same folder, because only within one file system is a rename one step.
        partial = self._path.with_name(f".corpus-explorer-{os.urandom(6).hex()}.partial")
        # A file that only some may read must never be readable by others, not even while it is written.
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666 if self._old is None else 0o600))
        return partial

    def take(self, partial: Path) -> None:
        """Give the path what was written to the temporary file."""
        if self._open is not None:
            # A copy of the number is closed and the stream itself stays open: others of this process print to it still.
            _flush_streams()
            _copy(partial, os.dup(self._open))
        elif self._old is not None and not stat.S_ISREG(self._old.st_mode):
            _copy(partial, os.open(self._path, os.O_WRONLY))
        elif not self._replaced or not self._rename(partial):
            self._overwrite(partial)

    def _rename(self, partial: Path) -> bool:
        """Put the new file in the place of the old one; False if the system does not allow it."""
        with open(partial, "rb+") as file:
            # The content reaches the drive before the name does; after a crash the name never leads to an empty file.
            os.fsync(file.fileno())
        # The mode comes last in `_keep`, and the rename after it: until then only the owner can read the new content.
        if self._old is not None and not _keep(self._path, self._old, partial):
            return False
        try:
            partial.replace(self._path)
        except OSError:
            # For example, a file that is a mount point.
            if self._old is None:
                raise
            return False
        return True

    def _overwrite(self, partial: Path) -> None:
        # Without O_TRUNC: until its space is allocated, the old content must stay.
        number = os.open(self._path, os.O_WRONLY)
        size = partial.stat().st_size
        try:
            _make_room(number, self._path, size)
        except OSError:
            os.close(number)
            raise
        _copy(partial, number)
        # Only now is the rest of a longer old file cut off.
        os.truncate(self._path, size)


def _is_mine(old: os.stat_result) -> bool:
    """Whether a new file can have the same owner."""
    # Root can give the new file any owner.
    return sys.platform == "win32" or os.geteuid() in (0, old.st_uid)


def _keep(path: Path, old: os.stat_result, partial: Path) -> bool:
    """Give the new file the old one's owner, attributes and mode; False if this is not possible."""
    if sys.platform == "win32":
        return True
    new = partial.stat()
    try:
        # Before the mode: changing the owner clears the set-user-ID bits.
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            os.chown(partial, old.st_uid, old.st_gid)
        if sys.platform == "linux":
            for name in os.listxattr(path):
                os.setxattr(partial, name, os.getxattr(path, name))
        partial.chmod(stat.S_IMODE(old.st_mode))
    except OSError:
        return False
    return True


def _make_room(number: int, path: Path, size: int) -> None:
    """Allocate this many bytes on the drive; if that fails, the old content is unchanged."""
    before = os.fstat(number).st_size
    # macOS and Windows have no such call; there a full drive is found out while writing.
    if size <= before or not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(number, 0, size)
    except OSError:
        # A failed allocation may have made the file longer.
        os.truncate(path, before)
        raise


def _copy(partial: Path, number: int) -> None:
    with open(partial, "rb") as source, os.fdopen(number, "wb", closefd=True) as sink:
        shutil.copyfileobj(source, sink)


def _flush_streams() -> None:
    """Flush first, so that earlier output comes first."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
