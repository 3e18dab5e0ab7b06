"""Files as streams of what they hold: compressed ones are known by their first bytes, whatever their name.

Data that is damaged or ends early raises BrokenStreamError, whichever library unpacks it. A multi-frame .zst or
multi-member .gz that is cut exactly between two of its parts is a valid file: nothing shows that more was meant.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, cast

import zstandard

from explorer.words import tr

COMPRESSED_ENDINGS = (".gz", ".zst", ".bz2", ".xz")
CHUNK = 1 << 16
MAX_LINE = 1 << 30
_HEAD = 1 << 13
_MAGIC_BYTES = 10
_ZSTD_INPUT = 1 << 13
"""Small, since one byte of Zstandard may stand for thousands."""
_ZSTD_WINDOW = 1 << 31
"""What --long=31 needs, as large public dumps have it; memory is only taken where a file asks for it."""


class BrokenStreamError(Exception):
    """Compressed data that is damaged, or (`cut`) ends before its end. The text is a reason in words."""

    def __init__(self, reason: str, cut: bool) -> None:
        super().__init__(reason)
        self.cut = cut


@dataclass(frozen=True)
class _Packing:
    """A kind of compression: its name, how its files are called and begin, and what unpacks them."""

    name: str
    ending: str
    magic: bytes
    unpack: Callable[[IO[bytes]], IO[bytes]]


class _ZstdReader(io.RawIOBase):
    """Zstandard data, frame after frame. Unlike the library's own reader it notices an unfinished frame."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._frame: zstandard.ZstdDecompressionObj | None = None
        self._rest = b""

    def read1(self, _: int = -1) -> bytes:
        """What the next bytes unpack to; b"" at the end."""
        while data := self._rest or self._raw.read(_ZSTD_INPUT):
            if self._frame is None:
                self._frame = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()
            found = self._frame.decompress(data)
            self._rest = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = None
            if found:
                return found
        if self._frame is not None:
            raise EOFError
        return b""


_PACKINGS = (
    _Packing("gzip", ".gz", b"\x1f\x8b", lambda raw: cast(IO[bytes], gzip.GzipFile(fileobj=raw))),
    _Packing("Zstandard", ".zst", b"\x28\xb5\x2f\xfd", lambda raw: cast(IO[bytes], _ZstdReader(raw))),
    _Packing("bzip2", ".bz2", b"BZh", lambda raw: cast(IO[bytes], bz2.BZ2File(raw))),
    _Packing("xz", ".xz", b"\xfd7zXZ\x00", lambda raw: cast(IO[bytes], lzma.LZMAFile(raw))),  # noqa: SIM115
)
_BZIP2_BLOCKS = (b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90")


class _Unpacked(io.RawIOBase):
    """What compressed data holds; every library's way to complain becomes BrokenStreamError."""

    def __init__(self, raw: IO[bytes], packing: _Packing) -> None:
        self._inner = packing.unpack(raw)
        self._name = packing.name
        self._rest = b""
        self._done = 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer with what comes next; 0 at the end."""
        data = self._rest or self._next(len(buffer))
        count = min(len(data), len(buffer))
        buffer[:count] = data[:count]
        self._rest = data[count:]
        self._done += count
        return count

    def _next(self, size: int) -> bytes:
        try:
            # One step at a time: what was unpacked before the damage is handed out.
            return cast(io.BufferedReader, self._inner).read1(size)
        except EOFError as error:
            raise BrokenStreamError(cut_reason(self._name, self._done), cut=True) from error
        except (zlib.error, lzma.LZMAError, zstandard.ZstdError, gzip.BadGzipFile) as error:
            raise self._damaged(error) from error
        except OSError as error:
            # bz2 complains so; an error of the drive has a number.
            if error.errno is not None:
                raise
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> BrokenStreamError:
        reason = tr(
            "is damaged: its {packing} data cannot be unpacked after {done:,} bytes of content ({error})",
            packing=self._name,
            done=self._done,
            error=error,
        )
        return BrokenStreamError(reason, cut=False)


def cut_reason(packing: str, done: int) -> str:
    """That a file ends early, in words that follow its name."""
    return tr(
        "is cut short: its {packing} data ends early, after {done:,} bytes of content; the rest is missing",
        packing=packing,
        done=done,
    )


class _Prefixed(io.RawIOBase):
    """A stream of which the first bytes were read already."""

    def __init__(self, head: bytes, raw: IO[bytes]) -> None:
        self._head = head
        self._raw = raw

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer with what comes next; 0 at the end."""
        data = self._head[: len(buffer)] or cast(io.BufferedReader, self._raw).read1(len(buffer))
        self._head = self._head[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def unpacked(raw: IO[bytes], name: str = "") -> io.BufferedReader:
    """A stream of what `raw` (buffered) holds: itself, or unpacked where it begins as compressed data does.

    name: of the file. Where it promises compressed data and there are too few bytes to tell, the file is cut;
    raises BrokenStreamError then. A look ahead (`peek`) sees at least ten bytes, also of a pipe.
    """
    head = raw.read(_MAGIC_BYTES)
    if len(head) == _MAGIC_BYTES:
        head += cast(io.BufferedReader, raw).read1(_HEAD - _MAGIC_BYTES)
    whole = cast(IO[bytes], io.BufferedReader(_Prefixed(head, raw), CHUNK))
    for packing in _PACKINGS:
        if _begins(head, packing):
            return io.BufferedReader(_Unpacked(whole, packing), CHUNK)
        if name.lower().endswith(packing.ending) and packing.magic.startswith(head):
            raise BrokenStreamError(cut_reason(packing.name, 0), cut=True)
    return cast(io.BufferedReader, whole)


def _begins(head: bytes, packing: _Packing) -> bool:
    if packing.ending == ".zst" and head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F:
        return True  # a frame to be skipped, as parallel compressors write it
    if packing.ending == ".bz2":
        return head[:3] == b"BZh" and head[4:10] in _BZIP2_BLOCKS
    return head.startswith(packing.magic)


def chunks(stream: io.BufferedReader) -> Iterator[bytes]:
    """A stream to its end, in pieces; what came before an error has been yielded."""
    while data := stream.read1(CHUNK):
        yield data


def inner_name(name: str) -> str:
    """A file's name in small letters, without the ending of its compression."""
    lower = name.lower()
    for ending in COMPRESSED_ENDINGS:
        lower = lower.removesuffix(ending)
    return lower
