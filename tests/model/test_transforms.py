"""Transforms of contexts: the form with the longest match is weighed, and distributions stay what they are."""

from __future__ import annotations

import numpy as np
import pytest

import explorer
from explorer.errors import QueryError

DOCUMENTS = ["the cat sat on the mat", "the cat sat on the rug", "THE DOG SAW THE CAT", "one two three"]
ODD = "The CAT  sat ON the"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("transforms") / "index"
    explorer.build_index([{"text": text} for text in DOCUMENTS], folder, tokenizer="bytes")
    return explorer.open_index(folder)


def test_a_context_is_found_in_another_case(corpus):
    as_is = corpus.model("infgram").distribution("The Cat sat ON ")
    assert as_is.levels[0].length < 3 and as_is.transform == ""
    found = corpus.model("infgram", transforms=["upper", "lower"]).distribution("The Cat sat ON ")
    assert (found.transform, found.texts, found.levels[0].length) == ("lower", ("t",), len("the cat sat on "))
    upper = corpus.model("infgram", transforms=["upper", "lower"]).distribution("the Dog Saw")
    assert (upper.transform, upper.texts) == ("upper", (" ",))
    # Of equal matches, the context as it is.
    assert corpus.model("infgram", transforms=["lower", "casefold"]).distribution("the cat").transform == ""


@pytest.mark.parametrize(
    ("transform", "context"), [("strip", "one two  "), ("blanks", "one\n\t two"), ("casefold", "One Two")]
)
def test_every_transform(corpus, transform, context):
    found = corpus.model("infgram", transforms=[transform]).distribution(context)
    assert (found.transform, found.texts) == (transform, (" ",))
    assert found.levels[0].length == len("one two")


@pytest.mark.parametrize("name", ["learned", "levels", "infgram", "witten-bell", "laplace", "ngram", "weighted"])
def test_scores_are_those_of_the_distributions(corpus, name):
    """Token by token, also which form was chosen; and each distribution adds up to 1."""
    model = corpus.model(name, transforms=["lower", "blanks", "upper"])
    text = ODD + " mat, DOG saw"
    found = model.score(text)
    ids = corpus.encode(text)
    rows = found.to_arrow().to_pylist()
    for place in range(1, len(ids)):
        after = model.distribution(ids[:place])
        own = after.probabilities[after.tokens == ids[place]]
        known = corpus.count(ids[place : place + 1]) > 0 or name in ("laplace", "weighted")
        expected = float(own[0]) if len(own) else after.other if known else 0.0
        assert rows[place - 1]["probability"] == pytest.approx(expected, abs=1e-12), place
        assert rows[place - 1]["transform"] == after.transform
        # An n-gram model knows nothing after a context that does not occur as a whole.
        assert after.total == pytest.approx(1) or after.total == 0
    assert {row["transform"] for row in rows} >= {"", "lower"}


def test_forms_are_counted(corpus):
    found = corpus.model("infgram", transforms=["lower"]).perplexity([ODD, "the cat"])
    assert {one.transform for one in found.transforms} == {"", "lower"}
    assert sum(one.token_count for one in found.transforms) == found.total.tokens
    assert corpus.model("infgram").perplexity([ODD]).transforms == ()
    plain, same = (corpus.model("infgram", transforms=names).score("the cat sat") for names in ((), ["lower"]))
    assert np.array_equal(plain.probabilities, same.probabilities)


def test_a_text_is_written_from_another_form(corpus):
    found = corpus.model("infgram", transforms=["lower"]).generate("The CAT SAT", max_tokens=4, temperature=0)
    rows = found.to_arrow().to_pylist()
    assert found.text.startswith(" on ")
    assert rows[0]["transform"] == "lower"
    for row in rows:
        assert corpus.document(row["document"]).text[row["offset"]] == row["text"]
    # Where it is from is looked up in the form that was found.
    assert corpus.document(rows[0]["document"]).text[: rows[0]["offset"]].endswith("the cat sat")


def test_wrong_transforms(corpus):
    for wrong in ("lower", ["typo"], ["lower", 3]):
        with pytest.raises(QueryError, match="transforms must be a list of lower, upper, casefold, strip, blanks"):
            corpus.model("infgram", transforms=wrong)


def test_leave_one_out_by_a_slow_twin(tmp_path):
    """The share of the ∞-gram, by looking through all documents without the place that is scored."""
    # Capitals whose lower case is elsewhere, so that what is left out depends on the form.
    documents = ["the cat sat on a mat", "The cat sat On a mat", "A dog", "THE DOG SAw a dog", "a cat"]
    explorer.build_index([{"text": text} for text in documents], tmp_path / "index", tokenizer="bytes")
    corpus = explorer.open_index(tmp_path / "index")
    texts = [corpus.encode(text).tolist() for text in documents]
    forms = {"": str, "lower": str.lower, "upper": str.upper}

    def after(suffix, own):
        length = len(suffix)
        return [
            text[at]
            for number, text in enumerate(texts)
            for at in range(length, len(text))
            if text[at - length : at] == suffix and (number, at) != own
        ]

    model = corpus.model("infgram", transforms=["lower", "upper"])
    found = model.perplexity(documents, leave_one_out=True)
    for number, text in enumerate(texts):
        shares = []
        for at in range(1, len(text)):
            best, share = -1, 0.0
            for change in forms.values():
                form = list(change(bytes(text[:at]).decode()).encode())
                length = next(size for size in range(at, -1, -1) if after(form[at - size :], (number, at)))
                if length > best:
                    followers = after(form[at - length :], (number, at))
                    best, share = length, followers.count(text[at]) / len(followers)
            shares.append(share)
        assert found.texts[number].zeros == shares.count(0.0)
        rest = np.log([share for share in shares if share])
        assert found.texts[number].perplexity_of_rest == pytest.approx(np.exp(-rest.mean()), rel=1e-12)
