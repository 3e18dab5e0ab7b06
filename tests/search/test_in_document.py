"""Hits within one document, and the part of it that is read."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from explorer.analyses.search.in_document import PART_TOKENS, read_part
from explorer.analyses.search.needle import Needle, occurrences


@given(st.lists(st.integers(0, 2), max_size=30), st.lists(st.lists(st.integers(0, 2), max_size=3), max_size=3))
def test_occurrences(tokens, patterns):
    found = occurrences(np.array(tokens, dtype=np.int64), patterns)
    expected = sorted(
        (i, len(p)) for p in patterns if p for i in range(len(tokens) - len(p) + 1) if tokens[i : i + len(p)] == p
    )
    assert [tuple(row) for row in found.tolist()] == expected


def test_hits_are_characters_of_the_text(small):
    ids = tuple(small.encode(" the cat").tolist())
    part = read_part(small.document(0), 0, Needle((tuple(ids),)))
    for number in range(small.document_count):
        part = read_part(small.document(number), 0, Needle((tuple(ids),)))
        assert all(part.text[hit.start : hit.end] == "the cat" for hit in part.hits)
        assert part.hits_total == len(part.hits)
    assert part.token_count == small.document(small.document_count - 1).token_count


def test_a_long_document_is_read_in_parts(tmp_path):
    from explorer import build_index, open_index

    (tmp_path / "long.txt").write_text("needle " + "x" * 20_000 + " needle")
    build_index(tmp_path / "long.txt", tmp_path / "out", tokenizer="bytes")
    corpus = open_index(tmp_path / "out")
    pattern = corpus.encode("needle").tolist()
    start, end = (
        read_part(corpus.document(0), 0, Needle((tuple(pattern),))),
        read_part(corpus.document(0), 20_010, Needle((tuple(pattern),))),
    )
    assert (start.first, len(start.text), start.hits_total, len(start.hits)) == (0, PART_TOKENS, 2, 1)
    assert (end.last, len(end.offsets), len(end.hits)) == (corpus.document(0).token_count, 2, 1)
