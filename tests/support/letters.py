"""A small corpus of letters, a file of answers to trace, and an index with a field: what the tasks of users need."""

from __future__ import annotations

import json
from pathlib import Path

PLACES = ("the harbor", "the river", "a mill", "the old town", "The harbor")
YEARS = (1801, 1802, 1803)
SENTENCES = (
    "We walked to {place} in the morning and the weather was fine.",
    "Nobody at {place} could say when the boat from the islands would come in.",
    "My brother writes that {place} is quiet now, and that the mill still stands.",
)

ANSWER = (
    "The letters speak of the weather. Nobody at the river could say when the boat from the islands would come in. "
    "I would add that the mill still stands, but that is only a guess of mine."
)
"""A text of a language model that quotes a letter word for word."""
QUOTED = "Nobody at the river could say when the boat from the islands would come in"


def letter(number: int) -> str:
    """The text of a letter."""
    place = PLACES[number % len(PLACES)]
    return f"Letter {number}. " + SENTENCES[number % len(SENTENCES)].format(place=place)


def write_letters(folder: Path, bad_line: bool = False) -> Path:
    """Write 30 letters with their years as JSON Lines; one line in the middle is not JSON if it is asked for."""
    rows = [json.dumps({"text": letter(n), "year": YEARS[n % 3], "writer": ("Ann", "Ben")[n % 2]}) for n in range(30)]
    if bad_line:
        rows.insert(12, '{"text": "Letter 12 broke off')
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "letters.jsonl"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def write_answers(folder: Path) -> Path:
    """Write three answers with their prompts as JSON Lines; the second one quotes a letter."""
    answers = (
        ("What is a harbor?", "A harbor is a place where ships are safe."),
        ("Who knew about the boat?", ANSWER),
        ("Was it quiet?", "My brother writes that it was quiet in spring."),
    )
    path = folder / "answers.jsonl"
    lines = [json.dumps({"prompt": prompt, "answer": answer}) for prompt, answer in answers]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
