"""A typed table as Parquet."""

from __future__ import annotations

from pathlib import Path

from explorer.export.arrow import arrow_reader
from explorer.export.columns import RecordTable


def write(path: Path, table: RecordTable) -> None:
    """Write the rows a batch at a time; the facts are in the metadata of the schema.

    Raises `OSError` if the file cannot be written.
    """
    from pyarrow import parquet

    reader = arrow_reader(table)
    with parquet.ParquetWriter(path, reader.schema) as writer:
        for batch in reader:
            # A batch without rows would be a row group without rows, which `datasets` does not read.
            if batch.num_rows:
                writer.write_batch(batch)
