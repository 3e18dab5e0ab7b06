"""The documents of a corpus as a sequence, and their metadata as a table."""

from __future__ import annotations

import json

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.errors import QueryError

ROWS = [
    {"text": "one", "year": 1990, "size": 1, "tag": "a", "document": "x"},
    {"text": "two", "year": 1991, "size": 0.5, "tag": 7, "good": True},
    {"text": "three", "size": None, "tag": ["b"], "good": False},
    {"text": "four", "year": 1993, "tag": "a", "document": "y"},
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """An index of texts with fields of all kinds."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    build_index(folder / "texts.jsonl", folder / "index", tokenizer="bytes")
    return open_index(folder / "index")


def numbers(documents):
    return [document.number for document in documents]


def test_documents_are_a_sequence(corpus):
    documents = corpus.documents
    every = list(range(len(ROWS)))
    assert len(documents) == len(ROWS) and numbers(documents) == numbers(documents()) == every
    assert documents[-1].text == "four" and documents[np.int64(1)].text == "two"
    for chosen in (slice(None), slice(1, 3), slice(None, None, -1), slice(-2, None), slice(0, 4, 2), slice(9, None)):
        assert numbers(documents[chosen]) == every[chosen] and len(documents[chosen]) == len(every[chosen])
    assert numbers(documents[::-1][1:]) == [2, 1, 0] and numbers(reversed(documents)) == every[::-1]
    assert documents[2] in documents and documents[2] in documents[::-1] and documents[2] not in documents[:2]
    assert repr(documents[:1]) == "Documents(1 document)"
    for place in (4, -5):
        with pytest.raises(IndexError):
            documents[place]
    with pytest.raises(TypeError):
        documents["1"]


def test_subtracted_documents_are_not_in_the_sequence(corpus):
    some = corpus.subset({"year": [1990, 1993]})
    assert numbers(some.documents) == [0, 3] and some.documents[-1].text == "four" and len(some.documents) == 2
    assert corpus.documents[1] not in some.documents


def test_metadata_are_a_table(corpus):
    table = corpus.metadata(("year", "size", "tag", "good", "document")).to_arrow()
    assert table.column_names == ["document", "year", "size", "tag", "good", "metadata.document"]
    assert table["document"].to_pylist() == [0, 1, 2, 3]
    assert table["year"].to_pylist() == [1990, 1991, None, 1993]
    assert table["size"].to_pylist() == [1.0, 0.5, None, None]
    assert table["tag"].to_pylist() == ["a", "7", '["b"]', "a"]
    assert table["good"].to_pylist() == [None, True, False, None]
    assert table["metadata.document"].to_pylist() == ["x", None, None, "y"]
    assert [str(kind) for kind in table.schema.types] == ["int64", "int64", "double", "string", "bool", "string"]


def test_all_fields_and_chosen_documents(corpus):
    found = corpus.metadata(numbers=np.array([3, 1, 3]))
    table = found.to_arrow()
    assert len(found) == 3 and table["document"].to_pylist() == [3, 1, 3]
    assert set(corpus.metadata_fields) <= {*table.column_names, "document"}
    assert table["year"].to_pylist() == [1993, 1991, 1993]
    assert corpus.metadata(["year"], []).to_arrow().num_rows == 0


def test_more_documents_than_a_batch(corpus):
    wanted = [number % 4 for number in range(2_500)]
    assert corpus.metadata(["year"], wanted).to_arrow()["document"].to_pylist() == wanted


@pytest.mark.parametrize("wrong", [{"fields": ["yaer"]}, {"numbers": [4]}, {"numbers": [-1]}, {"numbers": [0.5]}])
def test_fields_and_documents_that_are_not_there(corpus, wrong):
    with pytest.raises(QueryError):
        corpus.metadata(**wrong)


def test_a_field_of_the_table_of_metadata(tmp_path):
    rows = [{"text": "a", "year": 1990, "kind": 1}, {"text": "b", "kind": "one"}, {"text": "c", "kind": [1, {"a": 2}]}]
    build_index(rows, tmp_path / "index", tokenizer="bytes")
    with open_index(tmp_path / "index") as corpus:
        table = corpus.metadata(["kind", "year"])
        assert table["year"] == [1990, None, None]
        assert table["kind"] == [1, "one", '[1, {"a": 2}]']
        assert corpus.metadata(["year"], [2, 0])["year"] == [None, 1990]
        assert table._ipython_key_completions_() == ["kind", "year"]
        with pytest.raises(QueryError, match="Did you mean year"):
            table["yaer"]


def test_a_single_field_is_not_its_letters(corpus):
    assert corpus.metadata("year").to_arrow().column_names == ["document", "year"]
    assert corpus.concordance("one").to_arrow(fields="year").column_names[-1] == "year"
