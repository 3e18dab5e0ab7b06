"""The settings of hints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.analyses.search.limits import LARGEST
from explorer.backends.protocol.values import HintRule
from explorer.derive.kinds import Flag, Whole
from explorer.derive.question import Question, setting
from explorer.i18n import mark

_LONGEST = 1_000
_USUAL = HintRule()


@dataclass(frozen=True)
class HintsQuestion(Question):
    """How contexts are chosen, and how much of what follows them is sampled."""

    title: ClassVar = mark("Hints")

    samples: int = setting(_USUAL.samples, Whole(1, 255), mark("Samples"), mark("maximum number of samples of a token"))
    plateau: int = setting(
        _USUAL.plateau,
        Whole(0, _LONGEST),
        mark("Plateau"),
        mark("number of lengths that occur equally often before which a context ends; 0 for nowhere"),
    )
    context: int = setting(
        _USUAL.context,
        Whole(1, _LONGEST),
        mark("Context"),
        mark("maximum number of tokens of context"),
    )
    seed: int = setting(_USUAL.seed, Whole(0, LARGEST), mark("Seed"), mark("seed: the same one gives the same samples"))
    leave_one_out: bool = setting(
        _USUAL.leaves_out,
        Flag(),
        mark("Leave one out"),
        mark("look each token up as if its own occurrence were not in the corpus; always so for a whole index"),
    )

    @property
    def rule(self) -> HintRule:
        """The settings as the index takes them."""
        return HintRule(self.plateau, self.samples, self.context, self.leave_one_out, False, self.seed)
