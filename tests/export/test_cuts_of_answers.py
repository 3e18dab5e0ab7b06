"""Duplicates of the answers of twelve models, cut: the figures of an independent count, and what other tools leave."""

from __future__ import annotations

import json

import pytest
from cut_readers import in_google_layout, of_documented_tool, rows_of

from explorer import build_index, open_index

pytestmark = pytest.mark.local("files")


def test_the_round_trip_of_duplicates(answers_index, answers, tmp_path):
    corpus = open_index(answers_index)
    ranges = corpus.duplicates(50).ranges
    made = corpus.export_cuts(ranges, tmp_path / "clean")
    corpus.export_cuts(ranges, tmp_path / "bytes", format="byterange")
    facts = json.loads((tmp_path / "clean" / "manifest.json").read_text())
    assert facts["before"] == {"documents": 9_659, "tokens": 2_856_074, "bytes": 11_046_630}
    counts = made.counts
    assert (counts.tokens_removed, counts.ranges, counts.documents_touched) == (55_501, 317, 201)
    assert (counts.documents_emptied, counts.documents_dropped) == (1, 1)
    texts = [text for each in answers.values() for text in each]
    assert in_google_layout((tmp_path / "bytes" / "texts").read_bytes(), texts)
    # What is dropped is in the file of the other tool as an empty text, or one of white space.
    kept = [row["text"] for row in rows_of(tmp_path / "clean" / "cleaned.jsonl")]
    [dropped] = rows_of(tmp_path / "clean" / "dropped.jsonl")
    kept.insert(dropped["document"], corpus.preview_cuts(ranges, dropped["document"]).kept)
    assert in_google_layout(of_documented_tool(tmp_path / "bytes"), kept)

    # A second pass, over the texts that are left and tokenized again.
    build_index(tmp_path / "clean" / "cleaned.jsonl", tmp_path / "again", tokenizer=answers_index / "tokenizer.json")
    again = open_index(tmp_path / "again")
    assert again.document_count == 9_658
    assert not len(again.duplicates(50).ranges)
