"""Builds from token ids: their indexes are those of the texts, whatever format the ids are in."""

from __future__ import annotations

import gzip
import json
import random
import struct

import numpy as np
import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from explorer import add_documents, build_index, estimate_build, open_index
from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.building.sources.token_ids import TokenIds
from explorer.core.files.encoding import NotTextError
from explorer.documents.kinds import kind_of
from explorer.errors import BuildError, SourceError, TokenizerError
from explorer.text.tokens.tokenizer import TextTokenizer
from explorer.text.tokens.training import train_bpe

INT32, INT64 = pyarrow.int32(), pyarrow.int64()
TEXTS = [
    "the cat sat on the mat. the cat sat on the rug.\nA dog saw the cat.\n",
    "Grüße, zażółć gęślą jaźń; 日本語 😀",
    "",
    "the dog sat on the mat, and the dog saw the cat on the rug.\n" * 3,
    "def add(a, b):\n    return a + b\n",
]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    """A tokenizer of 400 ids and one more, which ends documents."""
    found = train_bpe(TEXTS * 3, 400)
    found.backend.add_special_tokens(["<|end|>"])
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    found.backend.save(str(path))
    return path


@pytest.fixture(scope="module")
def encoded(tokenizer):
    return [ids.astype(np.int64) for ids in TextTokenizer.from_file(tokenizer).encode_batch(TEXTS)]


@pytest.fixture(scope="module")
def eos(tokenizer):
    return TextTokenizer.from_file(tokenizer).vocabulary_size - 1


@pytest.fixture(scope="module")
def of_texts(tokenizer, tmp_path_factory):
    """The index of the texts."""
    out = tmp_path_factory.mktemp("texts") / "index"
    build_index([{"text": text} for text in TEXTS], out, tokenizer=tokenizer)
    return out


def row_of(encoded, eos):
    return np.concatenate([np.append(ids, eos) for ids in encoded])


def as_array(folder, encoded, eos):
    np.save(folder / "ids.npy", row_of(encoded, eos).astype(">i4"))


def as_packed_array(folder, encoded, eos):
    np.save(folder / "ids.npy", row_of(encoded, eos).astype("u2"))
    (folder / "ids.npy.gz").write_bytes(gzip.compress((folder / "ids.npy").read_bytes()))
    (folder / "ids.npy").unlink()


def as_rows(folder, encoded, eos):
    longest = max(map(len, encoded))
    np.save(folder / "ids.npy", [np.pad(ids, (0, longest - len(ids)), constant_values=eos) for ids in encoded])


def as_bare(folder, encoded, eos):
    row_of(encoded, eos).astype("<u2").tofile(folder / "ids.bin")


def megatron(folder, encoded, kind, code, sequences=1):
    """The files of Megatron, with this number of sequences in each document."""
    parts = [part for ids in encoded for part in np.array_split(ids, sequences)]
    sizes = np.array([len(part) for part in parts], "<i4")
    starts = (np.cumsum(sizes, dtype="<i8") - sizes) * np.dtype(kind).itemsize
    bounds = np.arange(0, len(parts) + 1, sequences, dtype="<i8")
    header = b"MMIDIDX\0\0" + struct.pack("<QBQQ", 1, code, len(sizes), len(bounds))
    (folder / "ids.idx").write_bytes(header + sizes.tobytes() + starts.astype("<i8").tobytes() + bounds.tobytes())
    np.concatenate(parts).astype(kind).tofile(folder / "ids.bin")


def as_megatron(folder, encoded, eos):
    megatron(folder, encoded, "<u2", 8)


def as_megatron_with_ends(folder, encoded, eos):
    megatron(folder, [np.append(ids, eos) for ids in encoded], "<i4", 4, sequences=2)


def table(encoded, name="input_ids", kind=INT32):
    ids = pyarrow.array([ids.tolist() for ids in encoded], pyarrow.list_(kind))
    return pyarrow.table({name: ids, "n": list(range(len(encoded)))})


def as_parquet(folder, encoded, eos):
    pyarrow.parquet.write_table(table(encoded), folder / "ids.parquet", row_group_size=2)


def as_parquet_of_large_lists(folder, encoded, eos):
    ids = pyarrow.array([ids.tolist() for ids in encoded], pyarrow.large_list(pyarrow.uint16()))
    pyarrow.parquet.write_table(pyarrow.table({"tokens": ids}), folder / "ids.parquet")


def as_feather(folder, encoded, eos):
    pyarrow.feather.write_feather(table(encoded, "token_ids"), str(folder / "ids.feather"))


