"""Collocates against plain loops over lists, and the figures of Tiny Shakespeare's *king*."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from list_backend import Contents, ListBackend
from model_answers import text_named, text_names

from explorer import Cancelled, CancelToken, QueryError, build_index, open_index
from explorer.analyses.collocates.association import ASSOCIATIONS
from explorer.analyses.collocates.cells import collocate_places, find_collocates
from explorer.analyses.collocates.details import collocate_details
from explorer.analyses.collocates.windows import ngram_nodes, nodes_at, windows_around
from explorer.backends import range_texts
from explorer.words.rule import WordRule, words_of

SEPARATOR = 9
DOCUMENTS = st.lists(st.lists(st.integers(0, 3), max_size=12), min_size=1, max_size=4)


def near(index, node, window=(5, 5), chosen=None):
    return windows_around(index, ngram_nodes(index, node, chosen), window)


def backend(documents):
    return ListBackend(Contents([documents], [{}] * len(documents), SEPARATOR))


def slow(documents, node, left, right):
    """Observed and other counts, and the sums, by marking every token."""
    observed, outside, hits = Counter(), Counter(), 0
    for tokens in documents:
        starts = [at for at in range(len(tokens)) if tokens[at : at + len(node)] == node]
        own = {at + step for at in starts for step in range(len(node))}
        near = {
            at for start in starts for at in range(start - left, start + len(node) + right) if 0 <= at < len(tokens)
        }
        observed.update(tokens[at] for at in near - own)
        outside.update(token for at, token in enumerate(tokens) if at not in own)
        hits += len(starts)
    return observed, outside, hits


@given(
    DOCUMENTS,
    st.lists(st.integers(0, 3), min_size=1, max_size=3),
    st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any),
    st.integers(1, 3),
)
def test_counts_are_those_of_plain_loops(documents, node, window, least):
    observed, outside, hits = slow(documents, node, *window)
    index = backend(documents)
    found = find_collocates(index, near(index, node, window), least)
    rows = zip(found.ids.tolist(), found.cells.observed.tolist(), found.cells.frequency.tolist(), strict=True)
    expected = sorted((-count, token) for token, count in observed.items() if count >= least)
    assert list(rows) == [(token, -count, outside[token]) for count, token in expected]
    cells = found.cells
    assert (cells.node, cells.window, cells.total) == (hits, observed.total(), outside.total())


SPANS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 11), st.integers(1, 4)), max_size=6)


@given(DOCUMENTS, SPANS, st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any), st.integers(1, 3))
def test_hits_of_any_lengths_are_counted_around(documents, spans, window, least):
    left, right = window
    spans = [(d, at, at + size) for d, at, size in spans if d < len(documents) and at + size <= len(documents[d])]
    observed, outside = Counter(), Counter()
    for number, tokens in enumerate(documents):
        mine = [(first, last) for document, first, last in spans if document == number]
        own = {at for first, last in mine for at in range(first, last)}
        near = {at for first, last in mine for at in range(first - left, last + right) if 0 <= at < len(tokens)}
        observed.update(tokens[at] for at in near - own)
        outside.update(token for at, token in enumerate(tokens) if at not in own)
    spans = sorted(set(spans))
    index, nodes = backend(documents), nodes_at(*np.array(spans[::-1], np.int64).reshape(-1, 3).T)
    found = find_collocates(index, windows_around(index, nodes, window), least)
    rows = zip(found.ids.tolist(), found.cells.observed.tolist(), found.cells.frequency.tolist(), strict=True)
    expected = sorted((-count, token) for token, count in observed.items() if count >= least)
    assert list(rows) == [(token, -count, outside[token]) for count, token in expected]
    cells = found.cells
    assert (cells.node, cells.window, cells.total) == (len(spans), observed.total(), outside.total())


def test_both_kinds_of_index_agree_in_small_steps(small_index, monkeypatch):
    index = open_index(small_index).index
    numbers = index.documents.numbers()
    texts = index.documents.windows(numbers, np.zeros_like(numbers), index.documents.lengths(numbers))
    node = open_index(small_index).encode(" the").tolist()
    other = backend_of(texts, index.separator)
    expected = find_collocates(other, near(other, node, (3, 2)), 1)
    monkeypatch.setattr(range_texts, "AT_ONCE", 7)
    assert find_collocates(index, near(index, node, (3, 2)), 1) == expected
    assert len(expected) > 1


def backend_of(texts, separator):
    return ListBackend(Contents([[text.tolist() for text in texts]], [{}] * len(texts), separator))


def test_a_node_that_does_not_occur_has_no_collocates():
    index = backend([[1, 2, 3]])
    found = find_collocates(index, near(index, [3, 1]), min_count=1)
    assert (len(found), found.cells.node, found.cells.window, found.cells.total) == (0, 0, 0, 3)
    assert all(len(row.compute(found.cells)) == 0 for row in ASSOCIATIONS.values())


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"window": (0, 0)}, "A window needs a token"),
        ({"window": (-1, 5)}, "window must be"),
        ({"window": (5, 1_001)}, "window must be"),
        ({"min_count": 0}, "min_count"),
        ({"node": []}, "empty"),
        ({"node": [70_000]}, "out of range"),
    ],
)
def test_what_makes_no_sense_is_refused(asked, told):
    index, given = backend([[1, 2, 3]]), {"node": [1], "window": (5, 5), "min_count": 5, **asked}
    with pytest.raises(QueryError, match=told):
        find_collocates(index, near(index, given["node"], given["window"]), given["min_count"])


def test_a_count_is_cancelled():
    cancel = CancelToken()
    cancel.cancel()
    index = backend([[1, 2, 3]])
    around = near(index, [1])
    with pytest.raises(Cancelled):
        find_collocates(index, around, cancel=cancel)
    with pytest.raises(Cancelled):
        ngram_nodes(index, [1], cancel=cancel)


@pytest.mark.parametrize("name", text_names("tinyshakespeare"))
def test_collocates_of_a_word_in_a_text(name, tmp_path):
    text, node = text_named(name), "king" if name == "tinyshakespeare" else "the"
    build_index([{"text": text}], tmp_path / "index", tokenizer="bytes")
    words = open_index(tmp_path / "index").words()
    found = find_collocates(words.index, near(words.index, words.encode(node)), 1)
    observed, outside, hits = slow([words_of(text, WordRule())], [node], 5, 5)
    forms = [words.decode([word]) for word in found.ids]
    assert dict(zip(forms, found.cells.observed.tolist(), strict=True)) == observed
    assert found.cells.frequency.tolist() == [outside[form] for form in forms]
    assert (found.cells.node, found.cells.window, found.cells.total) == (hits, observed.total(), outside.total())
    if name == "tinyshakespeare":
        check_king(words)


def check_king(words):
    """The figures of another program."""
    found = find_collocates(words.index, near(words.index, words.encode("king")))
    assert (found.cells.node, found.cells.window, found.cells.total) == (887, 8_407, 202_976)
    values = {name: row.compute(found.cells) for name, row in ASSOCIATIONS.items()}
    order = np.argsort(-values["logdice"], kind="stable")
    forms = [words.decode([word]) for word in found.ids[order[:8]]]
    assert forms == ["richard", "iii", "edward", "iv", "henry", "vi", "ii", "the"]
    richard, henry = int(order[0]), int(order[4])
    assert (found.cells.observed[richard], found.cells.frequency[richard]) == (269, 376)
    assert found.cells.expected[richard] == pytest.approx(15.5734, abs=5e-5)
    assert values["logdice"][[richard, henry]] == pytest.approx([12.7688, 11.8026], abs=5e-5)
    assert (found.cells.observed[henry], values["mi"][henry]) == (127, pytest.approx(3.4633, abs=5e-5))
    both = collocate_details(words.index, near(words.index, words.encode("king"), (5, 5)), found.ids[[richard, henry]])
    assert (both.pairs.tolist(), both.slots, both.documents.tolist()) == ([279, 151], 8_870, [1, 1])


@given(DOCUMENTS, st.lists(st.integers(0, 3), min_size=1, max_size=2), st.lists(st.booleans(), min_size=4, max_size=4))
def test_chosen_documents_count_as_if_there_were_no_others(documents, node, given_mask):
    mask = np.array(given_mask[: len(documents)])
    kept = [tokens for tokens, met in zip(documents, mask, strict=True) if met]
    index = backend(documents)
    found = find_collocates(index, near(index, node, (2, 1), mask), 1, chosen=mask)
    observed, outside, hits = slow(kept, node, 2, 1)
    assert (found.cells.node, found.cells.window, found.cells.total) == (hits, observed.total(), outside.total())
    rows = zip(found.ids.tolist(), found.cells.observed.tolist(), found.cells.frequency.tolist(), strict=True)
    expected = sorted((-count, token) for token, count in observed.items())
    assert list(rows) == [(token, -count, outside[token]) for count, token in expected]


@given(
    DOCUMENTS,
    st.lists(st.integers(0, 3), min_size=1, max_size=3),
    st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any),
)
def test_a_row_has_as_many_places_as_it_counts(documents, node, window):
    index = backend(documents)
    around = near(index, node, window)
    found = find_collocates(index, around, 1)
    for token in range(4):
        places, hits = collocate_places(index, around, token)
        rows = dict(zip(found.ids.tolist(), found.cells.observed.tolist(), strict=True))
        assert len(places) == rows.get(token, 0)
        distances = places.offsets - hits.starts
        assert (places.documents == hits.documents).all()
        assert ((distances >= -window[0]) & (distances < len(node) + window[1])).all()
        assert all(documents[d][at] == token for d, at in zip(*(c.tolist() for c in places.columns()), strict=True))
