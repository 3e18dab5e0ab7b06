"""Arrow, ORC and Avro: tables written by pyarrow and fastavro, and the records that are read of them."""

from __future__ import annotations

import gzip
import io
import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import fastavro
import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.orc
import pytest

from explorer import build_index, estimate_build, open_index
from explorer.core.files.streams import BrokenStreamError
from explorer.documents.content import Content
from explorer.documents.damaged import damage_reported
from explorer.documents.kinds import kind_of
from explorer.errors import SourceError

TIMES = [datetime(2020, 1, day, 12, tzinfo=UTC) for day in range(1, 6)]
TEXTS = ["the cat sat", "", "Grüße, zażółć", "line one\nline two", "日本語 😀"]
TABLE = pyarrow.table(
    {
        "text": TEXTS,
        "n": pyarrow.array([1, 2, None, 4, 5], pyarrow.int32()),
        "tags": [["a", "b"], [], None, ["c"], [None]],
        "at": pyarrow.array(TIMES, pyarrow.timestamp("us", "UTC")),
    }
)
RECORDS = [
    {"text": "the cat sat", "n": 1, "tags": ["a", "b"], "at": "2020-01-01 12:00:00+00:00"},
    {"text": "", "n": 2, "tags": [], "at": "2020-01-02 12:00:00+00:00"},
    {"text": "Grüße, zażółć", "n": None, "tags": None, "at": "2020-01-03 12:00:00+00:00"},
    {"text": "line one\nline two", "n": 4, "tags": ["c"], "at": "2020-01-04 12:00:00+00:00"},
    {"text": "日本語 😀", "n": 5, "tags": [None], "at": "2020-01-05 12:00:00+00:00"},
]
SCHEMA = {
    "type": "record",
    "name": "Row",
    "fields": [
        {"name": "text", "type": "string"},
        {"name": "n", "type": ["null", "int"]},
        {"name": "tags", "type": ["null", {"type": "array", "items": ["null", "string"]}]},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
    ],
}


def written(write):
    out = io.BytesIO()
    write(out)
    return out.getvalue()


def ipc(make, table=TABLE, **options):
    """A file or stream of Arrow, in batches of two rows."""

    def write(out):
        with make(out, table.schema, options=pyarrow.ipc.IpcWriteOptions(**options)) as writer:
            writer.write_table(table, max_chunksize=2)

    return written(write)


def avro(codec="null", schema=SCHEMA, rows=None):
    rows = rows or TABLE.to_pylist()
    return written(lambda out: fastavro.writer(out, schema, rows, codec=codec, sync_interval=10))


DICTIONARY = TABLE.set_column(0, "text", TABLE["text"].dictionary_encode())
FILES = {
    "arrow file": ("arrow", lambda: ipc(pyarrow.ipc.new_file)),
    "arrow stream": ("arrow", lambda: ipc(pyarrow.ipc.new_stream)),
    "arrow with zstd": ("arrow", lambda: ipc(pyarrow.ipc.new_file, compression="zstd")),
    "arrow with dictionaries": ("arrow", lambda: ipc(pyarrow.ipc.new_stream, DICTIONARY.unify_dictionaries())),
    "feather": ("arrow", lambda: written(lambda out: pyarrow.feather.write_feather(TABLE, out))),
    "orc": ("orc", lambda: written(lambda out: pyarrow.orc.write_table(TABLE, out))),
    "orc with zlib": ("orc", lambda: written(lambda out: pyarrow.orc.write_table(TABLE, out, compression="zlib"))),
    "avro": ("avro", avro),
    "avro with deflate": ("avro", lambda: avro("deflate")),
    "avro with xz": ("avro", lambda: avro("xz")),
}


def records(data, name="rows", **options):
    stream = io.BufferedReader(io.BytesIO(data))
    kind = kind_of(data[:8_192], name)
    return kind.name, list(kind.read(Content(name, name, stream, stream, size=len(data), **options)).records)


@pytest.mark.parametrize("file", FILES)
def test_rows_are_records_whatever_the_name_is(file):
    kind, make = FILES[file]
    found, rows = records(make(), "rows.txt")
    assert found == kind
    assert [row.fields for row in rows] == RECORDS
    assert [row.number for row in rows] == [0, 1, 2, 3, 4]


@pytest.mark.nightly
def test_a_file_of_datasets_is_read(tmp_path):
    import datasets

    datasets.Dataset.from_list([{"text": text} for text in TEXTS]).save_to_disk(tmp_path)
    (path,) = tmp_path.glob("*.arrow")
    kind, rows = records(path.read_bytes())
    assert kind == "arrow" and [row.fields for row in rows] == [{"text": text} for text in TEXTS]


