"""Mixing with a neural model: units against a slow twin, identities, λ against a search of the whole grid."""

from __future__ import annotations

import hashlib
import math
import sys
import tempfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import tiny_model
from hypothesis import given
from hypothesis import strategies as st

from explorer import QueryError, ScoredText, ScoredToken, build_index, open_index, read_scored
from explorer.analyses.mix.aligning import align
from explorer.analyses.mix.mixing import GRID, best_weight, mixed
from explorer.analyses.model import forest
from explorer.analyses.model.instance import groups_of
from explorer.text.tokens.tokenizer import TextTokenizer

TEXT = "the cat sat on the mat. the dog saw the cat on the rug, and a zebra ran."
BYTES = TextTokenizer.raw_bytes()


def in_pieces(text, size, seed=0, **more):
    """A text in tokens of `size` characters with made-up log probabilities; the first is not scored."""
    values = np.random.default_rng(seed).uniform(-6, -0.01, len(text)).tolist()
    starts = range(0, len(text), size)
    tokens = [ScoredToken(at, min(at + size, len(text)), values[at] if at else None) for at in starts]
    return ScoredText(text, tuple(tokens), **more)


def as_index(corpus, text, seed=0, ids=True):
    """A text in the tokens of the index."""
    found = corpus.index.tokenizer.encode_with_offsets(text)
    rows = list(zip(found.ids.tolist(), found.starts.tolist(), found.ends.tolist(), strict=True))
    values = np.random.default_rng(seed).uniform(-6, -0.01, len(rows)).tolist()
    tokens = [
        ScoredToken(start, end, value if number else None, id if ids else None)
        for number, ((id, start, end), value) in enumerate(zip(rows, values, strict=True))
    ]
    return ScoredText(text, tuple(tokens))


# --- units ---


cuts = st.sets(st.integers(1, 11))


@given(st.text(alphabet="ab é日", min_size=12, max_size=12), cuts, st.sets(st.integers(0, 11)))
def test_units_against_a_slow_twin(text, boundaries, unscored):
    edges = sorted({0, 12, *boundaries})
    tokens = [ScoredToken(a, b, None if n in unscored else -0.5 * (n + 1)) for n, (a, b) in enumerate(pairwise(edges))]
    found = align(BYTES, ScoredText(text, tuple(tokens)))
    # Bytes have a boundary at each character, so the units are the neural tokens; the first byte is never scored.
    expected = [(t.start, t.end, t.logprob) for t in tokens if t.logprob is not None and t.start]
    assert list(zip(found.starts.tolist(), found.ends.tolist(), found.neural.tolist(), strict=True)) == expected
    for row, (start, end, _) in enumerate(expected):
        first, last = len(text[:start].encode()), len(text[:end].encode())
        assert (found.firsts[row], found.lasts[row], found.bytes[row]) == (first, last, last - first)
    assert found.same == all(len(text[start:end].encode()) == 1 for start, end, _ in expected)


def test_nothing_of_the_sum_is_lost_between_tokenizers(small):
    for size in (1, 2, 3, 5):
        scored = in_pieces(TEXT, size)
        found = align(small.index.tokenizer, scored)
        inside = [t for t in scored.tokens if t.start >= found.starts[0]]
        assert found.neural.sum() == pytest.approx(sum(t.logprob for t in inside), rel=1e-12)
        assert found.neural_tokens.sum() == len(inside)
        assert (found.ends[:-1] == found.starts[1:]).all() and found.ends[-1] == len(TEXT)
        assert (found.lasts[:-1] == found.firsts[1:]).all() and found.lasts[-1] == len(found.ids)


def test_a_token_without_characters_is_no_cut():
    text = "ab日cd"
    # A character in three tokens: which of them has it depends on the program.
    for spans in ([(2, 3), (3, 3), (3, 3)], [(2, 2), (2, 2), (2, 3)]):
        tokens = [ScoredToken(0, 1, None), ScoredToken(1, 2, -1), *(ScoredToken(a, b, -1) for a, b in spans),
                  ScoredToken(3, 4, -1), ScoredToken(4, 5, -1)]  # fmt: skip
        found = align(BYTES, ScoredText(text, tuple(tokens)))
        assert found.neural.sum() == -6
        assert not found.same


