"""Data that is too large for the repository, in `shared/data` beside the checkout; see `fetch_shared`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
ABSENT = "needs ../shared/data: python tests/support/fetch_shared.py writes it (12 MB)"


def of_shared(*values: str, part: str = "") -> list[Any]:
    """Parameters of tests that run on the shared data, or a folder of it, where that is at hand, in `make test-all`."""
    return [pytest.param(value, marks=pytest.mark.nightly) for value in values if (SHARED / part).is_dir()]


SIZES = ["small", *of_shared("shared")]
"""Parameters of a fixture that gives small material of ours, and the shared one as well."""


def tokenizer_files() -> list[Path]:
    """The tokenizers of `tests/data`, in the styles of Llama and OLMo, and the published ones of the shared data."""
    own = Path(__file__).resolve().parents[1] / "data" / "infini_gram"
    return [*sorted(own.glob("*.tokenizer.json")), *sorted(SHARED.glob("tokenizers/*.tokenizer.json"))]
