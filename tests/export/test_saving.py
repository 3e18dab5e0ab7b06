"""Typed tables as Arrow and as files."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet
from tiers import nightly

from explorer.core.jobs import CancelToken, Progress
from explorer.errors import Cancelled, QueryError
from explorer.export.arrow import FACTS, arrow_reader
from explorer.export.columns import Column, RecordTable, record_table
from explorer.export.formats import workbook
from explorer.export.saving import save_records
from explorer.export.tables import table_text


@dataclass(frozen=True)
class Place:
    document: int
    share: float | None


@dataclass(frozen=True)
class Record:
    text: str
    count: int
    exact: bool
    share: float | None
    places: tuple[Place, ...]
    metadata: Mapping[str, Any]
    problem: str | None = None


RECORDS = (
    Record("=1+1", 3, True, 0.5, (Place(0, 0.25), Place(4, None)), {"year": 1990, "tags": ["a", "b"]}),
    Record('two\n"lines", \ud800', -1, False, float("nan"), (), {}, "unread"),
)
FACTS_OF_IT = (("query", "cat"), ("filter", "year>1"), ("filter", "a=b"))
ABOUT = {"query": "cat", "filter": ["year>1", "a=b"]}


@pytest.fixture
def table() -> RecordTable:
    return record_table(Record, lambda: RECORDS, FACTS_OF_IT)


def test_arrow_has_the_types_of_the_record(table):
    found = arrow_reader(table).read_all()
    place = pa.struct([pa.field("document", pa.int64(), nullable=False), pa.field("share", pa.float64())])
    assert found.schema.field("count") == pa.field("count", pa.int64(), nullable=False)
    assert found.schema.field("places").type == pa.list_(pa.field("item", place, nullable=False))
    assert found.to_pylist() == [
        {
            "text": "=1+1",
            "count": 3,
            "exact": True,
            "share": 0.5,
            "places": [{"document": 0, "share": 0.25}, {"document": 4, "share": None}],
            "metadata": '{"year": 1990, "tags": ["a", "b"]}',
            "problem": None,
        },
        {
            "text": 'two\n"lines", \ufffd',
            "count": -1,
            "exact": False,
            "share": None,
            "places": [],
            "metadata": "{}",
            "problem": "unread",
        },
    ]
    assert json.loads(found.schema.metadata[FACTS.encode()]) == ABOUT


def test_arrays_go_to_arrow_as_they_are():
    columns = Column("count", "int64"), Column("share", "float64", nullable=True)
    batch = {"count": np.arange(3), "share": np.array([0.5, np.nan, 1.0])}
    found = arrow_reader(RecordTable(columns, lambda: iter([batch, batch]))).read_all()
    assert found["count"].to_pylist() == [0, 1, 2, 0, 1, 2]
    assert found["share"].to_pylist() == [0.5, None, 1.0] * 2


def test_an_empty_table_has_its_columns(tmp_path):
    table = record_table(Record, lambda: ())
    save_records(tmp_path / "a.parquet", table)
    assert parquet.read_table(tmp_path / "a.parquet").schema.names == list(table.header)
    save_records(tmp_path / "a.csv", table)
    assert (tmp_path / "a.csv").read_text(encoding="utf-8") == ",".join(table.header) + "\n"


def test_parquet_holds_the_facts(tmp_path, table):
    path = tmp_path / "a.parquet"
    save_records(path, table)
    found = parquet.read_table(path)
    assert found.equals(arrow_reader(table).read_all())
    assert json.loads(found.schema.metadata[FACTS.encode()]) == ABOUT
    assert list(tmp_path.iterdir()) == [path]


def test_json_lines_keep_the_shape(tmp_path, table):
    path = tmp_path / "a.jsonl"
    save_records(path, table)
    first, second = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert first["places"] == [{"document": 0, "share": 0.25}, {"document": 4, "share": None}]
    assert first["metadata"] == {"year": 1990, "tags": ["a", "b"]}
    assert (second["text"], second["share"], second["count"]) == ('two\n"lines", \ufffd', None, -1)
    assert json.loads((tmp_path / "a.jsonl.about.json").read_text(encoding="utf-8")) == ABOUT


@pytest.mark.parametrize(("suffix", "separator"), [(".csv", ","), (".tsv", "\t")])
def test_separated_cells(tmp_path, table, suffix, separator):
    path = tmp_path / f"a{suffix}"
    save_records(path, table)
    with path.open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file, delimiter=separator)
    # A spreadsheet would compute the text.
    assert first["text"] == "'=1+1"
    assert (first["exact"], first["count"], second["share"], second["problem"]) == ("true", "3", "", "unread")
    assert json.loads(first["metadata"]) == {"year": 1990, "tags": ["a", "b"]}
    assert json.loads((tmp_path / f"a{suffix}.about.json").read_text(encoding="utf-8")) == ABOUT


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_columns_are_written_as_their_values_one_by_one(tmp_path, suffix):
    texts = ["a", "", "-1", "a-1", "\t=", "b\x00\x7f", "\x85\u2028", "\ud800", 'c,"d"', "e\r\nf", "\n"]
    shares = np.array([0.1, np.nan, np.inf, *np.arange(len(texts) - 3) / 3])
    columns = Column("t", "string"), Column("n", "int64"), Column("f", "float64"), Column("g", "float64", True)
    batch = {"t": texts, "n": np.arange(len(texts)), "f": np.arange(len(texts)) / 7, "g": shares}
    save_records(tmp_path / f"whole{suffix}", RecordTable(columns, lambda: iter([batch])))
    # As Python's values, each with what is beside it in a row.
    rows = zip(*(found.tolist() if isinstance(found, np.ndarray) else found for found in batch.values()), strict=True)
    expected = table_text(tuple(batch), [tuple(map(_printable, row)) for row in rows], suffix[1:])
    assert (tmp_path / f"whole{suffix}").read_bytes() == expected.encode()


def _printable(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return "".join(" " if (char < " " and char not in "\n\r\t") or char == "\x7f" else char for char in value).replace(
        "\ud800", "\ufffd"
    )


def test_a_workbook_has_the_facts_on_a_second_sheet(tmp_path, table):
    path = tmp_path / "a.xlsx"
    save_records(path, table)
    book = openpyxl.load_workbook(path)
    rows = list(book["Table"].iter_rows(values_only=True))
    assert rows[0] == table.header
    assert rows[1][:4] == ("=1+1", 3, True, 0.5)
    assert rows[2][3] is None
    assert list(book["About"].iter_rows(values_only=True)) == list(FACTS_OF_IT)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".tsv", ".jsonl", ".xlsx"])
def test_no_facts_unless_wanted(tmp_path, table, suffix):
    path = tmp_path / f"a{suffix}"
    save_records(path, table, about=False)
    assert list(tmp_path.iterdir()) == [path]
    if suffix == ".parquet":
        assert FACTS.encode() not in (parquet.read_schema(path).metadata or {})
    if suffix == ".xlsx":
        assert openpyxl.load_workbook(path).sheetnames == ["Table"]


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl", ".xlsx"])
def test_a_failure_leaves_the_file_as_it_was(tmp_path, suffix):
    def records():
        yield RECORDS[0]
        raise QueryError("The second line cannot be read.")

    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(QueryError, match="second line"):
        save_records(path, record_table(Record, records))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_reports_and_cancel(tmp_path, table):
    reports: list[Progress] = []
    cancel = CancelToken()
    save_records(tmp_path / "a.csv", table, reports.append, cancel)
    assert [(report.done, report.unit) for report in reports] == [(0, "rows")]
    cancel.cancel()
    with pytest.raises(Cancelled):
        save_records(tmp_path / "b.csv", table, cancel=cancel)
    assert not (tmp_path / "b.csv").exists()


def test_unknown_endings_are_refused(tmp_path, table):
    with pytest.raises(QueryError, match=r"\.parquet, \.csv, \.tsv, \.jsonl, \.xlsx"):
        save_records(tmp_path / "a.doc", table)


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
@pytest.mark.parametrize("most", [1000, *nightly(0, 6000)])
def test_a_workbook_on_a_full_disk_is_told_by_its_own_name(small_index, tmp_path, most):
    """A limit of the process takes the place of a full disk; nothing but the sentence is printed."""
    (tmp_path / "a.xlsx").write_bytes(b"old")
    code = f"""
import resource, sys
from explorer.cli.main import main

resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))
sys.exit(main(sys.argv[1:]))
"""
    line = [sys.executable, "-P", "-c", code, "kwic", str(small_index), "the", "--out", "a.xlsx", "--limit", "9000"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "corpus-explorer: a.xlsx cannot be written: File too large. Choose another location.\n"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.xlsx": b"old"}


def test_a_workbook_refuses_too_many_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(workbook, "ROWS", 8)
    columns = (Column("number", "int64"),)
    batch = {"number": np.arange(3)}
    with pytest.raises(QueryError, match="holds 7 lines"):
        save_records(tmp_path / "a.xlsx", RecordTable(columns, lambda: iter([batch] * 4)))
    assert list(tmp_path.iterdir()) == []
