"""Rows of CSV, TSV and Parquet: no row is swallowed, no value is changed, every type is read."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

import pyarrow
import pyarrow.parquet
import pytest

from explorer import build_index, open_index
from explorer.analyses.metadata.values import parse_filter
from explorer.analyses.search.arrange import LineSettings
from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.core.files.arrow_values import values_of
from explorer.errors import SourceError


def read(path, skip_bad=False):
    state = ReadState()
    files = list_files([path], state, skip_bad)
    return list(read_documents(files, ReadOptions(skip_bad=skip_bad), state)), state


@pytest.mark.parametrize("ending", ["tsv", "tab"])
def test_a_quotation_mark_in_a_tsv_is_a_character(ending, tmp_path):
    path = tmp_path / f"a.{ending}"
    path.write_text('id\ttext\n1\tthe 5" disk\n2\tsecond\n3\t"quoted\n4\t"all"\n5\tsaid ""so""\n')
    documents, _ = read(path)
    assert [d.text for d in documents] == ['the 5" disk', "second", '"quoted', '"all"', 'said ""so""']
    # Programs quote cells with tabs and line feeds: then only quotation marks explain the number of cells.
    path.write_text('id\ttext\n1\t"two\nlines"\n2\tsecond\n')
    assert [d.text for d in read(path)[0]] == ["two\nlines", "second"]


@pytest.mark.parametrize(
    ("rows", "bad", "good"),
    [
        ('1,"open\n2,second\n3,third\n', 2, ["second", "third"]),
        ('1,first\n2,"open\n3,"closed"\n4,fourth\n', 3, ["first", "closed", "fourth"]),
        ('1,first\n2,"open\n3,say "so"\n', 3, ["first", 'say "so"']),
        ('1,first\n2,"a"b\n3,third\n', 3, ["first", "third"]),
        ('1,first\n2,"two\nlines"\n3,"open\n', 5, ["first", "two\nlines"]),
        ('1,the 5" disk\n2,"open', 3, ['the 5" disk']),
    ],
)
def test_an_unbalanced_quotation_mark_in_csv_is_an_error_with_its_row(rows, bad, good, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,text\n" + rows)
    with pytest.raises(SourceError, match=rf"a\.csv, line {bad}: a quotation mark in this row is not closed"):
        read(path)
    documents, state = read(path, skip_bad=True)
    assert [d.text for d in documents] == good
    assert (state.skipped, state.problems[0].place) == ({"bad lines": 1}, bad)


def test_many_unbalanced_rows_take_no_quadratic_time(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,text\n" + '1,"open\n' * 20_000)
    documents, state = read(path, skip_bad=True)
    assert len(documents) + state.skipped["bad lines"] == 20_000


def test_values_are_kept_as_they_are_written(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "text,n,version,code,power,padded,big\ntext x,1,1.10,01234,1e5, 5,0.5\ntext y,-2,1.1,7,1E5,5,2.25\n"
    )
    first, second = (d.metadata for d in read(path)[0])
    assert first == {"n": 1, "version": "1.10", "code": "01234", "power": "1e5", "padded": " 5", "big": 0.5}
    assert second == {"n": -2, "version": "1.1", "code": "7", "power": "1E5", "padded": "5", "big": 2.25}
    build_index(path, tmp_path / "out", tokenizer="bytes")
    corpus = open_index(tmp_path / "out")
    counts = {
        where: len(corpus.concordance("text", view=LineSettings(filters=(parse_filter(where),))))
        for where in (
            "version=1.10",
            "version=1.1",
            "version>=1.1",
            "code<100",
            "code=01234",
            "power>=100000",
            "code=1234",
        )
    }
    assert counts == {
        "version=1.10": 1,
        "version=1.1": 1,
        "version>=1.1": 2,
        "code<100": 1,
        "code=01234": 1,
        "power>=100000": 2,
        "code=1234": 0,
    }


UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin", "+05:30", "Mars/Phobos"])
@pytest.mark.parametrize("unit", UNITS)
def test_timestamps_of_every_unit_zone_and_range(unit, zone):
    second = UNITS[unit]
    made = pyarrow.array([1_600_000_000 * second, -1, 2**62, -(2**62), None], pyarrow.timestamp(unit, zone))
    for array in (made, made.dictionary_encode()):
        whole = values_of(array)
        assert whole[4] is None and all(isinstance(value, str) for value in whole[:4])
        moment = datetime.fromisoformat(whole[0])
        assert moment.timestamp() == 1_600_000_000 if zone else whole[0] == "2020-09-13 12:26:40"
        assert whole[2][0] in "0123456789" and ("-" in whole[3])
    assert values_of(made.slice(2))[0] == whole[2]
    for other in (pyarrow.list_(made.type), pyarrow.struct([("a", made.type), ("b", pyarrow.int8())])):
        value = {"a": None, "b": 1} if pyarrow.types.is_struct(other) else [None]
        assert values_of(pyarrow.array([value, None], other).slice(0, 2)) == [value, None]
    struct = pyarrow.StructArray.from_arrays([made], ["a"]).slice(1, 2)
    assert [row["a"] for row in values_of(struct)] == whole[1:3]


def test_dates_times_and_durations():
    at = pyarrow.array
    assert values_of(at([0, 18_518, -719_529, 2**31 - 1], pyarrow.date32())) == [
        "1970-01-01", "2020-09-13", "-0001-12-31", "5881580-07-11",
    ]  # fmt: skip
    assert values_of(at([-86_400_000], pyarrow.date64())) == ["1969-12-31"]
    assert values_of(at([86_399_000_000_001], pyarrow.time64("ns"))) == ["23:59:59.000000001"]
    assert values_of(at([1, 90_061_000], pyarrow.duration("ms"))) == ["0:00:00.001000", "1 day, 1:01:01"]


def test_parquet_of_every_type_is_read(tmp_path):
    columns = {
        "text": pyarrow.array(["one", None]),
        "far": pyarrow.array([2**61, None], pyarrow.timestamp("us", "UTC")),
        "price": pyarrow.array([Decimal("1.10"), Decimal("12345678901234567890.12")], pyarrow.decimal128(38, 2)),
        "map": pyarrow.array([[("k", 1)], None], pyarrow.map_(pyarrow.string(), pyarrow.int64())),
        "raw": pyarrow.array([b"\xff\0a", None]),
        "none": pyarrow.nulls(2),
        "span": pyarrow.array([2**60, None], pyarrow.duration("s")),
    }
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet")
    (document,), state = read(tmp_path, skip_bad=True)
    assert document.text == "one" and state.skipped == {"bad rows": 1}
    assert document.metadata == {
        "far": "75039-04-04 19:00:13.693952+00:00",
        "price": 1.1,
        "map": [["k", 1]],
        "raw": "\ufffd\0a",
        "none": None,
        "span": "13343998895912 days, 13:56:16",
    }


def test_markers_of_other_programs_are_no_documents(tmp_path):
    for name in (
        "_SUCCESS",
        "part.jsonl.crc",
        "_metadata",
        "_common_metadata",
        "Thumbs.db",
        "desktop.ini",
        "_started_12",
    ):
        (tmp_path / name).write_bytes(b"" if name == "_SUCCESS" else b"text of a marker")
    (tmp_path / "__MACOSX").mkdir()
    (tmp_path / "__MACOSX" / "a.txt").write_text("no")
    (tmp_path / "part.jsonl").write_text('{"text": "one"}\n')
    documents, state = read(tmp_path)
    assert [d.text for d in documents] == ["one"]
    assert state.skipped == {"marker files of other programs": 7, "folders that were passed over": 1}
    with pytest.raises(SourceError, match="no text to index"):
        read(tmp_path / "_SUCCESS")


def test_read_and_skipped_add_up_to_what_was_found(tmp_path):
    source = tmp_path / "s"
    source.mkdir()
    (source / "a.txt").write_text("one")
    (source / "b.jsonl").write_text('{"text": "x"}\nnot json\n{"text": "y"}\n')
    (source / "empty.jsonl").write_text("\n")
    (source / "sheet.xlsx").write_bytes(b"PK\x03\x04....[Content_Types].xml..xl/workbook.xml")
    (source / "no.csv").write_text("a,b\n1,2\n")
    (source / "_SUCCESS").touch()
    (source / ".hidden").write_text("x")
    made = build_index(source, tmp_path / "out", tokenizer="bytes", skip_bad=True)
    assert made.read == {"files_found": 7, "files_skipped": 5, "documents_found": 4, "documents_skipped": 1}
    assert made.document_count == 3
    assert any(name.startswith("sheet.xlsx") for names in made.noticed.values() for name in names)