def as_stream(folder, encoded, eos):
    rows = table([np.append(ids, eos) for ids in encoded], kind=INT64)
    with pyarrow.ipc.new_stream(folder / "ids.arrow", rows.schema) as writer:
        writer.write_table(rows, max_chunksize=2)


def as_lines(folder, encoded, eos):
    lines = (json.dumps({"input_ids": ids.tolist(), "n": n}) + "\n" for n, ids in enumerate(encoded))
    (folder / "ids.jsonl").write_text("".join(lines))


def as_masked_lines(folder, encoded, eos):
    with open(folder / "ids.jsonl", "w") as file:
        for ids in encoded:
            mask = [1] * len(ids) + [0, 0]
            row = {"input_ids": [*ids.tolist(), 0, 0], "attention_mask": mask, "labels": mask, "n": 1}
            file.write(json.dumps(row) + "\n")


FORMATS = (
    as_array, as_packed_array, as_rows, as_bare, as_megatron, as_megatron_with_ends, as_parquet,
    as_parquet_of_large_lists, as_feather, as_stream, as_lines, as_masked_lines,
)  # fmt: skip


def same_text(one, other):
    """Whether two indexes have the same tokens, documents and tables, byte for byte."""
    return all(
        (one / name).read_bytes() == (other / name).read_bytes() for name in ("tokenized.0", "offset.0", "table.0")
    )


@pytest.mark.parametrize("write", FORMATS, ids=lambda write: write.__name__)
def test_the_index_is_that_of_the_texts(write, tokenizer, encoded, eos, of_texts, tmp_path):
    (tmp_path / "in").mkdir()
    write(tmp_path / "in", encoded, eos)
    options = {"tokenizer": tokenizer, "eos": "<|end|>", "ids": "uint16"}
    made = build_index(tmp_path / "in", tmp_path / "out", **options)
    assert same_text(tmp_path / "out", of_texts)
    assert [document.text for document in open_index(tmp_path / "out").documents] == TEXTS
    estimate = estimate_build(tmp_path / "in", **options)
    assert estimate.documents == len(TEXTS) and estimate.exact and estimate.formats == ()
    assert estimate.tokens == made.token_count
    assert estimate.samples[0].beginning.startswith("the cat sat on the mat.")
    read = made.read
    assert read["files_found"] - read["files_skipped"] == 1 and read["documents_found"] == 5


def test_the_other_columns_are_metadata_but_not_the_fields_of_single_tokens(tokenizer, encoded, eos, tmp_path):
    as_masked_lines(tmp_path, encoded, eos)
    build_index(tmp_path / "ids.jsonl", tmp_path / "out", tokenizer=tokenizer)
    assert open_index(tmp_path / "out").document(0).metadata["metadata"] == {"n": 1}


def test_ids_in_memory_are_indexed(tokenizer, encoded, eos, of_texts, tmp_path):
    rows = table(encoded)
    sources = {
        "arrays": encoded,
        "records": [{"input_ids": ids} for ids in encoded],
        "table": rows,
        "lists": rows.to_pylist(),
    }
    for name, source in sources.items():
        build_index(source, tmp_path / name, tokenizer=tokenizer)
        assert same_text(tmp_path / name, of_texts), name
    made = add_documents(tmp_path / "arrays", encoded[:1])
    assert made.document_count == 6 and open_index(tmp_path / "arrays").document(5).text == TEXTS[0]


def test_ids_are_added_and_mixed_with_texts(tokenizer, encoded, eos, tmp_path):
    (tmp_path / "in").mkdir()
    as_bare(tmp_path / "in", encoded, eos)
    (tmp_path / "in" / "plain.txt").write_text("a plain text")
    made = build_index(tmp_path / "in", tmp_path / "out", tokenizer=tokenizer, ids="uint16", eos=eos)
    assert made.kinds == {"ids": 1, "text": 1} and made.document_count == 6
    (tmp_path / "in" / "ids.bin").rename(tmp_path / "more.bin")
    made = add_documents(tmp_path / "out", tmp_path / "more.bin", ids="uint16", eos="<|end|>", again=True)
    assert made.document_count == 11 and open_index(tmp_path / "out").document(6).text == TEXTS[0]


def test_a_text_field_may_name_the_ids_of_a_table_that_has_texts(tokenizer, encoded, of_texts, tmp_path):
    rows = table(encoded).append_column("text", pyarrow.array(["other"] * 5))
    build_index(rows, tmp_path / "ids", tokenizer=tokenizer, text_field="input_ids")
    assert same_text(tmp_path / "ids", of_texts)
    build_index(rows, tmp_path / "text", tokenizer=tokenizer)
    assert open_index(tmp_path / "text").document(0).text == "other"


