"""The lines by the values of a field, and along the corpus. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.breakdown.facets import Dispersion, DocumentHits, Facet
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.search.views.field_answer import FieldAnswer, Sorting
from explorer.gui.screens.search.work import LinesAnswer
from explorer.gui.style.direction import isolated
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import counted, numeral, tr, trn

# Steps of the width of a cell to which positions are rounded: ticks that are closer would be drawn as one.
_MOST_TICKS = 400


@dataclass(frozen=True, eq=False)
class Grouped:
    """Lines by a field, and the lines that were counted."""

    lines: LinesAnswer
    found: FieldAnswer


@dataclass(frozen=True, eq=False)
class BreakdownState:
    """Lines by the values of a field.

    chosen: The field to count by; "" if there is none.
    lines: The lines to count; None without lines.
    answer: The values with their lines.
    sizing: Whether the tokens of the values are being counted.
    sized: Whether they are known.
    error: Why they could not be counted.
    sought: What is looked for in the values; "" for nothing.
    kept: The numbers of the values that contain it; None for all.
    sorting: The order of the table.
    """

    fields: tuple[str, ...] = ()
    chosen: str = ""
    lines: LinesAnswer | None = None
    answer: Answer[Grouped] = field(default_factory=Answer)
    sizing: bool = False
    sized: bool = False
    error: CorpusError | None = None
    sought: str = ""
    kept: NDArray[np.int64] | None = None
    sorting: Sorting = field(default_factory=Sorting)

    @property
    def current(self) -> bool:
        """Whether the answer is about the newest lines and the chosen field."""
        # The answer may be new and yet about lines or a field that were replaced while it was computed.
        grouped = self.answer.current
        return grouped is not None and grouped.lines is self.lines and grouped.found.facet.field == self.chosen

    @property
    def picked(self) -> str:
        """The field whose values are shown; "" until there are some, since the view may turn to another field."""
        return "" if self.answer.value is None else self.chosen

    @property
    def dimmed(self) -> bool:
        """Whether what is shown belongs to other lines or another field."""
        return self.answer.value is not None and not self.current

    @property
    def shown(self) -> FieldAnswer | None:
        """The values, old or new."""
        return None if self.answer.value is None else self.answer.value.found

    @property
    def facet(self) -> Facet | None:
        """The values with their counts, old or new."""
        return None if self.shown is None else self.shown.facet

    @property
    def can_export(self) -> bool:
        """Whether the values can be exported: all that will be known of them is known."""
        # A file with a column of tokens that is half empty would look finished.
        return self.current and not self.sizing

    @property
    def summary(self) -> str:
        """How many values there are, and of how many lines."""
        if not self.chosen:
            return tr("This index has no metadata.")
        found = self.facet
        if found is None:
            return ""
        # All values that occur: none is left out for being rare.
        if len(found.bars) == 1 and found.bars[0].value is not None and found.looked_at == found.of:
            return trn(
                "The one line has the value “{value}”.",
                "All {n:,} lines have the value “{value}”.",
                found.of,
                value=isolated(cell_text(found.bars[0].label)),
            )
        parts = [trn("{n:,} value", "{n:,} values", len(found.bars))]
        if self.kept is not None:
            parts = [tr("{kept:,} of {all}", kept=len(self.kept), all=parts[0])]
        # A sample has its sign here, although the headline may be exact.
        if found.looked_at < found.of:
            parts.append(
                trn(
                    "≈ from a sample of {looked_at:,} of {n:,} line",
                    "≈ from a sample of {looked_at:,} of {n:,} lines",
                    found.of,
                    looked_at=found.looked_at,
                )
            )
        parts.append(tr("click a row to filter"))
        return " · ".join(parts)


@dataclass(frozen=True, eq=False)
class Spread:
    """Lines along the corpus, and the lines that were counted."""

    lines: LinesAnswer
    found: Dispersion


@dataclass(frozen=True, eq=False)
class DispersionState:
    """Lines along the corpus, and the documents with the most of them; `lines`: those to count."""

    lines: LinesAnswer | None = None
    answer: Answer[Spread] = field(default_factory=Answer)

    @property
    def current(self) -> bool:
        """Whether the answer is about the newest lines."""
        return self.answer.current is not None and self.answer.current.lines is self.lines

    @property
    def dimmed(self) -> bool:
        """Whether what is shown belongs to other lines."""
        return self.answer.value is not None and not self.current

    @property
    def shown(self) -> Dispersion | None:
        """The counts, old or new."""
        return None if self.answer.value is None else self.answer.value.found

    @property
    def summary(self) -> str:
        """How many documents there are, and how evenly the hits are spread."""
        # DP of Gries (2008): half the sum of differences between shares of hits and of tokens.
        found = self.shown
        if found is None:
            return ""
        if found.deviation is None:
            return tr("No hits in {all_documents}", all_documents=counted("document", found.all_documents))
        text = tr(
            "Hits in {documents:,} of {all_documents} · deviation of proportions (DP) {deviation:.2f}: 0 means "
            "evenly spread, 1 means all in one small part",
            documents=found.documents,
            all_documents=counted("document", found.all_documents),
            deviation=found.deviation,
        )
        if found.looked_at < found.of:
            text += trn(
                " · ≈ from a sample of {looked_at:,} of {n:,} line",
                " · ≈ from a sample of {looked_at:,} of {n:,} lines",
                found.of,
                looked_at=found.looked_at,
            )
        return text

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The documents with the most hits, as cells."""
        found = self.shown
        return () if found is None else tuple(map(_document_row, found.most))


def _document_row(document: DocumentHits) -> tuple[Cell, ...]:
    return (
        Cell(isolated(cell_text(document.title)), tip=document.title),
        Cell(numeral(document.hits), right=True),
        # Hits per million of the tokens of this document, so that long documents can be compared with short ones.
        Cell(numeral(1000000.0 * document.hits / max(1, document.tokens), ",.0f"), right=True, muted=True),
        Cell("", ticks=_ticks(document.at)),
    )


def _ticks(places: NDArray[np.float64]) -> tuple[float, ...]:
    """The positions to draw: no more than can be distinguished."""
    return tuple(np.unique(np.round(places * _MOST_TICKS) / _MOST_TICKS).tolist())
