"""Answers to the questions of the seam from another machine: all that comes is checked before it is used."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from explorer.backends.asked.codec import to_json
from explorer.backends.asked.facts import facts_of
from explorer.backends.asked.questions import (
    FACTS,
    HOLDINGS,
    QUESTIONS,
    TOKENIZER,
    Question,
    QuestionError,
    read_arguments,
)
from explorer.backends.places import Located, Places
from explorer.backends.protocol.protocol import Backend, Occurrences
from explorer.backends.protocol.values import HintRule, Matches, Numbers, Part, TextMatches
from explorer.core.jobs import CancelToken

_MOST_FOUND = 64
"""Values of hits that are kept: those of the pages that a few people look at."""
_MOST_PER_NGRAM = 1_000
_MOST_READ = 1 << 23
"""Tokens of documents in one answer."""
_FAR = 1 << 20
"""Tokens or bytes beyond which nothing is asked for: twice as many cannot overflow."""
_TAKE_CANCEL = frozenset(
    ("next_tokens", "count_many", "longest_matches", "followed", "followers", "levels", "greedy", "hints")
    + ("some_places", "near", "word_ranks", "surroundings", "cuts", "has_field")
)
"""Questions that can be stopped; `find_text` and those about occurrences have calls of their own."""


class Answers:
    """Answers the questions of the seam for one index, from any thread."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._lock = threading.Lock()
        self._found: OrderedDict[object, Occurrences] = OrderedDict()
        self._checks: dict[str, Callable[..., None]] = {
            "count_many": self._check_spans,
            "followers": self._check_spans,
            "some_places": self._check_draw,
            "followed": self._check_followed,
            "levels": self._check_levels,
            "greedy": self._check_greedy,
            "hints": self._check_hints,
            "near": self._check_near,
            "word_ranks": self._check_beside,
            "surroundings": self._check_beside,
            "lengths": self._check_documents,
            "metadata": self._check_documents,
            "tokens_at": self._check_offsets,
        }

    def answer(self, name: str, data: Any, cancel: CancelToken | None = None) -> Any:
        """Answer a question.

        name: A name of `QUESTIONS`, "facts", "tokenizer" or "holdings".
        data: Its arguments, as they were sent.
        Raises `QuestionError` if there is no such question, or its arguments cannot be those of it.
        """
        if name == FACTS:
            return facts_of(self._backend)
        if name == TOKENIZER:
            return self._tokenizer()
        if name == HOLDINGS:
            return [asdict(found) for found in self._backend.holdings()]
        question = QUESTIONS.get(name)
        if question is None:
            raise QuestionError("there is no such question")
        return to_json(self._ask(question, read_arguments(question, data), cancel))

    def _tokenizer(self) -> str:
        backend = self._backend.tokenizer.backend
        return "" if backend is None else backend.to_str()

    def _ask(self, question: Question, arguments: tuple[Any, ...], cancel: CancelToken | None) -> Any:
        if question.name == "shown":
            self._check_slots(*arguments)
        else:
            for value in arguments:
                self._check_value(value)
        if (check := self._checks.get(question.name)) is not None:
            check(*arguments)
        if question.name == "windows":
            arguments = self._cut_windows(*arguments)
        if question.topic == "occurrences":
            return self._of_hits(question.name, cancel, *arguments)
        if question.name == "find_text":
            return self._backend.hits.find_text(*arguments[0], cancel=cancel)
        method = getattr(getattr(self._backend, question.topic), question.name)
        return method(*arguments, cancel=cancel) if question.name in _TAKE_CANCEL else method(*arguments)

    # --- hits ----------------------------------------------------------------------------------

    def _of_hits(self, name: str, cancel: CancelToken | None, parts: tuple[Part, ...], *given: Any) -> Any:
        hits = self._occurrences(parts, cancel)
        if name == "numbered":
            return hits.total, hits.count, hits.sieved
        if name == "shown":
            return hits.shown(given[0])
        numbers = given[0]
        _require(not len(numbers) or 0 <= numbers.min() <= numbers.max() < hits.total, "there is no such hit")
        return hits.measured(hits.locate(numbers), cancel)

    def _occurrences(self, parts: tuple[Part, ...], cancel: CancelToken | None) -> Occurrences:
        # The counts that came with the parts are not believed: they are found again, by what they are of.
        key = tuple(part.ids if isinstance(part, Matches) else part.patterns for part in parts)
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
        patterns = [part for part in parts if isinstance(part, TextMatches)]
        _require(not patterns or len(parts) == 1, "several text patterns are one question")
        hits = self._backend.hits
        found = [
            hits.find(part.ids) if isinstance(part, Matches) else hits.find_text(*part.patterns, cancel=cancel)
            for part in parts
        ]
        made = hits.occurrences(found)
        with self._lock:
            self._found[key] = made
            while len(self._found) > _MOST_FOUND:
                self._found.popitem(last=False)
        return made

    # --- what arguments must be ----------------------------------------------------------------

    def _check_value(self, value: Any) -> None:
        """Whatever the question is: places must be in documents, n-grams must have ids, patterns must not be empty."""
        if isinstance(value, Places):
            self._check_places(value)
        elif isinstance(value, Matches):
            self._backend.counts.check_ids(value.ids, allow_empty=True)
        elif isinstance(value, TextMatches):
            _require(bool(value.patterns), "there is no pattern")
        elif isinstance(value, tuple):
            for one in value:
                self._check_value(one)

    def _check_places(self, places: Places) -> None:
        # Refuses numbers without a document.
        sizes = self._backend.documents.lengths(places.documents)
        _require(bool(((places.offsets >= 0) & (places.offsets <= sizes)).all()), "a place is not in its document")
        if isinstance(places, Located):
            ends = places.offsets + np.clip(places.lengths, 0, _FAR)
            inside = (places.lengths >= 0) & (places.lengths <= _FAR) & (ends <= sizes + 1)
            parts = [(part >= 0).all() and (part < _FAR).all() for part in (places.begins, places.rests)]
            _require(bool(inside.all()) and all(parts), "a hit is not in its document")

    def _check_spans(self, ids: Numbers, starts: Numbers, ends: Numbers, *_: Any) -> None:
        self._backend.counts.check_ids(ids, allow_empty=True)
        fits = len(starts) == len(ends) and bool(((starts >= 0) & (starts <= ends) & (ends <= len(ids))).all())
        _require(fits, "an n-gram is not in its text")

    def _check_draw(self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int) -> None:
        self._check_spans(ids, starts, ends)
        _require(bool((starts < ends).all()) and not (ids == self._backend.separator).any(), "an n-gram has no place")
        _require(0 <= most <= _MOST_PER_NGRAM and most * len(starts) <= _MOST_READ, "there are too many places")

    def _check_followed(self, ids: Numbers, orders: tuple[int | None, ...], longest: Numbers | None) -> None:
        _require(all(order is None or 1 <= order <= _FAR for order in orders), "an order is not one")
        if longest is not None:
            ends = np.arange(len(ids)) + longest if len(longest) == len(ids) else np.array([-1])
            _require(bool((longest >= 0).all() and ((ends >= 0) & (ends <= len(ids))).all()), "a match is too long")

    def _check_levels(self, context: Numbers, least: int, most: int | None, selective: bool) -> None:
        _require(0 <= least <= _FAR and (most is None or 0 <= most <= _FAR), "a length is not one")

    def _check_greedy(self, context: Numbers, most: int, least: float) -> None:
        _require(1 <= most <= _FAR and 0 <= least <= 1, "a length or a share is not one")

    def _check_hints(self, ids: Numbers, places: Numbers, begins: Numbers, numbers: Numbers, rule: HintRule) -> None:
        self._check_spans(ids, begins, places)
        _require(bool((places < len(ids)).all()) and len(numbers) == len(places), "a token is not in its text")
        sizes = (rule.plateau, rule.samples, rule.context)
        _require(all(0 <= size <= _FAR for size in sizes) and 1 <= rule.samples <= 255, "a rule is not one")
        _require(0 <= rule.seed < 1 << 63, "a rule is not one")

    def _check_near(self, places: Places, ngrams: tuple[tuple[int, ...], ...], distance: int) -> None:
        for ngram in ngrams:
            self._backend.counts.check_ids(ngram)
        _require(0 <= distance <= _FAR, "a distance is not one")

    def _check_beside(self, located: Located, number: int) -> None:
        _require(-_MOST_PER_NGRAM <= number <= _MOST_PER_NGRAM, "too far from the hit")

    def _check_documents(self, documents: Numbers) -> None:
        self._backend.documents.lengths(documents)

    def _cut_windows(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """The same windows within their documents: callers ask for everything by the largest number there is."""
        _require(len(documents) == len(firsts) == len(lasts), "a window has no document")
        sizes = self._backend.documents.lengths(documents)
        firsts, lasts = np.clip(firsts, 0, sizes), np.clip(lasts, 0, sizes)
        read = int(np.maximum(lasts - firsts, 0).sum())
        # One document is sent whole, as long as it is.
        _require(read <= _MOST_READ or len(documents) == 1, "there is too much to read at once")
        return documents, firsts, lasts

    def _check_slots(self, parts: tuple[Part, ...], located: Located) -> None:
        """Hits of documents that are left out are asked about, too: whether they are shown is the question."""
        slots = self._backend.document_slots
        documents = (located.documents >= 0) & (located.documents < slots)
        # The separator before a document is one of its places.
        _require(bool((documents & (located.offsets >= -1)).all()), "a place is not in a document")

    def _check_offsets(self, documents: Numbers, offsets: Numbers) -> None:
        self._check_documents(documents)
        _require(
            len(documents) == len(offsets) and bool(((offsets > -(1 << 40)) & (offsets < 1 << 40)).all()),
            "an offset has no document",
        )


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise QuestionError(sentence)
