"""What the tab of dispersion shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.dispersion.measures import DISPERSIONS
from explorer.analyses.dispersion.table import DispersionRecord
from explorer.gui.asking.table import ShownColumn, TableState, declared, rank_column
from explorer.gui.presenting.hints import why_no_fields
from explorer.gui.screens.statistics.dispersion.work import (
    MOST_ROWS,
    SHOWN,
    SpreadAnswer,
    SpreadRule,
)
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, numeral, tr, trn

MANY = 100
"""Parts above which two of the measures tell little."""


@dataclass(frozen=True, eq=False)
class SpreadState(TableState[SpreadRule, SpreadAnswer]):
    """What is measured, and the words."""

    working = mark("Measuring …")

    @property
    def open(self) -> tuple[str, str] | None:
        """The field whose values are the parts."""
        if self.rule.complete or self.corpus is None:
            return None
        none = tr("The documents of this index have no metadata. Choose documents or slices.")
        return tr("Over which parts?"), why_no_fields(self.corpus, none)

    @property
    def headline(self) -> tuple[str, str, str]:
        """Over what is measured, in a sentence; see `Headline`."""
        answer = self.found
        if answer is None or answer.found is None:
            return "", "", ""
        parts, total = answer.found.parts, numeral(answer.found.total)
        if answer.rule.question.by is not None:
            name = cell_text(answer.rule.question.by)
            told = trn("{n:,} value of {field}", "{n:,} values of {field}", parts, field=name)
        elif answer.rule.question.slices is not None:
            told = trn("{n:,} slice of equal size", "{n:,} slices of equal size", parts)
        else:
            told = trn("{n:,} document with words", "{n:,} documents with words", parts)
        return tr("{total} words, over {parts}", total=total, parts=told), total, ""

    @property
    def told_rows(self) -> str:
        """How many rows there are, and how to read them."""
        answer = self.found
        if answer is None or answer.found is None:
            return ""
        parts = answer.found.parts
        told = [tr("“{form}” does not occur.", form=cell_text(form)) for form in answer.absent]
        if not answer.rows and not answer.rule.forms:
            told.append(tr("No word occurs that often. Lower the minimum number of hits."))
        if len(answer.rows) == MOST_ROWS:
            told.append(tr("The {n:,} most frequent words.", n=MOST_ROWS))
        if any(row.count < parts for row in answer.rows):
            told.append(tr("A word with fewer hits than there are parts cannot be even: read hits and range first."))
        if answer.rows and parts > MANY:
            told.append(tr("D and D₂ tell little over more than {n:,} parts.", n=MANY))
        return " ".join(told)

    @property
    def told_strips(self) -> str:
        """What is drawn, or how it can be."""
        answer = self.found
        if answer is None or not answer.rule.forms:
            return tr("Type 1 to 7 words above, with commas between them, to see where they are in each part.")
        if not answer.strips:
            return tr("None of these words occurs.")
        return tr(
            "{drawn} of {met} parts with hits, those with most hits per word first; a tick is a hit. "
            "At the end: hits, and hits per million words of the part",
            drawn=numeral(len(answer.strips)),
            met=numeral(answer.met),
        )

    @property
    def columns(self) -> tuple[ShownColumn, ...]:
        """The word, its count, and its measures."""
        form, count, arf = declared(DispersionRecord, ("form", "count", "arf"))
        rows = ((id, DISPERSIONS[id]) for id in ("range", *SHOWN))
        measures = (ShownColumn(row.label, f"{row.formula} ({row.source}){_even(row.even)}", id) for id, row in rows)
        return rank_column(tr("Rank")), form, count, *measures, arf


def _even(value: float | None) -> str:
    even = "" if value is None else tr("An even word has {value}.", value=numeral(value, ".0f"))
    return f". {even}" if even else ""
