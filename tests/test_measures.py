"""What the docstrings have reached is kept: parameters and errors are described, and only those that exist."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "packaging" / "measures.py"


@pytest.fixture(scope="module")
def measures():
    spec = importlib.util.spec_from_file_location("measures", SCRIPT)
    made = importlib.util.module_from_spec(spec)
    # A dataclass looks its module up by name.
    sys.modules["measures"] = made
    spec.loader.exec_module(made)
    yield made
    del sys.modules["measures"]


@pytest.fixture(scope="module")
def modules(measures):
    return measures.modules()


def function(text):
    return ast.parse(text).body[0]


def test_most_functions_describe_every_parameter(measures, modules):
    rows = measures.with_parameters(modules)
    whole = [row for row in rows if not row.missing]
    assert len(rows) > 400
    assert len(whole) >= 0.8 * len(rows), "\n".join(f"{row.place}: {row.name}" for row in rows if row.missing)


def test_functions_name_the_errors_that_they_raise(measures, modules):
    rows = measures.raising(modules)
    told = [row for row in rows if not row.missing]
    assert len(rows) > 60
    assert len(told) >= 0.95 * len(rows), "\n".join(f"{row.place}: {row.name}" for row in rows if row.missing)


def test_no_parameter_is_described_that_does_not_exist(measures, modules):
    assert [f"{row.place}: {row.name}: {row.missing}" for row in measures.unknown(modules)] == []


def test_parameters(measures):
    node = function("def f(self, a, /, b, *c, d=1, **e): pass")
    assert measures.parameters(node, method=True) == ("a", "b", "c", "d", "e")
    assert measures.parameters(node, method=False) == ("self", "a", "b", "c", "d", "e")
    static = function("@staticmethod\ndef f(a, b): pass")
    assert measures.parameters(static, method=True) == ("a", "b")


def test_described(measures):
    text = (
        "Do it.\n\nParameters\n----------\na, b : int\n    Both.\n*rest\n    More: c.\n\nReturns\n-------\nint\n    d."
    )
    assert measures.described(text) == {"a", "b", "rest"}
    assert measures.described("a: the first. b: the second.") == set()


def test_raised(measures):
    node = function(
        "def f():\n    def g():\n        raise KeyError\n    if g():\n        raise ValueError('no')\n    raise"
    )
    assert measures.raised(node) == {"ValueError"}
