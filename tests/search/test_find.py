"""Queries of the language against reading every document."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.analyses.search.find import QueryOptions, find_query
from explorer.analyses.search.language import parse
from explorer.errors import QueryError

TEXTS = ["a b c a b", "b c c", "c", "a x x x x b", "b a c a", "a"]


@pytest.fixture(scope="module")
def letters(tmp_path_factory):
    folder = tmp_path_factory.mktemp("letters")
    for number, text in enumerate(TEXTS):
        (folder / f"{number}.txt").write_text(text)
    build_index(folder, folder / "out", tokenizer="bytes")
    return open_index(folder / "out")


def by_looking(wanted, excluded, distance, node=None):
    """Hits of the node, else of the rarest clause, by reading; each clause is a tuple of letters."""

    def places(clause):
        return [(d, i) for d, text in enumerate(TEXTS) for i, letter in enumerate(text) if letter in clause]

    walked = min(wanted, key=lambda clause: len(places(clause))) if node is None else wanted[node]
    return {
        (d, i)
        for d, i in places(walked)
        if all(any(e == d and abs(i - j) <= distance for e, j in places(c)) for c in wanted if c is not walked)
        and not any(e == d and abs(i - j) <= distance for e, j in places(excluded))
    }


CLAUSES = st.lists(st.lists(st.sampled_from("abcx"), min_size=1, max_size=2, unique=True), min_size=1, max_size=3)


EXCLUDED = st.lists(st.sampled_from("abcx"), max_size=2, unique=True)


@given(CLAUSES, EXCLUDED, st.integers(0, 8), st.none() | st.integers(0, 2))
def test_against_reading(letters, clauses, excluded, distance, node):
    sizes = [sum(text.count(letter) for text in TEXTS for letter in clause) for clause in clauses]
    # With equally rare clauses, which of them is walked is not said.
    assume(node is not None or sizes.count(min(sizes)) == 1)
    written = [" OR ".join(f'"{x}"' for x in clause) for clause in clauses]
    text = written[0] if len(written) == 1 and not excluded else " AND ".join(f"({part})" for part in written)
    text += "".join(f' AND NOT "{x}"' for x in excluded)
    if node is not None:
        # Clauses are numbered as the query is read, without those that say nothing new.
        clauses = parse(text).clauses
        node = min(node, len(clauses) - 1)
    found = find_query(letters.index, text, QueryOptions(max_distance=distance, node=node))
    assert node is None or found.node == node
    expected = by_looking([tuple(c) for c in clauses], tuple(excluded), distance, node)
    lines = letters.concordance(found).lines(0, 100)
    paths = [letters.document(number).metadata["path"] for number in range(len(TEXTS))]
    assert {(int(paths[line.document][0]), line.offset) for line in lines} == expected
    assert found.count == len(expected)
    assert found.exact


def test_a_plain_phrase_stays_a_range(letters):
    found = letters.search("a b")
    assert found.numbers is None and found.count == 2 and found.parsed.plain
    assert found.per_million == pytest.approx(1e6 * 2 / letters.token_count)


def test_an_or_is_counted_as_a_range_too(letters):
    found = letters.search("a OR b")
    assert found.numbers is None
    assert found.count == sum(text.count("a") + text.count("b") for text in TEXTS)


def test_what_cannot_occur_is_named(letters):
    assert letters.search("a AND (zz OR b)").impossible == ("zz",)
    assert letters.search("a AND zz").count == 0


def test_an_estimate_and_its_lines(letters, monkeypatch):
    monkeypatch.setattr("explorer.analyses.search.cnf.WALKED_UNASKED", 3)
    found = letters.search("a AND c", max_distance=10)
    assert not found.exact and found.sample_size == 3 < found.walkable
    assert len(letters.concordance(found)) == len(found.numbers)
    whole = letters.search("a AND c", max_distance=10, exact=True)
    assert whole.exact and len(letters.concordance(whole)) == whole.count


@pytest.mark.parametrize("distance", [-1, 10**9])
def test_distances(letters, distance):
    with pytest.raises(QueryError, match="distance"):
        letters.search("a AND b", max_distance=distance)


def test_in_a_byte_index_a_space_before_counts_nothing_twice(letters):
    """There " a" is an occurrence of "a" already."""
    found = letters.search("a", variants=("space", "lower", "upper", "title"), match="tokens")
    assert found.count == sum(text.count("a") for text in TEXTS)
    assert letters.search("a OR a b OR b a", match="tokens").count == found.count
    # As text, "b a" begins at another place than the "a" in it.
    assert letters.search("a OR a b").count == found.count
    assert letters.search("a OR b a").count == found.count + sum(text.count("b a") for text in TEXTS)
