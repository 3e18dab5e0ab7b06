"""The tables of contamination: items, benchmarks, thresholds and sources."""

from __future__ import annotations

from explorer.analyses.contamination.item_matches import Thresholds
from explorer.analyses.contamination.rules import RuleCounts
from explorer.derive.table import column, row


@row
class ContaminationRecord:
    """How much of one item occurs."""

    file: str = column("The benchmark")
    id: str = column("The name of the item; the number of its row, from 0, where it has none")
    verdict: str = column(
        "flagged: by the usual thresholds, half of it or more occurs in one piece. suspicious: a fifth or more is in "
        "matches of 8 or more. too-short: it has fewer than 13 words or tokens, so nothing can be told. not-flagged: "
        "anything else"
    )
    units: int = column("Its words or tokens")
    longest: int = column("The words or tokens of its longest match")
    longest_share: float = column("The share of the item that this is, 0 to 1")
    coverage_8: float = column("The share of the item in matches of 8 or more, wherever these are, 0 to 1")
    coverage_13: float = column("The same for matches of 13 or more")
    count: int = column("How often the longest match occurs")
    best_document: int | None = column(
        "The number of the document that has most of it", missing="None if nothing occurs"
    )
    best_coverage_8: float | None = column("The share of the item in matches of 8 or more with this document, 0 to 1")
    best_chained: float | None = column(
        "The share of the item that a chain of matches with this document covers, 0 to 1: matches of two words or "
        "tokens or more in the same order, with at most four others between them on either side"
    )
    best_offset: int | None = column("The word or token of the document at which the longest match in it begins")
    match: str = column("This match, as the item has it")
    answer_near: bool | None = column(
        "Whether the answer follows soon after it in the document", missing="None without an answer"
    )
    template: bool = column("Whether five or more items share the match")
    sampled: bool = column("Whether a match is so frequent that not all documents that have it were looked at")
    index: str = column("The index: its name, or its folders where two have the same name")
    score: float | None = column("How well a model did with it", missing="None if that is not known")
    answer_offset: int | None = column(
        "The word or token of the document at which the answer begins", missing="None if it is not near"
    )


@row
class BenchmarkRecord:
    """One benchmark."""

    file: str = column("Its name")
    items: int = column("Its items")
    flagged: int = column("Flagged items; see the verdicts of the rows")
    suspicious: int = column("Suspicious items")
    too_short: int = column("Items that are too short")
    flagged_share: float | None = column(
        "The share that is flagged of those that are long enough, 0 to 1", missing="None if none is"
    )
    flagged_low: float | None = column("The lower end of its 95 percent interval (Wilson)")
    flagged_high: float | None = column("The upper end of its 95 percent interval (Wilson)")
    answers_near: int = column("How many flagged items have their answer soon after the match")
    rules: RuleCounts = column("How many items the rules of others flag")
    scored: int = column("How many items have a score of a model, of those that are long enough")
    score: float | None = column("Their mean score", missing="None without any")
    rows: tuple[ContaminationRecord, ...] = column("The items")


@row
class BoardRecord:
    """One benchmark in one index."""

    index: str = column("The index: its name, or its folders where two have the same name")
    file: str = column("The benchmark")
    items: int = column("Its items")
    judged: int = column("Those that are long enough to tell")
    flagged: int = column("How many of these are flagged")
    flagged_share: float | None = column("Their share of those that are long enough, 0 to 1", missing="None if none is")
    flagged_low: float | None = column("The lower end of its 95 percent interval (Wilson)")
    flagged_high: float | None = column("The upper end of its 95 percent interval (Wilson)")
    suspicious: int = column("Suspicious items")
    too_short: int = column("Items that are too short")
    answers_near: int = column("How many flagged items have their answer soon after the match")


@row
class GainRecord:
    """The items of a benchmark at a threshold."""

    index: str = column("The index")
    file: str = column("The benchmark")
    metric: str = column("The share of an item that is compared: a field of the rows")
    threshold: float = column("From which share on an item counts as contaminated")
    items: int = column("How many items do, of those that are long enough to tell")
    share: float = column("Their share of these, 0 to 1")
    score_clean: float | None = column("The mean score of the other items that have one", missing="None if none has")
    gain: float | None = column("The estimated performance gain: the mean score of all items less that of the others")
    gain_low: float | None = column(
        "The lower end of its 95 percent interval, by a bootstrap over the items", missing="None if it cannot be told"
    )
    gain_high: float | None = column(
        "The upper end of its 95 percent interval, by a bootstrap over the items", missing="None if it cannot be told"
    )


@row
class OwnRecord:
    """Documents that consist of items of a benchmark: half of them or more is in matches of 8 or more with items."""

    index: str = column("The index")
    file: str = column("The benchmark")
    source: str = column('The file that the documents came from, as their metadata names it; "" if they name none')
    documents: int = column("How many documents these are")
    items: int = column("How many items they have at least half of")
    share: float = column("The share of the benchmark's items, of those that are long enough to tell, 0 to 1")
    is_benchmark: bool = column("Whether the source is the benchmark itself: it has half of the items or more")
    left_out: bool = column("Whether the documents were left out before the items were looked for")


@row
class ContaminationFacts:
    """What was compared."""

    unit: str = column("What is compared: words or tokens")
    parts: tuple[str, ...] = column("Which parts of the items")
    thresholds: Thresholds = column("From which shares on an item is flagged, and suspicious")
    board: tuple[BoardRecord, ...] = column("The benchmarks in this index, and in those of --against")
    own: tuple[OwnRecord, ...] = column("Sources in the indexes that consist of items of a benchmark")
    curves: tuple[GainRecord, ...] = column("The items above each threshold, and what a model's score gains by them")
    files: tuple[BenchmarkRecord, ...] = column("The benchmarks in this index")