@pytest.mark.parametrize("file", FILES)
def test_files_are_built_with_the_values_of_json_lines(file, tmp_path):
    kind, make = FILES[file]
    (tmp_path / f"rows.{kind}.gz").write_bytes(gzip.compress(make()))
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in RECORDS))
    made = build_index(tmp_path / f"rows.{kind}.gz", tmp_path / "a", tokenizer="bytes")
    build_index(tmp_path / "rows.jsonl", tmp_path / "b", tokenizer="bytes")
    one, other = open_index(tmp_path / "a"), open_index(tmp_path / "b")
    assert made.kinds == {kind: 1}
    for here, there in zip(one.documents, other.documents, strict=True):
        assert here.text == there.text and here.metadata["metadata"] == there.metadata["metadata"]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_files_that_are_cut_are_errors_with_their_name(file, share, tmp_path):
    kind, make = FILES[file]
    data = make()
    path = tmp_path / f"rows.{kind}"
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(SourceError, match=rf"rows\.{kind} is damaged or cut short: it is not a complete \w+ file \("):
        build_index(path, tmp_path / "index", tokenizer="bytes")


def test_a_size_beyond_all_memory_is_damage():
    with (
        pytest.raises(BrokenStreamError, match="states more data than this machine has memory for"),
        damage_reported("X"),
    ):
        raise MemoryError


def test_the_rows_before_a_cut_are_kept_on_request(tmp_path):
    (tmp_path / "rows.arrow").write_bytes(ipc(pyarrow.ipc.new_stream)[:-300])
    made = build_index(tmp_path / "rows.arrow", tmp_path / "index", tokenizer="bytes", skip_bad=True)
    assert 0 < made.document_count < 5 and sum(made.skipped.values()) == 1


def test_the_estimate_counts_the_rows_of_a_long_file(tmp_path):
    table = pyarrow.table({"text": ["the cat sat on the mat. " * 40] * 6_000})
    for name, make in (("a.arrow", pyarrow.ipc.new_file), ("b.arrow", pyarrow.ipc.new_stream)):
        with make(tmp_path / name, table.schema) as writer:
            writer.write_table(table, max_chunksize=500)
        estimate = estimate_build(tmp_path / name, tokenizer="bytes")
        assert not estimate.exact and 5_500 < estimate.documents < 6_500


def test_values_of_avro_are_spelled_as_those_of_arrow():
    schema = {
        "type": "record",
        "name": "Row",
        "fields": [
            {"name": "day", "type": {"type": "int", "logicalType": "date"}},
            {"name": "clock", "type": {"type": "int", "logicalType": "time-millis"}},
            {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 5, "scale": 2}},
            {"name": "raw", "type": "bytes"},
            {"name": "inner", "type": {"type": "map", "values": "double"}},
            {"name": "gap", "type": "double"},
        ],
    }
    clock = (datetime.min + timedelta(hours=1, minutes=2)).time()
    row = {"day": date(2020, 1, 2), "clock": clock, "price": Decimal("1.00"), "raw": b"\xc3\xa9", "inner": {"a": 1.5}}
    _, (found,) = records(avro(schema=schema, rows=[{**row, "gap": float("nan")}]))
    assert found.fields == {
        "day": "2020-01-02", "clock": "01:02:00", "price": 1, "raw": "é", "inner": {"a": 1.5}, "gap": None,
    }  # fmt: skip


def nested(depth):
    schema = "string"
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return schema


@pytest.mark.parametrize(
    ("field", "cause"),
    [
        ({"type": "array", "items": "null"}, "lists of values without content"),
        ({"type": "array", "items": {"type": "fixed", "name": "F", "size": 0}}, "lists of values without content"),
        (nested(100), "nested more than 64 levels deep"),
        (["null", "Row"], "values of the type Row contain values of this type"),
    ],
)
def test_schemas_of_which_few_bytes_are_values_without_end_are_refused(field, cause):
    schema = {"type": "record", "name": "Row", "fields": [{"name": "f", "type": field}]}
    header = {"avro.schema": json.dumps(schema).encode(), "avro.codec": b"null"}
    out = io.BytesIO(b"Obj\x01")
    out.seek(0, io.SEEK_END)
    fastavro.schemaless_writer(out, {"type": "map", "values": "bytes"}, header)
    # A block that states more rows than there are bytes.
    out.write(bytes(16) + b"\xfe\xff\xff\xff\xff\xff\x0f" + b"\x00" + bytes(16))
    with pytest.raises(BrokenStreamError, match=cause):
        records(out.getvalue())


def test_text_that_begins_as_a_format_does_is_text():
    assert kind_of(b"ORCHARDS are planted with fruit trees.", "notes").name == "text"
    assert kind_of(b"Objects are closer than they appear.", "notes").name == "text"
    assert kind_of(b"ARROW1 is a name.", "notes").name == "text"
