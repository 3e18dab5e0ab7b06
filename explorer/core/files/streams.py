"""Files as streams of their content: compression is detected from the first bytes, whatever the name.

Damaged or truncated data raises BrokenStreamError, whichever library decompresses it. A multi-frame .zst or
multi-member .gz that is cut exactly between two of its parts is a valid file: nothing shows that something is missing.
"""

from __future__ import annotations

import bz2
import io
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Protocol, cast

import zstandard

from explorer.i18n import tr

COMPRESSED_ENDINGS = (".gz", ".zst", ".bz2", ".xz")
CHUNK = 1 << 16
MAX_LINE = 1 << 30
_HEAD = 1 << 13
_MAGIC_BYTES = 10
_INPUT = 1 << 12
"""Bytes decompressed at once: few, since one byte may expand to thousands."""
_ZSTD_WINDOW = 1 << 31
"""Needed for --long=31, which large public dumps use; memory is taken only if a file needs it."""


class BrokenStreamError(Exception):
    """Compressed data that is damaged, or (`cut`) truncated. The text gives the reason."""

    def __init__(self, reason: str, cut: bool) -> None:
        super().__init__(reason)
        self.cut = cut


class _Unpacker(Protocol):
    """What zlib, zstandard, bz2 and lzma have in common: one member (frame, stream) of compressed data."""

    def decompress(self, data: bytes, /) -> bytes:
        """Decompress these bytes."""
        ...

    @property
    def eof(self) -> bool:
        """Whether the member is complete."""
        ...

    @property
    def unused_data(self) -> bytes:
        """Bytes after the member."""
        ...


@dataclass(frozen=True)
class _Packing:
    """A kind of compression: its name, the endings and first bytes of its files, and the decompressor of a member."""

    name: str
    ending: str
    magic: bytes
    unpacker: Callable[[], _Unpacker]


def _zstd_unpacker() -> _Unpacker:
    return cast(_Unpacker, zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj())


