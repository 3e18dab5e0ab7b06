"""The settings of drafts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from explorer.derive.kinds import Real, Whole
from explorer.derive.question import Question, setting
from explorer.i18n import mark


@dataclass(frozen=True)
class DraftsQuestion(Question):
    """How a draft is made: greedily from the longest suffix that occurs, the most frequent follower each time."""

    title: ClassVar = mark("Drafts")

    context: int = setting(
        32,
        Whole(1, offered=1_000),
        mark("Context"),
        mark("maximum number of tokens of context"),
        fact="context",
    )
    # A draft is also not longer than the suffix, but one token at least.
    max_draft: int = setting(
        16,
        Whole(1, offered=1_000),
        mark("Longest draft"),
        mark("maximum number of tokens of a draft"),
        fact="max draft",
    )
    min_probability: float = setting(
        0.1,
        Real(0, 1, metavar="P"),
        mark("Min. probability"),
        mark("a draft ends before its probability falls below this"),
        fact="min probability",
    )
    draft_cost: float = setting(
        0.1,
        Real(0, 1e6, metavar="C"),
        mark("Cost of a draft"),
        mark("cost of a draft and its check, as a part of a call of the model"),
    )

    def restored(self, values: Mapping[str, Any]) -> Self:
        """Also with the values of a session of version 0.2, which had other names for two settings."""
        older = {name: values[of] for name, of in _NAMES_OF_0_2.items() if of in values}
        return super().restored({**older, **values})


_NAMES_OF_0_2 = {"max_draft": "most", "min_probability": "least"}
