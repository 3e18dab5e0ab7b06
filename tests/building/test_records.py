"""Building from records in memory and from tables: the same index as from a file, and faults named with their row."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from datetime import date

import numpy as np
import pyarrow
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import nightly

from explorer import build_index, estimate_build, open_index, verify_index
from explorer.building.estimate.estimate import estimate_requested
from explorer.building.request import BuildRequest
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError, Cancelled, SourceError, TokenizerError

ROWS = [
    {"text": "one two three", "year": 1999, "tags": {"x": [1]}},
    {"text": "two three four", "year": 2001, "tags": {"x": [2, 3]}},
    {"text": "", "year": None, "tags": {"x": []}},
]


class Frame:
    """As a DataFrame: a table by its Arrow stream, and the names of its columns when it is iterated."""

    def __init__(self, table):
        self.table = table

    def __iter__(self):
        return iter(self.table.column_names)

    def __len__(self):
        return len(self.table)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


class Dataset:
    """As a `datasets.Dataset`: rows with a length, which are read as often as somebody iterates."""

    def __len__(self):
        return len(ROWS)

    def __iter__(self):
        return (dict(row) for row in ROWS)


def facts(folder):
    corpus = open_index(folder)
    documents = [corpus.document(number) for number in range(corpus.document_count)]
    return [(document.tokens.tolist(), document.metadata["linenum"], document.metadata["metadata"])
            for document in documents]  # fmt: skip


def frame(kind):
    """The rows as a table of a library that may not be installed."""
    library = pytest.importorskip(kind, reason=f"make test-all installs {kind}")
    if kind == "pandas":
        # Filtered, so that it has an index of its own, which is not a column.
        table = library.DataFrame([{"text": "left out", "year": 1, "tags": {"x": [1]}}, *ROWS])
        return table[table.text != "left out"].astype({"year": "Int64"})
    if kind == "polars":
        return library.DataFrame(ROWS)
    return library.from_arrow(pyarrow.Table.from_pylist(ROWS))


@pytest.mark.parametrize(
    "make",
    [
        lambda: ROWS,
        lambda: tuple(ROWS),
        lambda: (row for row in ROWS),
        Dataset,
        lambda: pyarrow.Table.from_pylist(ROWS),
        lambda: pyarrow.Table.from_pylist(ROWS).to_reader(max_chunksize=1),
        lambda: pyarrow.RecordBatch.from_pylist(ROWS),
        lambda: Frame(pyarrow.Table.from_pylist(ROWS)),
        *nightly(lambda: frame("pandas"), lambda: frame("polars"), lambda: frame("duckdb")),
    ],
    ids=["list", "tuple", "generator", "Dataset", "Table", "Reader", "RecordBatch", "Frame", "pandas", "polars",
         "duckdb"],
)  # fmt: skip
def test_the_same_index_as_from_a_file(make, tmp_path):
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    for tokenizer in ("bytes", "train:260"):
        build_index(tmp_path / "a.jsonl", tmp_path / tokenizer / "file", tokenizer=tokenizer)
        made = build_index(make(), tmp_path / tokenizer / "memory", tokenizer=tokenizer)
        assert facts(tmp_path / tokenizer / "memory") == facts(tmp_path / tokenizer / "file")
        assert made.document_count == 3
    assert verify_index(tmp_path / "bytes" / "memory", deep=True).sound
    # What the caller gave is as it was.
    assert ROWS[0] == {"text": "one two three", "year": 1999, "tags": {"x": [1]}}


def test_shards_memory_name_and_progress(tmp_path):
    rows = [{"text": f"document number {number}", "n": number} for number in range(3_000)]
    told = []
    made = build_index(rows, tmp_path / "out", tokenizer="bytes", shards=3, name="Mine", report=told.append)
    assert (made.shard_count, made.document_count, made.name, made.sources) == (3, 3_000, "Mine", ("the list",))
    tokenizing = [each for each in told if each.stage == "Tokenizing"]
    assert tokenizing[-1].done == tokenizing[-1].total == 3_000 and tokenizing[-1].unit == "rows"
    assert all(a.overall <= b.overall for a, b in itertools.pairwise(told))
    assert open_index(tmp_path / "out").document(2_345).metadata["metadata"] == {"n": 2_345}


def test_the_text_may_be_anywhere(tmp_path):
    build_index([{"a": {"b": ["x", "the cat"], "c": 1}}], tmp_path / "out", tokenizer="bytes", text_field="a.b[1]")
    found = open_index(tmp_path / "out").document(0)
    assert (found.text, found.metadata["metadata"]) == ("the cat", {"a": {"b": ["x"], "c": 1}})


@pytest.mark.parametrize("make", [lambda rows: rows, pyarrow.Table.from_pylist], ids=["rows", "table"])
def test_some_fields_as_metadata(make, tmp_path):
    made = build_index(make(ROWS), tmp_path / "out", tokenizer="bytes", metadata_fields=["year"])
    assert made.metadata_fields == {"path": 3, "linenum": 3, "year": 3}
    assert made.parameters["metadata_fields"] == ["year"]
    build_index(make(ROWS), tmp_path / "none", tokenizer="bytes", metadata_fields=())
    assert open_index(tmp_path / "none").document(0).metadata["metadata"] == {}


def test_some_fields_of_a_file(tmp_path):
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    made = build_index(tmp_path / "a.jsonl", tmp_path / "out", tokenizer="bytes", metadata_fields=["year", "yaer"])
    assert made.metadata_fields == {"path": 3, "linenum": 3, "year": 3}
    assert made.noticed == {"metadata fields that no document has": ["yaer"]}


def test_values_of_numpy_and_python(tmp_path):
    row = {
        "text": np.str_("a"), "int": np.int64(5), "float": np.float32(0.5), "gap": math.nan, "list": np.arange(2),
        "day": date(2020, 5, 4), "bytes": b"x", 7: "seven",
    }  # fmt: skip
    build_index([row], tmp_path / "out", tokenizer="bytes")
    assert open_index(tmp_path / "out").document(0).metadata["metadata"] == {
        "int": 5, "float": 0.5, "gap": None, "list": [0, 1], "day": "2020-05-04", "bytes": "x", "7": "seven",
    }  # fmt: skip


def failing():
    yield ROWS[0]
    raise ZeroDivisionError("half-way")


def failing_at_once():
    raise KeyError("text")
    yield {}


class OldFrame:
    """As a DataFrame of pandas before 2.2."""

    columns = ("text",)

    def itertuples(self):
        return iter([("x",)])

    def __iter__(self):
        return iter(self.columns)


BAD = [
    (OldFrame, "The OldFrame cannot be read as an Arrow stream", None),
    (lambda: [ROWS[0], {"txet": "x"}], 'The list, row 2: the field "text" is missing \\(did you mean txet', 2),
    (lambda: [ROWS[0], {"text": 5}], 'The list, row 2: the field "text" holds no text', 2),
    (lambda: [ROWS[0], {"text": None}], 'The list, row 2: the field "text" holds no text', 2),
    (lambda: [ROWS[0], "x"], "The list, row 2: this is not a mapping of fields to values, but of type str", 2),
    (lambda: [5], "The list, row 1: this is not a mapping of fields to values, but of type int", 1),
    (failing, r"The generator failed at row 2 \(ZeroDivisionError: half-way\)", 2),
    (failing_at_once, r"The generator failed at row 1 \(KeyError: 'text'\)", 1),
    (lambda: pyarrow.table({"txt": ["x"], "n": [1]}), r'no column "text" \(columns: txt, n\)\. Did you mean txt', None),
    (lambda: pyarrow.table({"n": [1]}), r'no column "text" \(columns: n\)\.$', None),
    (lambda: pyarrow.chunked_array([["a text"]]), "The ChunkedArray cannot be read as a table", None),
    (list, "There is no text to index in the list", None),
    (lambda: iter([]), "There is no text to index in the list_iterator", None),
    (lambda: pyarrow.table({"text": pyarrow.array([], "string")}), "There is no text to index in the Table", None),
    (lambda: [{"text": ""}], "There is no text to index in the list", None),
    (lambda: {"text": ["x"]}, "The dict is a single mapping", None),
    (lambda: 5, "The int is neither a path", None),
    (lambda: ["no/such/file", ROWS[0]], "Source 2 is of type dict", None),
    (lambda: ["a text, not a path"], "a text, not a path does not exist", None),
]  # fmt: skip


@pytest.mark.parametrize(("make", "sentence", "row"), BAD)
def test_bad_rows_are_named_and_nothing_is_left(make, sentence, row, tmp_path):
    for tokenizer in ("bytes", "train:300"):
        with pytest.raises(SourceError, match=sentence) as raised:
            build_index(make(), tmp_path / "out", tokenizer=tokenizer)
        assert raised.value.line == row
        assert list(tmp_path.iterdir()) == []


def test_the_cause_is_the_generators_own_exception(tmp_path):
    with pytest.raises(SourceError) as raised:
        build_index(failing(), tmp_path / "out", tokenizer="bytes")
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    # Ctrl-C is not the rows' fault.
    with pytest.raises(KeyboardInterrupt):
        build_index(interrupted(), tmp_path / "out", tokenizer="bytes")
    assert list(tmp_path.iterdir()) == []


def interrupted():
    yield ROWS[0]
    raise KeyboardInterrupt


def test_bad_rows_can_be_left_out(tmp_path):
    rows = [ROWS[0], {"n": 1}, "x", {"text": 3}, ROWS[1]]
    for tokenizer in ("bytes", "train:300"):
        made = build_index(rows, tmp_path / tokenizer, tokenizer=tokenizer, skip_bad=True)
        assert (made.document_count, made.skipped) == (2, {"bad rows": 3})
        assert [found[1] for found in facts(tmp_path / tokenizer)] == [0, 4]


def test_unknown_columns_and_wrong_options(tmp_path):
    out = tmp_path / "out"
    table = pyarrow.Table.from_pylist(ROWS)
    with pytest.raises(SourceError, match=r'no column "yaer".*Did you mean year') as raised:
        build_index(table, out, tokenizer="bytes", metadata_fields=["yaer"])
    assert raised.value.option == "metadata_fields"
    with pytest.raises(SourceError, match=r"has no length.* 2 shards"):
        build_index((row for row in ROWS), out, tokenizer="bytes", shards=2)
    with pytest.raises(BuildError, match="cannot be resumed"):
        build_index(ROWS, out, tokenizer="bytes", resume=True)
    with pytest.raises(SourceError, match="belongs to files"):
        build_index(ROWS, out, tokenizer="bytes", metadata=tmp_path / "a.csv")
    assert list(tmp_path.iterdir()) == []


def test_paths_of_any_iterable(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(f"text {name}")
    made = build_index(sorted(tmp_path.glob("*.txt")), tmp_path / "list", tokenizer="bytes")
    again = build_index((tmp_path / f"{name}.txt" for name in "ab"), tmp_path / "generator", tokenizer="bytes")
    assert made.files == again.files and made.sources == again.sources


def test_a_cancelled_build_keeps_nothing(tmp_path):
    token = CancelToken()

    def rows():
        yield from ROWS
        token.cancel()
        for number in range(5_000):
            yield {"text": f"more {number}"}

    with pytest.raises(Cancelled):
        build_index(rows(), tmp_path / "out", tokenizer="bytes", cancel=token)
    token = CancelToken()
    token.pause()
    with pytest.raises(Cancelled):
        build_index(ROWS, tmp_path / "out", tokenizer="bytes", cancel=token)
    assert list(tmp_path.iterdir()) == []


def test_tokenizers_in_memory(small_index, tmp_path):
    backend = tokenizers.Tokenizer.from_file(str(small_index / "tokenizer.json"))
    backend.enable_truncation(1)

    class Fast:
        backend_tokenizer = backend
        name_or_path = "someone/model"

    made = {}
    for name, tokenizer in {"path": small_index / "tokenizer.json", "object": backend, "fast": Fast()}.items():
        made[name] = build_index(ROWS, tmp_path / name, tokenizer=tokenizer)
    assert facts(tmp_path / "path") == facts(tmp_path / "object") == facts(tmp_path / "fast")
    assert made["fast"].tokenizer == "someone/model"
    # The caller's own object still truncates.
    assert len(backend.encode("one two three").ids) == 1
    for tokenizer in (backend, Fast(), small_index / "tokenizer.json"):
        assert open_index(tmp_path / "path", tokenizer).count("two three") == 2


def test_what_is_not_a_tokenizer(small_index, tmp_path):
    for make in (lambda t: build_index(ROWS, tmp_path / "out", tokenizer=t), lambda t: open_index(small_index, t)):
        with pytest.raises(TokenizerError, match=r"object is neither a tokenizers\.Tokenizer"):
            make(object())
        for name in ("gpt2", "allenai/OLMo-7B"):
            with pytest.raises(TokenizerError, match=f"not downloaded.*huggingface.co/{name}/resolve") as raised:
                make(name)
            assert raised.value.reason == "no-tokenizer"
        with pytest.raises(TokenizerError, match=r"cannot be written as a tokenizer\.json"):
            make(scripted())
    assert list(tmp_path.iterdir()) == []


def scripted():
    """A tokenizer with a part in Python, which no file can hold."""
    from tokenizers import models, pre_tokenizers

    class Splits:
        def pre_tokenize(self, pretok):
            pretok.split(lambda i, text: [text])

    backend = tokenizers.Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.PreTokenizer.custom(Splits())
    return backend


def test_an_estimate_counts_rows_and_leaves_them(tmp_path):
    rows = [{"text": f"the cat number {number}", "n": number} for number in range(30)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    of_file = estimate_requested(BuildRequest((tmp_path / "a.jsonl",), tmp_path / "out", "bytes"))
    for source in (tmp_path / "a.jsonl", rows, pyarrow.Table.from_pylist(rows), Dataset()):
        found = estimate_build(source, tokenizer="bytes")
        assert found.exact
        if not isinstance(source, Dataset):
            assert (found.documents, found.tokens) == (of_file.documents, of_file.tokens)
    table = pyarrow.Table.from_pylist(rows).to_reader()
    for once in (iter(rows), table):
        with pytest.raises(SourceError, match="can be read only once"):
            estimate_build(once, tokenizer="bytes")
    # The reader still has all its rows.
    assert table.read_all().num_rows == 30


def test_an_estimate_of_many_rows_and_of_bad_ones():
    many = [{"text": "the cat"}] * 25_000
    found = estimate_build(many, tokenizer="bytes")
    assert not found.exact and found.documents == 25_000 and found.tokens == 25_000 * 8

    class Endless:
        def __iter__(self):
            return iter(many)

    counted = estimate_build(Endless(), tokenizer="bytes")
    assert (counted.documents, counted.tokens) == (25_000, found.tokens)
    bad = estimate_build([*ROWS, {"n": 1}], tokenizer="bytes")
    assert bad.stops_at is not None and bad.stops_at.line == 4 and bad.documents == 3
    assert replace(bad, stops_at=None).warnings == ()
    with pytest.raises(SourceError, match="There is no text to index in the list"):
        estimate_build([], tokenizer="bytes")


VALUES = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=5)
RECORDS = st.lists(
    st.fixed_dictionaries({"text": st.text(max_size=20)}, optional={"a": VALUES, "b": st.lists(VALUES, max_size=3)}),
    min_size=1, max_size=8,
)  # fmt: skip


@settings(max_examples=8)
@given(rows=RECORDS)
def test_any_rows_become_what_their_json_becomes(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    rows.append({"text": "never empty"})
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    build_index(folder / "a.jsonl", folder / "file", tokenizer="bytes")
    build_index(iter(rows), folder / "memory", tokenizer="bytes")
    assert facts(folder / "memory") == facts(folder / "file")


@pytest.mark.nightly
def test_a_data_frame_whose_columns_mix_types(tmp_path):
    """Arrow has one type per column; such a frame is read row by row."""
    pandas = pytest.importorskip("pandas", reason="make test-all installs pandas")
    mixed = pandas.DataFrame({"text": ["a", "b", "c"], "kind": [1, "one", None], "seen": [{"x"}, True, 2.5]})
    rows = [{"text": "a", "kind": 1, "seen": "{'x'}"}, {"text": "b", "kind": "one", "seen": True}, {"text": "c"}]
    rows[2].update(kind=None, seen=2.5)
    build_index(mixed, tmp_path / "frame", tokenizer="bytes")
    build_index(rows, tmp_path / "rows", tokenizer="bytes")
    assert (tmp_path / "frame/metadata.0").read_bytes() == (tmp_path / "rows/metadata.0").read_bytes()
    with pytest.raises(SourceError, match='The DataFrame, row 2: the field "text" holds no text') as caught:
        build_index(pandas.DataFrame({"text": ["a", 5, None]}), tmp_path / "bad", tokenizer="bytes")
    assert caught.value.line == 2
    with pytest.raises(SourceError, match='no column "txt"'):
        build_index(mixed, tmp_path / "bad", tokenizer="bytes", metadata_fields=["txt"])
    with pytest.raises(SourceError, match="Duplicate column names"):
        build_index(pandas.DataFrame([["a", 1]], columns=["text", "text"]), tmp_path / "bad", tokenizer="bytes")
    assert not (tmp_path / "bad").exists() and not (tmp_path / "bad.partial").exists()


def test_strings_that_are_no_paths_are_refused_with_the_call_that_works(tmp_path):
    with pytest.raises(SourceError, match=r'a first text does not exist\..*\[\{"text": text\} for text in texts\]'):
        build_index(["a first text", "a second text"], tmp_path / "out", tokenizer="bytes")
    with pytest.raises(SourceError, match="one does not exist"):
        estimate_build(("one", "two"), tokenizer="bytes")
    # One that exists shows that paths are meant.
    (tmp_path / "a.txt").write_text("text")
    with pytest.raises(SourceError, match="none does not exist"):
        build_index([str(tmp_path / "a.txt"), "none"], tmp_path / "out", tokenizer="bytes")


class DataSet(list):
    """What a `datasets.Dataset` is to a build."""

    column_names, features = ("text",), {}


def test_all_splits_of_a_dataset_dict_are_read_with_their_names(tmp_path):
    splits = {"train": DataSet([{"text": "one"}, {"text": "two"}]), "test": DataSet([{"text": "three"}])}
    corpus = build_index(splits, tmp_path / "out", tokenizer="bytes") and open_index(tmp_path / "out")
    assert [(d.text, d.metadata["metadata"]) for d in map(corpus.document, range(3))] == [
        ("one", {"split": "train"}),
        ("two", {"split": "train"}),
        ("three", {"split": "test"}),
    ]


def test_a_lazy_frame_is_collected(tmp_path):
    class Lazy:
        def collect_schema(self):
            raise AssertionError

        def collect(self):
            return pyarrow.table({"text": ["one", "two"], "n": [1, 2]})

    assert build_index(Lazy(), tmp_path / "out", tokenizer="bytes").document_count == 2


@pytest.mark.parametrize("column", ["input_ids", "token_ids"])
def test_token_ids_need_the_tokenizer_that_made_them(column, tmp_path):
    rows = [{column: [1, 2, 3], "n": 1}]
    for source in (rows, pyarrow.Table.from_pylist(rows)):
        with pytest.raises(BuildError, match=r"indexed with the tokenizer that made them"):
            build_index(source, tmp_path / "out")
