"""Parameters of tests that only `make test-all` tries, where `make test` has one of them."""

from __future__ import annotations

from typing import Any

import pytest


def nightly(*values: Any) -> list[Any]:
    """Mark each value: `parametrize("kind", ["bytes", *nightly("unigram", "wordpiece")])`."""
    return [pytest.param(value, marks=pytest.mark.nightly) for value in values]
