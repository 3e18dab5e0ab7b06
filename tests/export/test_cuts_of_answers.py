"""Duplicates of the answers of twelve models, cut: what the files hold, and what other tools leave."""

from __future__ import annotations

import json

import pytest
from cut_readers import in_google_layout, of_documented_tool, rows_of

from explorer import build_index, open_index

pytestmark = pytest.mark.local("files")


def test_the_round_trip_of_duplicates(some_answers, tmp_path):
    corpus, texts = open_index(some_answers.folder), some_answers.texts
    ranges = corpus.duplicates(50).ranges
    made = corpus.export_cuts(ranges, tmp_path / "clean")
    corpus.export_cuts(ranges, tmp_path / "bytes", format="byterange")
    facts = json.loads((tmp_path / "clean" / "manifest.json").read_text())
    tokens = sum(document.token_count for document in corpus.documents)
    size = sum(len(text.encode()) for text in texts)
    assert facts["before"] == {"documents": len(texts), "tokens": tokens, "bytes": size}
    counts, lengths = made.counts, corpus.index.documents.lengths(ranges.documents)
    assert (counts.tokens_removed, counts.ranges) == (ranges.tokens, len(ranges))
    assert counts.documents_touched == len(set(ranges.documents.tolist()))
    assert (
        counts.documents_emptied == sum((ranges.ends - ranges.starts == lengths).tolist()) == counts.documents_dropped
    )
    assert in_google_layout((tmp_path / "bytes" / "texts").read_bytes(), texts)
    # What is dropped is in the file of the other tool as an empty text, or one of white space.
    kept = [row["text"] for row in rows_of(tmp_path / "clean" / "cleaned.jsonl")]
    for dropped in rows_of(tmp_path / "clean" / "dropped.jsonl"):
        kept.insert(dropped["document"], corpus.preview_cuts(ranges, dropped["document"]).kept)
    assert in_google_layout(of_documented_tool(tmp_path / "bytes"), kept)

    # A second pass, over the texts that are left and tokenized again.
    build_index(
        tmp_path / "clean" / "cleaned.jsonl", tmp_path / "again", tokenizer=some_answers.folder / "tokenizer.json"
    )
    again = open_index(tmp_path / "again")
    assert again.document_count == len(texts) - counts.documents_dropped < len(texts)
    assert not len(again.duplicates(50).ranges)
