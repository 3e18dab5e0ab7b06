"""Marks of the other clauses of an AND, against reading the text of each document."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.analyses.search.find import QueryOptions, find_query
from explorer.analyses.search.nearby import marked_line, others_of

WORDS = ["ox", "cat", "dog", "é", "日本", "😀", ".", "\n", "مرحبا"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nearby")
    generator = random.Random(4)
    for number in range(12):
        text = " ".join(generator.choice(WORDS) for _ in range(generator.randrange(1, 90)))
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    build_index(folder, folder / "out", tokenizer="bytes")
    return open_index(folder / "out")


def spans(text, words):
    """Where a word occurs, as (start, end) in bytes: tokens of this index."""
    data = text.encode()
    return [m.span() for word in words for m in re.finditer(re.escape(word.encode()), data)]


CLAUSE = st.lists(
    st.sampled_from(["ox", "cat", "dog", "é", "日本", "😀", "مرحبا"]), min_size=1, max_size=2, unique=True
)


@given(
    st.lists(CLAUSE, min_size=2, max_size=3, unique_by=tuple),
    st.integers(1, 60),
    st.integers(0, 30),
    st.booleans(),
    st.integers(0, 1),
)
def test_against_reading(corpus, clauses, distance, width, characters, node):
    query = " AND ".join("(" + " OR ".join(f'"{word}"' for word in clause) + ")" for clause in clauses)
    found = find_query(corpus.index, query, QueryOptions(max_distance=distance, node=node))
    others = [clause for number, clause in enumerate(clauses) if number != node]
    nearby = others_of(found, distance)
    assert nearby is not None
    for line in corpus.concordance(found, sort="index").lines(0, 6):
        text = corpus.document(line.document).text
        shown = marked_line(corpus.index, line, nearby, width, characters)
        # The context is the text around the match, never less than was asked for.
        start, end = line.offset, line.offset + line.length
        left, right = text.encode()[:start].decode(), text.encode()[end:].decode()
        assert left.endswith(shown.line.left) and right.startswith(shown.line.right)
        assert shown.line.match == line.match
        if characters:
            assert len(shown.line.left) >= min(width, len(left)) and len(shown.line.right) >= min(width, len(right))
        for context, marks in ((shown.line.left, shown.left), (shown.line.right, shown.right)):
            assert all(context[mark.start : mark.end] in others[mark.clause] for mark in marks)
        for number, words in enumerate(others):
            near = [(i, j) for i, j in spans(text, words) if abs(i - start) <= distance and (j <= start or i >= end)]
            marked = [mark for mark in (*shown.left, *shown.right) if mark.clause == number]
            # Every place in the context is marked, and at least one wherever there is one near.
            assert bool(near) == bool(marked)
            first, last = start - len(shown.line.left.encode()), end + len(shown.line.right.encode())
            assert len(marked) == sum(first <= i and j <= last for i, j in near)


def test_a_query_of_one_clause_has_nothing_else_to_mark(corpus):
    assert others_of(corpus.search("cat"), 10) is None
    assert others_of(corpus.search("cat AND NOT dog"), 10) is None
    assert others_of(corpus.search("cat OR dog"), 10) is None