def test_spaces_that_a_tokenizer_does_not_count(small):
    """Ranges with and without the space before a word give the same units."""
    whole = as_index(small, "the cat sat on the mat", ids=False)
    bare = [
        ScoredToken(t.end - len(whole.text[t.start : t.end].lstrip()), t.end, t.logprob)
        if whole.text[t.start : t.end].strip() else t
        for t in whole.tokens
    ]  # fmt: skip
    assert bare != list(whole.tokens)
    tokenizer = small.index.tokenizer
    assert align(tokenizer, ScoredText(whole.text, tuple(bare))) == align(tokenizer, whole)


def test_ids_decide_what_the_same_token_is(small):
    given_ids = as_index(small, TEXT + " 日本 😀")
    found = align(small.index.tokenizer, given_ids)
    assert found.same and len(found) == len(given_ids.tokens) - 1
    assert found.ends[-1] == len(given_ids.text)
    plain = as_index(small, TEXT)
    assert align(small.index.tokenizer, plain).same
    others = tuple(ScoredToken(t.start, t.end, t.logprob, t.id + 1) for t in plain.tokens)
    assert not align(small.index.tokenizer, ScoredText(TEXT, others)).same


def test_a_gap_is_not_scored():
    tokens = (ScoredToken(0, 1, None), ScoredToken(1, 2, -1), ScoredToken(4, 5, -1), ScoredToken(5, 6, None))
    found = align(BYTES, ScoredText("abcdef", tokens))
    assert list(zip(found.starts, found.ends, strict=True)) == [(1, 2), (4, 5)]


# --- λ ---


logs = st.lists(st.tuples(st.floats(-30, 0) | st.just(-math.inf), st.floats(-30, 0) | st.just(-math.inf)), max_size=8)


@given(logs)
def test_the_best_weight_is_that_of_the_whole_grid(pairs):
    corpus, neural = (np.array([pair[side] for pair in pairs], dtype=np.float64) for side in (0, 1))
    found = best_weight(corpus, neural)
    possible = [(c, n) for c, n in pairs if max(c, n) > -math.inf]
    if not possible:
        assert found is None
        return

    def log_probability(weight):
        shares = [weight * math.exp(c) + (1 - weight) * math.exp(n) for c, n in possible]
        return -math.inf if 0 in shares else sum(map(math.log, shares))

    best = max(map(log_probability, GRID.tolist()))
    assert log_probability(found) == pytest.approx(best, abs=1e-9)


def test_ends_are_exact():
    corpus, neural = np.log([0.25, 1.0]), np.array([-1.5, -700.25])
    assert (mixed(corpus, neural, 0.0) == neural).all()
    assert (mixed(corpus, neural, 1.0) == corpus).all()
    zero = np.array([-math.inf])
    assert mixed(zero, zero, 0.5) == zero


# --- mixtures ---


@pytest.mark.parametrize("method", ["infgram", "learned", "witten-bell", "laplace"])
def test_identities(small, method):
    scored = as_index(small, TEXT)
    found = small.mix(scored, model=method)
    values = [t.logprob for t in scored.tokens[1:]]
    expected = math.exp(-sum(values) / len(values))
    assert found.same_tokenizer and len(found) == len(values)
    assert found.all.neural.perplexity == pytest.approx(expected, rel=1e-12)
    start, *_, end = found.curve
    assert (start.weight, end.weight) == (0, 1)
    for half, point, last in ((found.first, start.first, end.first), (found.second, start.second, end.second)):
        assert point == half.neural
        assert last == half.corpus
    assert found.first.hybrid.surprise <= found.first.single.surprise + 1e-12
    assert found.first.single.surprise <= found.first.neural.surprise
    best = min(point.first.surprise for point in found.curve if not point.first.zeros and point.weight < 1)
    assert found.first.single.surprise == pytest.approx(best, rel=1e-12)
    halves = found.first.hybrid, found.second.hybrid
    for name in ("units", "characters", "bytes", "zeros", "surprise"):
        assert sum(getattr(half, name) for half in halves) == pytest.approx(getattr(found.all.hybrid, name), rel=1e-12)


def test_the_corpus_is_what_its_model_gives(small):
    model = small.model("infgram")
    found = small.mix(as_index(small, TEXT), model=model)
    score = model.score(TEXT)
    with np.errstate(divide="ignore"):
        assert np.array_equal(found.mixture.units.corpus, np.log(score.probabilities))
    assert [row.context_length for row in found.rows] == score.context_lengths.tolist()
    zeros = int((score.probabilities == 0).sum())
    assert zeros
    assert (found.all.corpus.zeros, found.all.corpus.perplexity) == (zeros, None)
    assert found.all.corpus.perplexity_of_rest == pytest.approx(score.total.perplexity_of_rest, rel=1e-12)


