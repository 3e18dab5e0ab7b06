"""The lines of a concordance, as the library returns them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from os import PathLike
from typing import Any, overload

import numpy as np

from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import plain_value, show_value
from explorer.analyses.search import concordance as engine
from explorer.analyses.search.arrange import Arranged
from explorer.analyses.search.concordance import ConcordanceLine
from explorer.analyses.search.hits import Hits
from explorer.backends.documents.document import document_title
from explorer.backends.protocol.protocol import Backend, Part
from explorer.corpus.results.origin import Origin, Result, as_result
from explorer.corpus.tabular import Tabular
from explorer.export.columns import Batch, Column, columns_of, kind_of_values
from explorer.export.provenance import Facts
from explorer.export.records.line import COLUMNS, LineRecord, LineTable, plain_metadata
from explorer.export.reports.notebook import line_table
from explorer.i18n import counted

_PAGE = 500
"""Lines that are read at once."""
_SHOWN, _AROUND = 20, 8
"""Lines of a notebook, and their tokens of context on each side."""
_WIDTH = 10


class Concordance(Result, engine.Concordance, Tabular):
    """The lines of hits: a sequence of lines that are read when they are asked for, and a table.

    Notes
    -----
    `len` costs nothing. Iteration reads 500 lines at a time. `lines` reads some of them with another context, `table`
    makes a table with another context or with metadata.

    The columns of the table are those of the command `kwic`: `number`, `document`, `offset`, `length`, `start`, `end`,
    `left`, `match`, `right`, `repeats`, `title` and `path`, then one per chosen field, or all metadata as JSON in
    `metadata`.

    Examples
    --------
    >>> lines = corpus.concordance("sat", sort="document")
    >>> len(lines), lines[0].right, [line.document for line in lines[1:]]
    (3, ' on the mat', [1, 2])
    >>> lines.to_arrow(fields=("year",))["year"].to_pylist()
    [1990, 1994, 1997]
    """

    # Set by `Corpus.concordance`, and shared with it: a field is read once for all concordances.
    _fields: FieldColumns

    def __iter__(self) -> Iterator[ConcordanceLine]:
        for first in range(0, len(self), _PAGE):
            yield from self.lines(first, first + _PAGE, _WIDTH)

    @overload
    def __getitem__(self, chosen: int) -> ConcordanceLine: ...

    @overload
    def __getitem__(self, chosen: slice) -> list[ConcordanceLine]: ...

    def __getitem__(self, chosen: int | slice) -> ConcordanceLine | list[ConcordanceLine]:
        try:
            # A range knows how Python counts from the end.
            numbers = range(len(self))[chosen]
        except IndexError:
            raise IndexError(_no_line(chosen, len(self))) from None
        if isinstance(numbers, range):
            return self.lines_at(np.arange(numbers.start, numbers.stop, numbers.step, dtype=np.int64), _WIDTH)
        return self.lines_at([numbers], _WIDTH)[0]

    def table(self, width: int = _WIDTH, *, characters: bool = False, fields: Sequence[str] = ()) -> LineRows:
        """Choose the context and the metadata of the table.

        Parameters
        ----------
        width
            Tokens of context on each side, or characters.
        characters
            Whether `width` counts characters.
        fields
            Metadata fields, each a column with the one type that holds all its values; () for all of them as JSON.

        Returns
        -------
        LineRows
            The table.

        Raises
        ------
        QueryError
            If no document has a field.

        Notes
        -----
        The fields of the documents of all lines are read once.
        """
        # A single name would otherwise be taken for its letters.
        names = (fields,) if isinstance(fields, str) else tuple(fields)
        for name in names:
            self._fields.require(name)
        return LineRows(LineTable(self, width, characters, names), self._fields, lambda: self.provenance)

    def to_arrow(self, width: int = _WIDTH, *, characters: bool = False, fields: Sequence[str] = ()) -> Any:
        """Make a table of Arrow.

        Parameters
        ----------
        width, characters, fields
            As in `table`.

        Returns
        -------
        pyarrow.Table
            The table.

        Raises
        ------
        QueryError
            As from `table`.
        """
        return self.table(width, characters=characters, fields=fields).to_arrow()

    def to_pandas(self, width: int = _WIDTH, *, characters: bool = False, fields: Sequence[str] = ()) -> Any:
        """Make a table of pandas, which must be installed.

        Parameters
        ----------
        width, characters, fields
            As in `table`.

        Returns
        -------
        pandas.DataFrame
            The table.

        Raises
        ------
        QueryError
            As from `table`.
        ModuleNotFoundError
            If pandas is not installed.
        """
        return self.table(width, characters=characters, fields=fields).to_pandas()

    def write(
        self,
        path: str | PathLike[str],
        *,
        about: bool = True,
        width: int = _WIDTH,
        characters: bool = False,
        fields: Sequence[str] = (),
    ) -> None:
        """Write the lines to a file, completely or not at all.

        Parameters
        ----------
        path, about
            As in `Tabular.write`.
        width, characters, fields
            As in `table`.

        Raises
        ------
        QueryError
            As from `Tabular.write` and `table`.
        ExportError
            If the file cannot be written.
        """
        self.table(width, characters=characters, fields=fields).write(path, about=about)

    def _columns(self) -> tuple[Column, ...]:
        return self.table()._columns()

    def _batches(self) -> Iterator[Batch]:
        return self.table()._batches()

    def __reduce__(self) -> tuple[Callable[..., Concordance], tuple[Any, ...]]:
        return _unpacked, (self.index, self.parts, self.arranged, self._origin)

    def __repr__(self) -> str:
        asked = dict(self._origin.asked).get("query") if self._origin else None
        of = f" of {asked!r}" if asked else ""
        read, every = self.arranged.looked_at, self.arranged.of
        sample = "" if self.arranged.exact else f", from a sample of {read:,} of {every:,} hits"
        return f"Concordance({counted('line', len(self))}{of}{sample})"

    def _repr_html_(self) -> str:
        lines = self.lines(0, _SHOWN, _AROUND)
        rows = (
            (line.left, line.match, line.right, document_title(metadata, line.document))
            for line, metadata in zip(lines, self.all_metadata(lines), strict=True)
        )
        return line_table(repr(self), rows, len(self) - len(lines))


class LineRows(Tabular):
    """The lines of a concordance as a table, with a context and metadata of choice; `Concordance.table` makes it.

    Parameters
    ----------
    lines
        The lines, their context and fields.
    known
        The fields of the index.
    facts
        Gives what the lines were computed from.
    """

    def __init__(self, lines: LineTable, known: FieldColumns, facts: Callable[[], Facts]) -> None:
        self._lines = lines
        self._known = known
        self._about = facts

    def __len__(self) -> int:
        return len(self._lines)

    def __repr__(self) -> str:
        return f"LineRows({counted('line', len(self))}, {', '.join(self._lines.header)})"

    @property
    def provenance(self) -> Facts:
        """What the rows were computed from, by name; see `Tabular.provenance`."""
        return self._lines.stating(self._about())

    @cached_property
    def _typed(self) -> tuple[Column, ...]:
        """The columns; of fields, their types are those of the values in the documents of all lines."""
        own = {column.name: column for column in columns_of(LineRecord)}
        first = tuple(own[name] for name in COLUMNS)
        if not self._lines.fields:
            return (*first, own["metadata"])
        found = np.unique(self._lines.lines.locate(0, len(self)).documents)
        names = zip(self._lines.header[len(first) :], self._lines.fields, strict=True)
        return (*first, *(Column(name, kind_of_values(self._values(field, found)), True) for name, field in names))

    def _columns(self) -> tuple[Column, ...]:
        return self._typed

    def _values(self, field: str, documents: np.ndarray[Any, np.dtype[np.int64]]) -> list[Any]:
        """The distinct values of a field in some documents."""
        column = self._known.column(field, documents)
        return [column.values[code] for code in np.unique(column.codes)]

    def _batches(self) -> Iterator[Batch]:
        fields = tuple(zip(self._typed[len(COLUMNS) :], self._lines.fields, strict=False))
        some: list[LineRecord] = []
        for record in self._lines.records():
            some.append(record)
            if len(some) == _PAGE:
                yield self._batch(some, fields)
                some = []
        if some:
            yield self._batch(some, fields)

    def _batch(self, records: Sequence[LineRecord], fields: Sequence[tuple[Column, str]]) -> Batch:
        batch: dict[str, list[Any]] = {name: [getattr(record, name) for record in records] for name in COLUMNS}
        if not self._lines.fields:
            batch["metadata"] = [plain_metadata(record.metadata) for record in records]
        for column, field in fields:
            batch[column.name] = [_value(record.metadata.get(field), column) for record in records]
        return batch


def _value(value: Any, column: Column) -> Any:
    """A value of a field, in the type of its column."""
    plain = plain_value(value)
    return show_value(plain) if column.kind == "string" and plain is not None else plain


def of_lines(found: engine.Concordance, fields: FieldColumns, origin: Origin | None) -> Concordance:
    """Make a result of lines.

    Parameters
    ----------
    found
        The lines.
    fields
        The fields of the index, which are read once for all concordances.
    origin
        Where the lines come from.

    Returns
    -------
    Concordance
        The result.
    """
    made = as_result(Concordance, found, origin)
    made._fields = fields
    return made


def _unpacked(index: Backend, parts: Sequence[Part], arranged: Arranged, origin: Origin | None) -> Concordance:
    """Lines from a pickle: the same hits in the same order."""
    return of_lines(engine.Concordance(Hits(index, parts), arranged), FieldColumns(index), origin)


def _no_line(number: object, count: int) -> str:
    if not count:
        return f"There is no line {number}: the concordance is empty."
    return f"There is no line {number}: the concordance has lines 0 to {count - 1:,}."
