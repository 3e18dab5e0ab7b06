"""What the tab of diversity and growth shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.diversity.table import DiversityRecord
from explorer.derive.table import columns_of
from explorer.gui.asking.state import TabState
from explorer.gui.hints import no_index
from explorer.gui.screens.statistics.growth.work import GrowthAnswer, GrowthRule, shown
from explorer.gui.word_index import offer
from explorer.i18n import numeral, tr
from explorer.statistics.diversity import DIVERSITIES

_NAMES = ("group", "documents", "words", "types")
"""The columns before the measures."""


@dataclass(frozen=True, eq=False)
class GrowthState(TabState[GrowthRule, GrowthAnswer]):
    """What is measured, and the measures."""

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of the measures: a line, and what to do."""
        if self.corpus is None:
            return no_index()
        if not self.missing:
            return (tr("Counting …"), "") if self.answer.awaited else ("", "")
        return offer(self.most_bytes)

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
    def header(self) -> tuple[str, ...]:
        """The columns of the table."""
        columns = columns_of(DiversityRecord)
        return (*(tr(columns[name].label) for name in _NAMES), *(row.label for row in DIVERSITIES.values()))

    @property
    def header_tips(self) -> tuple[str, ...]:
        """What the columns mean."""
        columns = columns_of(DiversityRecord)
        measures = (f"{row.formula} ({row.source})" for row in DIVERSITIES.values())
        return (*(tr(columns[name].help) for name in _NAMES), *measures)
