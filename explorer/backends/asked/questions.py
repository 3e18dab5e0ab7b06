"""Every question that one machine asks another about an index: its arguments and its answer, by kinds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from explorer.backends.asked.codec import from_json, to_json
from explorer.backends.asked.kinds import fits


@dataclass(frozen=True)
class Question:
    """One question.

    topic: The part of `explorer.backends.protocol.protocol.Backend` that answers it; "occurrences" for those about
        hits of parts.
    arguments: The kinds of its arguments, without the request to stop: see `explorer.backends.asked.kinds`.
    """

    topic: str
    name: str
    arguments: tuple[str, ...]
    answer: str


_SPANS = ("Numbers", "Numbers", "Numbers")
"""Ids of a text, and the first token and the end of each n-gram of it."""

QUESTIONS: dict[str, Question] = {
    question.name: question
    for question in (
        Question("counts", "count", ("Numbers",), "int"),
        Question("counts", "continuation", ("Numbers", "int"), "tuple[int, int]"),
        Question("counts", "backed_off", ("Numbers", "int"), "tuple[int, int, int]"),
        Question("counts", "longest_suffix", ("Numbers",), "int"),
        Question("counts", "next_tokens", ("Numbers", "bool", "int | None"), "NextTokens"),
        Question("counts", "count_many", _SPANS, "Numbers"),
        Question("counts", "longest_matches", ("Numbers",), "Numbers"),
        Question("counts", "followed", ("Numbers", "tuple[int | None, ...]", "Numbers | None"), "tuple[Followed, ...]"),
        Question("counts", "followers", _SPANS, "tuple[Numbers, Numbers]"),
        Question("counts", "levels", ("Numbers", "int", "int | None", "bool"), "tuple[tuple[Level, ...], bool]"),
        Question("counts", "greedy", ("Numbers", "int", "float"), "tuple[int, list[int]]"),
        Question("counts", "hints", (*_SPANS, "Numbers", "HintRule"), "HintArrays"),
        Question("hits", "find", ("Numbers",), "Matches"),
        Question("hits", "find_text", ("tuple[Pattern, ...]",), "TextMatches"),
        Question("hits", "some_places", (*_SPANS, "int", "int"), "tuple[Numbers, Places]"),
        Question("hits", "near", ("Places", "tuple[tuple[int, ...], ...]", "int"), "NDArray[np.bool_]"),
        Question("hits", "word_ranks", ("Located", "int"), "Numbers"),
        Question("hits", "surroundings", ("Located", "int"), "NDArray[np.uint64]"),
        Question("hits", "cuts", ("TextMatches",), "tuple[Cut, ...]"),
        # Hits are numbered on the machine that has them: each question names the parts again.
        Question("occurrences", "numbered", ("parts",), "tuple[int, int, bool]"),
        Question("occurrences", "locate", ("parts", "Numbers"), "Located"),
        Question("occurrences", "shown", ("parts", "Located"), "NDArray[np.bool_]"),
        Question("documents", "numbers", (), "Numbers"),
        Question("documents", "sizes", (), "Numbers"),
        Question("documents", "lengths", ("Numbers",), "Numbers"),
        Question("documents", "windows", ("Numbers", "Numbers", "Numbers"), "list[Numbers]"),
        Question("documents", "tokens_at", ("Numbers", "Numbers"), "Numbers"),
        Question("documents", "metadata", ("Numbers",), "list[dict]"),
        Question("documents", "field_names", (), "FieldNames"),
        Question("documents", "has_field", ("str",), "bool"),
        Question("documents", "like", ("int",), "list[int]"),
    )
}
"""All questions, by name. `facts`, `tokenizer` and `holdings`, which describe an index, are beside them."""

PATH = "/questions/"
"""Where a server takes questions: the name of one follows."""
CAPABILITY = "questions"
"""What a server that takes them announces."""
FACTS, TOKENIZER, HOLDINGS = "facts", "tokenizer", "holdings"
"""Names of the two questions whose answers are plain JSON: what an index is, and its tokenizer.json as a text."""


class QuestionError(ValueError):
    """A question or an answer is not what it should be."""


def written(arguments: Iterable[Any]) -> list[Any]:
    """Write the arguments of a question as JSON."""
    return [to_json(value) for value in arguments]


def read_arguments(question: Question, data: Any) -> tuple[Any, ...]:
    """Read the arguments of a question.

    Raises `QuestionError` if they are others.
    """
    if not isinstance(data, list) or len(data) != len(question.arguments):
        raise QuestionError(f"{question.name} takes {len(question.arguments)} arguments")
    found = tuple(_read(one) for one in data)
    for number, (kind, value) in enumerate(zip(question.arguments, found, strict=True), start=1):
        if not fits(kind, value):
            raise QuestionError(f"argument {number} of {question.name} is not of the kind {kind}")
    return found


def read_answer(question: Question, data: Any) -> Any:
    """Read the answer to a question.

    Raises `QuestionError` if it is of another kind.
    """
    found = _read(data)
    if not fits(question.answer, found):
        raise QuestionError(f"the answer to {question.name} is not of the kind {question.answer}")
    return found


def _read(data: Any) -> Any:
    try:
        return from_json(data)
    except (ValueError, TypeError) as error:
        raise QuestionError(str(error)) from error
