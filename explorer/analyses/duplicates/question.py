"""The settings of duplicates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

from explorer.analyses.duplicates.borders import Borders
from explorer.analyses.duplicates.compute import DuplicateRule
from explorer.analyses.metadata.conditions import Conditions
from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.limits import whole_number
from explorer.backends.protocol.list_values import LONGEST_SHARED
from explorer.derive.kinds import Choice, Flag, Kind, Whole, refusal
from explorer.derive.question import Question, setting
from explorer.errors import QueryError
from explorer.i18n import mark

_MOST_TOKEN = 2**32 - 1


@dataclass(frozen=True)
class Passages(Kind):
    """Texts or token ids."""

    def check(self, name: str, value: Any) -> tuple[str | tuple[int, ...], ...]:
        try:
            found = tuple(map(_passage, (value,) if isinstance(value, str) else value))
        except (TypeError, QueryError):
            found = ("",)
        if not all(found):
            raise refusal(mark("{name} must be a list of texts or token ids, not {value}."), name, value)
        return found

    def stated(self, value: Any) -> tuple[str, ...]:
        return tuple(each if isinstance(each, str) else " ".join(map(str, each)) for each in value)

    def python(self, value: Any) -> str:
        return repr([each if isinstance(each, str) else list(each) for each in value])

    def saved(self, value: Any) -> Any:
        return [each if isinstance(each, str) else list(each) for each in value]


def _passage(given: Any) -> str | tuple[int, ...]:
    return given if isinstance(given, str) else tuple(whole_number(id, "token", 0, _MOST_TOKEN) for id in given)


@dataclass(frozen=True)
class DuplicatesQuestion(Question):
    """Which copies are cut."""

    title: ClassVar = mark("Duplicates")

    length: int = setting(
        50,
        Whole(1, LONGEST_SHARED, metavar="L"),
        mark("Shortest repeat"),
        mark("length of the windows that are compared, in tokens"),
        fact="length",
    )
    unit: Literal["tokens", "bytes"] = setting(
        "tokens",
        Choice({"tokens": mark("Tokens"), "bytes": mark("Bytes")}),
        mark("Count"),
        mark("what the length counts: bytes for an index of bytes"),
        fact="unit",
    )
    rule: DuplicateRule = setting(
        "separate",
        Choice(
            {"separate": mark("Keep one copy"), "first": mark("Keep first only"), "all": mark("Remove all")},
            {
                "separate": mark(
                    "A copy goes if it begins after the end of the first one: text that repeats itself keeps one whole "
                    "copy"
                ),
                "first": mark("Every copy but the first goes, also one that overlaps with it, as bsade does"),
                "all": mark("Every passage that occurs twice goes, its first copy too, as in Lee et al. (2022)"),
            },
        ),
        mark("Which copies go"),
        mark(
            "what is kept: the first copy and what overlaps with it (separate), the first (first, as bsade), or none "
            "(all)"
        ),
        fact="rule",
    )
    gap: int = setting(
        0,
        Whole(0, offered=10_000, metavar="G"),
        mark("Join gaps up to"),
        mark("also cut up to this many tokens between two cuts"),
        fact="gap",
    )
    across: bool = setting(
        False,
        Flag(),
        mark("Only across documents"),
        mark("only cut what occurs first in another document; repeats within one document stay"),
        fact="only copies of another document",
    )
    prefer: tuple[FieldFilter, ...] = setting(
        (),
        Conditions(),
        mark("Keep the copy where"),
        mark("of equal passages, keep that of a document that meets this condition, such as source=wiki"),
        fact="kept copies",
    )
    never: tuple[str | tuple[int, ...], ...] = setting(
        (),
        Passages(),
        mark("Always keep"),
        mark("passages that are not cut wherever they occur"),
        fact="never cut",
    )
    borders: Borders = setting(
        "tokens",
        Choice(
            {
                "tokens": mark("Tokens"),
                "characters": mark("Characters"),
                "words": mark("Words"),
                "lines": mark("Lines"),
            }
        ),
        mark("Cut between"),
        mark("where a cut begins and ends"),
        fact="borders",
    )

    @classmethod
    def of(cls, **values: Any) -> Self:
        """Make a question of values that a caller gave, which may be in conflict; a form only disables its controls."""
        made = super().of(**values)
        if made.rule == "all" and made.across:
            raise QueryError(
                mark("The rule all keeps no copy, so it knows no first one that could be in another document."),
                reason="rule-across",
            )
        if made.rule == "all" and made.prefer:
            raise QueryError(mark("The rule all keeps no copy, so none can be preferred."), reason="rule-prefer")
        return made

    @property
    def in_force(self) -> Self:
        """The question without what its rule leaves out of account."""
        return replace(self, across=False, prefer=()) if self.rule == "all" else self
