"""The measures of the code: what they count, and that none got worse."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

MEASURES = Path(__file__).parents[1] / "packaging" / "measures.py"

SOURCE = """
# One comment on a line of its own.
def short(a, b):
    '''Add.

    Parameters
    ----------
    a, b
        Numbers.
    '''
    return a + b  # and one after code


class Two:
    def one(self):
        text = "# not a comment"
        return text

    def other(self, x, y):
        pass
"""


@pytest.fixture(scope="module")
def measures():
    spec = importlib.util.spec_from_file_location("measures_of_code", MEASURES)
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.fixture(scope="module")
def sample(measures):
    return [measures.Module(measures.PACKAGE / "files" / "sample.py", SOURCE, ast.parse(SOURCE))]


def test_comments_are_tokens_not_signs(measures, sample):
    lines = len([line for line in SOURCE.splitlines() if line.strip()])
    assert measures.comment_share(sample) == pytest.approx(2 / lines)


def test_lines_of_functions_leave_docstrings_out(measures, sample):
    assert measures.lengths(sample) == [2, 2, 3]


def test_methods_and_described_parameters(measures, sample):
    assert measures.largest_classes(sample, window=False) == [(2, "Two")]
    assert measures.largest_classes(sample, window=True) == []
    assert measures.described_share(sample) == 0.5


LARGE = """
@dataclass(frozen=True)
class Value:
    one: int
    two: int


@dataclass
class Settings:
    three: int
    names: ClassVar[int] = 3

    def change(self):
        self.three, self.four = 1, 2


class Base:
    def __init__(self):
        self.five = 5
        self._six: int = 6

    def shared(self): ...


class Heir(Base):
    def shared(self):
        self.five += 1
        other.seven = 7

    def own(self): ...


def disguised(heir: Heir, number: int):
    return heir._six + number


def friend(heir: Heir):
    return heir.five
"""


@pytest.fixture(scope="module")
def large(measures):
    return [measures.Module(measures.PACKAGE / "files" / "large.py", LARGE, ast.parse(LARGE))]


def test_bases_and_functions_with_private_access_count_as_methods(measures, large):
    methods = {kind.name: set(kind.methods) for kind in measures.kinds(large)}
    assert methods["Base"] == {"__init__", "shared"}
    assert methods["Heir"] == {"__init__", "shared", "own", "disguised"}
    assert methods["Value"] == set()


def test_attributes_are_what_objects_carry_but_not_a_values_fields(measures, large):
    carried = {kind.name: set(kind.attributes) for kind in measures.kinds(large)}
    assert carried == {
        "Value": set(),
        "Settings": {"three", "four"},
        "Base": {"five", "_six"},
        "Heir": {"five", "_six"},
    }
    assert measures.sizes(large, window=False, what="attributes")[-1] == (0, "Value")


def test_a_measure_below_its_floor_is_named(measures, sample, monkeypatch):
    monkeypatch.setattr(measures, "FLOORS", {"good": (lambda found: 1.0, 1.0), "bad": (lambda found: 0.25, 0.5)})
    assert measures.below_floor(sample) == ["bad: 0.250, and was 0.500"]


def test_nothing_got_worse(measures):
    assert measures.below_floor(measures.modules()) == []
