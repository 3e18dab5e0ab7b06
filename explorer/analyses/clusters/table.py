"""The table of clusters: its columns, and the facts about all of them."""

from __future__ import annotations

from explorer.derive.table import column, row
from explorer.i18n import mark


@row
class ClusterRecord:
    """One n-gram that contains a query."""

    size: int = column(mark("Its words or tokens"), mark("Size"))
    form: str | None = column(
        mark("Its text: words in lower case, or tokens"),
        mark("Cluster"),
        missing="None for tokens of an index without a tokenizer",
    )
    count: int = column(mark("Occurrences"), mark("Hits"))
    documents: int = column(mark("Documents that have it"), mark("Documents"))
    per_million: float = column(mark("Occurrences per million words or tokens of the documents that count"))


@row
class ClusterFacts:
    """All n-grams that contain a query, those that are not listed included."""

    unit: str = column("What is counted: words or tokens")
    side: str = column("Where the query is: left, right or any")
    node_count: int = column("How often the query occurs")
    total: int = column("Occurrences of all clusters of all sizes")
    types: int = column("Distinct ones")
    tokens: int = column("Words or tokens of the documents that count, of which rates are")
    hits_left_out: int | None = column(
        "Hits that are not counted, since no word begins in them",
        missing="None for a query of words or tokens, which is looked up as such",
    )
    rows: tuple[ClusterRecord, ...] = column("The list")
