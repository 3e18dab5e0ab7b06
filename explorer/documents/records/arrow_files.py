"""Arrow (also Feather and the files of `datasets`) and ORC: a record per row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from os import SEEK_END
from pathlib import Path
from typing import IO, Any

from explorer.core.files.arrow_values import rows_of
from explorer.documents.content import Content
from explorer.documents.damaged import damage_reported
from explorer.documents.record import Record, Records, plain_value

ARROW_ENDINGS = (".arrow", ".feather", ".ipc", ".arrows")
ORC_ENDINGS = (".orc",)
_FILE_MAGIC, _ORC_MAGIC = b"ARROW1\0\0", b"ORC"
_STREAM_BEGIN = b"\xff\xff\xff\xff"
_MOST_SCHEMA = 1 << 26
"""Bytes of the first message of a stream: a schema has fewer."""
_ROWS_AT_ONCE = 1_024


def is_arrow(head: bytes, name: str) -> bool:
    """Whether a file is an Arrow file or stream; by its name too, so that a damaged file is reported as Arrow."""
    return (
        head.startswith(_FILE_MAGIC) or _begins_stream(head) or (name.endswith(ARROW_ENDINGS) and head[:4] != b"FEA1")
    )


def is_orc(head: bytes, name: str) -> bool:
    """Whether a file is ORC: by three letters, which a text may have, and what cannot follow them in one."""
    return (head.startswith(_ORC_MAGIC) and b"\0" in head[:512]) or name.endswith(ORC_ENDINGS)


def _begins_stream(head: bytes) -> bool:
    """A mark, and the length of the message with the schema, which is a multiple of eight."""
    size = int.from_bytes(head[4:8], "little")
    return head.startswith(_STREAM_BEGIN) and 0 < size < _MOST_SCHEMA and size % 8 == 0


def read_arrow(content: Content) -> Records:
    """Read the rows of an Arrow file or stream."""
    return Records(_rows(content, "Arrow"), "row", is_table=True)


def read_orc(content: Content) -> Records:
    """Read the rows of an ORC file."""
    return Records(_rows(content, "ORC"), "row", is_table=True)


def _rows(content: Content, format: str) -> Iterator[Record]:
    # Imported here: it takes longer to load than the rest of the program, and few builds need it.
    import pyarrow

    batches = _arrow_batches if format == "Arrow" else _orc_batches
    with ExitStack() as opened, damage_reported(format, pyarrow.ArrowException):
        file = content.file()
        # Read, and not mapped into memory: a mapped file that is cut meanwhile would end the process.
        stream = opened.enter_context(open(file, "rb")) if isinstance(file, Path) else file
        number, done = 0, 0.0
        for batch, end in batches(stream):
            # Offsets of a damaged file may lead out of its buffers.
            batch.validate(full=True)
            for row, values in enumerate(_values(batch)):
                content.moved(int(content.size * (done + (end - done) * row / batch.num_rows)))
                yield Record(number, values)
                number += 1
            done = end


def _values(batch: Any) -> Iterator[dict[str, Any]]:
    for first in range(0, batch.num_rows, _ROWS_AT_ONCE):
        for row in rows_of(batch.slice(first, _ROWS_AT_ONCE)):
            yield {name: plain_value(part) for name, part in row.items()}


def _arrow_batches(stream: IO[bytes]) -> Iterator[tuple[Any, float]]:
    """Each batch, with the share of the file up to its end."""
    import pyarrow.ipc

    if stream.read(len(_FILE_MAGIC)) == _FILE_MAGIC:
        table = pyarrow.ipc.open_file(stream)
        count = table.num_record_batches
        yield from ((table.get_batch(number), (number + 1) / count) for number in range(count))
        return
    size = stream.seek(0, SEEK_END)
    stream.seek(0)
    for batch in pyarrow.ipc.open_stream(stream):
        yield batch, stream.tell() / size


def _orc_batches(stream: IO[bytes]) -> Iterator[tuple[Any, float]]:
    """Each stripe, with the share of the file up to its end."""
    import pyarrow.orc

    table = pyarrow.orc.ORCFile(stream)
    for number in range(table.nstripes):
        yield table.read_stripe(number), (number + 1) / table.nstripes
