"""Which tokens of which documents are to be cut: what duplicates, benchmarks and personal data come to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.backends.protocol.protocol import Numbers
from explorer.core.arrays import ArrayValue
from explorer.errors import QueryError
from explorer.i18n import mark


@dataclass(frozen=True, eq=False)
class Ranges(ArrayValue):
    """Ranges of tokens within documents, sorted by document and place; none overlaps or touches another.

    Attributes
    ----------
    documents
        The number of each one's document, from 0, int64.
    starts, ends
        Where it begins and ends, in tokens from the document's first; the end is not part of it. int64, ends above
        starts.

    Examples
    --------
    >>> ranges = ranges_of([3, 1, 1], [0, 4, 2], [5, 9, 4])
    >>> ranges.documents.tolist(), ranges.starts.tolist(), ranges.ends.tolist()
    ([1, 3], [2, 0], [9, 5])
    >>> ranges.tokens, ranges.documents_touched
    (12, 2)
    """

    documents: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        """How many ranges there are."""
        return len(self.starts)

    @property
    def tokens(self) -> int:
        """How many tokens are in them."""
        return int((self.ends - self.starts).sum())

    @property
    def documents_touched(self) -> int:
        """How many documents have a range."""
        return len(np.unique(self.documents))

    def joined(self, gap: int) -> Ranges:
        """Join neighbors in one document that few tokens lie between.

        Parameters
        ----------
        gap
            The most tokens between two ranges that are joined, 0 or more.

        Returns
        -------
        Ranges
            The ranges, with what lay between joined ones.

        Raises
        ------
        QueryError
            If the gap is negative.

        Examples
        --------
        >>> ranges_of([0, 0], [0, 7], [5, 9]).joined(2).ends.tolist()
        [9]
        """
        if gap < 0:
            raise QueryError(mark("A gap has 0 tokens or more, not {gap}."), reason="bad-gap", gap=gap)
        return _merged(self.documents, self.starts, self.ends, gap)

    def union(self, other: Ranges) -> Ranges:
        """Give all tokens that are in either.

        Parameters
        ----------
        other
            Other ranges of the same index.

        Returns
        -------
        Ranges
            The ranges of both, merged where they overlap or touch.

        Examples
        --------
        >>> ranges_of([0], [0], [5]).union(ranges_of([0], [3], [8])).tokens
        8
        """
        pairs = zip((self.documents, self.starts, self.ends), (other.documents, other.starts, other.ends), strict=True)
        return ranges_of(*(np.concatenate(pair) for pair in pairs))

    def without(self, other: Ranges) -> Ranges:
        """Give the tokens that are not in other ranges.

        Parameters
        ----------
        other
            Other ranges of the same index.

        Returns
        -------
        Ranges
            What is left; a range can become several.

        Examples
        --------
        >>> ranges_of([0], [0], [9]).without(ranges_of([0], [3], [5])).starts.tolist()
        [0, 5]
        """
        documents = np.concatenate([self.documents, self.documents, other.documents, other.documents])
        places = np.concatenate([self.starts, self.ends, other.starts, other.ends])
        # Inside counts 2 for these ranges and 1 for the others: what is left is inside of 2 alone.
        steps = np.repeat([2, -2, 1, -1], [len(self), len(self), len(other), len(other)])
        order = np.lexsort((places, documents))
        inside = np.cumsum(steps[order])
        documents, places = documents[order], places[order]
        left = np.flatnonzero(inside[:-1] == 2)
        return ranges_of(documents[left], places[left], places[left + 1])

    def meeting(self, other: Ranges) -> NDArray[np.bool_]:
        """Tell which of the ranges share a token with any of others.

        Parameters
        ----------
        other
            Other ranges of the same index.

        Returns
        -------
        numpy.ndarray
            A truth value for each range.

        Examples
        --------
        >>> ranges_of([0, 0, 1], [0, 7, 0], [5, 9, 4]).meeting(ranges_of([0, 1], [4, 4], [7, 9])).tolist()
        [True, False, False]
        """
        width = 1 + int(max(self.ends.max(initial=0), other.ends.max(initial=0)))
        after = np.searchsorted(other.documents * width + other.ends, self.documents * width + self.starts, "right")
        begins = np.append(other.documents * width + other.starts, np.iinfo(np.int64).max)
        found: NDArray[np.bool_] = begins[after] < self.documents * width + self.ends
        return found

    def of_document(self, number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Give the ranges of one document.

        Parameters
        ----------
        number
            The document's number.

        Returns
        -------
        tuple of NDArray[np.int64]
            Their starts and ends, empty if it has none.

        Examples
        --------
        >>> ranges_of([1, 2], [0, 4], [5, 9]).of_document(2)[1].tolist()
        [9]
        """
        first, last = np.searchsorted(self.documents, [number, number + 1])
        return self.starts[first:last], self.ends[first:last]


def ranges_of(documents: ArrayLike, starts: ArrayLike, ends: ArrayLike) -> Ranges:
    """Make ranges of pieces in any order that may overlap.

    Parameters
    ----------
    documents
        The number of the document of each piece, from 0.
    starts, ends
        Its tokens, from the document's first, without the last one; pieces without a token are left out.

    Returns
    -------
    Ranges
        The pieces, merged where they overlap or touch.

    Notes
    -----
    Cost: the time of sorting the pieces.

    Examples
    --------
    >>> len(ranges_of([0, 0], [4, 0], [6, 4]))
    1
    """
    given = [np.asarray(each, dtype=np.int64).reshape(-1) for each in (documents, starts, ends)]
    some = given[2] > given[1]
    document, start, end = (each[some] for each in given)
    order = np.lexsort((start, document))
    return _merged(document[order], start[order], end[order], 0)


def _merged(documents: Numbers, starts: Numbers, ends: Numbers, gap: int) -> Ranges:
    """Merge sorted pieces of a document that are at most `gap` tokens from the furthest end before them."""
    if not len(starts):
        empty = np.empty(0, np.int64)
        return Ranges(empty, empty, empty)
    # In one line of numbers: each document is moved beyond all before it and further than any gap.
    rank = np.cumsum(np.diff(documents, prepend=documents[0]) != 0)
    shift = rank * (int(ends.max()) + gap + 1)
    reached = np.maximum.accumulate(ends + shift)
    first = np.flatnonzero(np.concatenate([[True], starts[1:] + shift[1:] > reached[:-1] + gap]))
    last = np.concatenate([first[1:] - 1, [len(starts) - 1]])
    return Ranges(documents[first], starts[first], reached[last] - shift[last])
