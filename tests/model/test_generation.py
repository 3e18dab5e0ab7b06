"""Text that a model writes: verbatim runs of at most a number of tokens, and origins in documents that count."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.analyses.overlap.self_match import documents_with
from explorer.backends.hit_places import first_places

TEXTS = (
    "the cat sat on the mat and the dog sat on the rug",
    "a dog saw the cat on the mat",
    "the rug is red, red, red",
)
METHODS = (
    ("levels", {"levels": 2}),
    ("levels", {"levels": None}),
    ("infgram", {}),
    ("ngram", {"n": 3}),
    ("weighted", {"alpha": 0.5}),
    ("backoff", {}),
    ("infinigram-backoff", {}),
    ("laplace", {"alpha": 0.01}),
    ("witten-bell", {}),
    ("discount", {}),
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verbatim")
    build_index([{"text": text} for text in TEXTS], folder / "index", tokenizer="bytes")
    with open_index(folder / "index") as found:
        yield found


def longest_run(text: str, begin: int) -> int:
    """Characters of the longest part of a text that ends after `begin` and is in one of the documents."""
    return max(
        (end - at for at, end in product(range(len(text)), range(begin + 1, len(text) + 1))
         if at < end and any(text[at:end] in each for each in TEXTS)),
        default=0,
    )  # fmt: skip


@pytest.mark.parametrize(("method", "settings"), METHODS)
@pytest.mark.parametrize("prompt", ["", "the cat sat on", "the rug is red, red", "q", "on the zebra"])
@pytest.mark.parametrize("most", [1, 4, 7])
def test_no_verbatim_run_is_too_long(corpus, method, settings, prompt, most):
    model = corpus.model(method, **settings)
    for seed, stop, temperature in ((0, True, 0.0), (1, False, 1.0), (2, False, 5.0)):
        found = model.generate(
            prompt, max_tokens=12, most_verbatim=most, seed=seed, stop_at_ends=stop, temperature=temperature
        )
        # The prompt may be a copy. From its end on, no longer run is.
        assert longest_run(prompt + found.text, len(prompt)) <= most
        assert found.longest_verbatim <= most
        # Written further, as after Stop: the border is no place for a longer run either.
        more = model.generate(prompt + found.text, max_tokens=5, most_verbatim=most, seed=seed + 9, stop_at_ends=False)
        assert longest_run(prompt + found.text + more.text, len(prompt)) <= most


def test_a_text_is_written_to_its_end_where_runs_may_be_long_enough(corpus):
    found = corpus.model("levels").generate("the ", max_tokens=40, most_verbatim=7, stop_at_ends=False)
    assert len(found) == 40 and found.longest_verbatim == 7


@pytest.fixture(scope="module", params=["minus", "where"])
def fewer(request, tmp_path_factory):
    """An index of which most documents do not count; they have the same sentence, and come first among the hits."""
    folder = tmp_path_factory.mktemp("origins")
    rows = [{"text": f"the cat sat on the mat {n}", "year": 1990 if n < 70 else 2020} for n in range(72)]
    build_index(rows, folder / "index", tokenizer="bytes")
    if request.param == "where":
        yield open_index(folder / "index").subset("year>=2000")
        return
    build_index(rows[:70], folder / "old", tokenizer="bytes")
    yield open_index(folder / "index", minus=folder / "old")


KEPT = {70, 71}


def test_origins_are_documents_that_count(fewer):
    model = fewer.model("levels", levels=2)
    written = model.generate("the cat", max_tokens=10, temperature=0).record("the cat").tokens
    assert {each.document for each in written} <= KEPT and written[0].document is not None
    assert model.probe(["the cat sat"], ["on"]).texts[0].document in KEPT
    trace = fewer.trace("the cat sat on the mat 7")
    assert {document.number for document in trace.documents} <= KEPT and trace.documents
    ids = fewer.index.counts.check_ids(fewer.encode("the cat sat"))
    assert documents_with(fewer.index, ids, 1)[1] in {(70,), (71,)}
    assert set(first_places(fewer.index, fewer.index.hits.find(ids), 9).documents.tolist()) == KEPT
    assert {part.document for part in fewer.document_hints()} <= KEPT


def test_hints_and_drafts_know_only_documents_that_count(tmp_path):
    rows = [{"text": "abcd", "year": 1990}] * 9 + [{"text": "abxy", "year": 2020}] * 2
    build_index(rows, tmp_path / "index", tokenizer="bytes")
    fewer = open_index(tmp_path / "index").subset("year=2020")
    assert fewer.decode(fewer.draft("ab")) == "xy"
    hints = fewer.hints("ab", plateau=0)
    after_a = hints.samples[1][: hints.lengths[1]]
    assert set(np.array(after_a).tolist()) == {ord("b")}
    assert {ord("c"), ord("d")}.isdisjoint(
        np.concatenate([row[:n] for row, n in zip(hints.samples, hints.lengths, strict=True)])
    )
