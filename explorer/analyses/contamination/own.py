"""Benchmarks that are in a corpus themselves: documents that consist of items, by the file that they came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from explorer.analyses.contamination.benchmarks import PARTS
from explorer.analyses.contamination.item_matches import EVIDENCE, ItemMatches
from explorer.analyses.overlap.verbatim import gram_hashes
from explorer.backends.documents.reading import metadata_of, whole_documents
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken

MADE_OF = 0.5
"""The share of a document in matches with the items that it has, from which it consists of them."""
HELD = 0.5
"""The share of a benchmark's items, from which a source is the benchmark itself."""


@dataclass(frozen=True)
class OwnSource:
    """Documents of one source that consist of items of a benchmark.

    source: The file that they came from, as their metadata names it; "" if they name none.
    items: How many items they have at least half of.
    share: The share of the benchmark's items, of those that are long enough to tell.
    """

    source: str
    documents: tuple[int, ...]
    items: int
    share: float

    @property
    def is_benchmark(self) -> bool:
        """Whether the source is the benchmark itself: it has half of the items or more."""
        return self.share >= HELD


def find_own(
    original: Backend, units: Backend, found: Sequence[ItemMatches], cancel: CancelToken | None = None
) -> tuple[OwnSource, ...]:
    """Find the documents that consist of items.

    units: The index that the items were looked for in: that of its words, or itself.

    Notes
    -----
    Cost: reads the documents that have at least half of an item.
    """
    token = cancel or CancelToken()
    held: dict[int, list[int]] = {}
    for number, each in enumerate(found):
        for document in () if each.too_short or each.evidence is None else each.evidence.holders:
            held.setdefault(document, []).append(number)
    sources: dict[str, list[int]] = {}
    for document, ids in whole_documents(units, np.array(sorted(held), dtype=np.int64)):
        token.check()
        if _consists(units, ids, [found[number] for number in held[document]]):
            path = metadata_of(original, document).get("path")
            sources.setdefault(path if isinstance(path, str) else "", []).append(document)
    judged = sum(not each.too_short for each in found)
    own = []
    for source, documents in sources.items():
        items = len({number for document in documents for number in held[document]})
        own.append(OwnSource(source, tuple(documents), items, items / judged))
    return tuple(sorted(own, key=lambda each: (-each.items, each.source)))


def without_documents(units: Backend, documents: Sequence[int], cancel: CancelToken | None = None) -> Backend:
    """Leave out documents, and no others: a copy in another source stays, and is found.

    units: The index that items are looked for in.
    Returns: The same index without them; the others keep their numbers.
    Raises `QueryError` if both these documents and the others are too large for a temporary index.

    Notes
    -----
    Cost: reads these documents or the others, whichever are shorter, and sorts their tokens.
    """
    others = np.setdiff1d(units.documents.numbers(), np.array(documents, dtype=np.int64))
    # Without any other document, there is no copy that could stay.
    return units.within(others, cancel) if len(others) else units.without(documents, cancel)


def _consists(units: Backend, document: Numbers, items: Sequence[ItemMatches]) -> bool:
    """Whether half of a document or more is in matches of 8 or more with items, all parts of them."""
    size = min(EVIDENCE, len(document))
    texts = [units.tokenizer.encode(each.item.text(tuple(PARTS))).astype(np.int64) for each in items]
    known = {row.tobytes() for text in texts for row in _grams(text, size)}
    ids = document.astype(np.int64)
    # Few n-grams of a long document have the number of one of an item, and only these are compared.
    numbers = np.concatenate([gram_hashes(text, size) for text in texts])
    likely = np.flatnonzero(np.isin(gram_hashes(ids, size), numbers))
    starts = likely[[row.tobytes() in known for row in _grams(ids, size)[likely]]]
    edges = np.zeros(len(document) + 1, dtype=np.int64)
    np.add.at(edges, starts, 1)
    np.add.at(edges, starts + size, -1)
    return bool(np.count_nonzero(np.cumsum(edges)[:-1]) >= MADE_OF * len(document))


def _grams(ids: Numbers, size: int) -> Numbers:
    return sliding_window_view(ids, size) if len(ids) >= size else np.empty((0, size), np.int64)
