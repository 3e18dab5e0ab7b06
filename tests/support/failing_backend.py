"""Wrappers around any backend: one counts the questions, one cannot, fails, waits, or is closed."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from explorer.backends.protocol.protocol import Capabilities
from explorer.errors import CorpusError

FAILED = "The service stopped answering in the middle of a question. Ask again."
CLOSED = "This index was closed."
WHY_NOT = "The service behind this index does not offer that."
_PATIENCE_S = 60

NEEDS = {
    "find_text": "text_patterns",
    "cuts": "text_patterns",
    "word_ranks": "sorting",
    "surroundings": "sorting",
    "metadata": "metadata",
    "field_names": "metadata",
    "has_field": "metadata",
    "windows": "documents",
    "tokens_at": "documents",
    "sizes": "sizes",
    "without": "subtraction",
    "within": "subtraction",
    "ngrams": "lists",
    "ngram_rows": "lists",
    "shared_prefixes": "lists",
    "growth": "lists",
}
"""The capability that each question needs. Next tokens need theirs only without a limit."""

LOCAL = {"check_ids", "check"}
"""Questions that a backend on another machine answers without a request."""


class CountingBackend:
    """Passes every question on; `asked` counts them by name, those to occurrences as "locate" and so on."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.asked: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        inner = self._inner
        parts = (inner, inner.counts, inner.hits, inner.documents, inner.lists)
        value = getattr(next((part for part in parts if hasattr(part, name)), inner), name)
        return self._question(name, value) if callable(value) and not name.startswith("_") else value

    @property
    def counts(self) -> CountingBackend:
        """All topics are asked through this one object."""
        return self

    hits = documents = lists = counts

    def _question(self, name: str, ask: Callable[..., Any]) -> Callable[..., Any]:
        if name in LOCAL:
            return ask

        def asked(*values: Any, **named: Any) -> Any:
            self.asked[name] += 1
            answer = self._answer(name, ask, values, named)
            if name == "occurrences":
                return _Hits(self, answer)
            return self._again(answer) if name in ("without", "within") else answer

        return asked

    def _answer(self, name: str, ask: Callable[..., Any], values: Any, named: Any) -> Any:
        return ask(*values, **named)

    def _again(self, inner: Any) -> CountingBackend:
        made = CountingBackend(inner)
        made.asked = self.asked
        return made

    @property
    def requests(self) -> int:
        """Questions that a backend on another machine would need a request for."""
        return sum(self.asked.values()) - self.asked["occurrences"]


class _Hits:
    """The occurrences of a wrapped backend."""

    def __init__(self, owner: CountingBackend, inner: Any) -> None:
        self._owner, self._inner = owner, inner

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        return self._owner._question(name, value) if callable(value) else value


@dataclass
class Held:
    """A question that waits: `asked` is set when it has come, and it is answered when `answer` is."""

    asked: threading.Event = field(default_factory=threading.Event)
    answer: threading.Event = field(default_factory=threading.Event)

    def wait(self) -> None:
        """In the thread that asks."""
        self.asked.set()
        if not self.answer.wait(_PATIENCE_S):
            raise AssertionError("nobody let the held question be answered")


class FailingBackend(CountingBackend):
    """Lacks capabilities, fails, waits, or is closed, as a test wants it."""

    def __init__(self, inner: Any, lacks: tuple[str, ...] = (), why_not: str = WHY_NOT) -> None:
        super().__init__(inner)
        self._lacks = dict.fromkeys(lacks, False)
        self._why_not = why_not
        self._fails: set[str] = set()
        self._held: dict[str, Held] = {}
        self._closed = False

    @property
    def capabilities(self) -> Capabilities:
        known: Capabilities = self._inner.capabilities
        return replace(known, **self._lacks, why_not=self._why_not) if self._lacks else known

    def fail(self, *names: str) -> None:
        """These questions fail from now on, after half of what they were asked was answered."""
        self._fails.update(names)

    def mend(self) -> None:
        """Nothing fails any more."""
        self._fails.clear()

    def hold(self, name: str) -> Held:
        """The next such question waits for the test."""
        self._held[name] = Held()
        return self._held[name]

    def close(self) -> None:
        """No further question is answered; one that is held still is, too late."""
        self._closed = True

    def _again(self, inner: Any) -> CountingBackend:
        made = FailingBackend(inner, tuple(self._lacks), self._why_not)
        made.asked, made._fails, made._held = self.asked, self._fails, self._held
        return made

    def _answer(self, name: str, ask: Callable[..., Any], values: Any, named: Any) -> Any:
        if self._closed:
            raise CorpusError(CLOSED)
        self._check_capability(name, values, named)
        if name in self._fails:
            _answer_half(ask, values, named)
            raise CorpusError(FAILED)
        if held := self._held.pop(name, None):
            held.wait()
        return super()._answer(name, ask, values, named)

    def _check_capability(self, name: str, values: Any, named: Any) -> None:
        if name in NEEDS:
            self.capabilities.require(NEEDS[name])
        elif name == "next_tokens" and (named.get("limit") or next(iter(values[2:3]), None)) is None:
            self.capabilities.require("next_tokens")


def _answer_half(ask: Callable[..., Any], values: tuple[Any, ...], named: Any) -> None:
    """Answer the first half of a batch, as a service does that stops in the middle of it."""
    if all(isinstance(value, np.ndarray) for value in values):
        ask(*(value[: len(value) // 2] for value in values), **named)
