"""What the tab of diversity and growth shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.diversity.measures import DIVERSITIES
from explorer.analyses.diversity.table import DiversityRecord
from explorer.gui.asking.table import ShownColumn, TableState, declared
from explorer.gui.screens.statistics.growth.work import GrowthAnswer, GrowthRule, shown
from explorer.i18n import numeral, tr


@dataclass(frozen=True, eq=False)
class GrowthState(TableState[GrowthRule, GrowthAnswer]):
    """What is measured, and the measures."""

    sort: tuple[int, bool] = (-1, False)

    @property
    def headline(self) -> tuple[str, str, str]:
        """The vocabulary of the whole index in a sentence; see `Headline`."""
        answer = self.found
        if answer is None or answer.whole is None:
            return "", "", ""
        whole, types = answer.whole, numeral(answer.whole.types)
        return (
            tr("{types} different words among {words}", types=types, words=numeral(whole.words)),
            types,
            tr(
                "MATTR {mattr} ({window}-word windows), MTLD {mtld}",
                mattr=shown(whole.mattr, "mattr"),
                window=numeral(answer.rule.window),
                mtld=shown(whole.mtld, "mtld"),
            ),
        )

    @property
    def law(self) -> str:
        """The power law of the growth; "" where there is none."""
        answer = self.found
        if answer is None or answer.heaps is None:
            return ""
        seed = answer.rule.shuffle
        order = (
            tr("in the order of the documents")
            if seed is None
            else tr("with the documents shuffled, seed {seed}", seed=seed)
        )
        return tr(
            "Heaps' law: V = {factor} · N^{exponent}, fitted to {points} points {order}",
            order=order,
            factor=numeral(answer.heaps.factor, ".3g"),
            exponent=numeral(answer.heaps.exponent, ".3f"),
            points=numeral(answer.heaps.points),
        )

    @property
    def columns(self) -> tuple[ShownColumn, ...]:
        """The group, its counts, and its measures."""
        measures = (ShownColumn(row.label, f"{row.formula} ({row.source})", id) for id, row in DIVERSITIES.items())
        return *declared(DiversityRecord, ("group", "documents", "words", "types")), *measures
