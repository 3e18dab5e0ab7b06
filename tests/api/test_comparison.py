"""Agreement of many texts by group, against the agreement of each text."""

from __future__ import annotations

import numpy as np
import pytest

from explorer import open_index
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, QueryError

TEXTS = ["the cat sat on the mat", "a dog saw the cat on the rug", "the dog sat on the mat, and more", "naïve café"]
GROUPS = ["a", "b", "a", "b"]


@pytest.fixture(scope="module")
def small(small_index):
    """The small index, opened once for all tests."""
    return open_index(small_index)


def test_bins_are_sums_over_the_texts(small):
    found = small.compare_agreement(iter(TEXTS), groups=iter(GROUPS), max_n=2)
    for group in (None, "a", "b"):
        texts = [text for text, of in zip(TEXTS, GROUPS, strict=True) if group in (None, of)]
        for series, max_n in (("infgram", None), ("ngram", 2)):
            each = [small.agreement(text, max_n=max_n) for text in texts]
            lengths = np.concatenate([one.effective_n for one in each])
            agrees = np.concatenate([one.agrees for one in each])
            bins = [
                (b.from_, b.token_count, b.agreeing_count)
                for b in found.bins
                if (b.group, b.series, b.by) == (group, series, "effective_n")
            ]
            expected = [(n, (lengths == n).sum(), agrees[lengths == n].sum()) for n in np.unique(lengths).tolist()]
            assert bins == expected and bins


def test_a_group_without_tokens_has_no_shares(small):
    found, again = (small.compare_agreement(["", TEXTS[0]], ["a", "b"]) for _ in range(2))
    empty = found.sources[1]
    assert (empty.name, empty.token_count) == ("a", 0)
    assert {empty.agreement, empty.mean_n, empty.median_n, empty.sparse, empty.ngram_agreement} == {None}
    assert found.sources == again.sources


def test_the_table_has_the_bins(small):
    found = small.compare_agreement(TEXTS, GROUPS)
    table = found.to_arrow()
    assert table.num_rows == len(found.bins)
    assert table["from"].to_pylist() == [b.from_ for b in found.bins]
    assert set(table["group"].to_pylist()) == {None, "a", "b"} and set(table["by"].to_pylist()) == {
        "effective_n",
        "count",
    }


def test_sources_are_all_texts_and_each_group(small):
    found = small.compare_agreement(TEXTS, GROUPS)
    everything, *groups = found.sources
    assert everything.name is None and [source.name for source in groups] == ["a", "b"]
    assert everything.token_count == found.token_count == sum(len(small.encode(text)) for text in TEXTS)
    assert sum(source.agreeing_count for source in groups) == everything.agreeing_count
    assert found.agreement == everything.agreement == everything.agreeing_count / everything.token_count
    assert "4 texts" in repr(found) and found._repr_html_().count("<tr") >= 3


def test_lengths_and_draws(small):
    assert small.compare_agreement(TEXTS, max_tokens=3).token_count == sum(min(3, len(small.encode(t))) for t in TEXTS)
    some = small.compare_agreement(TEXTS, GROUPS, max_texts=1, seed=5)
    assert [source.text_count for source in some.sources] == [2, 1, 1]
    assert some.bins == small.compare_agreement(TEXTS, GROUPS, max_texts=1, seed=5).bins


def test_without_the_texts_own_documents(small):
    longest = max(small.documents, key=lambda document: document.token_count)
    whole, less = (small.compare_agreement([longest.text], without_self=w) for w in (False, True))
    assert whole.left_out == () and less.left_out == (longest.number,)
    assert "left out" not in repr(whole) and repr(less).endswith(", 1 document left out)")
    assert less.agreement < whole.agreement


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        ("the cat", {}),
        ([], {}),
        ([""], {}),
        (["the", 5], {}),
        (["the"], {"groups": ["a", "b"]}),
        (["the"], {"max_n": 0}),
        (["the"], {"max_tokens": -1}),
        (["the"], {"max_texts": 0.5}),
    ],
)
def test_wrong_input_is_refused(small, texts, options):
    with pytest.raises(QueryError):
        small.compare_agreement(texts, **options)


def test_a_cancelled_comparison(small):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        small.compare_agreement(TEXTS, cancel=cancel)
