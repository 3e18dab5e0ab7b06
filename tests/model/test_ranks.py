"""Ranks of tokens and fill-in probes, against scores of texts and a count by hand."""

from __future__ import annotations

import numpy as np
import pytest

import explorer
from explorer.analyses.model.methods import InfGram, WittenBell
from explorer.analyses.model.ranks import ranked_tokens
from explorer.analyses.model.scoring import Vocabulary, kinds_of, scorable
from explorer.analyses.probe.probing import joined
from explorer.errors import QueryError

TEXT = "the cat sat on the rug, and the zebra saw the cat on the mat."
METHODS = ("learned", "levels", "infgram", "witten-bell", "laplace", "backoff")


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("vocabulary", [None, "all"])
def test_ranks_are_those_of_the_distribution(small, name, vocabulary):
    model = small.model(name, vocabulary=vocabulary)
    found = model.score(TEXT)
    text = scorable(small.index.tokenizer, TEXT)
    every = vocabulary == "all" or name == "laplace"
    size = small.index.tokenizer.vocabulary_size if every else kinds_of(small.index)
    ranked = list(ranked_tokens(small.index, model._tuned.method, text, Vocabulary(size, every)))
    assert [one.share for one in ranked] == pytest.approx(found.probabilities.tolist())
    for place, one in enumerate(ranked, start=text.first):
        shares = dict.fromkeys(model.vocabulary.tolist(), 0.0)
        after = model.distribution(text.ids[:place])
        shares |= dict.fromkeys(set(shares) - set(after.tokens.tolist()), after.other)
        shares |= dict(zip(after.tokens.tolist(), after.probabilities.tolist(), strict=True))
        own = shares.get(one.token, 0.0)
        above = sum(share > own for share in shares.values())
        assert one.rank == (above if own else None), place
        top = max(shares.values())
        assert one.best == (min(t for t, s in shares.items() if s == top) if top > after.other else None)


def test_accuracy(small):
    model = small.model("infgram")
    found = model.perplexity([TEXT, "the cat sat"], sources=["a", "b"], accuracy=True)
    shares = list(ranked_tokens(small.index, InfGram(), scorable(small.index.tokenizer, TEXT), Vocabulary(1)))
    assert found.texts[0].accuracy == np.mean([one.is_best for one in shares]) > 0
    assert found.total.accuracy == pytest.approx(
        sum(s.accuracy * s.token_count for s in found.sources) / found.total.tokens
    )
    assert model.perplexity([TEXT]).total.accuracy is None
    with pytest.raises(QueryError, match="as if a text were not in the corpus"):
        model.perplexity([TEXT], accuracy=True, leave_one_out=True)


@pytest.mark.parametrize(
    ("prompt", "ending", "both"),
    [
        ("the cat", "sat", ("the cat", " sat")),
        ("the cat ", "sat", ("the cat", " sat")),
        ("the cat", "  sat", ("the cat", "  sat")),
        ("the cat\n", " sat ", ("the cat", "\n sat ")),
    ],
)
def test_a_space_is_between_prompt_and_ending(prompt, ending, both):
    assert joined(prompt, ending) == both


@pytest.fixture
def cities(tmp_path):
    texts = ["Paris is the capital of France.", "Rome is the capital of Italy.", "Rome is the capital of Italy, I say."]
    explorer.build_index([{"text": text} for text in texts], tmp_path / "i", tokenizer="bytes")
    return explorer.open_index(tmp_path / "i")


def test_probes(cities):
    prompts = ["Paris is the capital of", "is the capital of", "Bonn is the capital of", "Rome is the capital of"]
    found = cities.model("infgram").probe(prompts, ["France", "France", "Germany", "Italy"])
    france, either, germany, italy = found.texts
    assert (france.rank, france.probability, france.context_length, france.count) == (0, 1.0, 23, 1)
    assert france.correct and set(france.ranks) == {0} and france.token_count == len(" France")
    # After " ", one of three goes on with F, and the space is certain.
    assert either.probability == pytest.approx(1 / 3) and either.ranks == (0, 1, 0, 0, 0, 0, 0)
    assert cities.document(france.document).text[france.offset :] == " France." == cities.document(0).text[-8:]
    assert germany.probability == 0 and germany.count == 0 and germany.document is None and germany.ranks[1] is None
    assert (italy.count, cities.document(italy.document).text[italy.offset :][:6]) == (2, " Italy")
    facts = found.facts()
    # The first byte is the space, which all have.
    assert (facts.probe_count, facts.accuracy, facts.mean_reciprocal_rank, facts.normalised) == (4, 1.0, 1.0, True)


def test_what_is_no_probe(cities):
    model = cities.model("infgram")
    for prompts, endings in ((["a"], []), ([], []), (["a"], ["b", "c"]), (["a"], [" "]), ([""], ["a"])):
        with pytest.raises(QueryError):
            model.probe(prompts, endings)
    assert WittenBell().normalised and not cities.model("backoff").probe(["R"], ["ome"]).facts().normalised
