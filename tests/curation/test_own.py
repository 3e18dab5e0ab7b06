"""Benchmarks that are in a corpus themselves: what is left out, and what stays."""

from __future__ import annotations

import json

import pytest

from explorer import build_index, open_index

ITEMS = [
    "If seven hens lay twelve eggs a week, how many eggs do they all lay in a whole year together?",
    "A farmer walks nine miles along the river and rests twice before the sun goes down behind him.",
    "Two trains leave at noon from towns far apart, and meet when their drivers have had lunch.",
    "My aunt bought apples for her four sisters, and kept only three of them in a blue paper bag.",
]
OTHER = "Nothing of the kind is written here."


def indexed(place, **files):
    """An index of files of texts, whose documents name them."""
    (place / "texts").mkdir()
    for name, texts in files.items():
        lines = "".join(json.dumps({"text": text}) + "\n" for text in texts)
        (place / "texts" / f"{name}.jsonl").write_text(lines)
    build_index(place / "texts", place / "index", tokenizer="bytes")
    return open_index(place / "index")


def looked_for(corpus, unit, without_own=True):
    return corpus.contamination([{"question": text} for text in ITEMS], unit=unit, without_own=without_own)


def verdicts(found):
    return [(row.verdict, row.best_document if row.verdict == "flagged" else None) for row in found]


@pytest.fixture(autouse=True)
def words_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("unit", ["words", "tokens"])
def test_a_copy_in_another_source_stays(tmp_path, unit):
    corpus = indexed(tmp_path, a_benchmark=ITEMS, b_mixed=[ITEMS[2], OTHER])
    assert verdicts(looked_for(corpus, unit, without_own=False)) == [("flagged", number) for number in range(4)]
    found = looked_for(corpus, unit)
    assert verdicts(found) == [("not-flagged", None)] * 2 + [("flagged", 4), ("not-flagged", None)]
    assert [(each.source, each.documents, each.left_out) for each in found.own] == [
        ("a_benchmark.jsonl", 4, True), ("b_mixed.jsonl", 1, False)
    ]  # fmt: skip
    assert found.looked_in.documents.numbers().tolist() == [4, 5]


@pytest.mark.parametrize("unit", ["words", "tokens"])
def test_an_index_of_nothing_else_is_empty(tmp_path, unit):
    found = looked_for(indexed(tmp_path, benchmark=ITEMS), unit)
    assert verdicts(found) == [("not-flagged", None)] * 4 and found.looked_in.document_count == 0


def test_what_was_subtracted_stays_out(tmp_path):
    (tmp_path / "less").mkdir()
    indexed(tmp_path / "less", copy=[ITEMS[2]])
    indexed(tmp_path, a_benchmark=ITEMS, b_mixed=[ITEMS[2], OTHER])
    corpus = open_index(tmp_path / "index", minus=tmp_path / "less" / "index")
    # The index to subtract has one of the two copies: which one, the subtraction decides.
    [gone] = set(range(6)) - set(corpus.index.documents.numbers().tolist())
    found = looked_for(corpus, "tokens")
    assert gone not in found.looked_in.documents.numbers().tolist()
    assert [row.verdict == "flagged" for row in found] == [False, False, gone != 4, False]
