"""Items of benchmarks in a corpus, as records."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.curation.rules import RuleCounts


@dataclass(frozen=True)
class ContaminationRecord:
    """How much of one item occurs.

    Attributes
    ----------
    file
        The benchmark.
    id
        The name of the item; the number of its row, from 0, where it has none.
    verdict
        flagged: by the usual thresholds, half of it or more occurs in one piece. suspicious: a fifth or more is in
        matches of 8 or more. too-short: it has fewer than 13 words or tokens, so nothing can be told. not-flagged:
        anything else.
    units
        Its words or tokens.
    longest
        The words or tokens of its longest match.
    longest_share
        The share of the item that this is, 0 to 1.
    coverage_8
        The share of the item in matches of 8 or more, wherever these are, 0 to 1.
    coverage_13
        The same for matches of 13 or more.
    count
        How often the longest match occurs.
    best_document
        The number of the document that has most of it; None if nothing occurs.
    best_coverage_8
        The share of the item in matches of 8 or more with this document, 0 to 1.
    best_chained
        The share of the item that a chain of matches with this document covers, 0 to 1: matches of two words or tokens
        or more in the same order, with at most four others between them on either side.
    best_offset
        The word or token of the document at which the longest match in it begins.
    match
        This match, as the item has it.
    answer_near
        Whether the answer follows soon after it in the document; None without an answer.
    template
        Whether five or more items share the match.
    sampled
        Whether a match is so frequent that not all documents that have it were looked at.
    index
        The index: its name, or its folders where two have the same name.
    score
        How well a model did with it; None if that is not known.
    answer_offset
        The word or token of the document at which the answer begins; None if it is not near.
    """

    file: str
    id: str
    verdict: str
    units: int
    longest: int
    longest_share: float
    coverage_8: float
    coverage_13: float
    count: int
    best_document: int | None
    best_coverage_8: float | None
    best_chained: float | None
    best_offset: int | None
    match: str
    answer_near: bool | None
    template: bool
    sampled: bool
    index: str
    score: float | None
    answer_offset: int | None


@dataclass(frozen=True)
class BenchmarkRecord:
    """One benchmark.

    Attributes
    ----------
    file
        Its name.
    items
        Its items.
    flagged, suspicious, too_short
        How many of them are; see the verdicts of the rows.
    flagged_share
        The share that is flagged of those that are long enough, 0 to 1; None if none is.
    flagged_low, flagged_high
        The ends of its 95 percent interval (Wilson).
    answers_near
        How many flagged items have their answer soon after the match.
    rules
        How many items the rules of others flag.
    scored
        How many items have a score of a model, of those that are long enough.
    score
        Their mean score; None without any.
    rows
        The items.
    """

    file: str
    items: int
    flagged: int
    suspicious: int
    too_short: int
    flagged_share: float | None
    flagged_low: float | None
    flagged_high: float | None
    answers_near: int
    rules: RuleCounts
    scored: int
    score: float | None
    rows: tuple[ContaminationRecord, ...]


@dataclass(frozen=True)
class BoardRecord:
    """One benchmark in one index.

    Attributes
    ----------
    index
        The index: its name, or its folders where two have the same name.
    file
        The benchmark.
    items
        Its items.
    judged
        Those that are long enough to tell.
    flagged
        How many of these are flagged.
    flagged_share
        Their share of those that are long enough, 0 to 1; None if none is.
    flagged_low, flagged_high
        The ends of its 95 percent interval (Wilson).
    suspicious, too_short
        How many items are.
    answers_near
        How many flagged items have their answer soon after the match.
    """

    index: str
    file: str
    items: int
    judged: int
    flagged: int
    flagged_share: float | None
    flagged_low: float | None
    flagged_high: float | None
    suspicious: int
    too_short: int
    answers_near: int


@dataclass(frozen=True)
class GainRecord:
    """The items of a benchmark at a threshold.

    Attributes
    ----------
    index
        The index.
    file
        The benchmark.
    metric
        The share of an item that is compared: a field of the rows.
    threshold
        From which share on an item counts as contaminated.
    items
        How many items do, of those that are long enough to tell.
    share
        Their share of these, 0 to 1.
    score_clean
        The mean score of the other items that have one; None if none has.
    gain
        The estimated performance gain: the mean score of all items less that of the others.
    gain_low, gain_high
        The ends of its 95 percent interval, by a bootstrap over the items; None if it cannot be told.
    """

    index: str
    file: str
    metric: str
    threshold: float
    items: int
    share: float
    score_clean: float | None
    gain: float | None
    gain_low: float | None
    gain_high: float | None


@dataclass(frozen=True)
class OwnRecord:
    """Documents that consist of items of a benchmark: half of them or more is in matches of 8 or more with items.

    Attributes
    ----------
    index
        The index.
    file
        The benchmark.
    source
        The file that the documents came from, as their metadata names it; "" if they name none.
    documents
        How many documents these are.
    items
        How many items they have at least half of.
    share
        The share of the benchmark's items, of those that are long enough to tell, 0 to 1.
    is_benchmark
        Whether the source is the benchmark itself: it has half of the items or more.
    left_out
        Whether the documents were left out before the items were looked for.
    """

    index: str
    file: str
    source: str
    documents: int
    items: int
    share: float
    is_benchmark: bool
    left_out: bool


@dataclass(frozen=True)
class ThresholdsRecord:
    """From which shares on an item is flagged, or suspicious.

    Attributes
    ----------
    flag_by
        The share that decides whether it is flagged: a field of the rows.
    flag_at
        From this share on.
    suspect_by, suspect_at
        The same for items that are not flagged.
    """

    flag_by: str
    flag_at: float
    suspect_by: str
    suspect_at: float


@dataclass(frozen=True)
class ContaminationFacts:
    """What was compared.

    Attributes
    ----------
    unit
        What is compared: words or tokens.
    parts
        Which parts of the items.
    thresholds
        From which shares on an item is flagged, and suspicious.
    board
        The benchmarks in this index, and in those of --against.
    own
        Sources in the indexes that consist of items of a benchmark.
    curves
        The items above each threshold, and what a model's score gains by them.
    files
        The benchmarks in this index.
    """

    unit: str
    parts: tuple[str, ...]
    thresholds: ThresholdsRecord
    board: tuple[BoardRecord, ...]
    own: tuple[OwnRecord, ...]
    curves: tuple[GainRecord, ...]
    files: tuple[BenchmarkRecord, ...]
