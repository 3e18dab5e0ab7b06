"""The settings of contamination; the thresholds of its verdicts are `Thresholds` in `item_matches`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from explorer.analyses.contamination.benchmarks import PARTS
from explorer.derive.kinds import Choice, Flag, Paths, Several, Text
from explorer.derive.question import Question, setting
from explorer.i18n import mark

_FIELD = Text(word=mark("guessed"), metavar="FIELD")


@dataclass(frozen=True)
class ContaminationQuestion(Question):
    """Which benchmarks are looked for, and how their items are compared with the texts."""

    title: ClassVar = mark("Contamination")

    files: tuple[str, ...] = setting(
        (), Paths(arguments=True), mark("Benchmarks"), mark("files with the items of benchmarks")
    )
    unit: Literal["words", "tokens"] = setting(
        "words",
        Choice(
            {"words": mark("Words"), "tokens": mark("Tokens")},
            {
                "words": mark("In lower case, whatever the line breaks and the punctuation are"),
                "tokens": mark("The tokens of this index as they are"),
            },
        ),
        mark("What is compared"),
        mark("what is compared: words, whatever case, line breaks and punctuation are, or tokens"),
        fact="unit",
    )
    parts: tuple[str, ...] = setting(
        ("question",),
        Several(PARTS, empty=False, repeated=True),
        mark("Parts"),
        mark("parts of each item that are looked for, joined in this order"),
        fact="parts",
        option="--part",
    )
    question: str = setting(
        "",
        _FIELD,
        mark("Question field"),
        mark("field with the question"),
        fact="field of the question",
        always=False,
        option="--question-field",
    )
    answer: str = setting(
        "",
        _FIELD,
        mark("Answer field"),
        mark("field with the answer"),
        fact="field of the answer",
        always=False,
        option="--answer-field",
    )
    score: str = setting(
        "",
        _FIELD,
        mark("Score field"),
        mark("field with the score of a model, a number or true and false, to estimate its gain by contaminated items"),
        fact="field of the score",
        always=False,
        option="--score-field",
    )
    without_own: bool = setting(
        False,
        Flag(),
        mark("Exclude a benchmark that is in the index itself"),
        mark(
            "exclude a benchmark that is in the index itself: documents that consist of its items, of a source file "
            "with half of the items or more"
        ),
        fact="benchmarks in the index itself excluded",
    )
    against: tuple[str, ...] = setting(
        (),
        Paths(metavar="INDEX"),
        mark("Other indexes"),
        mark("also look for the items in this index, and compare the shares"),
        fact="also compared with",
        always=False,
    )
