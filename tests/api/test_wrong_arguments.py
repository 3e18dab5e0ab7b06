"""What a caller may give by mistake for progress, cancel and settings: one sentence, before any work."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import explorer
from explorer.errors import QueryError

MAKERS = ("open_index", "build_index", "add_documents", "merge_indexes", "estimate_build")


@pytest.fixture
def model(small):
    return small.model("infgram")


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda corpus, model: corpus.count_many(["a"], report=True), "report must be a function that takes"),
        (lambda corpus, model: corpus.search("cat", report=None), "report must be a function"),
        (lambda corpus, model: corpus.search("cat", cancel=True), "cancel must be a CancelToken, not True"),
        (lambda corpus, model: model.perplexity(["the cat"], report=1), "report must be a function"),
        (lambda corpus, model: model.distribution("the", cancel="now"), "cancel must be a CancelToken, not 'now'"),
        (lambda corpus, model: corpus.trace("the cat", settings={"density": 1}), "settings must be TraceSettings"),
        (lambda corpus, model: corpus.trace_many(["the cat"], settings=3), "settings must be TraceSettings, not 3"),
        (lambda corpus, model: corpus.concordance("cat", view="left"), "view must be LineSettings, not 'left'"),
        (lambda corpus, model: model.generate("the", temperature="warm"), "temperature and top-p must be numbers"),
        (lambda corpus, model: model.perplexity(None), "must be a list, not one NoneType"),
        (lambda corpus, model: corpus.model(tune=5), "must be a list, not one int"),
        (lambda corpus, model: explorer.open_index(".", report=True), "report must be a function"),
    ],
)  # fmt: skip
def test_a_wrong_argument_has_a_sentence(ask, sentence, small, model):
    with pytest.raises(QueryError, match=sentence):
        ask(small, model)


@pytest.mark.parametrize("path", ["my-index", b"my-index", Path("my-index"), ["my-index"], (Path("my-index"),)])
def test_a_corpus_of_a_path_names_the_function_that_opens_it(path):
    with pytest.raises(QueryError, match=r"an index that explorer\.open_index opened, not a path"):
        explorer.Corpus(path)


def test_everything_with_a_report_checks_it(small, model):
    """Also methods that are added: each is asked for with nothing but a wrong report, and refuses that first."""
    asked = 0
    # No property is looked up: names of version 0.2 give a warning.
    methods = [
        getattr(one, name)
        for one in (small, model)
        for name in dir(type(one))
        if not name.startswith("_") and not isinstance(getattr(type(one), name), property)
    ]
    for function in [*(getattr(explorer, name) for name in MAKERS), *filter(callable, methods)]:
        parameters = inspect.signature(function).parameters
        for name in ("report", "cancel"):
            if name in parameters:
                with pytest.raises(QueryError, match=f"{name} must be"):
                    function(**{name: 0})
                asked += 1
    assert asked > 30
