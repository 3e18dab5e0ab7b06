"""The settings of diversity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.analyses.diversity.measures import WINDOW
from explorer.derive.kinds import Flag, Maybe, Text, Whole
from explorer.derive.question import Question, setting
from explorer.errors import QueryError
from explorer.i18n import mark


@dataclass(frozen=True)
class DiversityQuestion(Question):
    """Of which groups of documents the vocabulary is measured, and how."""

    title: ClassVar = mark("Diversity")

    by: str | None = setting(
        None,
        Maybe(Text(metavar="FIELD"), ""),
        mark("Group by"),
        mark("metadata field with one row per value, and one for the documents without it"),
    )
    per_document: bool = setting(False, Flag(), mark("Per document"), mark("one row per document"))
    window: int = setting(
        WINDOW,
        Whole(1, 1_000_000, 1_000_000, metavar="W"),
        mark("MATTR's window"),
        mark("words of a window of MATTR"),
        fact="window of MATTR",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.by is not None and self.per_document:
            raise QueryError(mark("Give by or per_document, not both."), reason="wrong-argument")

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The settings in provenance, with the groups as one."""
        return ("groups", "documents" if self.per_document else self.by or "none"), ("unit", "words"), *super().facts
