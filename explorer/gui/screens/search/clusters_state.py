"""What the tab of clusters shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.gui.cells import rate_of
from explorer.gui.screens.search.clusters_work import ClusterAnswer, ClusterRule
from explorer.gui.screens.search.near_state import NearState
from explorer.i18n import mark, tr, trn

HEADER = (mark("Cluster"), mark("Hits"), mark("Documents"), "", mark("Size"))
HEADER_TIPS = (
    mark("The place in this list"),
    mark("The words around the query and the query itself, in lower case, or the tokens"),
    mark("How often it occurs"),
    mark("How many documents it is in"),
    mark("Hits per million words or tokens of the documents that count"),
    mark("How many words or tokens it has"),
)
_VALUES = ("form", "count", "documents", "per_million", "size")


@dataclass(frozen=True, eq=False)
class ClustersState(NearState[ClusterRule, ClusterAnswer]):
    """The n-grams that contain the query, and beside them the lines of one."""

    rule: ClusterRule = field(default_factory=ClusterRule)
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
        # The name without words of its own is that of the rate, which has a unit.
        names = (tr(each) if each else rate_of(self.shown_rule.words) for each in HEADER)
        return ("#", *names), tuple(map(tr, HEADER_TIPS)), 2

    def value_in(self, row: int, column: int) -> float | str:
        """A text or a number of a row."""
        assert self.listed is not None
        value: float | str | None = getattr(self.listed.rows[row], _VALUES[column - 1])
        return "" if value is None else value

    def count_of(self, row: int) -> int:
        """How often a cluster occurs."""
        assert self.listed is not None
        return self.listed.rows[row].count
