"""The settings of what follows a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from explorer.analyses.search.limits import LARGEST
from explorer.backends.protocol.count_questions import CountQuestions
from explorer.backends.protocol.protocol import Numbers
from explorer.derive.kinds import Flag, Maybe, Whole
from explorer.derive.question import Question, setting
from explorer.i18n import mark

SAMPLED = 1_000
"""The limit for an index that cannot count all that follows."""


@dataclass(frozen=True)
class NextTokensQuestion(Question):
    """How much of a text is the context, and what is listed after it."""

    title: ClassVar = mark("Next token")

    n: int | None = setting(
        None,
        Maybe(Whole(1, offered=1_000), "inf", "∞"),
        mark("n of the n-gram model"),
        mark("n of the n-gram model, with n − 1 tokens of context; inf (default) for the longest context that occurs"),
    )
    words: bool = setting(
        False,
        Flag(),
        mark("Whole words"),
        mark("list whole words, whatever tokens they consist of; after part of a word, the rest of it"),
    )
    limit: int | None = setting(
        None,
        Maybe(Whole(1, LARGEST), ""),
        mark("Sample"),
        mark("number of occurrences to look at for an estimate"),
        fact="limit",
        always=False,
    )

    def length(self, ids: Numbers, counts: CountQuestions) -> int:
        """The tokens at the end of a text that are its context."""
        # n counts the next token, too. A shorter text is used as it is.
        return counts.longest_suffix(ids) if self.n is None else min(self.n - 1, len(ids))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The settings in provenance, with the model and the unit by their names."""
        model, unit = "∞" if self.n is None else str(self.n), "words" if self.words else "tokens"
        return ("n", model), ("unit", unit), *super().facts

    def restored(self, values: Mapping[str, Any]) -> Self:
        """Also with the values of a session of version 0.2, in which 0 was the longest context."""
        return super().restored({**values, "n": values["n"] or None} if "n" in values else values)