_PACKINGS = (
    _Packing("gzip", ".gz", b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31)),
    _Packing("Zstandard", ".zst", b"\x28\xb5\x2f\xfd", _zstd_unpacker),
    _Packing("bzip2", ".bz2", b"BZh", bz2.BZ2Decompressor),
    _Packing("xz", ".xz", b"\xfd7zXZ\x00", lzma.LZMADecompressor),
)
_BZIP2_BLOCKS = (b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90")


class _Unpacked(io.RawIOBase):
    """The content of compressed data, member after member.

    The libraries' own readers treat an unfinished frame (Zstandard) or data after a stream (bzip2, xz) as the end.
    """

    def __init__(self, raw: IO[bytes], packing: _Packing) -> None:
        self._raw = raw
        self._packing = packing
        self._member: _Unpacker | None = None
        self._packed = b""
        self._found = b""
        self._done = 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer; returns 0 at the end."""
        data = self._found or self._next()
        count = min(len(data), len(buffer))
        buffer[:count] = data[:count]
        self._found = data[count:]
        self._done += count
        return count

    def _next(self) -> bytes:
        """The next decompressed bytes, at least one; b"" at the end."""
        # Data after the end of a member comes before new data: it is the beginning of the next one.
        while data := self._packed or self._raw.read(_INPUT):
            self._packed = b""
            try:
                found = self._unpack(data)
            except (zlib.error, lzma.LZMAError, zstandard.ZstdError, OSError, EOFError) as error:
                raise self._damaged(error) from error
            if found:
                return found
        # The data ended inside a member. Between two members, it is the end of the file.
        if self._member is not None:
            raise BrokenStreamError(cut_reason(self._packing.name, self._done), cut=True)
        return b""

    def _unpack(self, data: bytes) -> bytes:
        if self._member is None:
            # Zeros pad tapes, and the last block of xz.
            data = data.lstrip(b"\0")
            if not data:
                return b""
            self._member = self._packing.unpacker()
        found = self._member.decompress(data)
        if self._member.eof:
            self._packed = self._member.unused_data
            self._member = None
        return found

    def _damaged(self, error: Exception) -> BrokenStreamError:
        reason = tr(
            "is damaged: its {packing} data cannot be decompressed after {done:,} bytes of content ({error})",
            packing=self._packing.name,
            done=self._done,
            error=error,
        )
        return BrokenStreamError(reason, cut=False)


def cut_reason(packing: str, done: int) -> str:
    """Write the message that a file is cut short; it follows the file's name.

    packing: The name of the compression, such as "gzip".
    done: Bytes of content that were decompressed before the end.
    Returns: The message, without the name and without a full stop.
    """
    return tr(
        "is cut short: its {packing} data ends early, after {done:,} bytes of content",
        packing=packing,
        done=done,
    )


class _Prefixed(io.RawIOBase):
    """A stream whose first bytes have already been read."""

    def __init__(self, head: bytes, raw: IO[bytes]) -> None:
        self._head = head
        self._raw = raw

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer; returns 0 at the end."""
        data = self._head[: len(buffer)] or cast(io.BufferedReader, self._raw).read1(len(buffer))
        self._head = self._head[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def unpacked(raw: IO[bytes], name: str = "") -> io.BufferedReader:
    """Give a stream of the content of another stream: itself, or decompressed if it begins like compressed data.

    raw: A buffered binary stream, which need not be rewindable.
    name: The file's name. If it indicates compressed data and there are too few bytes to tell, the file is cut.
    Returns: The stream. Its `peek` sees at least ten bytes, also of a pipe.
    Raises `BrokenStreamError` if the file ends within its first bytes of compression. Reading the stream raises it for
        data that is damaged or cut further on.
    """
    # Ten bytes: bzip2 needs them to be told from a text that begins with "BZh".
    head = raw.read(_MAGIC_BYTES)
    whole = _from_start(head, raw)
    for packing in _PACKINGS:
        if _begins(head, packing):
            return io.BufferedReader(_Unpacked(whole, packing), CHUNK)
        # An empty file matches too, since every text begins with nothing: an empty archive is a cut one.
        if name.lower().endswith(packing.ending) and packing.magic.startswith(head):
            raise BrokenStreamError(cut_reason(packing.name, 0), cut=True)
    return cast(io.BufferedReader, whole)


def _from_start(head: bytes, raw: IO[bytes]) -> IO[bytes]:
    """The stream, including what was already read of it; it is rewound if possible, so that it reports its position."""
    if raw.seekable():
        raw.seek(-len(head), os.SEEK_CUR)
        return raw
    if len(head) == _MAGIC_BYTES:
        # `read1`: at most one read of the pipe, instead of waiting until all of these bytes have come.
        head += cast(io.BufferedReader, raw).read1(_HEAD - _MAGIC_BYTES)
    return cast(IO[bytes], io.BufferedReader(_Prefixed(head, raw), CHUNK))


def _begins(head: bytes, packing: _Packing) -> bool:
    if packing.ending == ".zst" and head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F:
        return True  # a frame to be skipped, as parallel compressors write it
    if packing.ending == ".bz2":
        return head[:3] == b"BZh" and any(block.startswith(head[4:10]) for block in _BZIP2_BLOCKS)
    return head.startswith(packing.magic)


def chunks(stream: io.BufferedReader) -> Iterator[bytes]:
    """Read a stream to its end.

    Yields: Some bytes; data before an error has been yielded when the error is raised.
    """
    while data := stream.read1(CHUNK):
        yield data


def inner_name(name: str) -> str:
    """Take the ending of a compression off a file's name.

    Examples
    --------
    >>> inner_name("Texts.JSONL.gz")
    'texts.jsonl'
    """
    lower = name.lower()
    for ending in COMPRESSED_ENDINGS:
        lower = lower.removesuffix(ending)
    return lower
