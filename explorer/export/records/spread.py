"""What the lines of a query add up to, as records: the values of a field, and the spread over documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.analyses.breakdown.facets import Dispersion, Facet


@dataclass(frozen=True)
class ValueRecord:
    """The lines whose documents have one value of a metadata field.

    Attributes
    ----------
    value
        The value as text; all values of a field have different texts.
    line_count
        The lines; of a sample where the breakdown is not exact.
    share
        Their share of the lines that were read, 0 to 1.
    document_count
        Documents with the value and a line.
    token_count
        Tokens of all documents with the value, also those without a line; None if they were not counted.
    lines_per_million
        Lines per million of these tokens; None if they were not counted.
    """

    value: str
    line_count: int
    share: float
    document_count: int
    token_count: int | None
    lines_per_million: float | None


@dataclass(frozen=True)
class BreakdownFacts:
    """What `breakdown` states about its values.

    Attributes
    ----------
    query
        The query as it was given.
    by
        The metadata field.
    line_count
        All lines.
    sample_size
        The lines that were read.
    exact
        Whether all lines were read; otherwise the counts are those of a sample, and the rates are estimates.
    value_count
        The values with a line.
    """

    query: str
    by: str
    line_count: int
    sample_size: int
    exact: bool
    value_count: int


@dataclass(frozen=True)
class SpreadRecord:
    """How the lines of a query spread over the documents.

    Attributes
    ----------
    line_count
        All lines.
    sample_size
        The lines that were read.
    exact
        Whether all lines were read.
    document_count
        Documents with a line.
    all_document_count
        All documents of the index.
    dp
        Gries's DP, from 0 (spread as the sizes of the documents) to 1 less the share of the smallest document; None
        without a line.
    """

    line_count: int
    sample_size: int
    exact: bool
    document_count: int
    all_document_count: int
    dp: float | None


@dataclass(frozen=True)
class QueryFacts:
    """What a command with one query states about it.

    Attributes
    ----------
    query
        The query as it was given.
    parsed
        The query as it was read.
    echo
        The query with parentheses if it mixes AND and OR without them; in quotes if its own quotes or parentheses are
        text; otherwise "".
    """

    query: str
    parsed: str
    echo: str


def value_records(found: Facet) -> Iterator[ValueRecord]:
    """One record per value of a field, in the order of the breakdown."""
    for bar in found.bars:
        # None until the tokens of the documents are counted.
        rate = found.per_million(bar)
        yield ValueRecord(bar.label, bar.hits, bar.hits / max(1, found.looked_at), bar.documents, bar.tokens, rate)


def breakdown_facts(query: str, found: Facet) -> BreakdownFacts:
    """What is known of all values."""
    return BreakdownFacts(query, found.field, found.of, found.looked_at, found.exact, len(found.bars))


def spread_record(found: Dispersion) -> SpreadRecord:
    """The measures of a dispersion."""
    return SpreadRecord(
        line_count=found.of,
        sample_size=found.looked_at,
        exact=found.looked_at == found.of,
        document_count=found.documents,
        all_document_count=found.all_documents,
        dp=found.deviation,
    )