def test_two_weights(small):
    found = small.mix(as_index(small, TEXT))
    units = [row for row in found.rows if row.tuned]
    assert {row.sparse for row in units} == {True, False}
    for sparse, weight in ((True, found.weights.sparse), (False, found.weights.other)):
        assert {row.weight for row in found.rows if row.sparse is sparse} == {weight}
    for row in found.rows:
        shares = [0.0 if each is None else math.exp(each) for each in (row.corpus_logprob, row.neural_logprob)]
        expected = row.weight * shares[0] + (1 - row.weight) * shares[1]
        assert math.exp(row.hybrid_logprob) == pytest.approx(expected, rel=1e-12)
        assert row.gain == pytest.approx(row.hybrid_logprob - row.neural_logprob, abs=1e-12)
        assert row.sparse == (len(small.infgram_next_tokens(TEXT[: row.start]).tokens) == 1)


def test_improvement_is_the_way_to_a_perfect_prediction(small):
    found = small.mix(as_index(small, TEXT))
    before, after = found.all.neural.perplexity, found.all.hybrid.perplexity
    assert found.all.improvement == pytest.approx((before - after) / (before - 1))


def test_different_tokenizers_have_no_perplexity(small):
    scored = in_pieces(TEXT, 2)
    found = small.mix(scored)
    assert not found.same_tokenizer
    for total in (found.all.neural, found.all.hybrid, found.curve[3].second):
        assert total.perplexity is None and total.bits_per_character is not None
    bits = -sum(t.logprob for t in scored.tokens if t.start >= found.rows[0].start) / math.log(2)
    assert found.all.neural.bits_per_character == pytest.approx(bits / found.all.neural.characters, rel=1e-12)
    assert found.all.improvement is None


def test_a_zero_of_the_neural_model(small):
    scored = as_index(small, TEXT)
    tokens = list(scored.tokens)
    tokens[3] = ScoredToken(tokens[3].start, tokens[3].end, -math.inf, tokens[3].id)
    found = small.mix(ScoredText(TEXT, tuple(tokens)), model="witten-bell")
    assert (found.all.neural.zeros, found.all.neural.perplexity) == (1, None)
    # The mixture knows the token from the corpus.
    assert found.all.hybrid.zeros == 0 and found.all.hybrid.perplexity is not None
    assert found.rows[2].neural_logprob is None and found.rows[2].gain is None


def test_a_text_of_the_corpus_is_told(small):
    number = int(np.argmax([len(document.tokens) for document in small.documents]))
    copied = small.document(number).text
    found = small.mix([as_index(small, TEXT), as_index(small, copied)])
    assert [(each.text, each.share) for each in found.copies] == [(1, 1.0)]
    assert number in found.copies[0].documents
    assert not small.mix(as_index(small, copied), leave_one_out=True).copies
    assert small.mix(as_index(small, copied)).all.corpus.surprise < found.all.corpus.surprise


def test_what_cannot_be_mixed(small):
    with pytest.raises(QueryError, match="gives scores"):
        small.mix(as_index(small, TEXT), model="backoff")
    with pytest.raises(QueryError, match="There is no text"):
        small.mix([])
    with pytest.raises(QueryError, match=r"There are 0 tokens that both models score"):
        small.mix(ScoredText("the cat", (ScoredToken(0, 7, None),)))
    with pytest.raises(QueryError, match="A model that is made has its settings: levels"):
        small.mix(as_index(small, TEXT), model=small.model("levels"), levels=2)


# --- a recorded model ---


