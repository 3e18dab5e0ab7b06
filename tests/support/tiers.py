"""Parameters of tests that only `make test-all` tries, where `make test` has one of them."""

from __future__ import annotations

from typing import Any

import pytest
from shared_data import SHARED


def nightly(*values: Any) -> list[Any]:
    """Mark each value: `parametrize("kind", ["bytes", *nightly("unigram", "wordpiece")])`."""
    return [pytest.param(value, marks=pytest.mark.nightly) for value in values]


SIZES = ["small", *nightly("shared")] if SHARED.is_dir() else ["small"]
"""Parameters of a fixture that gives small material of ours, and the shared one at night where that is at hand."""
