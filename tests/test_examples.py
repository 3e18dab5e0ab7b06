"""Every example in a docstring, and in the pages of `docs`, gives what is shown.

Examples find some names besides those of their module: `corpus`, the index of the four documents below, opened;
`folder`, the folder of that index; `texts`, the file that it was made of; and `tables`, an empty folder.
"""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import json
import pkgutil
from pathlib import Path

import pytest
from tiers import nightly

import explorer

DOCS = Path(__file__).parents[1] / "docs"
DOCUMENTS = [
    {"text": "the cat sat on the mat", "author": "Ann", "year": 1990},
    {"text": "the cat sat on the rug", "author": "Ann", "year": 1994},
    {"text": "a dog sat on the mat", "author": "Bob", "year": 1997},
    {"text": "the dog saw the cat", "author": "Bob", "year": 2003},
]


def _with_examples() -> list[str]:
    """The modules that contain an example; only they are imported."""
    names = ["explorer", *(found.name for found in pkgutil.walk_packages(explorer.__path__, "explorer."))]
    return [name for name in names if ">>> " in _source(name)]


def _source(name: str) -> str:
    found = importlib.util.find_spec(name)
    assert found is not None and found.origin is not None
    return Path(found.origin).read_text(encoding="utf-8")


def _pages() -> list[str]:
    """The pages with an example."""
    return sorted(page.name for page in DOCS.glob("*.md") if ">>> " in page.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def names(tmp_path_factory) -> dict[str, object]:
    folder = tmp_path_factory.mktemp("examples")
    texts = folder / "texts.jsonl"
    texts.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS), encoding="utf-8")
    # The vocabulary has room for every word as a token, so it does not depend on how the training breaks ties.
    explorer.build_index(texts, folder / "index", tokenizer="train:400", name="Cats")
    engine = importlib.import_module("explorer.infini_gram").Engine(str(folder / "index"), eos_token_id=0)
    (folder / "tables").mkdir()
    return {
        "corpus": explorer.open_index(folder / "index"),
        "engine": engine,
        "folder": folder / "index",
        "texts": texts,
        "tables": folder / "tables",
    }


def _marked(name: str) -> object:
    """Of the modules, `make test` runs the examples of the library, and those of the window need Qt."""
    marks = [pytest.mark.qt] if name.startswith("explorer.gui") else []
    return pytest.param(name, marks=marks if name.startswith("explorer.corpus") else [*marks, pytest.mark.nightly])


@pytest.mark.parametrize("module", [*map(_marked, _with_examples())])
def test_examples(module, names):
    loaded = importlib.import_module(module)
    _run(doctest.DocTestFinder().find(loaded, extraglobs=names))


@pytest.mark.parametrize("page", ["library.md", *nightly(*(page for page in _pages() if page != "library.md"))])
def test_pages(page, names, tmp_path, monkeypatch):
    """A page is one session: an example knows the names of those before it, and writes to a folder of its own."""
    monkeypatch.chdir(tmp_path)
    # The fence that ends a block of code is not output.
    lines = ["" if line.startswith("```") else line for line in (DOCS / page).read_text(encoding="utf-8").splitlines()]
    _run([doctest.DocTestParser().get_doctest("\n".join(lines), {**names}, page, page, 0)])


def _run(examples: list[doctest.DocTest]) -> None:
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for example in examples:
        runner.run(example, out=told.append)
    assert runner.tries, "no example was found"
    assert not runner.failures, "".join(told)
