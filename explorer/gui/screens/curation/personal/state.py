"""What the tab of personal data shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from explorer.analyses.personal_data.question import KINDS, PersonalDataQuestion
from explorer.analyses.personal_data.table import PersonalRecord
from explorer.gui.asking.state import TabState
from explorer.gui.presenting.cells import Cell
from explorer.gui.presenting.requests import ExportCuts
from explorer.gui.screens.curation.personal.work import MOST_ROWS, PersonalAnswer
from explorer.gui.style.text_positions import cell_text, flowing
from explorer.i18n import mark, numeral, tr, trn

SHOWN = ("kind", "before", "text", "after", "detail", "document")
"""The columns of the table."""
ONE = {
    "email": mark("E-mail address"),
    "phone": mark("Telephone number"),
    "ip": mark("IP address"),
    "card": mark("Card number"),
    "key": mark("Key or secret"),
}
"""What one finding of each kind is."""


@dataclass(frozen=True, eq=False)
class PersonalState(TabState[PersonalDataQuestion, PersonalAnswer]):
    """What is looked for, and what was found.

    revealed: The rows that are shown in full although the others are masked.
    """

    working = mark("Reading the texts …")

    revealed: frozenset[int] = frozenset()

    @property
    def headline(self) -> tuple[str, str, str]:
        """How much was found, in a sentence; see `Headline`."""
        if (answer := self.found) is None:
            return "", "", ""
        total = numeral(answer.found.total)
        documents = trn("{n:,} document", "{n:,} documents", answer.found.ranges.documents_touched)
        if not answer.found.total:
            return tr("Nothing of this shape was found"), "", ""
        return tr("{total} findings in {documents}", total=total, documents=documents), total, ""

    @property
    def told(self) -> str:
        """How many there are of each kind, and which of them are listed."""
        if (answer := self.found) is None:
            return ""
        parts = [f"{tr(KINDS[kind.kind])}: {numeral(kind.count)}" for kind in answer.kinds]
        if len(answer.rows) == MOST_ROWS:
            parts.append(tr("the first {n} are listed", n=numeral(MOST_ROWS)))
        parts.append(tr("A shape is not a meaning: read some before you cut"))
        return " · ".join(parts)

    @cached_property
    def table(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows."""
        if (answer := self.found) is None:
            return ()
        full = {row: answer.found.revealed(row) for row in self.revealed}
        return tuple(_row(full.get(place, row)) for place, row in enumerate(answer.rows))

    @property
    def cuts(self) -> ExportCuts | None:
        """All findings, for the export; None while they are not known."""
        if (answer := self.answer.current) is None:
            return None
        kinds = ", ".join(tr(KINDS[name]) for name in answer.rule.kinds)
        return ExportCuts(kinds, answer.found.ranges, (("kinds", ", ".join(answer.rule.kinds)),))


def _row(row: PersonalRecord) -> tuple[Cell, ...]:
    return (
        Cell(tr(ONE[row.kind])),
        Cell("", before=cell_text(flowing(row.before), ending=True)),
        Cell(cell_text(row.text), code=True),
        Cell(cell_text(flowing(row.after)), muted=True),
        Cell(row.detail or "", muted=True),
        Cell(numeral(row.document + 1), right=True),
    )
