"""What the tab of clusters shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.clusters.question import ClustersQuestion
from explorer.analyses.clusters.table import ClusterRecord
from explorer.derive.table import columns_of
from explorer.gui.cells import rate_of
from explorer.gui.screens.search.clusters_work import ClusterAnswer
from explorer.gui.screens.search.near_state import NearState
from explorer.i18n import tr, trn

_SHOWN = ("form", "count", "documents", "per_million", "size")


@dataclass(frozen=True, eq=False)
class ClustersState(NearState[ClustersQuestion, ClusterAnswer]):
    """The n-grams that contain the query, and beside them the lines of one."""

    rule: ClustersQuestion = field(default_factory=lambda: ClustersQuestion(min_count=2))
    reading: bool = True

    @property
    def nothing(self) -> tuple[str, str, str]:
        """What the table is empty for."""
        none, title = tr("No clusters for this query"), tr("No clusters")
        found = None if self.listed is None else self.listed.found
        if found is None:
            return none, "", ""
        if not found.node_count:
            return none, title, self.absent(found.tokens)
        if not found.types:
            return none, title, tr("No document is long enough around the query. Try a smaller size.")
        return none, title, tr("None is frequent enough. Try a smaller number of hits or documents.")

    @property
    def facts(self) -> str:
        """What was counted, in a sentence."""
        answer = self.listed
        if answer is None or answer.found is None:
            return ""
        found = answer.found
        hits = self.hits_told(found.node_count)
        all_of = trn("{n:,} distinct cluster", "{n:,} distinct clusters", found.types)
        kept = tr("{n:,} frequent enough", n=len(found)) if len(found) < found.types else ""
        shown = tr("the first {n:,} shown", n=len(answer.rows)) if len(answer.rows) < len(found) else ""
        return " · ".join(part for part in (hits, self.how, all_of, kept, shown) if part)

    @property
    def columns(self) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        """Names and meanings; the hits made the order."""
        shown = [columns_of(ClusterRecord)[name] for name in _SHOWN]
        # Only the rate has no label: its unit depends on what is counted.
        names = (tr(each.label) if each.label else rate_of(self.shown_rule.words) for each in shown)
        return ("#", *names), (tr("The place in this list"), *(tr(each.help) for each in shown)), 2

    def value_in(self, row: int, column: int) -> float | str:
        """A text or a number of a row."""
        assert self.listed is not None
        value: float | str | None = getattr(self.listed.rows[row], _SHOWN[column - 1])
        return "" if value is None else value

    def count_of(self, row: int) -> int:
        """How often a cluster occurs."""
        assert self.listed is not None
        return self.listed.rows[row].count
