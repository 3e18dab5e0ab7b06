"""Tiny Shakespeare: the figures of the post on unbounded n-grams, and others of the same texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer import build_index, open_index

TEXT = Path(__file__).resolve().parents[3] / "shared" / "data" / "texts" / "tinyshakespeare.txt"
pytestmark = pytest.mark.skipif(not TEXT.exists(), reason="needs tinyshakespeare.txt")


@pytest.fixture(scope="module")
def parts():
    """The first nine tenths and the rest, as bytes."""
    data = TEXT.read_bytes()
    return data[: int(0.9 * len(data))], data[int(0.9 * len(data)) :]


@pytest.fixture(scope="module")
def corpus(parts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("shakespeare")
    (folder / "train.txt").write_bytes(parts[0])
    build_index(folder / "train.txt", folder / "index", tokenizer="bytes")
    return open_index(folder / "index")


@pytest.mark.parametrize(
    ("levels", "perplexity", "zeros", "rest"),
    [(1, 4036.1918, 38_785, 1.5752), (None, 6.0625, 187, 5.8502)],
)
def test_levels(corpus, parts, levels, perplexity, zeros, rest):
    total = corpus.model("levels", levels=levels).perplexity([parts[1].decode()]).total
    assert (total.tokens, total.zeros, total.unknown) == (111_539, zeros, 0)
    assert total.perplexity == pytest.approx(perplexity, abs=0.005)
    assert total.perplexity_of_rest == pytest.approx(rest, abs=1e-4)


@pytest.mark.parametrize(("levels", "perplexity"), [(1, 1587.6898), (2, 55.0277), (5, 5.6966), (None, 4.9644)])
def test_first_positions(corpus, parts, levels, perplexity):
    found = corpus.model("levels", levels=levels).score(parts[1][:2_001].decode())
    assert found.perplexity == pytest.approx(perplexity, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "options", "perplexity"),
    [
        ("weighted", {"weight": "exponential", "base": 4, "floor": 1e-10}, 6.7862),
        ("weighted", {"weight": "sigmoid", "alpha": 0.01}, 7.8594),
        ("infinigram-backoff", {"floor": 1e-10}, 82.953),
        ("witten-bell", {"every_length": True, "context": 4}, 5.306),
        ("discount", {"discount": 0.9}, 6.171),
    ],
)
def test_other_methods(corpus, parts, name, options, perplexity):
    found = corpus.model(name, **options).perplexity([parts[1].decode()])
    assert found.perplexity == pytest.approx(perplexity, abs=0.0005 + 5e-6 * perplexity)


def test_smoothing_over_all_bytes(corpus, parts):
    found = corpus.model("laplace", alpha=0.01).perplexity([parts[1].decode()])
    assert found.perplexity == pytest.approx(18.265, abs=0.0005)


def test_scores_are_not_called_a_perplexity(corpus, parts):
    found = corpus.model("backoff").perplexity([parts[1].decode()])
    assert found.perplexity is None and found.texts[0].perplexity is None
    assert found.texts[0].score == pytest.approx(8.0884, abs=1e-4)


@pytest.fixture(scope="module")
def learned(corpus):
    return corpus.model("learned")


def test_learned_trust_beats_the_post(learned, parts):
    assert learned.tuned_on == "corpus"
    assert learned.perplexity([parts[1].decode()]).perplexity <= 4.60


def test_learned_trust_is_a_distribution(corpus, learned, parts):
    text = np.frombuffer(parts[1], dtype=np.uint8)
    for place in np.random.default_rng(0).integers(100, len(text), 100).tolist():
        found = learned.distribution(text[place - 100 : place].tolist())
        assert len(found) == 65 and found.other_count == 0
        assert found.probabilities.sum() == pytest.approx(1, abs=1e-9)


def test_one_level_copies(corpus, parts):
    written = corpus.model("levels", levels=1).generate("First Citizen:", max_tokens=500, seed=4)
    assert len(written) == written.longest_verbatim == 500
    assert written.text.encode() in parts[0]


def test_two_levels_invent(corpus):
    model = corpus.model("levels", levels=2)
    texts = [model.generate("First Citizen:", max_tokens=500, seed=seed) for seed in range(8)]
    assert texts[0].text == model.generate("First Citizen:", max_tokens=500, seed=0).text != texts[1].text
    longest, next_ = zip(*(text.levels for text in texts), strict=True)
    assert 12 <= np.median([level.n_median for level in longest]) <= 20
    assert 7 <= np.median([level.n_median for level in next_]) <= 9
    assert 3 <= np.median([level.m_median for level in next_]) <= 6
    assert max(text.longest_verbatim for text in texts) < 120


def test_where_written_tokens_come_from(corpus):
    written = corpus.model("levels", levels=2).generate("ROMEO:", max_tokens=40, seed=1)
    train = corpus.document(0).tokens
    context = list(b"ROMEO:")
    for row in written.to_arrow().to_pylist():
        used = next(level for level in row["levels"] if level["count"])
        place = row["offset"]
        assert row["document"] == 0
        assert train[place - used["n"] : place + 1].tolist() == [*context[len(context) - used["n"] :], row["token"]]
        context.append(row["token"])


def test_copies_are_kept_short(corpus):
    written = corpus.model("levels", levels=1).generate("First Citizen:", max_tokens=200, seed=3, most_verbatim=12)
    assert len(written) == 200 and written.longest_verbatim == 12
