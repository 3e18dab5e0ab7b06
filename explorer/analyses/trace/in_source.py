"""Places of a reading text in its source: spans and passages of a trace, in the characters that were written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

import numpy as np

from explorer.analyses.trace.documents import TraceDocument
from explorer.text.reading import ReadingText


class Placed(Protocol):
    """A part of a text."""

    @property
    def start(self) -> int:
        """Its first character."""

    @property
    def end(self) -> int:
        """One past its last character."""


P = TypeVar("P", bound=Placed)


class SourcePlaces:
    """The places of a reading text in its source, all looked up at once.

    parts: Everything that will be moved.
    """

    def __init__(self, reading: ReadingText, parts: Iterable[Placed]) -> None:
        bounds = np.array(sorted({(part.start, part.end) for part in parts}), dtype=np.int64).reshape(-1, 2)
        starts, ends = reading.source_starts(bounds[:, 0]), reading.source_ends(bounds[:, 1])
        # Looked up together: a document has dozens of passages, and a search per place would be slow in Python.
        # An empty part has no last character, and stays empty.
        ends = np.where(bounds[:, 0] < bounds[:, 1], ends, starts)
        self._places = dict(
            zip(map(tuple, bounds.tolist()), zip(starts.tolist(), ends.tolist(), strict=True), strict=True)
        )

    def moved(self, part: P) -> P:
        """Give a part with its characters in the source, and those of the reading text beside them."""
        start, end = self._places[part.start, part.end]
        return replace(part, start=start, end=end, reading_start=part.start, reading_end=part.end)  # type: ignore[type-var]


def documents_in_source(documents: Sequence[TraceDocument], reading: ReadingText) -> tuple[TraceDocument, ...]:
    """Give documents with their passages as characters of the source.

    Returns: The documents, in the same order.
    """
    places = SourcePlaces(reading, (passage for document in documents for passage in document.passages))
    return tuple(replace(document, passages=tuple(map(places.moved, document.passages))) for document in documents)
