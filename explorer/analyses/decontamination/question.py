"""The settings of decontamination."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from explorer.analyses.contamination.question import ContaminationQuestion
from explorer.analyses.decontamination.compute import Rule, RuleName
from explorer.derive.kinds import Choice, Maybe, Share, Text, Whole
from explorer.derive.question import Question, setting, setting_of
from explorer.errors import QueryError
from explorer.i18n import mark


@dataclass(frozen=True)
class DecontaminationQuestion(Question):
    """Which documents or paragraphs are cut because evaluation sets have them."""

    title: ClassVar = mark("Decontamination")

    rule: RuleName = setting(
        "grams",
        Choice({"grams": mark("Whole documents"), "paragraphs": mark("Paragraphs")}),
        mark("What is cut"),
        mark(
            "grams: documents with at least the share of their n-grams in the sets; paragraphs: paragraphs with more "
            "than it"
        ),
        fact="rule",
    )
    n: int = setting(13, Whole(1), mark("n"), mark("words or tokens of an n-gram"), fact="n")
    share: float = setting(
        0.8,
        Share(above=True),
        mark("Share"),
        mark("share of n-grams in the sets, above 0 and up to 1"),
        fact="share",
    )
    unit: Literal["words", "tokens"] = setting_of(ContaminationQuestion, "unit")
    by: str | None = setting(
        None,
        Maybe(Text(metavar="FIELD"), ""),
        mark("By field"),
        mark("count by the values of this field"),
        fact="by",
        always=False,
    )
    question: str = setting_of(ContaminationQuestion, "question")
    answer: str = setting_of(ContaminationQuestion, "answer")

    @classmethod
    def of(cls, **values: object) -> Self:
        """Make a question of values that a caller gave, which may be in conflict."""
        made = super().of(**values)
        if made.rule == "paragraphs" and made.unit != "words":
            raise QueryError(mark("Paragraphs are compared in words, not in tokens."), reason="wrong-argument")
        return made

    @property
    def cut(self) -> Rule:
        """The rule of what is cut."""
        return Rule(self.rule, self.n, self.share)
