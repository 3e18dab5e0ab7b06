"""Answers of language models: 51 short ones in `tests/data`, written for the tests, and 9,659 in the shared data."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, NamedTuple

from shared_data import SHARED, of_shared

WRITTEN = Path(__file__).resolve().parents[1] / "data" / "answers.jsonl"
"""Three invented models answer the same 17 prompts; some copy passages or whole answers from each other."""
QUESTIONS = WRITTEN.with_name("questions.jsonl")
"""An evaluation set: thirty questions with their answers, written for the tests."""


class ModelAnswers(NamedTuple):
    """Texts, and the folder of an index with one document for each."""

    texts: list[str]
    folder: Path


def text_names(*shared: str) -> list[Any]:
    """Parameters of tests: the answers as one text, and texts of the shared data. See `text_named`."""
    return ["answers", *of_shared(*shared)]


def text_named(name: str) -> str:
    """One of these texts."""
    path = SHARED / "texts" / f"{name}.txt"
    return "\n\n".join(read_texts(WRITTEN)) if name == "answers" else path.read_text(encoding="utf-8")


def read_texts(path: Path, generator: str | None = None) -> list[str]:
    """The answers in a file, in its order; of one of its models, or of all."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row["text"] for row in rows if generator in (None, row["generator"])]
