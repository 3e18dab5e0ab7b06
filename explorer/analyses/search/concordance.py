"""Concordance: the occurrences of a query as KWIC lines, fetched when they are viewed.

The number of lines is known at once from the rank ranges; unless something else is asked for, lines come in
the order of the suffix array: by the ids of the following tokens, which is not alphabetical.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.search.arrange import Arranged, LineSettings, arrange
from explorer.analyses.search.hits import Hits
from explorer.analyses.search.limits import LARGEST, MOST_TOKENS_AROUND, whole_number
from explorer.analyses.search.window import Window
from explorer.backends.documents.reading import records_of
from explorer.backends.places import HitPlace, Located
from explorer.backends.protocol.protocol import Backend, Part
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.text.graphemes import beginning, ending

MOST_TOKENS_A_CHARACTER = 4
"""The most tokens into which one character may be split: the bytes of its UTF-8 form."""
_TOGETHER = 1 << 22
"""Tokens that are read at once, if the context of a single line has no more."""


@dataclass(frozen=True)
class ConcordanceLine:
    """One occurrence: the text on both sides, and where it is.

    Attributes
    ----------
    number
        The number of the line, from 0.
    document
        The number of the document.
    offset
        The match's first token in it.
    length
        The match's tokens.
    left
        The text before the match.
    match
        The match.
    right
        The text after it.
    repeats
        The number of merged lines that it represents.
    begin
        Bytes of the first token before the match; 0 for n-grams.
    rest
        Bytes of the last token after the match; 0 for n-grams.
    """

    number: int
    document: int
    offset: int
    length: int
    left: str
    match: str
    right: str
    repeats: int = 1
    begin: int = 0
    rest: int = 0


class Concordance:
    """The lines of hits. `len()` is their number; a line is read when it is asked for.

    Parameters
    ----------
    hits
        The hits.
    arranged
        Which of them are lines, and in which order.
    """

    def __init__(self, hits: Hits, arranged: Arranged) -> None:
        self.index = hits.index
        self.hits = hits
        self.arranged = arranged
        # Without numbers every hit is a line, in the order in which the backend numbers hits. `arrange` gives numbers
        # whenever there are hits that are never shown.
        self.count = hits.count if arranged.numbers is None else len(arranged.numbers)

    def __len__(self) -> int:
        return self.count

    @property
    def parts(self) -> tuple[Part, ...]:
        """The n-grams, or the text pattern, of which these are occurrences."""
        return self.hits.parts

    def locate(self, first: int, last: int) -> Located:
        """Find the places of some lines; no text is read.

        Parameters
        ----------
        first
            The first line, from 0.
        last
            One past the last line; what does not exist is cut off.

        Returns
        -------
        Located
            Documents, offsets and lengths.

        Raises
        ------
        QueryError
            If a number is not a whole number.
        """
        return self._locate(self._between(first, last))

    def _between(self, first: int, last: int) -> NDArray[np.int64]:
        """Numbers of the lines [first, last), cut to what exists."""
        # Any whole number: a view that scrolls may ask for lines before the first or after the last one.
        first, last = (whole_number(edge, "a line number", -LARGEST) for edge in (first, last))
        return np.arange(max(0, first), max(0, min(last, self.count)), dtype=np.int64)

    def _locate(self, numbers: NDArray[np.int64]) -> Located:
        # Two numberings: of lines, as they are shown, and of hits, as the backend knows them.
        order = self.arranged.numbers
        return self.hits.locate(numbers if order is None else order[numbers])

    def lines(self, first: int, last: int, width: int = 10, characters: bool = False) -> list[ConcordanceLine]:
        """Read some lines.

        Parameters
        ----------
        first
            The first line, from 0.
        last
            One past the last line; what does not exist is cut off.
        width
            Tokens of context on each side, or characters.
        characters
            Whether `width` counts characters.

        Returns
        -------
        list[ConcordanceLine]
            The lines with their texts.

        Raises
        ------
        QueryError
            If a number is not a whole number or out of range.

        Examples
        --------
        >>> [line.left + line.match for line in corpus.concordance("cat", sort="document").lines(0, 2)]
        ['the cat', 'the cat']
        """
        return self.lines_at(self._between(first, last), width, characters)

    def lines_at(
        self, numbers: Sequence[int] | NDArray[np.int64], width: int = 10, characters: bool = False
    ) -> list[ConcordanceLine]:
        """Read the lines of some numbers. Their texts are read in one request.

        Parameters
        ----------
        numbers
            Numbers of lines, from 0, which must exist.
        width
            Tokens of context on each side, or characters.
        characters
            Whether `width` counts characters.

        Returns
        -------
        list[ConcordanceLine]
            The lines, in the order of `numbers`.

        Raises
        ------
        QueryError
            If the width is out of range.
        """
        width = whole_number(width, "width", most=MOST_TOKENS_AROUND)
        reach = width * MOST_TOKENS_A_CHARACTER if characters else width
        wanted = np.array(numbers, dtype=np.int64)
        # Of very wide lines, fewer at once: they may be whole documents.
        step = max(1, _TOGETHER // (2 * reach + 1))
        found: list[ConcordanceLine] = []
        for begin in range(0, len(wanted), step):
            part = wanted[begin : begin + step]
            # The ends of text patterns are looked for only here, for the lines in view.
            located = self.hits.measured(self._locate(part))
            rows = zip(part.tolist(), located.hits(), self._windows(located, reach), strict=True)
            found += [self._line(*row, width if characters else None) for row in rows]
        return found

    def _windows(self, located: Located, reach: int) -> Iterator[Window]:
        """The text around each hit."""
        # A hit that begins or ends within a token has the rest of it beside it.
        firsts = np.maximum(0, located.offsets - reach)
        tokens = self.index.documents.windows(located.documents, firsts, located.offsets + located.lengths + reach)
        return map(partial(Window, self.index), firsts.tolist(), tokens)

    def _line(self, number: int, hit: HitPlace, window: Window, width: int | None) -> ConcordanceLine:
        """A line from the text around its hit, cut to the wanted number of characters on each side."""
        start, end = window.characters_of(hit)
        # Contexts are cut as characters, so that they end between characters whatever the tokens do.
        left, right = window.text[:start], window.text[end:]
        if width is not None:
            left, right = ending(left, width), beginning(right, width)
        # By line, not by hit, since merged lines have only one number.
        repeats = self.arranged.repeats
        return ConcordanceLine(
            number=number,
            document=hit.document,
            offset=hit.offset,
            length=hit.length,
            left=left,
            match=window.text[start:end],
            right=right,
            repeats=1 if repeats is None else int(repeats[number]),
            begin=hit.begin,
            rest=hit.rest,
        )

    def metadata(self, line: ConcordanceLine) -> dict[str, Any]:
        """Read the metadata of a line's document.

        Parameters
        ----------
        line
            The line.

        Returns
        -------
        dict[str, Any]
            The fields as they are stored.
        """
        return self.all_metadata([line])[0]

    def all_metadata(self, lines: Sequence[ConcordanceLine]) -> list[dict[str, Any]]:
        """Read the metadata of the documents of some lines, in one request.

        Parameters
        ----------
        lines
            The lines.

        Returns
        -------
        list[dict[str, Any]]
            The fields of each line's document.
        """
        return records_of(self.index, np.array([line.document for line in lines], dtype=np.int64))


@dataclass(frozen=True, eq=False)
class ConcordanceRequest(ArrayValue):
    """Hits, and how they become lines.

    parts: The n-grams, or one set of text patterns, of which hits are occurrences.
    numbers: The occurrences that are hits, int64, as in `QueryResult.numbers`; None for all.
    view: Filters, sample, order and merging; `parse_sort` makes one from an order.
    """

    parts: Sequence[Part]
    numbers: NDArray[np.int64] | None = None
    view: LineSettings = field(default_factory=LineSettings)


def concordance(
    index: Backend,
    request: ConcordanceRequest,
    columns: FieldColumns | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Concordance:
    """Make the lines of some n-grams, or of a text pattern, in the wanted order.

    request: The hits, and how they become lines.
    columns: The known metadata of the documents, to be used and extended; None reads it again.
    Returns: The lines; their texts are read page by page.
    Raises `QueryError` if the order is not valid or a field does not exist.

    Notes
    -----
    Every order except that of the index reads all hits, or a sample of 2,000,000 that `arranged` reports; alphabetical
    by the right context, more than 1,000,000 lines stay in the order of the index, and `arranged` reports that, too.
    """
    hits = Hits(index, request.parts)
    arranged = arrange(hits, request.numbers, request.view, columns or FieldColumns(index), report, cancel)
    return Concordance(hits, arranged)


def count_documents(index: Backend, parts: Sequence[Part], cancel: CancelToken | None = None) -> int:
    """Count the documents in which any of some n-grams, or a text pattern, occurs.

    Notes
    -----
    Every occurrence is looked up.
    """
    return Hits(index, parts).count_documents(cancel=cancel)
