"""Where the hits are: by metadata field, along the corpus, and over documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import FieldFilter, Value, exactly, labels, sort_key, value_key
from explorer.analyses.search.arrange import MAX_ARRANGED, Filter
from explorer.analyses.search.concordance import Concordance
from explorer.backends.documents.document import document_title
from explorer.backends.documents.reading import records_of
from explorer.backends.protocol.protocol import Backend
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Report, no_report

_YEARS_FROM = 25
"""Distinct dates from which they are put together by year."""


@dataclass(frozen=True)
class Bar:
    """One value of a field.

    value: The value; None for documents without the field.
    label: The value as it is shown; all labels are different.
    prefix: Whether it is a year with which all dates in it begin.
    tokens: Tokens of all documents with the value, including those without a hit; None if not counted yet.
    """

    value: Value
    label: str
    hits: int
    documents: int
    prefix: bool = False
    tokens: int | None = None


@dataclass(frozen=True)
class Facet:
    """Hits by the values of a field.

    bars: Every value with a hit, most frequent first, years in order.
    looked_at: The number of hits that were read.
    of: The number of all hits.
    scale: Hits of the query per hit that was read; above 1 for a sample.
    """

    field: str
    bars: tuple[Bar, ...]
    looked_at: int
    of: int
    scale: float = 1.0

    @property
    def exact(self) -> bool:
        """Whether every hit was read, so that rates are not estimates."""
        return self.scale == 1.0

    def per_million(self, bar: Bar) -> float | None:
        """Hits per million tokens of the documents with the bar's value; None until tokens are counted."""
        return None if bar.tokens is None else 1e6 * bar.hits * self.scale / max(1, bar.tokens)

    def condition(self, bar: Bar) -> FieldFilter:
        """The filter that keeps the lines of one bar."""
        # All dates of the year begin with it and a hyphen. In quotes, the condition applies to texts only.
        return FieldFilter(self.field, "^=", f'"{bar.value}-"') if bar.prefix else exactly(self.field, bar.value)


@dataclass(frozen=True, eq=False)
class DocumentHits(ArrayValue):
    """Lines of one document.

    hits: The number of lines.
    at: The places of the lines in it, 0 to 1, ascending, float64.
    """

    number: int
    title: str
    hits: int
    tokens: int
    at: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Dispersion(ArrayValue):
    """Hits along the corpus and over its documents.

    bins: Hits in equal parts of the corpus, int64.
    deviation: Gries's DP, 0 (spread as the documents' sizes) to 1 less the share of the smallest document: half the
        sum, over documents, of |share of hits − share of tokens|. None without a hit.
    looked_at: The number of hits that were looked at.
    of: The number of all hits.

    Notes
    -----
    St. Th. Gries, "Dispersions and adjusted frequencies in corpora", 2008.
    """

    bins: NDArray[np.int64]
    documents: int
    all_documents: int
    deviation: float | None
    most: tuple[DocumentHits, ...]
    looked_at: int
    of: int


def sample_lines(lines: Concordance, seed: int = 0) -> NDArray[np.int64]:
    """Choose the lines that are looked at: all, or 2,000,000 of them.

    Returns: Numbers of lines, ascending, int64.
    """
    if len(lines) <= MAX_ARRANGED:
        return np.arange(len(lines), dtype=np.int64)
    return np.sort(np.random.default_rng(seed).choice(len(lines), MAX_ARRANGED, replace=False)).astype(np.int64)


def documents_of(lines: Concordance, numbers: NDArray[np.int64], cancel: CancelToken | None) -> NDArray[np.int64]:
    """Find the documents of some lines.

    Returns: One document per line, int64.
    """
    order = lines.arranged.numbers
    parts = [np.empty(0, dtype=np.int64)]
    parts += [
        located.documents for _, located in lines.hits.chunks(numbers if order is None else order[numbers], cancel)
    ]
    return np.concatenate(parts)


