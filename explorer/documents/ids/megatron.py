"""The data sets of Megatron: token ids in a .bin file, and beside it an .idx file that states where documents are."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from explorer.core.files.streams import BrokenStreamError
from explorer.i18n import tr

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC = b"MMIDIDX\0\0"
_HEADER = struct.Struct("<9sQBQQ")
"""The signature, the version, the type of the ids, and the numbers of sequences and of bounds of documents."""
_TYPES = {1: "u1", 2: "i1", 3: "<i2", 4: "<i4", 5: "<i8", 8: "<u2"}
_BOUNDS = 4_096
"""Documents that are looked up at once."""


def index_of(path: Path) -> Path | None:
    """The index beside a file of ids; None if there is none."""
    index = path.with_suffix(".idx")
    try:
        with open(index, "rb") as file:
            return index if file.read(len(MAGIC)) == MAGIC else None
    except (OSError, ValueError):
        return None


def megatron_documents(path: Path, index: Path, moved: Callable[[int], None]) -> Iterator[NDArray[Any]]:
    """Yield the ids of each document.

    moved: Receives the number of bytes that have been read.
    Yields: The ids of a document: of all sequences that the index gives it.
    Raises `BrokenStreamError` if the index is damaged, or the ids that it states are not there.
    Raises `OSError` if one of the files cannot be read.
    """
    import numpy as np

    with open(path, "rb") as file, open(index, "rb") as beside:
        found = _Index.of(beside, index.name)
        size = path.stat().st_size
        for number, count in enumerate(found.sizes()):
            begin = file.tell()
            # Before it is read: a damaged index may state any number.
            if begin + count * found.type.itemsize > size:
                reason = tr(
                    "is cut short: {index} states {count:,} ids for document {number:,}, and {found:,} are left",
                    index=index.name,
                    count=count,
                    number=number + 1,
                    found=(size - begin) // found.type.itemsize,
                )
                raise BrokenStreamError(reason, cut=True)
            yield np.frombuffer(file.read(count * found.type.itemsize), dtype=found.type)
            moved(file.tell())


@dataclass(frozen=True)
class _Index:
    """An index that is open."""

    file: IO[bytes]
    name: str
    type: np.dtype[Any]
    sequences: int
    bounds: int

    @classmethod
    def of(cls, file: IO[bytes], name: str) -> _Index:
        import numpy as np

        header = file.read(_HEADER.size)
        if len(header) < _HEADER.size:
            raise _damaged(name, tr("it has no header"))
        _, version, kind, sequences, bounds = _HEADER.unpack(header)
        if version != 1:
            raise _damaged(name, tr("its version is {version}, and only version 1 is read", version=version))
        if kind not in _TYPES:
            raise _damaged(name, tr("its type has the number {number}, which is not a whole number", number=kind))
        return cls(file, name, np.dtype(_TYPES[kind]), sequences, bounds)

    def sizes(self) -> Iterator[int]:
        """The number of ids of each document, in order."""
        place, sequence = 0, 0
        for first in range(0, max(0, self.bounds - 1), _BOUNDS):
            bounds = self._numbers("<i8", 12 * self.sequences, first, min(first + _BOUNDS + 1, self.bounds))
            if bounds[0] != sequence or (bounds[1:] < bounds[:-1]).any() or bounds[-1] > self.sequences:
                raise _damaged(self.name, tr("its documents do not follow each other"))
            sizes = self._numbers("<i4", 0, sequence, int(bounds[-1]))
            starts = self._numbers("<i8", 4 * self.sequences, sequence, int(bounds[-1]))
            ends = place + sizes.cumsum(dtype="i8") * self.type.itemsize
            if (sizes < 0).any() or (starts != ends - sizes.astype("i8") * self.type.itemsize).any():
                raise _damaged(self.name, tr("its sequences do not follow each other"))
            for begin, end in zip((bounds[:-1] - sequence).tolist(), (bounds[1:] - sequence).tolist(), strict=True):
                yield int(sizes[begin:end].sum(dtype="i8"))
            sequence = int(bounds[-1])
            place = int(ends[-1]) if len(ends) else place
        if sequence != self.sequences:
            raise _damaged(self.name, tr("its documents do not have all sequences"))

    def _numbers(self, kind: str, offset: int, first: int, end: int) -> NDArray[Any]:
        """Some numbers of the table that begins at an offset from the end of the header."""
        import numpy as np

        width = np.dtype(kind).itemsize
        try:
            self.file.seek(_HEADER.size + offset + width * first)
            data = self.file.read(width * (end - first))
        except (OverflowError, MemoryError, ValueError, OSError) as error:
            raise _damaged(self.name, str(error)) from error
        if len(data) < width * (end - first):
            raise _damaged(self.name, tr("it ends within its tables"))
        return np.frombuffer(data, dtype=kind)


def _damaged(index: str, reason: str) -> BrokenStreamError:
    return BrokenStreamError(
        tr("is damaged: its index {index} cannot be used ({reason})", index=index, reason=reason), False
    )
