"""Figure 3 of a corpus whose figure is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
import twin
from opened_with import open_shards

from explorer.analyses.agreement.analysis import KeptTexts, Texts, analyze
from explorer.analyses.agreement.figure import make_series
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.analyses.agreement.tokens import agreement
from explorer.core.proportions import wilson_interval
from explorer.errors import QueryError, SourceError


@pytest.fixture
def known(tmp_path):
    """One document, the bytes "abcabcabx"."""
    return open_shards(twin.write_index(tmp_path, [[list(b"abcabcabx")]], width=1))


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
    figure = analyze(known, Texts(("abcq",)), AgreementQuestion(max_n=2)).figure
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
    analysis = analyze(small.index, Texts(("the cat", "the dog", "zebra"), ("a", "b", "a")))
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
        analyze(small.index, Texts(("",)))


def test_texts_from_files(tmp_path):
    (tmp_path / "a.txt").write_text("one")
    (tmp_path / "b.jsonl").write_text('{"text": "two", "model": "m"}\n{"text": "three", "model": "n"}\n')
    plain = read_texts([tmp_path / "a.txt"])
    lines = read_texts([tmp_path / "b.jsonl"], InputChoice(group_field="model"))
    assert (plain.texts, plain.groups, plain.notes) == (("one",), ("a.txt",), ())
    assert (lines.texts, lines.groups) == (("two", "three"), ("m", "n"))
    assert lines.notes == ('read as jsonl; text from "text"',)
    with pytest.raises(SourceError, match='line 1: the field "x" is missing'):
        read_texts([tmp_path / "b.jsonl"], InputChoice(group_field="x"))
    with pytest.raises(QueryError, match="single text"):
        read_texts([tmp_path / "a.txt"], InputChoice(group_field="x"))


def test_an_index_whose_documents_are_shorter_than_the_context(tmp_path):
    """No context reaches over the end of a document, however large n is."""
    documents = [[1, 2], [2, 3], [3, 1], [1, 2]]
    index = open_shards(twin.write_index(tmp_path, [documents], width=1))
    text = [1, 2, 3, 1, 2]
    for n in (None, 3, 100):
        result = agreement(index, text, n)
        assert result.effective_n.tolist() == [1, 2, 3, 3, 3]
    assert agreement(index, text).continuation_count.tolist() == [3, 2, 0, 0, 0]


def test_a_text_of_another_script(small):
    found = analyze(small.index, Texts(("Съешь же ещё этих мягких французских булок",)))
    assert found.unseen > 0.3
    assert found.figure.infgram.overall < 0.2
    assert analyze(small.index, Texts(("the cat sat on the mat",))).unseen == 0


def test_sources_are_handed_over_one_by_one(small):
    """After each group but the last, what is known so far is what an analysis of just these groups gives."""
    texts, groups = ("the cat", "the dog sat", "zebra", "the mat"), ("a", "b", "a", "c")
    parts = []
    whole = analyze(small.index, Texts(texts, groups), interim=lambda make: parts.append(make()))
    assert [list(part.groups) for part in parts] == [["a"], ["a", "b"]]
    alone = analyze(small.index, Texts(("the cat", "zebra"), ("a", "a")))
    assert parts[0].figure == alone.figure == whole.groups["a"]
    assert [text.text for text in whole.texts] == list(texts)


def test_texts_are_kept(small, monkeypatch):
    kept, texts = KeptTexts(), Texts(("the cat", "the dog"), ("a", "b"))
    first = analyze(small.index, texts, kept=kept)
    monkeypatch.setattr("explorer.analyses.agreement.analysis._one_text", None)
    again = analyze(small.index, Texts(("the dog", "the cat"), ("x", "x")), kept=kept)
    assert again.figure == first.figure and list(again.groups) == ["x"]
    with pytest.raises(TypeError):
        analyze(small.index, Texts(("the cat",)), AgreementQuestion(max_n=3), kept=kept)


def test_no_more_is_kept_than_there_is_room_for(small, monkeypatch):
    kept = KeptTexts()
    monkeypatch.setattr(KeptTexts, "MOST_KEPT", 5)
    texts = Texts(("the cat sat", "the dog sat on the rug"))
    analyze(small.index, texts, kept=kept)
    assert kept.get("the cat sat", AgreementQuestion()) is None
    assert kept.get("the dog sat on the rug", AgreementQuestion()) is not None
