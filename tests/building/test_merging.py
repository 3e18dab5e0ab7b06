"""Merging: the folder answers as one that was built of all documents at once, or of those that were chosen."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import partial

import pytest
import twin
from hypothesis import given, settings
from hypothesis import strategies as st
from same_index import same_answers

from explorer import add_documents, build_index, merge_indexes, open_index, verify_index
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError, Cancelled, CorpusError, DamagedIndexError, QueryError, TokenizerError
from explorer.index.manifest import read_manifest

ROWS = [
    {"text": "the cat sat on the mat", "year": 1990, "by": "Ann"},
    {"text": "a dog sat", "year": 1995, "by": "Bob"},
    {"text": "the cat saw the dog", "year": 2001, "by": "Ann"},
    {"text": "", "year": 2005, "by": "Cem"},
    {"text": "the dog saw the mat", "by": "Bob"},
]


@pytest.fixture(params=["bytes", "train:300"])
def parts(request, tmp_path):
    """Three indexes with one tokenizer; the second one has two shards."""
    build_index(ROWS, tmp_path / "all", tokenizer=request.param)
    own = "bytes" if request.param == "bytes" else tmp_path / "all" / "tokenizer.json"
    for name, rows in (("a", ROWS[:1]), ("b", ROWS[1:2]), ("c", ROWS[3:])):
        build_index(rows, tmp_path / name, tokenizer=own)
    add_documents(tmp_path / "b", ROWS[2:3])
    return tmp_path


def folders(parts):
    return [parts / name for name in "abc"]


def test_all_documents(parts):
    told = []
    made = merge_indexes(folders(parts), parts / "out", name="Merged", report=told.append)
    merged, once = open_index(parts / "out"), open_index(parts / "all")
    same_answers(merged, once)
    assert (made.shard_count, made.document_count, made.name) == (4, 5, "Merged")
    assert made.metadata_fields == {"path": 5, "linenum": 5, "year": 4, "by": 5}
    assert made.tokenizer_sha256 == read_manifest(parts / "all").tokenizer_sha256
    assert made.parameters == {"merged": [str(folder) for folder in folders(parts)], "where": []}
    assert verify_index(parts / "out", deep=True).findings == ()
    assert told[-1].done == told[-1].total == sum(
        size for name, size in made.files.items() if name != "tokenizer.json"
    )  # fmt: skip
    # It can grow like any other index.
    assert add_documents(parts / "out", ROWS[:1]).document_count == 6
    assert sorted(path.name for path in parts.iterdir()) == ["a", "all", "b", "c", "out"]


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("year>=1995", [1, 2, 3]),
        (["year>=1995", "by=Ann"], [2]),
        ({"by": "Ann"}, [0, 2]),
        ({"by": {"Ann", "Cem"}, "year": [1990, 2005]}, [0, 3]),
        ({"year": None}, [4]),
    ],
)
def test_chosen_documents(parts, where, kept):
    merge_indexes(folders(parts), parts / "out", where=where)
    own = parts / "all" / "tokenizer.json"
    build_index([ROWS[number] for number in kept], parts / "once", tokenizer=own if own.exists() else "bytes")
    merged, once = open_index(parts / "out"), open_index(parts / "once")
    same_answers(merged, once)
    assert set(merged.metadata_fields) == set(once.metadata_fields)
    assert merged.shard_count == 1 and verify_index(parts / "out", deep=True).findings == ()


def test_one_index_and_a_condition_as_it_was_given(parts):
    told = []
    made = merge_indexes(parts / "all", parts / "out", where=["year>=1995", "by!=Cem"], report=told.append)
    assert made.document_count == 2 and made.parameters["where"] == ["year>=1995", "by!=Cem"]
    stages = [progress.stage for progress in told]
    assert {"Copying", "Sorting"} <= set(stages) and told[-1].overall == 1.0


def test_refused(parts):
    out = parts / "out"
    build_index([{"text": "quite other words"}], parts / "other", tokenizer="train:290")
    others = {
        "differ": ([parts / "a", parts / "other"], {}, CorpusError, "different tokenizers|come from different"),
        "twice": ([parts / "a", parts / "a"], {}, QueryError, "is given twice"),
        "field": ([parts / "a"], {"where": "yaer>1"}, QueryError, "Did you mean year"),
        "condition": ([parts / "a"], {"where": "year"}, QueryError, "is not a condition"),
        "none": ([parts / "all"], {"where": "year>3000"}, BuildError, "None of the 5 documents"),
        "missing": ([parts / "no"], {}, CorpusError, "does not exist"),
        "nothing": ([], {}, CorpusError, "No index was given"),
    }
    for indexes, options, kind, sentence in others.values():
        with pytest.raises(kind, match=sentence):
            merge_indexes(indexes, out, **options)
        assert not out.exists() and not out.with_name("out.partial").exists()
    for taken in (parts / "a", parts / "b"):
        with pytest.raises(BuildError, match="already exists"):
            merge_indexes(folders(parts), taken)
    assert verify_index(parts / "a").sound


def test_different_tokenizers_of_one_width(tmp_path):
    build_index(ROWS, tmp_path / "a", tokenizer="train:300")
    build_index([{"text": "quite other words, of other letters"}], tmp_path / "b", tokenizer="train:300")
    with pytest.raises(TokenizerError):
        merge_indexes([tmp_path / "a", tmp_path / "b"], tmp_path / "out")
    # Also where nothing is known of the second one's.
    (tmp_path / "b" / "index.json").unlink()
    (tmp_path / "b" / "tokenizer.json").unlink()
    with pytest.raises(TokenizerError):
        merge_indexes([tmp_path / "a", tmp_path / "b"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_folders_of_another_program(tmp_path):
    build_index(ROWS, tmp_path / "ours", tokenizer="train:300")
    corpus, own = open_index(tmp_path / "ours"), tmp_path / "ours" / "tokenizer.json"
    documents = [corpus.document(number).tokens.tolist() for number in range(5)]
    twin.write_index(tmp_path / "six", [documents[:4]], version=6, metadata=False)
    five = twin.write_index(tmp_path / "five", [documents[:3]], version=5, metadata=False)
    # Too few tokens to find out the direction.
    files = {path.name: path.stat().st_size for path in five.iterdir()}
    tokens = files["tokenized.0"] // 2
    manifest = replace(read_manifest(tmp_path / "ours"), reversed_text=True, document_count=3, token_count=tokens)
    replace(manifest, files=files).write(five)
    with pytest.raises(TokenizerError, match=r"has no tokenizer\.json") as raised:
        merge_indexes([tmp_path / "six", tmp_path / "ours"], tmp_path / "out")
    assert raised.value.option == "tokenizer"
    # Forwards and backwards together: all are written as they are read.
    merge_indexes([tmp_path / "six", tmp_path / "five", tmp_path / "ours"], tmp_path / "out", tokenizer=own)
    merged = open_index(tmp_path / "out")
    assert merged.document_count == 12 and merged.count("the cat") == 6
    expected = [*documents[:4], *documents[:3], *documents]
    assert [merged.document(number).tokens.tolist() for number in range(12)] == expected
    assert verify_index(tmp_path / "out", deep=True).sound
    # Backwards alone: copied as it is.
    made = merge_indexes(tmp_path / "five", tmp_path / "back", tokenizer=own)
    assert made.reversed_text and open_index(tmp_path / "back").count("the cat") == 2
    assert verify_index(tmp_path / "back", deep=True).sound
    # Without a tokenizer, one folder can still be copied.
    shutil.rmtree(tmp_path / "out")
    assert merge_indexes(tmp_path / "six", tmp_path / "out").tokenizer == ""
    assert open_index(tmp_path / "out", own).count("the cat") == 2


def test_a_damaged_index_and_a_cancelled_merge_leave_nothing(parts):
    for where in (None, "by!=Nobody"):
        token = CancelToken()
        with pytest.raises(Cancelled):
            merge_indexes(
                folders(parts), parts / "out", where=where, cancel=token, report=lambda _, t=token: t.cancel()
            )
        assert not list(parts.glob("out*"))
    with open(parts / "b" / "table.0", "ab") as file:
        file.write(b"x")
    with pytest.raises(DamagedIndexError):
        merge_indexes(folders(parts), parts / "out")
    assert not list(parts.glob("out*"))


@settings(max_examples=6)
@given(
    sizes=st.lists(st.integers(1, 3), min_size=1, max_size=3),
    texts=st.lists(st.text("ab ", max_size=8), min_size=9, max_size=9),
    least=st.integers(0, 9),
)
def test_any_parts_and_conditions(sizes, texts, least, tmp_path_factory):
    folder = tmp_path_factory.mktemp("merged")
    rows = [{"text": text + ".", "n": number} for number, text in enumerate(texts)][: sum(sizes)]
    first, made = 0, []
    for number, size in enumerate(sizes):
        # A text of its own, since two folders with the same documents count as the same index.
        rows[first]["text"] += f"<{number}>"
        build_index(rows[first : first + size], folder / f"part{number}", tokenizer="bytes")
        made.append(folder / f"part{number}")
        first += size
    least = min(least, len(rows) - 1)
    merge_indexes(made, folder / "out", where=f"n>={least}")
    build_index(rows[least:], folder / "once", tokenizer="bytes")
    same_answers(open_index(folder / "out"), open_index(folder / "once"))
    merge_indexes(made, folder / "whole")
    build_index(rows, folder / "all", tokenizer="bytes")
    same_answers(open_index(folder / "whole"), open_index(folder / "all"))


def test_the_package_reads_a_merged_index(parts):
    pytest.importorskip("infini_gram", reason="the infini-gram package does not install here")
    from package_process import Package

    merge_indexes(folders(parts), parts / "whole")
    merge_indexes(folders(parts), parts / "some", where="by!=Nobody")
    for name in ("whole", "some"):
        ours = open_index(parts / name)
        width = ours.index.local.token_width
        text = twin.Twin.of_index(ours.index)
        with Package(
            index_dir=str(parts / name), eos_token_id=ours.index.separator - 1, vocab_size=ours.index.separator,
            token_dtype={1: "u8", 2: "u16"}[width],
        ) as theirs:  # fmt: skip
            for ids in ([token] for token in sorted(set(ours.document(0).tokens.tolist()))):
                count = ours.count(ids)
                ask = partial(answered, theirs, ids)
                assert theirs.answer(count, ask, partial(text.count, ids)) == count > 0


def answered(package, ids):
    return package.count(ids)["count"]
