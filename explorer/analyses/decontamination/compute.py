"""Which documents, or paragraphs of them, evaluation sets make up: what is to be cut before a model is trained.

Two rules of others on exact counts. Documents: one goes if at least 80 percent of its 13-grams occur in the evaluation
sets (Liu et al. 2024). Paragraphs: BFF's, with a set in place of its Bloom filter. The n-grams of the sets are looked
for in the index, not those of the index in the sets: the cost is that of what is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from explorer.backends.documents.reading import decode_ids, whole_documents
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.ranges import Ranges, ranges_of
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report

RuleName = Literal["grams", "paragraphs"]
LEAST_PARAGRAPH = 5
"""Words of the shortest paragraphs that can be told; those with fewer than an n-gram are compared as a whole."""
_AT_ONCE = 4_096
"""N-grams whose places are looked up at once."""
_PLACES = 1 << 20


@dataclass(frozen=True)
class Rule:
    """What is cut.

    name: "grams" for whole documents, "paragraphs" for single paragraphs.
    n: Words or tokens of an n-gram.
    share: The share of n-grams in the evaluation sets: from it on for documents, above it for paragraphs.
    """

    name: RuleName = "grams"
    n: int = 13
    share: float = 0.8

    def cuts(self, found: int, total: int) -> bool:
        """Tell whether a document or paragraph goes.

        found: Its n-grams that occur in the sets.
        Returns: Whether it goes; never one without n-grams.
        """
        if not total:
            return False
        return found >= self.share * total if self.name == "grams" else found > self.share * total


@dataclass(frozen=True, eq=False)
class Contaminated(ArrayValue):
    """What evaluation sets make up.

    ngrams, ngrams_found: The different n-grams of the sets, and those of them that occur.
    too_short: Documents with fewer words or tokens than an n-gram (of paragraphs, than the least paragraph): nothing is
        known about them, and they are not cut.
    items_too_short: Items of the sets that are: nothing is found by them.
    documents: Documents of which something is cut, ascending, int64 [rows].
    found, totals: How many n-grams of each are in the sets, and how many it has, or its paragraphs that go have, int64
        [rows].
    ranges: What is cut, in tokens of the original index.
    """

    rule: Rule
    ngrams: int
    ngrams_found: int
    too_short: int
    items_too_short: int
    documents: Numbers
    found: Numbers
    totals: Numbers
    ranges: Ranges


@dataclass(frozen=True)
class Compared:
    """Two views of the same documents.

    original: The index that is cut.
    units: The index whose tokens are compared: that of its words, or itself.
    """

    original: Backend
    units: Backend


def find_contaminated(
    indexes: Compared,
    texts: Sequence[str],
    rule: Rule,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Contaminated:
    """Find what evaluation sets make up.

    rule: Which documents or paragraphs go.
    report: Called with the n-grams that are looked for.

    Notes
    -----
    Cost: a search per n-gram of the sets, and a look-up per occurrence of one; for paragraphs, reading the documents
    with at least one.
    """
    token = cancel or CancelToken()
    grams = [_grams(indexes.units, text, rule) for text in texts]
    by_size = _distinct([rows for each in grams for rows in each])
    hits = np.zeros(indexes.units.document_slots, np.int64)
    present: list[Numbers] = []
    for done, rows in enumerate(by_size):
        report(Progress("Looking for n-grams", done, len(by_size), "lengths"))
        present.append(_occurring(indexes.units, rows, token))
        _count_places(indexes.units, present[-1], hits, token)
    numbers = indexes.units.documents.numbers()
    lengths = np.asarray(indexes.units.documents.lengths(numbers), np.int64)
    told = (sum(map(len, by_size)), sum(map(len, present)))
    empty = sum(not any(map(len, each)) for each in grams)
    if rule.name == "paragraphs":
        short = int((lengths < LEAST_PARAGRAPH).sum())
        return _paragraphs(indexes, np.flatnonzero(hits), rule, _known(present), (*told, short, empty), report, token)
    totals = np.maximum(0, lengths - rule.n + 1)
    found = hits[numbers]
    gone = (totals > 0) & (found >= rule.share * totals)
    documents = numbers[gone]
    ends = indexes.original.documents.lengths(documents)
    whole = ranges_of(documents, np.zeros_like(documents), ends)
    short = int((totals == 0).sum())
    return Contaminated(rule, *told, short, empty, documents, found[gone], totals[gone], whole)


def _grams(index: Backend, text: str, rule: Rule) -> list[Numbers]:
    """The n-grams of a text, in arrays of rows: for paragraphs, those within each, and each short one as a whole."""
    if rule.name == "grams":
        return [_windows(index.tokenizer.encode(text), rule.n)]
    return [_paragraph_grams(index.tokenizer.encode(part), rule.n) for part in text.split("\n")]


def _windows(ids: Numbers, n: int) -> Numbers:
    return sliding_window_view(ids, n) if len(ids) >= n else np.empty((0, n), np.int64)


def _paragraph_grams(ids: Numbers, n: int) -> Numbers:
    if len(ids) < LEAST_PARAGRAPH:
        return np.empty((0, n), np.int64)
    return _windows(ids, min(n, len(ids)))


def _distinct(arrays: Sequence[Numbers]) -> list[Numbers]:
    """Different rows of arrays, one array for each width."""
    widths = sorted({rows.shape[1] for rows in arrays if len(rows)})
    return [np.unique(np.concatenate([each for each in arrays if each.shape[1] == n]), axis=0) for n in widths]


def _occurring(index: Backend, rows: Numbers, cancel: CancelToken) -> Numbers:
    """Those of the rows that occur."""
    count, n = rows.shape
    starts = np.arange(count, dtype=np.int64) * n
    # A word that the index lacks has an id of its own, which does not occur.
    counts = index.counts.count_many(np.ascontiguousarray(rows).reshape(-1), starts, starts + n, cancel)
    return np.ascontiguousarray(rows[np.asarray(counts) > 0])


def _count_places(index: Backend, rows: Numbers, hits: Numbers, cancel: CancelToken) -> None:
    """Add to each document how many of its n-grams are among the rows, which differ."""
    for first in range(0, len(rows), _AT_ONCE):
        found = index.hits.occurrences([index.hits.find(ids) for ids in rows[first : first + _AT_ONCE]])
        for at in range(0, found.total, _PLACES):
            cancel.check()
            located = found.locate(np.arange(at, min(at + _PLACES, found.total), dtype=np.int64))
            shown = located[found.shown(located)] if found.sieved else located
            np.add.at(hits, shown.documents, 1)


def _known(present: Sequence[Numbers]) -> frozenset[bytes]:
    """The n-grams as keys."""
    return frozenset(row.tobytes() for rows in present for row in rows)


def _paragraphs(
    indexes: Compared,
    candidates: Numbers,
    rule: Rule,
    known: frozenset[bytes],
    sizes: tuple[int, int, int, int],
    report: Report,
    cancel: CancelToken,
) -> Contaminated:
    rows: list[tuple[int, int, int]] = []
    pieces: list[tuple[int, int, int]] = []
    for done, (number, ids) in enumerate(whole_documents(indexes.original, candidates)):
        cancel.check()
        report(Progress("Reading documents", done, len(candidates), "documents"))
        gone = list(_of_document(indexes, ids, rule, known))
        if gone:
            rows.append((number, sum(each[2] for each in gone), sum(each[3] for each in gone)))
            pieces += [(number, first, last) for first, last, _, _ in gone]
    documents, found, totals = np.array(rows, np.int64).reshape(-1, 3).T
    ranges = ranges_of(*np.array(pieces, np.int64).reshape(-1, 3).T)
    return Contaminated(rule, *sizes, documents, found, totals, ranges)


def _of_document(
    indexes: Compared, ids: Numbers, rule: Rule, known: frozenset[bytes]
) -> Iterator[tuple[int, int, int, int]]:
    """The paragraphs that go: first token, end, n-grams in the sets, and n-grams."""
    decoded = decode_ids(indexes.original, ids, begins=True)
    at = 0
    for text in decoded.text.split("\n"):
        # With its line feed, and by the tokens that begin in it.
        end = at + len(text) + 1
        rows = _paragraph_grams(indexes.units.tokenizer.encode(text), rule.n)
        found = sum(row.tobytes() in known for row in np.ascontiguousarray(rows))
        if rule.cuts(found, len(rows)):
            first, last = np.searchsorted(decoded.starts[:-1], [at, end])
            yield int(first), int(last), found, len(rows)
        at = end
