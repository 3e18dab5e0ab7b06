"""What the tab of collocates shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.analyses.collocates.table import CollocateRecord
from explorer.derive.table import columns_of
from explorer.gui.screens.search.collocates_work import (
    MOST_DETAILED,
    CollocateAnswer,
    about_row,
    measures_of,
)
from explorer.gui.screens.search.near_state import NearState
from explorer.i18n import numeral, tr, trn
from explorer.statistics.association import ASSOCIATIONS

_NUMBERS = ("observed", "expected", "count", "documents")


@dataclass(frozen=True, eq=False)
class CollocatesState(NearState[CollocatesQuestion, CollocateAnswer]):
    """The words near the query; beside them their network, or the lines of one."""

    rule: CollocatesQuestion = field(default_factory=CollocatesQuestion)

    @property
    def nothing(self) -> tuple[str, str, str]:
        """What the table is empty for."""
        none, title = tr("No collocates for this query"), tr("No collocates")
        found = None if self.listed is None else self.listed.found
        if found is None:
            return none, "", ""
        if not found.node_count:
            return none, title, self.absent(found.total)
        if not found.window_tokens:
            return none, title, tr("Nothing else is in the windows. Try wider ones.")
        return none, title, tr("None is in the windows often enough. Try smaller numbers of hits and documents.")

    @property
    def facts(self) -> str:
        """What was counted, in a sentence."""
        answer = self.listed
        if answer is None or answer.found is None:
            return ""
        found = answer.found
        hits = self.hits_told(found.node_count)
        near = trn("{n:,} collocate", "{n:,} collocates", len(found))
        shown = tr("the first {n:,} shown", n=len(answer.rows)) if len(answer.rows) < len(found) else ""
        window = (
            trn("{n:,} word in the windows", "{n:,} words in the windows", found.window_tokens)
            if answer.rule.words
            else trn("{n:,} token in the windows", "{n:,} tokens in the windows", found.window_tokens)
        )
        parts = (hits, self.how, near, shown, window, f"N = {numeral(found.total)}")
        return " · ".join(part for part in parts if part)

    @property
    def columns(self) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        """Names and meanings; the measure of the rule made the order."""
        measures = [ASSOCIATIONS[name] for name in measures_of(self.shown_rule)]
        declared = columns_of(CollocateRecord)
        numbers = [declared[name] for name in _NUMBERS]
        unit = tr("Word") if self.shown_rule.words else tr("Token")
        names = ("#", unit, *(tr(each.label) for each in numbers), *(each.label for each in measures))
        tips = (tr("The place in this list"), *(tr(each.help) for each in (declared["form"], *numbers)))
        most = tr("{help}; not counted for more than {n:,} hits", help=tips[-1], n=MOST_DETAILED)
        tips = (*tips[:-1], most)
        return names, (*tips, *(f"{each.formula} ({each.source})" for each in measures)), 6

    def value_in(self, row: int, column: int) -> float | str | None:
        """A text, a count or a measure of a row."""
        assert self.listed is not None
        record = self.listed.rows[row]
        if column == 1:
            return record.form or ""
        value: float | None = getattr(record, (*_NUMBERS, *measures_of(self.listed.rule))[column - 2])
        return value

    def count_of(self, row: int) -> int:
        """How often a word is in the windows."""
        assert self.listed is not None
        return self.listed.rows[row].observed

    @property
    def formula(self) -> str:
        """The measure of the chosen row, its formula and its cells; or what to do."""
        answer = self.listed
        if answer is None or answer.found is None or not self.chosen:
            return tr("Choose a row to see its formula, its four cells and its lines")
        return about_row(answer.rows[self.row], answer.found, answer.rule.sort)

    @property
    def pairs(self) -> str:
        """The pairs of the chosen row and a match, of how many: what AntConc counts, and what the places add up to."""
        found = None if self.listed is None else self.listed.found
        if found is None or found.window_slots is None or not self.chosen:
            return ""
        assert self.listed is not None
        return tr(
            "Hits by place, for each match by itself: {pairs} of {slots} pairs, as AntConc counts",
            pairs=numeral(self.listed.rows[self.row].pairs or 0),
            slots=numeral(found.window_slots),
        )

    @property
    def places(self) -> tuple[tuple[int, ...], int]:
        """How often the chosen row is at each place of the window, and the places left of the match."""
        answer = self.listed
        if answer is None or not self.chosen:
            return (), 0
        return answer.rows[self.row].positions, answer.rule.window[0]
