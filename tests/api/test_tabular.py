"""Results as tables: what every `Tabular` can do."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest

from explorer.corpus.tabular import Tabular
from explorer.errors import QueryError
from explorer.export.columns import Batch, Column


class Numbers(Tabular):
    """A table of whole numbers and their squares."""

    def __init__(self, count: int, size: int) -> None:
        self.count, self.size = count, size
        self.made = 0

    def _columns(self) -> tuple[Column, ...]:
        return Column("number", "int64"), Column("square", "string")

    def _batches(self) -> Iterator[Batch]:
        for first in range(0, self.count, self.size):
            self.made += 1
            numbers = np.arange(first, min(self.count, first + self.size))
            yield {"number": numbers, "square": [str(number * number) for number in numbers.tolist()]}


def test_a_stream_is_read_in_batches():
    numbers = Numbers(10, 4)
    stream = pa.RecordBatchReader.from_stream(numbers)
    assert numbers.made == 0
    assert stream.read_next_batch().to_pydict() == {"number": [0, 1, 2, 3], "square": ["0", "1", "4", "9"]}
    assert numbers.made == 1
    assert stream.read_all().num_rows == 6


def test_arrow_reads_it_as_it_is():
    assert pa.table(Numbers(5, 2)).to_pydict() == Numbers(5, 5).to_arrow().to_pydict() != {}


@pytest.mark.parametrize("suffix", ["parquet", "csv", "tsv", "jsonl", "xlsx"])
def test_writing(tmp_path, suffix):
    Numbers(3, 2).write(str(tmp_path / f"a.{suffix}"))
    assert [path.name for path in tmp_path.iterdir()] == [f"a.{suffix}"]


def test_unknown_endings_are_refused(tmp_path):
    with pytest.raises(QueryError, match="parquet"):
        Numbers(3, 2).write(tmp_path / "a.txt")
