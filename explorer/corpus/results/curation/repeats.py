"""Passages that repeat, as the library returns them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.analyses.repeats.compute import Repeats
from explorer.analyses.repeats.table import RepeatRecord, RunRecord
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult
from explorer.corpus.results.statistics.ngrams import form_of


class RepeatTable(RecordsResult):
    """Passages that occur twice or more, and stretches that repeat themselves; also a table with one row per passage.

    Examples
    --------
    >>> found = corpus.repeats(3)
    >>> [(row.text, row.count) for row in found][:1]
    [(' sat on the', 3)]
    >>> found.total, found.runs
    (3, ())
    """

    _record = RepeatRecord

    def __init__(self, found: Repeats, index: Backend, origin: Origin) -> None:
        super().__init__(origin)
        self._found = found
        self._index = index
        runs = zip(found.runs.documents, found.runs.starts, found.runs.ends, found.runs.periods, strict=True)
        self.runs: tuple[RunRecord, ...] = tuple(self._run(*map(int, run)) for run in runs)

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[RepeatRecord]:
        return self._made()

    def __getitem__(self, row: int) -> RepeatRecord:
        found = self._found
        tokens, count = int(found.lengths[row]), int(found.counts[row])
        document, offset = int(found.documents[row]), int(found.offsets[row])
        ids = self.ids(row)
        copies = count - 1
        saved = copies * self._bytes(ids) if self._index.has_tokenizer else None
        text = form_of(self._index, ids)
        return RepeatRecord(text, tokens, count, int(found.in_documents[row]), copies * tokens, saved, document, offset)

    def ids(self, row: int) -> Numbers:
        """Give the tokens of one passage.

        Parameters
        ----------
        row
            Its number, from 0.

        Returns
        -------
        numpy.ndarray
            Token ids, int64.
        """
        found = self._found
        return self._read(int(found.documents[row]), int(found.offsets[row]), int(found.lengths[row]))

    @property
    def total(self) -> int:
        """All passages that occur twice or more and cannot be made longer."""
        return self._found.total

    @property
    def overlapping(self) -> int:
        """Those of them of which two occurrences overlap: parts of `runs`, which are not rows."""
        return self._found.overlapping

    def _run(self, document: int, start: int, end: int, period: int) -> RunRecord:
        text = form_of(self._index, self._read(document, start, period))
        return RunRecord(text, period, (end - start) / period, document, start, end - start)

    def _read(self, document: int, offset: int, tokens: int) -> Numbers:
        [ids] = self._index.documents.windows(np.array([document]), np.array([offset]), np.array([offset + tokens]))
        return ids

    def _bytes(self, ids: Numbers) -> int:
        known = self._index.tokenizer.bytes_of
        return sum(len(known[token]) for token in ids.tolist())

    def _made(self) -> Iterator[RepeatRecord]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        return f"RepeatTable({len(self):,} of {self.total:,} passages, {len(self.runs):,} runs)"