def facet(
    lines: Concordance,
    field: str,
    columns: FieldColumns,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Facet:
    """Count lines by a metadata field.

    lines: The lines; of more than 2,000,000, a sample is counted.
    columns: The known metadata of the documents, which is extended.
    Returns: Every value with its lines and documents, the most frequent first, years in order; documents without the
        field are counted under None.
    Raises `QueryError` if no document has the field.
    """
    # Lines, and not hits: filters, samples and merging have been applied.
    numbers = sample_lines(lines)
    documents = documents_of(lines, numbers, cancel)
    column = columns.column(field, documents, report, cancel)
    values = len(column.values)
    # The column also has values of documents without a hit, which were read for another question.
    hits = np.bincount(column.codes, minlength=values)
    # Each document once. Nothing is read again: the column has just been filled.
    distinct = np.bincount(columns.column(field, np.unique(documents)).codes, minlength=values)
    met = [i for i in range(values) if hits[i]]
    shown_as = labels(column.values[i] for i in met)
    bars = [
        Bar(column.values[i], shown, int(hits[i]), int(distinct[i])) for i, shown in zip(met, shown_as, strict=True)
    ]
    shown = _by_year(bars)
    if shown is None:
        shown = sorted(bars, key=lambda bar: (-bar.hits, sort_key(bar.value)))
    return Facet(field, tuple(shown), len(numbers), len(lines), _scale(lines, len(numbers)))


def _scale(lines: Concordance, looked_at: int) -> float:
    """Hits per line that was read; for merged lines, lines per merged line."""
    # If a sample of the hits was looked at, the lines that passed the filters are scaled up to all hits.
    arranged = lines.arranged
    all_lines = (
        len(lines) if arranged.repeats is not None else arranged.passed * arranged.of / max(1, arranged.looked_at)
    )
    return all_lines / looked_at if looked_at else 1.0


def count_tokens(
    found: Facet,
    index: Backend,
    columns: FieldColumns,
    filters: Sequence[Filter] = (),
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Facet:
    """The same facet with the tokens of each value, so that the rates of different values can be compared.

    columns: The known metadata of the documents. The field is read for every document for which it is not known yet,
        which takes about ten microseconds per document the first time.
    filters: The conditions that the hits met. Documents that cannot contain such a hit are not counted.
    Returns: Its bars have `tokens`, including separators, as in `Backend.token_count`.
    """
    documents = index.documents.numbers()
    for condition in filters:
        # A document without a hit that has a phrase nearby can still contain one, so it is counted.
        if isinstance(condition, FieldFilter):
            documents = documents[columns.column(condition.field, documents, report, cancel).kept(condition)]
    column = columns.column(found.field, documents, report, cancel)
    sizes = index.documents.sizes()[documents].astype(np.float64)
    # Weights are added as float64, which is exact for fewer than 2^53 tokens.
    tokens = np.bincount(column.codes, weights=sizes, minlength=len(column.values)).astype(np.int64).tolist()
    # By key, since Python takes True and 1 for the same one.
    by_value = {value_key(value): count for value, count in zip(column.values, tokens, strict=True)}
    # All dates of a year, also those without a hit: only then is the rate that of the year.
    by_year: dict[str, int] = {}
    for value, count in zip(column.values, tokens, strict=True):
        if _is_date(value):
            by_year[str(value)[:4]] = by_year.get(str(value)[:4], 0) + count
    bars = (
        replace(bar, tokens=by_year.get(str(bar.value), 0) if bar.prefix else by_value.get(value_key(bar.value), 0))
        for bar in found.bars
    )
    return replace(found, bars=tuple(bars))


def _by_year(bars: list[Bar]) -> list[Bar] | None:
    """Dates (YYYY-…) put together by year, in order; None where they are few or no dates."""
    dated = [bar for bar in bars if _is_date(bar.value)]
    # A few texts that look like dates do not make a field of dates.
    if len(dated) < _YEARS_FROM or len(dated) < 0.8 * len(bars):
        return None
    years: dict[str, tuple[int, int]] = {}
    for bar in dated:
        hits, documents = years.get(str(bar.value)[:4], (0, 0))
        years[str(bar.value)[:4]] = (hits + bar.hits, documents + bar.documents)
    rest = [bar for bar in bars if not _is_date(bar.value)]
    return [Bar(year, year, *years[year], prefix=True) for year in sorted(years)] + rest


def _is_date(value: Value) -> bool:
    return isinstance(value, str) and len(value) >= 7 and value[:4].isdecimal() and value[4] == "-"


def dispersion(lines: Concordance, bins: int = 120, most: int = 12, cancel: CancelToken | None = None) -> Dispersion:
    """Find out where in the corpus, and in which documents, lines are.

    lines: The lines; of more than 2,000,000, a sample is looked at.
    bins: Equal parts into which the corpus is divided.
    Returns: Lines per part and per document, and Gries's DP.

    Notes
    -----
    Memory grows with the number of documents.
    """
    index = lines.index
    numbers = sample_lines(lines)
    order = lines.arranged.numbers
    sizes = index.documents.sizes()
    # All documents in a row: document i begins at token starts[i]. Subtracted ones have size 0.
    starts = np.cumsum(sizes) - sizes
    total = max(1, int(sizes.sum()))
    counts = np.zeros(bins, dtype=np.int64)
    hits_of = np.zeros(index.document_slots, dtype=np.int64)
    places = [np.empty((0, 2), dtype=np.int64)]
    for _, located in lines.hits.chunks(numbers if order is None else order[numbers], cancel):
        places.append(np.stack([located.documents, located.offsets], axis=1))
        at = starts[located.documents] + located.offsets
        # In whole numbers, so that a place at an edge is in the same part on every machine.
        counts += np.bincount(np.minimum(at * bins // total, bins - 1), minlength=bins)
        hits_of += np.bincount(located.documents, minlength=len(hits_of))
    # Hits that were looked at: the share of a document in them estimates its share of all hits.
    all_hits = max(1, int(hits_of.sum()))
    found = int(np.count_nonzero(hits_of))
    # What occurs nowhere has an unknown spread, not a number.
    deviation = 0.5 * float(np.abs(hits_of / all_hits - sizes / total).sum()) if found else None
    # Stable: of documents with as many hits, those that come first in the corpus.
    chosen = np.argsort(-hits_of, kind="stable")[:most]
    top = _document_hits(index, [int(n) for n in chosen if hits_of[n]], np.concatenate(places), sizes)
    return Dispersion(counts, found, index.document_count, deviation, top, len(numbers), len(lines))


def _document_hits(
    index: Backend, numbers: Sequence[int], places: NDArray[np.int64], sizes: NDArray[np.int64]
) -> tuple[DocumentHits, ...]:
    """The hits of some documents; places: (document, offset) of all hits."""
    wanted = np.array(numbers, dtype=np.int64)
    lengths = index.documents.lengths(wanted).tolist()
    found = []
    for number, length, record in zip(numbers, lengths, records_of(index, wanted), strict=True):
        # A pass over all places per document, of which there are a dozen.
        at = np.sort(places[places[:, 0] == number, 1]) / max(1, length)
        found.append(DocumentHits(number, document_title(record, number), len(at), int(sizes[number]), at))
    return tuple(found)
