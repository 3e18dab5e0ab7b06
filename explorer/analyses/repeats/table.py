"""Passages that repeat, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RepeatRecord:
    """One passage that occurs twice or more, and cannot be made longer to either side.

    Attributes
    ----------
    text
        The passage; None for an index without a tokenizer.
    tokens
        Its tokens; of one with more than 65,535, that many, and `text` is its beginning.
    count
        How often it occurs.
    documents
        How many documents it is in.
    tokens_saved
        The tokens of all copies but one.
    bytes_saved
        Their text as UTF-8; None without a tokenizer.
    document
        The number of a document with it.
    offset
        The token of the document at which it begins there.
    """

    text: str | None
    tokens: int
    count: int
    documents: int
    tokens_saved: int
    bytes_saved: int | None
    document: int
    offset: int


@dataclass(frozen=True)
class RunRecord:
    """One stretch of a document that repeats itself.

    Attributes
    ----------
    text
        What is repeated; None for an index without a tokenizer.
    period
        Its tokens.
    times
        How often it fits into the stretch; the last may be cut.
    document
        The number of the document.
    offset
        The token of the document at which the stretch begins.
    tokens
        The tokens of the stretch.
    """

    text: str | None
    period: int
    times: float
    document: int
    offset: int
    tokens: int


@dataclass(frozen=True)
class RepeatFacts:
    """What repeats in a corpus, those passages included that are not listed.

    Attributes
    ----------
    length
        Tokens of the shortest passages.
    total
        All passages that occur twice or more and cannot be made longer.
    overlapping
        Those of them of which two occurrences overlap, which are parts of `runs`.
    rows
        The others, as many as were asked for.
    runs
        Stretches that repeat themselves, the longest first.
    """

    length: int
    total: int
    overlapping: int
    rows: tuple[RepeatRecord, ...]
    runs: tuple[RunRecord, ...]
