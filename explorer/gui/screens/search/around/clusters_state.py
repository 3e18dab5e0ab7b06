"""What the tab of clusters shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.clusters.question import ClustersQuestion
from explorer.analyses.clusters.table import ClusterRecord
from explorer.gui.asking.table import ShownColumn, declared, rank_column
from explorer.gui.presenting.cells import rate_of
from explorer.gui.screens.search.around.clusters_work import ClusterAnswer
from explorer.gui.screens.search.around.near_state import NearState
from explorer.i18n import tr, trn


@dataclass(frozen=True, eq=False)
class ClustersState(NearState[ClustersQuestion, ClusterAnswer]):
    """The n-grams that contain the query, and beside them the lines of one."""

    ordered_by = 2

    rule: ClustersQuestion = field(default_factory=lambda: ClustersQuestion(min_count=2))

    @property
    def nothing(self) -> tuple[str, str]:
        """What the table is empty for."""
        title = tr("No clusters")
        found = None if self.found is None else self.found.found
        if found is None:
            return "", ""
        if not found.node_count:
            return title, self.absent(found.tokens)
        if not found.types:
            return title, tr("No document is long enough around the query. Try a smaller size.")
        return title, tr("None is frequent enough. Try a smaller number of hits or documents.")

    @property
    def facts(self) -> str:
        """What was counted, in a sentence."""
        answer = self.found
        if answer is None or answer.found is None:
            return ""
        found = answer.found
        hits = self.hits_told(found.node_count)
        all_of = trn("{n:,} distinct cluster", "{n:,} distinct clusters", found.types)
        kept = tr("{n:,} frequent enough", n=len(found)) if len(found) < found.types else ""
        shown = tr("the first {n:,} shown", n=len(answer.rows)) if len(answer.rows) < len(found) else ""
        return " · ".join(part for part in (hits, self.how, all_of, kept, shown) if part)

    @property
    def columns(self) -> tuple[ShownColumn, ...]:
        """All columns of the record; the hits made the order."""
        shown = declared(ClusterRecord, ("form", "count", "documents", "per_million", "size"))
        # Only the rate has no label: its unit depends on what is counted.
        rate = rate_of(self.shown_rule.words)
        return (rank_column(), *(each if each.title else each._replace(title=rate) for each in shown))

    def count_of(self, row: int) -> int:
        """How often a cluster occurs."""
        assert self.found is not None
        return self.found.rows[row].count
