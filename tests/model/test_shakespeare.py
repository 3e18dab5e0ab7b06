"""Models of a text of bytes: how they write, and in Tiny Shakespeare the figures of the post on unbounded n-grams."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from model_answers import WRITTEN, read_texts
from tiers import SIZES

from explorer import Corpus, build_index, open_index


class Parts(NamedTuple):
    """The first nine tenths of a text, the rest, and an index of the former."""

    train: bytes
    rest: bytes
    corpus: Corpus


@pytest.fixture(scope="module")
def parted(tmp_path_factory):
    @cache
    def made(data: bytes) -> Parts:
        folder, end = tmp_path_factory.mktemp("parted"), int(0.9 * len(data))
        (folder / "train.txt").write_bytes(data[:end])
        build_index(folder / "train.txt", folder / "index", tokenizer="bytes")
        return Parts(data[:end], data[end:], open_index(folder / "index"))

    return made


@pytest.fixture(scope="module")
def plays(parted, shared):
    return parted((shared / "texts" / "tinyshakespeare.txt").read_bytes())


@pytest.fixture(scope="module", params=SIZES)
def parts(request, parted):
    if request.param == "shared":
        return request.getfixturevalue("plays")
    return parted("\n\n".join(read_texts(WRITTEN)).encode())


LEVELS = [(1, 4036.1918, 38_785, 1.5752), (None, 6.0625, 187, 5.8502)]
FIRST_POSITIONS = [(1, 1587.6898), (2, 55.0277), (5, 5.6966), (None, 4.9644)]


def test_figures_of_levels(plays):
    for levels, perplexity, zeros, rest in LEVELS:
        total = plays.corpus.model("levels", levels=levels).perplexity([plays.rest.decode()]).total
        assert (total.tokens, total.zeros, total.unknown) == (111_539, zeros, 0)
        assert total.perplexity == pytest.approx(perplexity, abs=0.005)
        assert total.perplexity_of_rest == pytest.approx(rest, abs=1e-4)
    for levels, perplexity in FIRST_POSITIONS:
        found = plays.corpus.model("levels", levels=levels).score(plays.rest[:2_001].decode())
        assert found.perplexity == pytest.approx(perplexity, abs=1e-4), levels


METHODS = [
    ("weighted", {"weight": "exponential", "base": 4, "floor": 1e-10}, 6.7862),
    ("weighted", {"weight": "sigmoid", "alpha": 0.01}, 7.8594),
    ("infinigram-backoff", {"floor": 1e-10}, 82.953),
    ("witten-bell", {"every_length": True, "context": 4}, 5.306),
    ("discount", {"discount": 0.9}, 6.171),
    ("laplace", {"alpha": 0.01}, 18.265),
]


def test_figures_of_other_methods(plays):
    rest = [plays.rest.decode()]
    for name, options, perplexity in METHODS:
        found = plays.corpus.model(name, **options).perplexity(rest)
        assert found.perplexity == pytest.approx(perplexity, abs=0.0005 + 5e-6 * perplexity), name
    scores = plays.corpus.model("backoff").perplexity(rest)
    assert scores.texts[0].score == pytest.approx(8.0884, abs=1e-4)
    # Better than the post.
    assert plays.corpus.model("learned").perplexity(rest).perplexity <= 4.60


def test_scores_are_not_called_a_perplexity(parts):
    found = parts.corpus.model("backoff").perplexity([parts.train[:400].decode()])
    assert found.perplexity is None and found.texts[0].perplexity is None
    assert found.texts[0].score >= 1


def test_learned_trust_is_a_distribution(parts):
    learned, text = parts.corpus.model("learned"), np.frombuffer(parts.rest, dtype=np.uint8)
    assert learned.tuned_on == "corpus"
    for place in np.random.default_rng(0).integers(100, len(text), 100).tolist():
        found = learned.distribution(text[place - 100 : place].tolist())
        assert len(found) == len(set(parts.train)) and found.other_count == 0
        assert found.probabilities.sum() == pytest.approx(1, abs=1e-9)


def test_one_level_copies(parts):
    prompt = parts.train[:14].decode()
    written = parts.corpus.model("levels", levels=1).generate(prompt, max_tokens=500, seed=4)
    assert len(written) == written.longest_verbatim == 500
    assert written.text.encode() in parts.train


def test_two_levels_invent(plays):
    model = plays.corpus.model("levels", levels=2)
    texts = [model.generate("First Citizen:", max_tokens=500, seed=seed) for seed in range(8)]
    assert texts[0].text == model.generate("First Citizen:", max_tokens=500, seed=0).text != texts[1].text
    longest, next_ = zip(*(text.levels for text in texts), strict=True)
    assert 12 <= np.median([level.n_median for level in longest]) <= 20
    assert 7 <= np.median([level.n_median for level in next_]) <= 9
    assert 3 <= np.median([level.m_median for level in next_]) <= 6
    assert max(text.longest_verbatim for text in texts) < 120


def test_where_written_tokens_come_from(parts):
    prompt = parts.train[:14].decode()
    written = parts.corpus.model("levels", levels=2).generate(prompt, max_tokens=40, seed=1)
    train = parts.corpus.document(0).tokens
    context = list(prompt.encode())
    for row in written.to_arrow().to_pylist():
        used = next(level for level in row["levels"] if level["count"])
        place = row["offset"]
        assert row["document"] == 0
        assert train[place - used["n"] : place + 1].tolist() == [*context[len(context) - used["n"] :], row["token"]]
        context.append(row["token"])


def test_copies_are_kept_short(parts):
    prompt = parts.train[:14].decode()
    written = parts.corpus.model("levels", levels=1).generate(prompt, max_tokens=200, seed=3, most_verbatim=12)
    assert len(written) == 200 and written.longest_verbatim == 12
