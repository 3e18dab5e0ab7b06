"""Types of values: against torch's and numpy's rules, at the edges of their ranges, and what a row takes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from explorer import QueryError
from explorer.analyses.fgrams.value_types import VALUE_NAMES, value_type

FLOATS = arrays.arrays(np.float32, (3, 4), elements=st.floats(-(2.0**100), 2.0**100, width=32, allow_subnormal=False))


def test_bytes_of_a_row():
    assert {name: value_type(name).row_bytes(2048) for name in VALUE_NAMES} == {
        "float32": 8192, "float16": 4096, "bfloat16": 4096, "int8": 2052,
    }  # fmt: skip
    with pytest.raises(QueryError, match="bfloat16, int8, not float8"):
        value_type("float8")


@given(FLOATS)
def test_bfloat16_is_the_nearest_number_of_eight_bits(values):
    kind = value_type("bfloat16")
    found = kind.unpack(kind.pack(values))
    # A number of eight significant bits is at most half of its last one away; the exponents are those of float32.
    assert (np.abs(found - values) <= np.abs(values) * 2.0**-8).all()
    assert (kind.unpack(kind.pack(found)) == found).all()


def test_bfloat16_rounds_halves_to_even_and_keeps_what_is_no_number():
    kind = value_type("bfloat16")
    # 1 + 2⁻⁸ and 1 + 3·2⁻⁸ lie halfway between two of them.
    given_values = np.array([[1 + 2**-8, 1 + 3 * 2**-8, np.inf, -np.inf]], dtype=np.float32)
    assert kind.unpack(kind.pack(given_values)).tolist() == [[1, 1 + 2**-6, np.inf, -np.inf]]
    assert np.isnan(kind.unpack(kind.pack(np.array([[np.nan]], dtype=np.float32)))).all()


@given(FLOATS)
def test_int8_is_within_half_a_unit_of_its_row(values):
    kind = value_type("int8")
    packed = kind.pack(values)
    unit = np.abs(values).max(axis=1, keepdims=True) / 127
    assert (np.abs(kind.unpack(packed) - values) <= unit * 0.5001 + 1e-38).all()


def test_a_row_of_zeros_stays_one():
    for name in VALUE_NAMES:
        kind = value_type(name)
        found = kind.unpack(kind.pack(np.zeros((2, 3), dtype=np.float32)))
        assert (found.dtype, found.tolist()) == (np.float32, [[0.0] * 3] * 2)
