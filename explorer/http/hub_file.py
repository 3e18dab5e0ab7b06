"""A file of the hub as a stream that can be entered at any place; only what is read comes over the network."""

from __future__ import annotations

import io
import os
from collections import OrderedDict
from dataclasses import dataclass
from typing import IO, cast

from explorer.core.files.streams import BrokenStreamError
from explorer.http.errors import RemoteError
from explorer.http.hub import HubFile, read_part
from explorer.http.wire.hub import HubAddress
from explorer.i18n import tr

_FIRST, _LARGEST = 1 << 18, 1 << 23
"""Bytes of the first request of a run, and of the largest: whoever reads on asks for ever more at once."""
_KEPT = 1 << 25
"""Bytes that are kept of each open file: a table is read in several places, one for each column."""
_BUFFER = 1 << 16
_ACCESS = ("hub-refused", "hub-gated", "hub-no-revision", "hub-offline", "bad-endpoint", "key-not-encrypted")


@dataclass(frozen=True)
class HubSource:
    """A file of a repository at a commit, as a build reads it."""

    repository: HubAddress
    file: HubFile

    @property
    def address(self) -> str:
        """Where it is: the repository, and then the path in it."""
        return f"{self.repository}/{self.file.name}"

    @property
    def digest(self) -> str:
        """The checksum that the hub states."""
        return self.file.sha256 or self.file.oid

    def open(self) -> IO[bytes]:
        """Open it; nothing is read yet."""
        return cast(IO[bytes], io.BufferedReader(_Parts(self), _BUFFER))


class _Parts(io.RawIOBase):
    """The bytes of a file, block by block."""

    def __init__(self, source: HubSource) -> None:
        self._source = source
        self._at = 0
        self._blocks: OrderedDict[int, bytes] = OrderedDict()

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes."""
        return True

    def tell(self) -> int:
        """The place of the next byte."""
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._source.file.size}[whence]
        self._at = max(0, start + offset)
        return self._at

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer; returns 0 at the end."""
        wanted = min(len(buffer), self._source.file.size - self._at)
        if wanted <= 0:
            return 0
        start, block = self._block(wanted)
        data = block[self._at - start :][:wanted]
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def _block(self, wanted: int) -> tuple[int, bytes]:
        """A block with the next byte, and where it begins."""
        before = 0
        for start, block in self._blocks.items():
            if start <= self._at < start + len(block):
                self._blocks.move_to_end(start)
                return start, block
            if start + len(block) == self._at:
                before = len(block)
        size = max(wanted, min(2 * before, _LARGEST), _FIRST)
        start = self._at
        self._blocks[start] = self._read(start, min(size, self._source.file.size - start))
        while sum(map(len, self._blocks.values())) > _KEPT and len(self._blocks) > 1:
            self._blocks.popitem(last=False)
        return start, self._blocks[start]

    def _read(self, start: int, size: int) -> bytes:
        try:
            return read_part(self._source.repository, self._source.file, start, size)
        except RemoteError as error:
            # Whoever may not read one file may not read the others either.
            if error.reason in _ACCESS:
                raise
            raise BrokenStreamError(tr("cannot be read further: {error}", error=error), cut=False) from error
