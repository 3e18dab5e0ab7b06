"""Frequent n-grams of all lengths together (f-grams), and the longest of them that ends at each token of a text.

SCONE (Yu et al. 2025, arXiv:2502.01637) gives each f-gram an embedding of its own. All n-grams of 2 to K tokens are
ranked together by their counts; here, whatever occurs at least as often as the last one that is wanted is in the table,
so ties never depend on chance. For this reason, the beginning of an f-gram is always an f-gram too, or one token, and
one search per length finds the longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.fgrams.value_types import value_type
from explorer.analyses.wordlist.sorting import pieces, sorted_order
from explorer.backends.protocol.list_values import SPECTRUM
from explorer.backends.protocol.protocol import Backend, NgramList, NgramRule, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Report, no_report

# Keys are the row of what comes before, and a token of up to 32 bits.
_SHIFT = np.uint64(32)


@dataclass(frozen=True)
class FgramSize:
    """The n-grams of one n.

    Attributes
    ----------
    n
        Tokens of each.
    distinct
        Distinct n-grams of the corpus.
    at_least
        Those that occur at least as often as the cut-off: those in the table.
    """

    n: int
    distinct: int
    at_least: int


@dataclass(frozen=True, eq=False)
class FgramRows(ArrayValue):
    """The f-grams of one n, sorted by their ids.

    ids: The f-grams, uint32 [rows, n].
    counts: How often each occurs, int64.
    keys: For each, the row of its first n - 1 tokens among those of that length (the id itself where that is one
        token), times 2**32, plus its last token; ascending, uint64.
    """

    ids: NDArray[np.uint32]
    counts: Numbers
    keys: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class FgramMatches(ArrayValue):
    """The longest f-gram that ends at each token of a text.

    Attributes
    ----------
    lengths
        Its tokens; 1 where there is none, uint8.
    rows
        Its row in the whole table, in which the f-grams of 2 tokens come first; -1 where there is none, int64.
    """

    lengths: NDArray[np.uint8]
    rows: Numbers

    @property
    def mean_length(self) -> float | None:
        """Mean of the lengths; None without tokens."""
        return float(self.lengths.mean()) if len(self.lengths) else None

    @property
    def coverage(self) -> float | None:
        """Share of the tokens at which an f-gram ends; None without tokens."""
        return float((self.rows >= 0).mean()) if len(self.rows) else None


@dataclass(frozen=True)
class FgramCoverage:
    """What a table of one size would match of a text.

    Attributes
    ----------
    max_n
        Tokens of its longest f-grams.
    size
        The f-grams that were asked for.
    cutoff
        Its cut-off.
    kept
        Its f-grams, ties included.
    mean_length
        Mean length of the longest matches, a token without one counting as 1; None without tokens.
    coverage
        Share of the tokens at which an f-gram ends; None without tokens.
    """

    max_n: int
    size: int
    cutoff: int
    kept: int
    mean_length: float | None
    coverage: float | None


@dataclass(frozen=True, eq=False)
class FgramTable(ArrayValue):
    """F-grams of 2 to K tokens with their counts.

    parts: The f-grams of each n from 2.
    separator: The token before each document of the corpus, which no f-gram contains.
    """

    max_n: int
    cutoff: int
    by_n: tuple[FgramSize, ...]
    parts: tuple[FgramRows, ...]
    separator: int

    @property
    def kept(self) -> int:
        """F-grams of the table."""
        return sum(len(part.ids) for part in self.parts)

    def embedding_bytes(self, dimension: int, values: str = "float16") -> int:
        """Size of the table of their embeddings: one row for each."""
        return self.kept * value_type(values).row_bytes(dimension)

    def rows_at(self, ids: Numbers) -> NDArray[np.int64]:
        """Find the f-gram of each length that ends at each token.

        ids: The tokens of a text; separators may be among them.
        Returns: Rows among the f-grams of n = 2 … K, [K - 1, tokens]; -1 where there is none.
        """
        # By n: a longer f-gram is found from the shorter one that it continues.
        found = np.full((len(self.parts), len(ids)), -1, dtype=np.int64)
        before = np.asarray(ids, dtype=np.int64)
        for number, part in enumerate(self.parts):
            # What ends at the token before, and this token.
            if len(ids) > number + 1:
                found[number, 1:] = _look_up(part.keys, before[:-1], ids[1:])
            before = found[number]
        return found

    def matches(self, ids: Numbers) -> FgramMatches:
        """Find the longest f-gram that ends at each token of a text (SCONE's algorithm 1)."""
        return self._longest(self.rows_at(ids), self.max_n, self.cutoff)

    def coverage(self, ids: Numbers, sizes: Sequence[int]) -> tuple[FgramCoverage, ...]:
        """Measure what smaller tables would match of a text.

        ids: The tokens of the texts, with separators between them, which count as no tokens.
        Returns: For each size, one for each K from 2.
        """
        # Every smaller table is a part of this one, so the text is looked up once.
        rows = self.rows_at(ids)[:, np.asarray(ids) != self.separator]
        return tuple(self._covered(rows, max_n, size) for size in sizes for max_n in range(2, self.max_n + 1))

    def _covered(self, rows: NDArray[np.int64], max_n: int, size: int) -> FgramCoverage:
        # Smaller tables rank the f-grams up to their own K only, so each K has its own cut-off.
        counts = np.concatenate([part.counts for part in self.parts[: max_n - 1]])
        cutoff = self.cutoff if size >= len(counts) else int(np.partition(counts, -size)[-size])
        found = self._longest(rows, max_n, cutoff)
        kept = int((counts >= cutoff).sum())
        return FgramCoverage(max_n, size, cutoff, kept, found.mean_length, found.coverage)

    def _longest(self, rows: NDArray[np.int64], max_n: int, cutoff: int) -> FgramMatches:
        # A token without a match has its own embedding.
        lengths = np.ones(rows.shape[1], dtype=np.uint8)
        longest = np.full(rows.shape[1], -1, dtype=np.int64)
        first = 0
        for number, part in enumerate(self.parts[: max_n - 1]):
            at = np.flatnonzero(rows[number] >= 0)
            # Of a smaller table, the part that is frequent enough.
            at = at[part.counts[rows[number, at]] >= cutoff]
            # Longer ones come later, and replace shorter ones.
            lengths[at], longest[at] = number + 2, rows[number, at] + first
            first += len(part.ids)
        return FgramMatches(lengths, longest)


def make_fgrams(
    index: Backend,
    max_n: int,
    min_count: int,
    size: int | None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> FgramTable:
    """Find the f-grams of an index.

    size: How many, of all lengths together; whatever is as frequent as the last of them is kept too. None for all.
    Raises `CapabilityError` if the index cannot list n-grams.
    Raises `QueryError` if there are too many.

    Notes
    -----
    Two walks over the suffix array with `size`, otherwise one; memory for the f-grams only.
    """
    index.capabilities.require("lists")
    rule = NgramRule(2, max_n, min_count=min_count, documents=False)
    if size is not None:
        # The first walk keeps only those whose counts a spectrum does not tell apart.
        counted = index.lists.ngrams(replace(rule, min_count=SPECTRUM - 1), report, cancel)
        rule = replace(rule, min_count=_cutoff(counted, min_count, size))
    # The n-grams of exactly this count or more: what the table has, and nothing that must be thrown away.
    lists = index.lists.ngrams(rule, report, cancel)
    parts: list[FgramRows] = []
    for each in lists:
        parts.append(_sorted_rows(each, parts, cancel))
    # `types` are of all n-grams, and the rows are those of the table.
    by_n = tuple(FgramSize(each.n, each.types, len(each.ids)) for each in lists)
    return FgramTable(max_n, rule.min_count, by_n, tuple(parts), index.separator)


def _cutoff(lists: Sequence[NgramList], least: int, size: int) -> int:
    """The count of the n-gram of rank `size`, and at least `least`."""
    frequent = np.concatenate([each.counts for each in lists])
    # Among counts that a spectrum does not tell apart, the rows decide.
    if size <= len(frequent):
        return max(least, int(np.partition(frequent, -size)[-size]))
    spectrum: Numbers = np.stack([each.spectrum for each in lists]).sum(axis=0, dtype=np.int64)
    # At m, the number of n-grams that occur m times or more.
    reached = np.flatnonzero(np.cumsum(spectrum[::-1])[::-1] >= size)
    return max(least, int(reached[-1]) if len(reached) else 1)


def _sorted_rows(found: NgramList, parts: Sequence[FgramRows], cancel: CancelToken | None) -> FgramRows:
    # Keys ascend as the ids do, since rows of shorter f-grams do: one sort of numbers instead of one per column.
    # Some rows at a time, so that a cancel is seen soon.
    keys = np.concatenate([keys_of(found.ids[part], parts) for part in pieces(len(found.ids), cancel)])
    order = sorted_order(keys, cancel)
    ids = np.empty_like(found.ids, order="C")
    for part in pieces(len(ids), cancel):
        np.take(found.ids, order[part], axis=0, out=ids[part])
    return FgramRows(ids, found.counts[order], keys[order])


def keys_of(ids: NDArray[Any], parts: Sequence[FgramRows]) -> NDArray[np.uint64]:
    """Make the keys of f-grams.

    ids: The f-grams [rows, n], in any order.
    parts: Those of all smaller n from 2.

    Notes
    -----
    One search for each beginning that differs from that of the row before, which takes less time the more rows with the
    same beginning are neighbors.
    """
    return _keys(_beginnings(ids, parts), ids[:, -1])


def _beginnings(ids: NDArray[Any], parts: Sequence[FgramRows]) -> Numbers:
    """The row of each f-gram's first n - 1 tokens; the first token itself where that is all."""
    if ids.shape[1] == 2 or not len(ids):
        return ids[:, 0].astype(np.int64)
    differs = np.ones(len(ids), dtype=np.bool_)
    np.not_equal(ids[1:, 0], ids[:-1, 0], out=differs[1:])
    for column in range(1, ids.shape[1] - 1):
        differs[1:] |= ids[1:, column] != ids[:-1, column]
    firsts = np.flatnonzero(differs)
    shorter = ids[firsts, :-1]
    *smaller, same = parts
    rows = _look_up(same.keys, _beginnings(shorter, smaller), shorter[:, -1].astype(np.int64))
    return np.repeat(rows, np.diff(firsts, append=len(ids)))


def _keys(before: Numbers, tokens: NDArray[Any]) -> NDArray[np.uint64]:
    return (before.astype(np.uint64) << _SHIFT) | tokens.astype(np.uint64)


def _look_up(keys: NDArray[np.uint64], before: Numbers, tokens: Numbers) -> NDArray[np.int64]:
    """The rows of pairs of a row before and a token; -1 for none, and where there is no row before."""
    # Nothing to compare with in an empty array.
    if not len(keys):
        return np.full(len(before), -1, dtype=np.int64)
    wanted = _keys(np.maximum(before, 0), tokens)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where((before >= 0) & (keys[at] == wanted), at, -1).astype(np.int64)
