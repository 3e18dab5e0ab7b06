"""Where the documents of a trace come from: how many there are for each value of a field. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.analyses.trace.documents import TraceDocument
from explorer.backends.metadata import flat_metadata
from explorer.gui.presenting.cells import Cell
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, numeral, tr

HEADER = (mark("Value"), mark("Documents"), mark("Largest share"))
_MOST_VALUES = 200
_PLACES = ("linenum",)


@dataclass(frozen=True)
class SourceRow:
    """A value of a field: its documents, and the largest share of the text that one of them contains, 0 to 1."""

    value: str
    documents: int
    share: float


def source_fields(documents: Sequence[TraceDocument]) -> tuple[str, ...]:
    """Give the fields by which documents can be grouped.

    Returns: The names of their fields in the order of the first document that has them, those first whose values
        repeat.
    """
    values: dict[str, set[str]] = {}
    for document in documents:
        for name, value in flat_metadata(document.metadata).items():
            if name not in _PLACES and value not in (None, ""):
                values.setdefault(name, set()).add(str(value))
    # A field with another value in each document groups nothing, and neither does one with the same in all of them.
    return tuple(sorted(values, key=lambda name: len(values[name]) in (1, len(documents))))


def sources_of(documents: Sequence[TraceDocument], name: str) -> tuple[SourceRow, ...]:
    """Group documents by a field.

    Returns: A row per value, the one with the most documents first; documents without the field have the value "".
    """
    found: dict[str, list[TraceDocument]] = {}
    for document in documents:
        value = flat_metadata(document.metadata).get(name)
        found.setdefault("" if value is None else str(value), []).append(document)
    # The value breaks ties, so that equal rows have one order in every run.
    rows = (SourceRow(value, len(group), max(one.share for one in group)) for value, group in found.items())
    return tuple(sorted(rows, key=lambda row: (-row.documents, -row.share, row.value))[:_MOST_VALUES])


def source_cells(row: SourceRow, most: int) -> tuple[Cell, ...]:
    """Write a row as cells.

    most: The documents of the row with the most of them, whose bar is full.
    Returns: A cell per column of `HEADER`.
    """
    return (
        Cell(cell_text(row.value) if row.value else tr("(none)"), tip=row.value, muted=not row.value),
        Cell(numeral(row.documents), bar=row.documents / max(1, most)),
        Cell(numeral(row.share, ".0%"), right=True),
    )
