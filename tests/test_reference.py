"""The reference covers every public name, and its checks find what is wrong; pdoc is not run here."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path

import pytest

import explorer
import explorer.infini_gram

REFERENCE = Path(__file__).parents[1] / "packaging" / "reference.py"


@pytest.fixture(scope="module")
def reference():
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("reference", REFERENCE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.fixture(scope="module")
def texts(reference):
    return {entry.name: entry.text for entry in reference.entries()}


def test_every_name_and_member_is_in_it(texts):
    names = {*explorer.__all__, *explorer.infini_gram.__all__} - {"__version__"}
    assert names <= set(texts)
    methods = {f"Corpus.{name}" for name, _ in inspect.getmembers(explorer.Corpus) if not name.startswith("_")}
    assert methods == {name for name in texts if name.startswith("Corpus.")}
    assert {"Trace.to_html", "Trace.to_pandas", "Concordance.table", "InfiniGramEngine.get_doc_by_rank"} <= set(texts)


def test_every_docstring_is_there_and_names_what_exists(reference):
    assert reference.problems() == []


def test_types_that_are_names_for_others_have_their_texts(texts):
    assert texts["Query"] == "A text as it is, or token ids."
    assert texts["Variant"].startswith("Other spellings")


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("See `Corpus.count_many` and `count`, `open_index` and `explorer.Trace`.", []),
        ("See `corpus.count(query)`, `datasets.Dataset`, `index.json` and `limit`.", []),
        ("See `Corpus.cuont` and `Nothing`.", ["Corpus.cuont", "Nothing"]),
        ("See `explorer.nothing.at.all`, or `a b`, which is not a name.", ["explorer.nothing.at.all"]),
    ],
)
def test_names_that_lead_nowhere_are_found(reference, text, broken):
    assert reference.broken(reference.Entry("a", text, frozenset({"limit"}))) == broken
