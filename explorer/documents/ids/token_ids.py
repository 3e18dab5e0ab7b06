"""Token ids in place of text: arrays of NumPy, bare numbers (.bin) of nanoGPT, and Megatron's .bin with .idx.

Files are read from the beginning to the end, a part at a time, and not mapped into memory: a mapped file that is cut
meanwhile would end the process.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.core.files.encoding import UTF8
from explorer.core.files.streams import BrokenStreamError
from explorer.documents.content import Content
from explorer.documents.damaged import broken_file, damage_reported
from explorer.documents.ids.megatron import index_of, megatron_documents
from explorer.documents.record import Document, IdForm
from explorer.errors import SourceError
from explorer.i18n import mark, tr

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BARE_ENDING = ".bin"
ENDINGS = (".npy", BARE_ENDING)
ID_TYPES = ("uint8", "uint16", "uint32", "int32", "int64")
"""Types of ids in files that do not state their type."""
_NUMPY = b"\x93NUMPY"
_OTHERS = (b"PK\x03\x04", b"\x7fELF")
"""How other files begin that are named .bin: weights of models, and programs. Ids 0 and 1 begin as a picture does."""
_CHUNK = 1 << 20
"""Ids that are read at once."""


def holds_ids(head: bytes, name: str) -> bool:
    """Whether a file has token ids: an array of NumPy, or a `.bin` file that is neither text nor another format."""
    if head.startswith(_NUMPY) or name.endswith(".npy"):
        return True
    return name.endswith(BARE_ENDING) and not _is_text(head) and not head.startswith(_OTHERS)


def _is_text(head: bytes) -> bool:
    # Numbers of two or four bytes have null bytes, and many of them are valid UTF-16.
    if b"\0" in head:
        return False
    try:
        codecs.getincrementaldecoder(UTF8)().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def read(content: Content) -> Iterator[Document]:
    """Read the ids of a file, document after document."""
    if content.ids is None:
        return iter([Document("", problem=tr("this file holds token ids and no text"))])
    found = enumerate(_documents(content, content.ids))
    return (Document("", place=place, ids=ids) for place, ids in found)


def _documents(content: Content, form: IdForm) -> Iterator[NDArray[Any]]:
    is_array = content.stream.peek(len(_NUMPY)).startswith(_NUMPY)
    if is_array or not content.name.endswith(BARE_ENDING):
        yield from _of_array(content, form)
    elif content.path is not None and (index := index_of(content.path)) is not None:
        for ids in megatron_documents(content.path, index, content.moved):
            yield without_end(ids, form.eos)
    else:
        yield from _split(_bare_numbers(content, form), content, form)


@dataclass(frozen=True)
class _Numbers:
    """The numbers of a file from its present place on: their type, and how many there are; None for all to its end."""

    stream: io.BufferedReader
    type: np.dtype[Any]
    count: int | None = None

    def rows(self, size: int) -> Iterator[NDArray[Any]]:
        """All numbers in arrays of a size; raises BrokenStreamError if some are missing."""
        for part in self.parts(size):
            if len(part) == size:
                yield part

    def parts(self, size: int) -> Iterator[NDArray[Any]]:
        """All numbers in arrays of a size, the last one smaller; raises BrokenStreamError if some are missing."""
        import numpy as np

        done = 0
        while self.count is None or done < self.count:
            wanted = size if self.count is None else min(size, self.count - done)
            data = _bytes(self.stream, wanted * self.type.itemsize)
            found = len(data) // self.type.itemsize
            if found:
                yield np.frombuffer(data, self.type, found)
            done += found
            if len(data) % self.type.itemsize or (self.count is not None and found < wanted):
                raise self._cut(done)
            if not data:
                return

    def _cut(self, found: int) -> BrokenStreamError:
        if self.count is None:
            reason = tr("is cut short: after {found:,} ids, the bytes of the last one are missing", found=found)
        else:
            stated = self.count
            reason = tr("is cut short: it states {stated:,} ids and has {found:,}", stated=stated, found=found)
        return BrokenStreamError(reason, cut=True)


def _bytes(stream: io.BufferedReader, size: int) -> bytes:
    """A number of bytes, or fewer at the end: in parts, so that a size that a damaged file states takes no memory."""
    parts = []
    while size > 0 and (data := stream.read(min(size, _CHUNK))):
        parts.append(data)
        size -= len(data)
    return b"".join(parts)


def _bare_numbers(content: Content, form: IdForm) -> _Numbers:
    import numpy as np

    if not form.type:
        raise SourceError(
            mark("{path} has no header: the type of its token ids must be stated, such as uint16."),
            reason="no-id-type",
            option="ids",
            path=content.label,
        )
    return _Numbers(content.stream, np.dtype(form.type).newbyteorder("<"))


def _of_array(content: Content, form: IdForm) -> Iterator[NDArray[Any]]:
    """The documents of an array: its rows, or what the end of documents separates in a single row."""
    shape, numbers = _array_of(content)
    if len(shape) == 1:
        yield from _split(numbers, content, form)
        return
    for ids in numbers.rows(shape[1]):
        content.moved(content.raw.tell())
        yield without_end(ids, form.eos)


def _array_of(content: Content) -> tuple[tuple[int, ...], _Numbers]:
    """The shape of an array, and its numbers row by row."""
    import numpy as np

    with damage_reported("NumPy", Exception):
        version = np.lib.format.read_magic(content.stream)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, by_columns, kind = read_header(content.stream)
        if any(size < 0 for size in shape):
            raise ValueError(shape)
    if kind.kind not in "iu":
        raise broken_file("NumPy", tr("its values are {type}, and token ids are whole numbers", type=str(kind)))
    if len(shape) not in (1, 2) or (len(shape) == 2 and not shape[1]):
        raise broken_file("NumPy", tr("its shape is {shape}, and token ids have rows", shape=str(shape)))
    if by_columns and len(shape) == 2:
        raise broken_file("NumPy", tr("it is stored column by column, and documents are rows"))
    return shape, _Numbers(content.stream, kind, shape[0] * (shape[1] if len(shape) == 2 else 1))


def _split(numbers: _Numbers, content: Content, form: IdForm) -> Iterator[NDArray[Any]]:
    """The documents of a single row of ids: an end at its very beginning separates nothing."""
    import numpy as np

    if form.eos is None:
        raise SourceError(
            mark("{path} is a single row of token ids: the id that ends a document must be stated."),
            reason="no-eos",
            option="eos",
            path=content.label,
        )
    held: list[NDArray[Any]] = []
    is_begun = False
    for part in numbers.parts(_CHUNK):
        content.moved(content.raw.tell())
        begin = 0
        for end in np.flatnonzero(part == form.eos).tolist():
            if is_begun or end:
                yield np.concatenate([*held, part[begin:end]])
            held, begin, is_begun = [], end + 1, True
        held.append(part[begin:])
        is_begun = True
    if sum(map(len, held)):
        yield np.concatenate(held)


def without_end(ids: NDArray[Any], eos: int | None) -> NDArray[Any]:
    """The ids of a document without the ends of a document, or the padding by them, that follow it."""
    import numpy as np

    if eos is None or not len(ids) or ids[-1] != eos:
        return ids
    others = np.flatnonzero(ids != eos)
    return ids[: others[-1] + 1] if len(others) else ids[:0]