RECORDED = Path(__file__).parent / "tiny_model.jsonl.gz"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The corpus of the tiny model."""
    out = tmp_path_factory.mktemp("tiny") / "index"
    build_index([{"text": text} for text in tiny_model.documents()], out, tokenizer="bytes")
    return open_index(out)


def test_figures_of_a_recorded_model(made):
    (recorded,) = read_scored(RECORDED)
    assert recorded.text == tiny_model.held_out()
    values = np.array([token.logprob for token in recorded.tokens[tiny_model.CONTEXT :]])
    found = made.mix(RECORDED)
    assert (found.same_tokenizer, len(found), found.mixture.half, found.copies) == (True, 1459, 729, ())
    assert found.all.neural.perplexity == pytest.approx(np.exp(-values.mean()), rel=1e-12)
    # The whole grid, by plain probabilities.
    corpus, half = np.exp(found.mixture.units.corpus), slice(0, 729)
    weights = {}
    for sparse in (True, False):
        part = found.mixture.units.sparse[half] == sparse
        logs = [np.log(w * corpus[half][part] + (1 - w) * np.exp(values[half][part])).sum() for w in GRID]
        weights[sparse] = GRID[int(np.argmax(logs))]
    assert (found.weights.sparse, found.weights.other) == (weights[True], weights[False]) == (0.547, 0.089)
    assert found.weights.single == 0.462
    assert (found.second.corpus.zeros, found.second.corpus.perplexity) == (35, None)
    assert found.second.neural.perplexity == pytest.approx(1.28821, abs=1e-5)
    assert found.second.single.perplexity == pytest.approx(1.24821, abs=1e-5)
    assert found.second.hybrid.perplexity == pytest.approx(1.24365, abs=1e-5)
    assert found.second.improvement == pytest.approx(0.15459, abs=1e-5)


def test_the_recorded_model_can_be_made_again(tmp_path):
    tiny_model.record(tmp_path / "again.jsonl.gz")
    old, new = (read_scored(path)[0] for path in (RECORDED, tmp_path / "again.jsonl.gz"))
    assert old.text == new.text
    # Sums of floats differ in their last digits between machines, and training carries them on.
    surprise = [-sum(token.logprob or 0 for token in text.tokens) for text in (old, new)]
    assert surprise[0] == pytest.approx(surprise[1], rel=0.05)


def test_halved_by_documents(made):
    """Each size against an index that was built of only these documents."""
    found = made.mix_by_size(RECORDED, halvings=8, seed=5)
    assert [row.document_count for row in found.rows] == [256, 128, 64, 32, 16, 8, 4, 2, 1]
    assert [row.halvings for row in found.rows] == list(range(9))
    whole = made.mix(RECORDED)
    assert found.rows[0].hybrid_perplexity == whole.second.hybrid.perplexity
    assert found.rows[0].improvement == whole.second.improvement
    order = np.random.default_rng(5).permutation(256)
    texts = tiny_model.documents()
    for row in found.rows[1:4]:
        chosen = sorted(order[: row.document_count].tolist())
        assert row.token_count == sum(len(texts[number]) for number in chosen)
        with tempfile.TemporaryDirectory() as place:
            build_index([{"text": texts[number]} for number in chosen], Path(place) / "part", tokenizer="bytes")
            part = open_index(Path(place) / "part").mix(RECORDED)
        assert (row.lambda_sparse, row.lambda_other) == (part.weights.sparse, part.weights.other)
        assert row.hybrid_perplexity == pytest.approx(part.second.hybrid.perplexity, rel=1e-12)
        bits = part.second.neural.bits_per_character - part.second.hybrid.bits_per_character
        assert row.gain == pytest.approx(bits, rel=1e-9)
    assert found.rows[0].gain > found.rows[3].gain > 0


def test_texts_to_tune_on_are_stated_by_a_hash(made):
    def facts(*texts):
        found = made.mix_by_size(RECORDED, halvings=1, model="learned", tune=list(texts), context=3)
        return dict(found.provenance)

    one, two = facts("a private text", "another"), facts("a private text\0another")
    assert "private" not in str(one) and one["tuned on"].startswith("2 texts, ")
    assert (one["method"], one["context"], one["sizes"]) == ("learned", "3", "2")
    name = "SHA-256 of the texts tuned on"
    assert one[name] == hashlib.sha256(b"a private text\0another\0").hexdigest()
    assert one["tuned on"] != two["tuned on"]


def test_what_cannot_be_halved(made, tmp_path):
    with pytest.raises(QueryError, match="halvings must be at most 20, not 21"):
        made.mix_by_size(RECORDED, halvings=21)
    build_index([{"text": "one document"}], tmp_path / "one", tokenizer="bytes")
    with pytest.raises(QueryError, match="It is halved by documents, so it needs two"):
        open_index(tmp_path / "one").mix_by_size(RECORDED)


# --- λ by token ---


def test_a_weight_by_token(made):
    found = made.mix(RECORDED)
    units, by_token = found.mixture.units, found.by_token
    assert found.second.hybrid.perplexity > by_token.second.perplexity == pytest.approx(1.23596, abs=1e-5)
    # Learning begins at the two λ, and never makes the half that it learns from less probable.
    assert by_token.first.surprise <= found.first.hybrid.surprise
    names = groups_of(units)
    assert by_token.groups == len(np.unique(names[:729])) > 20
    assert all(len(np.unique(by_token.weights[names == name])) == 1 for name in np.unique(names))
    shares = by_token.weights * np.exp(units.corpus) + (1 - by_token.weights) * np.exp(units.neural)
    assert np.exp(by_token.hybrid) == pytest.approx(shares, rel=1e-9)


def test_a_weight_is_the_best_of_its_group(made):
    """EM against a search: log probability of the group, and of the made-up units with the λ of all."""
    found = made.mix(RECORDED)
    units, by_token, half = found.mixture.units, found.by_token, slice(0, 729)
    names = groups_of(units)[half]
    corpus, neural = np.exp(units.corpus[half]), np.exp(units.neural[half])
    tried = np.linspace(1e-6, 1 - 1e-6, 20_001)
    for name in np.unique(names):
        here = names == name
        parent = float(found.weights.of(units.sparse[half][here])[0])
        fit = np.log(tried[:, None] * corpus[here] + (1 - tried[:, None]) * neural[here]).sum(axis=1)
        fit += by_token.prior * (parent * np.log(tried) + (1 - parent) * np.log(1 - tried))
        # EM is slow where the top is flat: what counts is how high it got.
        got = int(np.abs(tried - by_token.weights[half][here][0]).argmin())
        assert fit[got] == pytest.approx(fit.max(), abs=0.002)


def test_a_group_that_was_not_seen_has_the_weight_of_all(made):
    found = made.mix(RECORDED)
    units, names = found.mixture.units, groups_of(found.mixture.units)
    unseen = ~np.isin(names, names[:729])
    assert unseen.any()
    assert (found.by_token.weights[unseen] == found.weights.of(units.sparse)[unseen]).all()


@pytest.mark.nightly
def test_a_weight_by_a_forest(made, monkeypatch):
    pytest.importorskip("sklearn", reason="make test-all installs scikit-learn")
    # 300 take seconds.
    monkeypatch.setattr(forest, "_TREES", 6)
    monkeypatch.setattr(forest, "LEAVES", (16, 64))
    found = made.mix(RECORDED, instance="forest")
    units, by_token = found.mixture.units, found.by_token
    assert found.second.hybrid.perplexity > by_token.second.perplexity
    assert (by_token.kind, by_token.groups, by_token.prior) == ("forest", None, None) and by_token.leaf_size in (16, 64)
    assert found.facts().by_token.leaf_size == by_token.leaf_size
    shares = by_token.weights * np.exp(units.corpus) + (1 - by_token.weights) * np.exp(units.neural)
    assert np.exp(by_token.hybrid) == pytest.approx(shares, rel=1e-9)
    # What the second half is given changes nothing: it is only reported there. The same trees are drawn each time.
    (text,) = read_scored(RECORDED)
    later = int(units.starts[729])
    other = [replace(each, logprob=-9.0) if each.start >= later else each for each in text.tokens]
    again = made.mix(replace(text, tokens=tuple(other)), instance="forest").by_token
    assert np.array_equal(again.weights, by_token.weights)


def test_a_forest_sees_how_often_each_suffix_is_followed(made):
    (text,) = read_scored(RECORDED)
    ids, (aligned,) = made.encode(text.text), [align(made.index.tokenizer, text)]
    seen = forest._counts(made.index, [text], False, None)
    assert seen.shape == (1459, forest.SUFFIXES)
    for unit in (0, 1, 5, 700, 1458):
        at = int(aligned.firsts[unit])
        for length in range(1, min(at, forest.SUFFIXES) + 1):
            after = made.next_tokens(ids[at - length : at])
            times = int(after.counts[after.tokens != made.index.separator].sum())
            assert seen[unit, length - 1] == np.log2(1 + times)


def test_a_forest_needs_its_package(made, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(QueryError, match=r"pip install '\.\[forest\]'"):
        made.mix(RECORDED, instance="forest")
    with pytest.raises(QueryError, match="instance must be learned or forest"):
        made.mix(RECORDED, instance="tree")
