"""The settings of dispersion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.derive.kinds import Maybe, Text, Whole
from explorer.derive.question import Question, setting
from explorer.errors import QueryError
from explorer.i18n import mark


@dataclass(frozen=True)
class DispersionQuestion(Question):
    """Over which parts of a corpus dispersion is measured, and of which words."""

    title: ClassVar = mark("Dispersion")

    by: str | None = setting(
        None,
        Maybe(Text(metavar="FIELD"), ""),
        mark("Metadata field"),
        mark("metadata field whose values are the parts, in place of documents"),
    )
    slices: int | None = setting(
        None,
        Maybe(Whole(1, metavar="N"), ""),
        mark("Slices"),
        mark("number of slices of equal size that are the parts, in place of documents"),
    )
    top: int | None = setting(
        100, Maybe(Whole(1), "all", mark("all")), mark("Rows"), mark("maximum number of words"), fact="top"
    )
    min_count: int = setting(
        5, Whole(1, metavar="C"), mark("Min. hits"), mark("minimum number of occurrences of a word"), fact="least count"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.by is not None and self.slices is not None:
            raise QueryError(mark("Give by or slices, not both."), reason="wrong-argument")

    @property
    def over(self) -> str:
        """The parts in provenance."""
        return self.by or (f"{self.slices} slices" if self.slices is not None else "documents")

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The settings in provenance, with the parts as one."""
        return ("parts", self.over), ("unit", "words"), *super().facts
