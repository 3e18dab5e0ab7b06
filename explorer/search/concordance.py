"""Concordance: the occurrences of a query as KWIC lines, fetched when they are viewed.

The number of lines is known at once from the rank ranges; unless something else is asked for, lines come in
the order of the suffix array: by the ids of the following tokens, which is not alphabetical.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.index import Index, Matches
from explorer.jobs import CancelToken, Report, no_report
from explorer.search.arrange import Arranged, View, arrange, merge_views, parse_sort
from explorer.search.fields import FieldColumns
from explorer.search.hits import Hits, Located
from explorer.search.limits import LARGEST, MOST_TOKENS_AROUND, whole_number

MOST_TOKENS_A_CHARACTER = 4
"""The most tokens into which one character may be split: the bytes of its UTF-8 form."""


@dataclass(frozen=True)
class ConcordanceLine:
    """One occurrence: text on both sides, and where it is.

    `number` counts lines from 0; `offset` is the match's first token in document `document`; `repeats` says
    for how many lines that read alike this one stands.
    """

    number: int
    document: int
    offset: int
    length: int
    left: str
    match: str
    right: str
    repeats: int = 1


class Concordance:
    """Lines of hits. `len()` is their exact number; getting lines costs a few reads each.

    arranged: which hits, in which order; where a sample was looked at, it says so.
    """

    def __init__(self, hits: Hits, arranged: Arranged) -> None:
        self.index = hits.index
        self.hits = hits
        self.arranged = arranged
        self.count = hits.count if arranged.numbers is None else len(arranged.numbers)

    def __len__(self) -> int:
        return self.count

    @property
    def parts(self) -> tuple[Matches, ...]:
        """The n-grams of which these are occurrences."""
        return self.hits.parts

    def locate(self, first: int, last: int) -> Located:
        """Places of the lines [first, last); no text is read."""
        first, last = (whole_number(edge, "a line number", -LARGEST) for edge in (first, last))
        numbers = np.arange(max(0, first), max(0, min(last, self.count)), dtype=np.int64)
        order = self.arranged.numbers
        return self.hits.locate(numbers if order is None else order[numbers])

    def lines(self, first: int, last: int, width: int = 10, characters: bool = False) -> list[ConcordanceLine]:
        """Lines [first, last), cut to what exists, with `width` tokens, or characters, on each side."""
        width = whole_number(width, "width", most=MOST_TOKENS_AROUND)
        located = self.locate(first, last)
        rows = zip(located.documents.tolist(), located.offsets.tolist(), located.lengths.tolist(), strict=True)
        return [self._line(max(0, first) + i, *row, width, characters) for i, row in enumerate(rows)]

    def _line(
        self, number: int, document: int, offset: int, length: int, width: int, characters: bool
    ) -> ConcordanceLine:
        reach = width * MOST_TOKENS_A_CHARACTER if characters else width
        first = max(0, offset - reach)
        decoded = self.index.decode(self.index.document_tokens(document, first, offset + length + reach))
        tokens = len(decoded.starts) - 1
        start, end = min(offset - first, tokens), min(offset - first + length, tokens)
        left, right = decoded.slice(0, start), decoded.slice(end, tokens)
        if characters:
            left, right = left[len(left) - min(width, len(left)) :], right[:width]
        repeats = self.arranged.repeats
        return ConcordanceLine(
            number=number,
            document=document,
            offset=offset,
            length=length,
            left=left,
            match=decoded.slice(start, end),
            right=right,
            repeats=1 if repeats is None else int(repeats[number]),
        )

    def metadata(self, line: ConcordanceLine) -> dict[str, Any]:
        """Metadata of the line's document."""
        return self.index.metadata(line.document)


def concordance(
    index: Index,
    parts: Sequence[Matches],
    sort: str = "index",
    seed: int = 0,
    cancel: CancelToken | None = None,
    *,
    numbers: NDArray[np.int64] | None = None,
    view: View | None = None,
    columns: FieldColumns | None = None,
    report: Report = no_report,
) -> Concordance:
    """Lines of some n-grams in the wanted order.

    sort: as `parse_sort` reads it; view: everything else, and the order too where `sort` is "index".
    numbers: only these hits. columns: the known metadata of the documents, to be used and extended. Every order except
    "index" reads all hits, or a sample of 2,000,000 that `arranged` reports; "right" leaves more than 1,000,000 lines
    in the order of the index, and `arranged` reports that too.
    """
    hits = Hits(index, parts)
    wanted = view or View(seed=seed)
    if sort != "index":
        wanted = merge_views(parse_sort(sort), wanted)
    return Concordance(hits, arrange(hits, numbers, wanted, columns or FieldColumns(index), report, cancel))


def count_documents(index: Index, parts: Sequence[Matches], cancel: CancelToken | None = None) -> int:
    """Distinct documents in which any of the n-grams occurs; every occurrence is looked at."""
    return Hits(index, parts).count_documents(cancel=cancel)