def test_a_build_of_ids_needs_their_tokenizer(encoded, eos, tokenizer, tmp_path):
    as_array(tmp_path, encoded, eos)
    with pytest.raises(BuildError, match="indexed with the tokenizer that made them"):
        build_index(tmp_path / "ids.npy", tmp_path / "out", eos=eos)
    other = tmp_path / "other.json"
    train_bpe(["ein anderer Text mit anderen Wörtern, der lang genug ist " * 9], 402).backend.save(str(other))
    with pytest.raises((TokenizerError, SourceError), match=r"did not make these token ids|has the ids 0 to"):
        build_index(tmp_path / "ids.npy", tmp_path / "out", tokenizer=other, eos=eos)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ids": "float32"}, "'float32' is not a type of token ids. The types are uint8, uint16"),
        ({"eos": "<none>"}, "tokenizer.json has no token '<none>' that could end a document"),
    ],
)
def test_types_and_tokens_that_do_not_exist_are_refused_first(options, message, tokenizer, tmp_path):
    with pytest.raises(BuildError, match=message):
        build_index(tmp_path / "nothing", tmp_path / "out", tokenizer=tokenizer, **options)


def test_a_file_that_does_not_state_its_type_is_skipped_with_the_remedy(tokenizer, encoded, eos, tmp_path):
    (tmp_path / "in").mkdir()
    as_bare(tmp_path / "in", encoded, eos)
    (tmp_path / "in" / "plain.txt").write_text("a plain text")
    made = build_index(tmp_path / "in", tmp_path / "out", tokenizer=tokenizer)
    assert made.noticed == {"binary files": ["ids.bin (this may be token ids: state their type, such as uint16)"]}
    assert made.read["files_found"] == 2 and made.read["files_skipped"] == 1
    with pytest.raises(SourceError, match=r"a single row of token ids: the id that ends a document must be stated"):
        build_index(tmp_path / "in" / "ids.bin", tmp_path / "none", tokenizer=tokenizer, ids="uint16")


BAD = {
    "negative.npy": (np.array([[1, 2], [3, -4]]), r"document 2: token 2 is -4, and the tokenizer .* has the ids 0 to"),
    "large.npy": (np.array([[1, 70_000]]), r"document 1: token 2 is 70,000, and the tokenizer tokenizer.json has"),
    "float.npy": (np.ones(3), r"its values are float64, and token ids are whole numbers"),
    "deep.npy": (np.ones((2, 2, 2), int), r"its shape is \(2, 2, 2\), and token ids have rows"),
    "narrow.npy": (np.ones((2, 0), int), r"its shape is \(2, 0\)"),
    "columns.npy": (np.asfortranarray(np.ones((2, 3), int)), r"stored column by column"),
    "objects.npy": (np.array([[1], [2, 3]], dtype=object), r"its values are object"),
}


@pytest.mark.parametrize("name", BAD)
def test_ids_that_cannot_be_indexed_are_errors_with_file_and_place(name, tokenizer, tmp_path):
    values, message = BAD[name]
    np.save(tmp_path / name, values)
    with pytest.raises(SourceError, match=message) as caught:
        build_index(tmp_path / name, tmp_path / "out", tokenizer=tokenizer, eos=0)
    assert name in str(caught.value) and str(caught.value).count(". ") == 0


def test_bad_documents_are_skipped_on_request(tokenizer, encoded, tmp_path):
    bad = [encoded[0].tolist(), [70_000], "no ids", None, [1.5], [[1]], [True]]
    lines = "".join(json.dumps({"input_ids": value}) + "\n" for value in bad)
    (tmp_path / "ids.jsonl").write_text(lines)
    made = build_index(tmp_path / "ids.jsonl", tmp_path / "out", tokenizer=tokenizer, skip_bad=True)
    assert made.read["documents_skipped"] == 6 and made.document_count == 1


@pytest.mark.parametrize("write", [as_array, as_rows, as_bare, as_megatron])
def test_files_that_are_cut_are_errors_and_keep_what_precedes(write, tokenizer, encoded, eos, tmp_path):
    (tmp_path / "in").mkdir()
    write(tmp_path / "in", encoded, eos)
    path = next(path for path in (tmp_path / "in").iterdir() if path.suffix != ".idx")
    path.write_bytes(path.read_bytes()[:-3])
    options = {"tokenizer": tokenizer, "eos": eos, "ids": "uint16"}
    with pytest.raises(SourceError, match=rf"{path.name} is cut short: "):
        build_index(path, tmp_path / "out", **options)
    made = build_index(path, tmp_path / "out", **options, skip_bad=True)
    assert made.document_count == 4
    assert made.skipped["files cut short (what came before the cut is kept)"] == 1


