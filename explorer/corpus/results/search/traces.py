"""Many traced texts, as the library returns them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from explorer.analyses.trace.batch import TracedText
from explorer.corpus.results.origin import Origin, as_result
from explorer.corpus.results.search.trace import Trace
from explorer.corpus.tabular import Tabular
from explorer.errors import QueryError
from explorer.export.columns import Batch, Column, columns_of
from explorer.export.provenance import Facts
from explorer.export.records.trace import TraceRecord, trace_record
from explorer.i18n import mark

_BATCH = 100
"""Rows of a batch: few, so that a table that is written grows while texts are traced."""


class Traces(Tabular):
    """Traced texts in the order of their rows; each is traced when it is asked for. Also a table.

    Parameters
    ----------
    rows
        The rows, which are read once for each pass over the traces.
    traced
        Traces some rows.
    origin
        The index that is asked, and how.

    Notes
    -----
    Each pass over the traces traces the texts again; `list` or `to_arrow` keeps them. Rows that can be read only once,
    such as those of a generator, allow one pass.

    The columns of the table are those of the command `trace`: `line` (of the row, from 1), `id`, `title`,
    `unit` (of all lengths: tokens or words), `token_count` or `word_count`, `span_count`, `longest_match`, `coverage`,
    `novelty`, `best_document`, `extra` (the other fields of the row, as JSON) and `problem`.

    Examples
    --------
    >>> rows = [{"text": "the cat sat on the mat", "model": "a"}, {"text": "a dog saw the cat", "model": "b"}]
    >>> found = corpus.trace_many(rows)
    >>> [trace.longest_passage.length for trace in found]
    [6, 4]
    >>> found.to_arrow()["coverage"].to_pylist()
    [1.0, 0.0]
    """

    def __init__(
        self, rows: Iterable[Any], traced: Callable[[Iterable[Any]], Iterator[TracedText]], origin: Origin
    ) -> None:
        self._rows = rows
        self._traced = traced
        self._origin = origin
        self._is_read = False

    def __iter__(self) -> Iterator[Trace | None]:
        """Go through the traces; None for a row that was kept though it cannot be traced."""
        for found in self._pass():
            yield None if found.trace is None else as_result(Trace, found.trace, self._origin)

    def records(self) -> Iterator[TraceRecord]:
        """Go through the rows of the table.

        Yields
        ------
        TraceRecord
            One per row.

        Raises
        ------
        QueryError
            For a row that cannot be traced, with `on_bad="raise"`; its number is `item`.
        """
        for found in self._pass():
            yield trace_record(found.row)

    def __repr__(self) -> str:
        return f"Traces({type(self._rows).__name__})"

    def _pass(self) -> Iterator[TracedText]:
        # An iterator is its own iterator.
        if iter(self._rows) is self._rows:
            if self._is_read:
                raise QueryError(mark("These rows can be read only once, and they were."), reason="rows-are-read")
            self._is_read = True
        return self._traced(self._rows)

    def _columns(self) -> tuple[Column, ...]:
        return columns_of(TraceRecord)

    def _batches(self) -> Iterator[Batch]:
        names = [column.name for column in self._columns()]
        records = self.records()
        while some := list(islice(records, _BATCH)):
            yield {name: [getattr(record, name) for record in some] for name in names}

    @property
    def provenance(self) -> Facts:
        """What the rows were computed from, by name; see `Tabular.provenance`."""
        return self._origin.facts
