"""What evaluation sets make up of a corpus, as the library returns it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.analyses.decontamination.compute import Contaminated
from explorer.analyses.decontamination.table import DecontaminationGroup, DecontaminationRecord
from explorer.analyses.metadata.fields import Column
from explorer.analyses.metadata.values import labels
from explorer.backends.documents.document import document_title
from explorer.backends.documents.reading import records_of
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.ranges import Ranges
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult


class Decontamination(RecordsResult):
    """What is to be cut because evaluation sets have it; also a table with one row per document.

    Examples
    --------
    >>> found = corpus.decontamination([{"question": "the cat sat on the mat"}], n=3)
    >>> [(row.document, row.share) for row in found], found.ranges.tokens
    ([(0, 1.0)], 6)
    """

    _record = DecontaminationRecord

    def __init__(self, found: Contaminated, index: Backend, items: int, groups: Column | None, origin: Origin) -> None:
        super().__init__(origin)
        self._found = found
        self.items = items
        self.corpus_documents = index.document_count
        self.rows = tuple(_rows(found, index))
        self.groups = () if groups is None else tuple(_groups(found, index, groups))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[DecontaminationRecord]:
        return iter(self.rows)

    def __getitem__(self, row: int) -> DecontaminationRecord:
        return self.rows[row]

    @property
    def ranges(self) -> Ranges:
        """What is to be cut; `Corpus.export_cuts` takes it."""
        return self._found.ranges

    @property
    def ngrams(self) -> int:
        """The different n-grams of the evaluation sets."""
        return self._found.ngrams

    @property
    def ngrams_found(self) -> int:
        """Those of them that occur in the corpus."""
        return self._found.ngrams_found

    @property
    def too_short(self) -> int:
        """Documents that are too short to tell, which are not cut."""
        return self._found.too_short

    @property
    def items_too_short(self) -> int:
        """Items of the evaluation sets that are too short, by which nothing is found."""
        return self._found.items_too_short

    def _made(self) -> Iterator[DecontaminationRecord]:
        return iter(self.rows)

    def __repr__(self) -> str:
        return f"Decontamination({len(self):,} of {self.corpus_documents:,} documents, {self.ranges.tokens:,} tokens)"


def _removed(found: Contaminated, slots: int) -> Numbers:
    """The tokens to be cut of the document of each number."""
    sizes = np.zeros(slots, np.int64)
    np.add.at(sizes, found.ranges.documents, found.ranges.ends - found.ranges.starts)
    return sizes


def _rows(found: Contaminated, index: Backend) -> Iterator[DecontaminationRecord]:
    removed, lengths = _removed(found, index.document_slots), index.documents.lengths(found.documents)
    titles = [document_title(*each) for each in zip(records_of(index, found.documents), found.documents, strict=True)]
    # The greatest share first, of equal ones the longer document.
    order = np.lexsort((found.documents, -found.totals, -found.found / np.maximum(1, found.totals)))
    for row in order.tolist():
        number, hits, total = int(found.documents[row]), int(found.found[row]), int(found.totals[row])
        yield DecontaminationRecord(
            number, titles[row], hits, total, hits / total, int(lengths[row]), int(removed[number])
        )


def _groups(found: Contaminated, index: Backend, column: Column) -> Iterator[DecontaminationGroup]:
    numbers = index.documents.numbers()
    kinds, codes = np.unique(column.codes, return_inverse=True)
    values = [column.values[code] for code in kinds.tolist()]
    known = [value for value in values if value is not None]
    names = dict(zip(known, labels(known), strict=True))
    lengths, removed = index.documents.lengths(numbers), _removed(found, index.document_slots)[numbers]
    cut = np.isin(numbers, found.documents)
    weights = [None, cut, lengths, removed]
    counts = [np.bincount(codes, each, len(values)).astype(np.int64).tolist() for each in weights]
    rows = zip(values, *counts, strict=True)
    for value, documents, filtered, tokens, gone in sorted(rows, key=lambda row: (-row[2], -row[1])):
        name = None if value is None else names[value]
        yield DecontaminationGroup(name, documents, filtered, filtered / documents, tokens, gone)
