"""Word trees, against the texts themselves."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

from explorer.analyses.next_tokens import word_tree
from explorer.analyses.next_tokens.next_words import WordKind
from explorer.analyses.next_tokens.word_tree import TreeShape, tree_after, tree_before
from explorer.errors import QueryError
from explorer.text.tokens.tokenizer import TextTokenizer

WIDE = TreeShape((50, 50))
LINES = ("one cat sat here", "a cat sat down", "the cat, too", "a cat sat here", "cat")


def listed(*texts: str) -> ListBackend:
    documents = [list(text.encode()) for text in texts]
    return ListBackend(Contents([documents], [{} for _ in documents], 65_535, TextTokenizer.raw_bytes()))


def shown(branches):
    return [(node.text, node.count) for node in branches]


def test_the_words_after_a_context():
    tree = tree_after(listed(*LINES), list(b" cat"))
    assert shown(tree.branches) == [("sat", 3), (",", 1)]
    sat, comma = tree.branches
    assert shown(sat.branches) == [("here", 2), ("down", 1)] and sat.share == 3 / 4 and sat.exact
    assert [node.path for node in sat.branches] == [("sat", "here"), ("sat", "down")]
    assert sat.branches[0].joined == " sat here" and sat.branches[0].rest == ""
    assert comma.branches[0].text == "too" and tree.total == tree.looked_at == 4 and tree.different == 2


def test_a_closed_branch_quotes_how_it_continues():
    tree = tree_after(listed(*LINES), list(b" cat"), TreeShape((1,)))
    assert tree.branches[0].branches == () and tree.branches[0].rest == " here"
    opened = tree_after(listed(*LINES), list(b" cat"), TreeShape((1,), frozenset({("sat",)})))
    assert shown(opened.branches[0].branches) == [("here", 2)] and opened.branches[0].rest == ""


def test_the_words_before_a_context():
    tree = tree_before(listed(*LINES), list(b"cat"), WIDE)
    assert shown(tree.branches) == [("a", 2), ("", 1), ("one", 1), ("the", 1)]
    assert tree.branches[1].kind is WordKind.END and tree.branches[1].branches == ()
    assert tree.branches[0].joined == "a " and shown(tree.branches[0].branches) == [("", 2)]


def test_a_sample_is_scaled_and_says_so(monkeypatch):
    monkeypatch.setattr(word_tree, "BEFORE_LIMIT", 4)
    tree = tree_before(listed(*["a cat", "the cat"] * 10), list(b"cat"))
    assert not tree.exact and (tree.total, tree.looked_at) == (20, 4)
    assert sum(node.count for node in tree.branches) == 20 and not any(node.exact for node in tree.branches)


def test_a_word_is_not_cut_at_the_edge_of_what_is_read():
    tree = tree_before(listed("x" * 100 + " cat", "y" * 100 + "cat"), list(b"cat"), WIDE)
    # The first word is longer than what is read, and is shown as far as that; nothing is made up before it.
    assert [(node.text[:1], node.kind) for node in tree.branches] == [("x", WordKind.WORD), ("y", WordKind.REST)]
    assert all(node.branches == () for node in tree.branches)


TEXTS = st.lists(st.lists(st.sampled_from(["cat", "a", "dog", ","]), max_size=6), min_size=1, max_size=5)


@given(TEXTS)
def test_two_words_on_each_side_are_those_of_the_texts(texts):
    index = listed(*(" ".join(["^", *words, "$"]) for words in texts))
    places = [(["^", *words, "$"], at + 1) for words in texts for at, word in enumerate(words) if word == "dog"]
    after = Counter(tuple(words[at + 1 : at + 3]) for words, at in places)
    before = Counter(tuple(words[max(0, at - 2) : at][::-1]) for words, at in places)
    if places:
        right, left = tree_after(index, list(b"dog"), WIDE), tree_before(index, list(b"dog"), WIDE)
        assert pairs(right) == Counter({pair: n for pair, n in after.items() if len(pair) == 2})
        assert pairs(left) == Counter({pair: n for pair, n in before.items() if len(pair) == 2})


def pairs(tree):
    found = Counter({node.path: node.count for branch in tree.branches for node in branch.branches})
    return Counter({path: count for path, count in found.items() if path[-1]})


def test_an_empty_context_has_nothing_before_it():
    with pytest.raises(QueryError, match="empty"):
        tree_before(listed("a"), [])
