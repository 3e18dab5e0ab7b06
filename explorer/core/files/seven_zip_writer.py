"""What py7zr writes files to: apart, since its classes must be known before these are."""

from __future__ import annotations

from collections.abc import Callable

from py7zr.io import Py7zIO, WriterFactory

_PIECE = 1 << 18


class PipeFactory(WriterFactory):
    """Passes on the name of each file, and then its bytes.

    put: Receives them, and waits until there is room.
    """

    def __init__(self, put: Callable[[str | bytes], None]) -> None:
        self._put = put

    def create(self, filename: str) -> Py7zIO:
        """Begin a file."""
        self._put(filename)
        return _Passed(self._put)


class _Passed(Py7zIO):
    """A file of which only the size is kept."""

    def __init__(self, put: Callable[[str | bytes], None]) -> None:
        self._put = put
        self._size = 0

    def write(self, s: bytes | bytearray) -> int:
        """Pass bytes on, in pieces."""
        for start in range(0, len(s), _PIECE):
            self._put(bytes(s[start : start + _PIECE]))
        self._size += len(s)
        return len(s)

    def read(self, size: int | None = None) -> bytes:
        """Nothing: the bytes are not kept."""
        return b""

    def seek(self, offset: int, whence: int = 0) -> int:
        """Nothing: the library goes back to the beginning when it is done."""
        return 0

    def flush(self) -> None:
        """Nothing."""

    def size(self) -> int:
        """Bytes that were written."""
        return self._size
