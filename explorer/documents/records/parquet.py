"""Parquet: a record per row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from explorer.core.files.arrow_values import rows_of
from explorer.documents.content import Content
from explorer.documents.damaged import damage_reported
from explorer.documents.record import Record, Records, plain_value

_MAGIC = b"PAR1"
_ROWS_AT_ONCE = 1_024
_BUFFER = 1 << 20
"""Bytes of a column that are read at once: a file elsewhere has row groups of which a preview needs the beginning."""


def is_parquet(head: bytes, name: str) -> bool:
    """Whether a file is Parquet: by its content, since a pipe has no name; by its name too, so that a damaged file is
    reported as Parquet.
    """
    return head.startswith(_MAGIC) or name.endswith(".parquet")


def read(content: Content) -> Records:
    """Read the rows of a Parquet file."""
    return Records(parquet_records(content.file(), content.row_done), "row", is_table=True)


def parquet_records(file: Any, progress: Callable[[int, int], None] | None = None) -> Iterator[Record]:
    """Yield the rows of a Parquet file.

    file: A path, or an open binary file that can be rewound.
    progress: Called before each row with its number, from 0, and the number of rows in the file. None: not called.
    Yields: A row with its values in JSON form.
    Raises `BrokenStreamError` if the file is damaged, after the rows before the damage were yielded.
    Raises `OSError` if the drive reports a fault.

    Notes
    -----
    1,024 rows are decoded at a time. The first call imports pyarrow.
    """
    # Imported here: it takes longer to load than the rest of the program, and few builds need it.
    import pyarrow
    import pyarrow.parquet

    with damage_reported("Parquet", pyarrow.ArrowException):
        is_near = isinstance(file, Path)
        table = pyarrow.parquet.ParquetFile(file, buffer_size=0 if is_near else _BUFFER, pre_buffer=is_near)
        number = 0
        for batch in table.iter_batches(batch_size=_ROWS_AT_ONCE):
            for row in rows_of(batch):
                if progress is not None:
                    progress(number, table.metadata.num_rows)
                yield Record(number, {name: plain_value(part) for name, part in row.items()})
                number += 1
