"""The measures of the code: what they count."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "packaging" / "measures.py"

SOURCE = '''\
"""A module."""

from dataclasses import dataclass

# A comment.


@dataclass
class Pair:
    """Two numbers."""

    one: int = 1

    def sum(self, other, *rest, by=1):
        """Add.

        Parameters
        ----------
        other, by
            Numbers.
        gone
            It was renamed.
        """
        return (
            self.one + other
        )
'''


@pytest.fixture(scope="module")
def measures():
    spec = importlib.util.spec_from_file_location("measures", SCRIPT)
    made = importlib.util.module_from_spec(spec)
    # A dataclass looks its module up by name.
    sys.modules["measures"] = made
    spec.loader.exec_module(made)
    yield made
    del sys.modules["measures"]


@pytest.fixture
def sample(measures):
    return measures.Module(measures.PACKAGE / "sample.py", SOURCE, ast.parse(SOURCE))


def test_lines(measures, sample):
    assert len(sample.code_lines) == 7 and len(sample.docstring_lines) == 11 and len(sample.import_lines) == 1
    assert measures.function_lengths([sample]) == [4]
    assert measures.values([sample]) == 1


def test_parameters_that_do_not_exist_are_named(measures, sample):
    assert measures.missing_parameters([sample]) == ["explorer/sample.py:14: sum has no gone"]


def test_long_files_are_named(measures, sample, monkeypatch):
    assert measures.long_files([sample]) == []
    monkeypatch.setattr(measures, "LONGEST", 20)
    assert measures.long_files([sample]) == ["explorer/sample.py: 26 lines"]


def test_circles(measures):
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a", "e"}, "e": set()}
    assert measures.circles(graph) == [["a", "b", "c"]]


def test_imports_of_modules_and_of_names(measures):
    texts = {"one": "import explorer.two", "two": "from explorer import one\nfrom explorer.one import x\nimport os"}
    found = [measures.Module(measures.PACKAGE / f"{name}.py", text, ast.parse(text)) for name, text in texts.items()]
    package = measures.Module(measures.PACKAGE / "__init__.py", "", ast.parse(""))
    graph = measures.imports([package, *found])
    assert graph == {"explorer": set(), "explorer.one": {"explorer.two"}, "explorer.two": {"explorer.one"}}
