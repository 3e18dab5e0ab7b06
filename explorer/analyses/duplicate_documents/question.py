"""The settings of duplicate documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.analyses.duplicates.question import DuplicatesQuestion
from explorer.analyses.metadata.conditions import Conditions
from explorer.analyses.metadata.values import FieldFilter
from explorer.derive.question import Question, setting, setting_of
from explorer.i18n import mark


@dataclass(frozen=True)
class DuplicateDocumentsQuestion(Question):
    """Which documents are compared, and which copy is kept."""

    title: ClassVar = mark("Duplicate documents")

    prefer: tuple[FieldFilter, ...] = setting_of(DuplicatesQuestion, "prefer")
    where: tuple[FieldFilter, ...] = setting(
        (),
        Conditions(),
        mark("Only documents with"),
        mark("only compare documents that meet this condition, such as year>=2020"),
        fact="condition",
    )
