"""Collocation measures against published examples and figures of Tiny Shakespeare's *king*."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analyses.collocates.association import ASSOCIATIONS, Cells

KING = Cells.of([269, 127, 171], 8407, [376, 278, 3759], 202976, 887)
RICHARD = {
    "mi": 4.1104, "mi3": 20.2534, "t": 15.4517, "g2": 1281.008, "logdice": 12.7688, "dice": 0.42597,
    "delta_p_word": 0.031447, "delta_p_node": 0.675258,
}  # fmt: skip


@pytest.mark.parametrize(("measure", "value"), list(RICHARD.items()))
def test_the_figures_of_a_collocate(measure, value):
    assert ASSOCIATIONS[measure].compute(KING)[0] == pytest.approx(value, abs=5e-4 if measure == "g2" else 5e-5)
    assert KING.expected[0] == pytest.approx(15.5734, abs=5e-5)


def test_a_word_that_is_as_expected_is_no_collocate():
    assert ASSOCIATIONS["t"].compute(KING)[2] == pytest.approx(1.1706, abs=5e-5)
    assert ASSOCIATIONS["g2"].compute(KING)[2] == pytest.approx(1.553, abs=5e-4)
    assert ASSOCIATIONS["mi"].compute(KING)[2] == pytest.approx(0.1353, abs=5e-5)


def test_the_figures_of_henry():
    assert ASSOCIATIONS["mi"].compute(KING)[1] == pytest.approx(3.4633, abs=5e-5)
    assert ASSOCIATIONS["g2"].compute(KING)[1] == pytest.approx(439.866, abs=5e-4)
    assert ASSOCIATIONS["logdice"].compute(KING)[1] == pytest.approx(11.8026, abs=5e-5)


def test_delta_p_of_course():
    # Gries 2013: of before course, and course after of.
    o11, o12, o21, o22 = 5610, 168938, 2257, 10233063
    cells = Cells.of([o11], o11 + o12, [o11 + o21], o11 + o12 + o21 + o22, o11 + o12)
    assert ASSOCIATIONS["delta_p_word"].compute(cells)[0] == pytest.approx(0.032, abs=5e-4)
    assert ASSOCIATIONS["delta_p_node"].compute(cells)[0] == pytest.approx(0.697, abs=5e-4)


def test_the_t_score_of_new_companies():
    # Manning & Schütze 1999.
    cells = Cells.of([8], 15828, [4675], 14307668, 15828)
    assert ASSOCIATIONS["t"].compute(cells)[0] == pytest.approx(0.999932, abs=5e-6)


@given(
    st.tuples(st.integers(1, 50), st.integers(0, 50), st.integers(0, 50), st.integers(1, 10**6)), st.integers(1, 100)
)
def test_the_four_cells_sum_to_the_total(cells, node):
    o11, o12, o21, _ = cells
    made = Cells.of([o11], o11 + o12, [o11 + o21], sum(cells), node)
    assert [float(cell[0]) for cell in made.four] == list(cells)
    # A word is attracted by one measure if it is by all that compare with the expected count.
    signs = {math.copysign(1, ASSOCIATIONS[name].compute(made)[0]) for name in ("mi", "t", "z", "delta_p_word")}
    assert len(signs) == 1 or made.expected[0] == pytest.approx(o11)


def test_a_word_that_occurs_nowhere_else_has_a_log_ratio():
    cells = Cells.of([4], 100, [4], 1100, 10)
    assert ASSOCIATIONS["log_ratio"].compute(cells)[0] == pytest.approx(math.log2((4 / 100) / (0.5 / 1000)))
    assert not np.isnan([row.compute(cells)[0] for row in ASSOCIATIONS.values()]).any()


def test_a_conservative_log_ratio_is_the_bound_of_an_interval():
    """The figures of the package association-measures 0.3.2 (alpha .001, two-sided, Poisson, Bonferroni)."""
    cells = Cells.of([269, 171, 5, 12], 8_407, [376, 3_759, 2_000, 60], 202_976, 887)
    found = ASSOCIATIONS["conservative_log_ratio"].compute(cells)
    assert found == pytest.approx([5.26499569, 0.0, -2.15597517, 0.483273], abs=5e-7)


def test_a_word_in_windows_only_is_bounded_in_closed_form():
    """I_x(a, 1) = x^a."""
    cells = Cells.of([4], 100, [4], 1100, 9)
    odds = 0.0005**0.25
    expected = math.log2(odds / (1 - odds) * 10)
    assert ASSOCIATIONS["conservative_log_ratio"].compute(cells)[0] == pytest.approx(max(0, expected))
    assert np.isnan(ASSOCIATIONS["conservative_log_ratio"].compute(Cells.of([4], 100, [4], 100, 9))[0])
