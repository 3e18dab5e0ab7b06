"""What the tab of personal data shows. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from explorer.analyses.personal_data.table import PersonalRecord
from explorer.gui.asking.state import TabState
from explorer.gui.cells import Cell
from explorer.gui.hints import no_index
from explorer.gui.requests import ExportCuts
from explorer.gui.screens.curation.personal.work import MOST_ROWS, PersonalAnswer, PersonalRule
from explorer.gui.text_positions import cell_text, flowing
from explorer.i18n import mark, numeral, tr, trn

HEADER = (mark("Kind"), mark("Before"), mark("Text"), mark("After"), mark("Variant"), mark("Document"))
TIPS = (
    mark("What it looks like"),
    mark("The text before it, in which other personal data is masked, too"),
    mark("What was found; masked unless it is shown in full"),
    mark("The text after it"),
    mark("Which sort of it"),
    mark("The number of the document"),
)
KINDS: Mapping[str, tuple[str, str]] = {
    "email": (
        mark("E-mail addresses"),
        mark("A name, @ and a domain. Also addresses of examples, and user@host.domain of a remote shell"),
    ),
    "phone": (
        mark("Telephone numbers"),
        mark("+ and 8 to 15 digits, or 3, 3 and 4 digits. Also parts of DOIs, seconds since 1970, numbers of parts"),
    ),
    "ip": (
        mark("IP addresses"),
        mark("Four numbers from 0 to 255, or IPv6. Also versions and sections with four parts, and private networks"),
    ),
    "card": (
        mark("Card numbers"),
        mark("13 to 19 digits with an issuer's prefix and a right check digit. One in ten other such numbers, too"),
    ),
    "key": (
        mark("Keys and secrets"),
        mark("Keys of known shapes. Also examples from manuals: nobody is asked whether a key is valid"),
    ),
}
"""The names of the kinds, and what else is found as them, by their names in the library."""
ONE = {
    "email": mark("E-mail address"),
    "phone": mark("Telephone number"),
    "ip": mark("IP address"),
    "card": mark("Card number"),
    "key": mark("Key or secret"),
}
"""What one finding of each kind is."""


@dataclass(frozen=True, eq=False)
class PersonalState(TabState[PersonalRule, PersonalAnswer]):
    """What is looked for, and what was found.

    revealed: The rows that are shown in full although the others are masked.
    """

    revealed: frozenset[int] = frozenset()

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of the findings: a line, and what to do."""
        if self.corpus is None:
            return no_index()
        if self.answer.awaited:
            return tr("Reading the texts …"), ""
        if not self.rule.kinds:
            return tr("Nothing is looked for"), tr("Check at least one kind above.")
        return "", ""

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
        parts = [f"{tr(KINDS[kind.kind][0])}: {numeral(kind.count)}" for kind in answer.kinds]
        if len(answer.rows) == MOST_ROWS:
            parts.append(tr("the first {n} are listed", n=numeral(MOST_ROWS)))
        parts.append(tr("A shape is not a meaning: read some before you cut"))
        return " · ".join(parts)

    @property
    def header(self) -> tuple[str, ...]:
        """The columns of the table."""
        return tuple(map(tr, HEADER))

    @property
    def tips(self) -> tuple[str, ...]:
        """What the columns mean."""
        return tuple(map(tr, TIPS))

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
        kinds = ", ".join(tr(KINDS[name][0]) for name in answer.rule.kinds)
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