@pytest.mark.parametrize(
    ("at", "data", "message"),
    [
        (9, b"\x02", "its version is 2"),
        (17, b"\x07", "its type has the number 7"),
        (18, b"\x06", "it ends within its tables"),
        (20, b"\x01", "it ends within its tables"),
        (34, b"\xff\xff\xff\xff", "its sequences do not follow each other"),
        (54, b"\x01", "its sequences do not follow each other"),
        (-40, b"\x09", "its documents do not follow each other"),
    ],
)
def test_a_damaged_index_of_megatron_is_an_error(at, data, message, tokenizer, encoded, eos, tmp_path):
    as_megatron(tmp_path, encoded, eos)
    found = bytearray((tmp_path / "ids.idx").read_bytes())
    begin = at if at >= 0 else len(found) + at
    found[begin : begin + len(data)] = data
    (tmp_path / "ids.idx").write_bytes(found)
    with pytest.raises(SourceError, match=rf"ids\.bin is damaged: its index ids\.idx cannot be used \({message}"):
        build_index(tmp_path / "ids.bin", tmp_path / "out", tokenizer=tokenizer)


@given(st.lists(st.lists(st.integers(0, 300), max_size=9), max_size=9), st.booleans(), st.integers(1, 7))
def test_a_row_is_split_at_its_ends_wherever_parts_begin(tmp_path_factory, documents, is_ended, part):
    """An end at the beginning separates nothing, and nothing follows the last one."""
    row = [number for ids in documents for number in (*ids, 999)]
    row = row if is_ended else row[:-1]
    # An empty file is an empty text.
    assume(row)
    expected = [list(ids) for ids in documents]
    if not is_ended and expected and not expected[-1]:
        del expected[-1]
    if expected and not expected[0] and row:
        del expected[0]
    path = tmp_path_factory.getbasetemp() / "row.bin"
    np.array(row, "<u2").tofile(path)
    state = ReadState()
    options = ReadOptions(ids=TokenIds(given=_Any(), eos="999", type="uint16"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("explorer.documents.ids.token_ids._CHUNK", part)
        found = [
            document.ids.tolist()
            for document in read_documents(list_files([path], state, ids="uint16"), options, state)
        ]
    assert found == expected


class _Any:
    """A tokenizer that has every id."""

    name, vocabulary_size, backend = "any", 1_000, None


def mutated(data, generator):
    """The data with some bytes changed, removed or inserted."""
    found = bytearray(data)
    for _ in range(generator.choice([1, 2, 5])):
        at = generator.randrange(len(found) + 1)
        size = generator.choice([0, 1, 1, 1, 3])
        found[at : at + size] = bytes(generator.choice([0, 1, 127, 255]) for _ in range(generator.choice([0, 1, 1, 2])))
    return bytes(found)


@pytest.mark.parametrize("write", [as_array, as_rows, as_bare, as_megatron])
def test_mutated_files_are_documents_or_errors(write, encoded, eos, tmp_path, scale):
    write(tmp_path, encoded, eos)
    known = {path: path.read_bytes() for path in tmp_path.iterdir()}
    source = next(path for path in known if path.suffix != ".idx")
    options = ReadOptions(ids=TokenIds(given=_Any(), eos=str(eos), type="uint16"))
    documents = errors = 0
    for seed in range(scale(100, 2_000)):
        generator = random.Random(seed)
        for path, data in known.items():
            path.write_bytes(mutated(data, generator))
        state = ReadState()
        try:
            for document in read_documents(list_files([source], state, ids="uint16"), options, state):
                documents += document.size >= 0
        except SourceError as error:
            errors += 1
            assert "ids." in str(error)
    assert documents and errors


def test_files_of_text_and_of_other_formats_are_no_ids():
    assert kind_of("Grüße".encode(), "notes.bin").name == "text"
    assert kind_of(b"\x93NUMPY\x01\0", "notes.txt").name == "ids"
    with pytest.raises(NotTextError, match=r"read with the \.bin file beside it"):
        kind_of(b"MMIDIDX\0\0\x01", "ids.idx")
    with pytest.raises(NotTextError, match="this is a program"):
        kind_of(b"\x7fELF\0\0", "program.bin")


def test_a_cluster_builds_the_same(tokenizer, encoded, eos, of_texts, tmp_path):
    as_megatron(tmp_path, encoded, eos)
    build_index(tmp_path / "ids.bin", tmp_path / "out", tokenizer=tokenizer, cluster="local:1")
    assert same_text(tmp_path / "out", of_texts)
