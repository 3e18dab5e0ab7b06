"""What the tab of collocates shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.collocates.association import ASSOCIATIONS
from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.analyses.collocates.table import CollocateRecord
from explorer.gui.asking.table import ShownColumn, declared, rank_column
from explorer.gui.screens.search.around.collocates_work import (
    MOST_DETAILED,
    CollocateAnswer,
    about_row,
    measures_of,
)
from explorer.gui.screens.search.around.near_state import NearState
from explorer.i18n import numeral, tr, trn

_NUMBERS = ("observed", "expected", "count", "documents")


@dataclass(frozen=True, eq=False)
class CollocatesState(NearState[CollocatesQuestion, CollocateAnswer]):
    """The words near the query; beside them their network, or the lines of one."""

    ordered_by = 6

    rule: CollocatesQuestion = field(default_factory=CollocatesQuestion)
    reading: bool = False

    @property
    def nothing(self) -> tuple[str, str]:
        """What the table is empty for."""
        title = tr("No collocates")
        found = None if self.found is None else self.found.found
        if found is None:
            return "", ""
        if not found.node_count:
            return title, self.absent(found.total)
        if not found.window_tokens:
            return title, tr("Nothing else is in the windows. Try wider ones.")
        return title, tr("None is in the windows often enough. Try smaller numbers of hits and documents.")

    @property
    def facts(self) -> str:
        """What was counted, in a sentence."""
        answer = self.found
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
    def columns(self) -> tuple[ShownColumn, ...]:
        """The counts, then the measures; that of the rule made the order."""
        form, *numbers = declared(CollocateRecord, ("form", *_NUMBERS))
        most = tr("{help}; not counted for more than {n:,} hits", help=numbers[-1].tip, n=MOST_DETAILED)
        unit = tr("Word") if self.shown_rule.words else tr("Token")
        measures = ((name, ASSOCIATIONS[name]) for name in measures_of(self.shown_rule))
        return (
            rank_column(),
            form._replace(title=unit),
            *numbers[:-1],
            numbers[-1]._replace(tip=most),
            *(ShownColumn(each.label, f"{each.formula} ({each.source})", name) for name, each in measures),
        )

    def count_of(self, row: int) -> int:
        """How often a word is in the windows."""
        assert self.found is not None
        return self.found.rows[row].observed

    @property
    def formula(self) -> str:
        """The measure of the chosen row, its formula and its cells; or what to do."""
        answer = self.found
        if answer is None or answer.found is None or not self.chosen:
            return tr("Choose a row to see its formula, its four cells and its lines")
        return about_row(answer.rows[self.row], answer.found, answer.rule.sort)

    @property
    def pairs(self) -> str:
        """The pairs of the chosen row and a match, of how many: what AntConc counts, and what the places add up to."""
        found = None if self.found is None else self.found.found
        if found is None or found.window_slots is None or not self.chosen:
            return ""
        assert self.found is not None
        return tr(
            "Hits by place, for each match by itself: {pairs} of {slots} pairs, as AntConc counts",
            pairs=numeral(self.found.rows[self.row].pairs or 0),
            slots=numeral(found.window_slots),
        )

    @property
    def places(self) -> tuple[tuple[int, ...], int]:
        """How often the chosen row is at each place of the window, and the places left of the match."""
        answer = self.found
        if answer is None or not self.chosen:
            return (), 0
        return answer.rows[self.row].positions, answer.rule.window[0]
