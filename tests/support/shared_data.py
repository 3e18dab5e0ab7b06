"""Data that is too large for the repository, in `shared/data` beside the checkout; see `fetch_shared`."""

from __future__ import annotations

from pathlib import Path

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
ABSENT = "needs ../shared/data: python tests/support/fetch_shared.py writes it (12 MB)"


def tokenizer_files() -> list[Path]:
    """The tokenizers of `tests/data`, in the styles of Llama and OLMo, and the published ones of the shared data."""
    own = Path(__file__).resolve().parents[1] / "data" / "infini_gram"
    return [*sorted(own.glob("*.tokenizer.json")), *sorted(SHARED.glob("tokenizers/*.tokenizer.json"))]
