"""Figure 3 of a corpus whose figure is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
import twin

from explorer.agreement.analysis import AgreementRequest, analyse
from explorer.agreement.figure import make_series, wilson_interval
from explorer.agreement.sources import read_texts
from explorer.agreement.tokens import agreement
from explorer.corpus.open import open_folders
from explorer.errors import QueryError


@pytest.fixture
def known(tmp_path):
    """One document, the bytes "abcabcabx"."""
    return open_folders(twin.write_index(tmp_path, [[list(b"abcabcabx")]], width=1))


def test_a_hand_made_corpus(known):
    """Worked out by hand for the text "abcq": behind "ab" stand c, c, x; "q" never occurs."""
    result = agreement(known, list(b"abcq"))
    assert result.effective_n.tolist() == [1, 2, 3, 4]
    assert result.context_count.tolist() == [10, 3, 3, 2]
    assert result.continuation_count.tolist() == [3, 3, 2, 0]
    assert result.probability.tolist() == pytest.approx([0.3, 1.0, 2 / 3, 0.0])
    assert result.agrees.tolist() == [False, True, True, False]
    assert result.sparse.tolist() == [False, True, False, True]


def test_its_figure(known):
    figure = analyse(known, AgreementRequest(("abcq",), n=2)).figure
    infgram = [(b.effective_n, b.tokens, b.agreeing) for b in figure.infgram.bins]
    assert infgram == [(1, 1, 0), (2, 1, 1), (3, 1, 1), (4, 1, 0)]
    assert [(b.effective_n, b.tokens, b.agreeing) for b in figure.ngram.bins] == [(1, 1, 0), (2, 3, 2)]
    assert [(b.effective_n, b.tokens, b.agreeing) for b in figure.sparse.bins] == [(2, 1, 1), (4, 1, 0)]
    assert (figure.infgram.overall, figure.infgram.mean_n, figure.infgram.median_n) == (0.5, 2.5, 2.5)


def test_a_short_context_is_never_exceeded(small):
    ids = small.encode("the cat sat on the mat. the cat sat on the rug.")
    for n in (1, 2, 5):
        result = small.agreement(ids, max_n=n)
        assert result.effective_n.max() <= n
    with pytest.raises(QueryError, match="at least 1"):
        small.agreement(ids, max_n=0)


def test_groups_have_figures_of_their_own(small):
    analysis = analyse(small.index, AgreementRequest(("the cat", "the dog", "zebra"), ("a", "b", "a")))
    assert list(analysis.groups) == ["a", "b"]
    together = analysis.groups["a"].infgram.tokens + analysis.groups["b"].infgram.tokens
    assert analysis.figure.infgram.tokens == together


def test_intervals():
    assert wilson_interval(0, 0) == (0.0, 1.0)
    low, high = wilson_interval(8, 10)
    # Wilson (1927), computed apart: 0.4902 to 0.9433.
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert wilson_interval(10, 10)[1] == pytest.approx(1.0)
    assert wilson_interval(0, 10)[0] == 0.0


def test_nothing_to_draw():
    empty = make_series("x", np.empty(0, dtype=np.int64), np.empty(0, dtype=np.bool_))
    assert empty.bins == ()
    assert math.isnan(empty.overall)


def test_no_text(small):
    with pytest.raises(QueryError, match="no text"):
        analyse(small.index, AgreementRequest(("",)))


def test_texts_from_files(tmp_path):
    (tmp_path / "a.txt").write_text("one")
    (tmp_path / "b.jsonl").write_text('{"text": "two", "model": "m"}\n{"text": "three", "model": "n"}\n')
    assert read_texts([tmp_path / "a.txt"]) == (("one",), ("a.txt",))
    assert read_texts([tmp_path / "b.jsonl"], group_field="model") == (("two", "three"), ("m", "n"))
    with pytest.raises(QueryError, match='line 1: the field "x" is missing'):
        read_texts([tmp_path / "b.jsonl"], group_field="x")
