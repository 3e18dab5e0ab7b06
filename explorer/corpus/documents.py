"""The documents of a corpus as a sequence, and their metadata as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import plain_value, show_value
from explorer.backends.documents.document import Document
from explorer.backends.metadata import flat_metadata
from explorer.backends.protocol.protocol import Backend
from explorer.corpus.results.origin import Origin
from explorer.corpus.tabular import Tabular
from explorer.export.columns import Batch, Column, kind_of_values
from explorer.export.provenance import Facts
from explorer.i18n import counted

_PAGE = 1_000
"""Documents whose metadata are read at once."""


class Documents(Sequence[Document]):
    """All documents that are not subtracted, in the order of their numbers; nothing is read before it is used.

    Parameters
    ----------
    index
        The index.
    numbers
        Numbers of the documents, ascending, int64; None for all.

    Notes
    -----
    Without subtracted documents, place and number of a document are the same. `Corpus.document` takes the number.

    Examples
    --------
    >>> len(corpus.documents), corpus.documents[-1].text
    (4, 'the dog saw the cat')
    >>> [document.token_count for document in corpus.documents[:2]]
    [6, 6]
    """

    def __init__(self, index: Backend, numbers: NDArray[np.int64] | None = None) -> None:
        self._index = index
        self._chosen = numbers

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        # They stay one array: a list of a hundred million integers of Python would take gigabytes.
        return self._index.documents.numbers() if self._chosen is None else self._chosen

    def __len__(self) -> int:
        return self._index.document_count if self._chosen is None else len(self._chosen)

    @overload
    def __getitem__(self, chosen: int) -> Document: ...

    @overload
    def __getitem__(self, chosen: slice) -> Documents: ...

    def __getitem__(self, chosen: int | slice) -> Document | Documents:
        if isinstance(chosen, slice):
            return Documents(self._index, self._numbers[chosen])
        # A range knows how Python counts from the end, and raises IndexError.
        return Document(self._index, int(self._numbers[range(len(self))[chosen]]))

    def __iter__(self) -> Iterator[Document]:
        for number in self._numbers:
            yield Document(self._index, int(number))

    def __contains__(self, document: object) -> bool:
        if not isinstance(document, Document) or document.index != self._index:
            return False
        at = int(np.searchsorted(self._numbers, document.number))
        # A slice with a negative step descends, so it is searched as a whole.
        return (at < len(self) and int(self._numbers[at]) == document.number) or document.number in self._numbers

    def __call__(self) -> Iterator[Document]:
        """Go through the documents, as iteration does."""
        return iter(self)

    def __repr__(self) -> str:
        return f"Documents({counted('document', len(self))})"


class Metadata(Tabular):
    """The metadata of documents: a table of their numbers and fields.

    Parameters
    ----------
    index
        The index.
    fields
        The fields of the index, which keeps what was read.
    names
        The chosen fields.
    numbers
        Numbers of the documents, int64.

    Notes
    -----
    The first column is `document`, then follow the fields, each with the one type that holds all its values: int64,
    float64, bool or string. A document without a field has null. A field that is called `document` has the column
    `metadata.document`.
    """

    def __init__(self, index: Backend, fields: FieldColumns, names: Sequence[str], numbers: NDArray[np.int64]) -> None:
        self._index = index
        self._fields = fields
        self._names = tuple(names)
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, field: str) -> list[Any]:
        """Give the values of a field, one per row; None for a document without it.

        Parameters
        ----------
        field
            A metadata field; IPython completes those of the table.

        Returns
        -------
        list[Any]
            Texts, numbers and truth values; lists and objects as JSON.

        Raises
        ------
        QueryError
            If no document has the field.

        Examples
        --------
        >>> corpus.metadata()["year"]
        [1990, 1994, 1997, 2003]
        """
        column = self._fields.column(field, self._numbers)
        return [column.values[code] for code in column.codes]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._names)

    def __repr__(self) -> str:
        return f"Metadata({counted('document', len(self))}, {', '.join(self._names)})"

    @cached_property
    def _typed(self) -> tuple[Column, ...]:
        """The columns of the fields, with the types of their values in these documents."""
        return tuple(Column(_column_name(name), kind_of_values(self._values(name)), True) for name in self._names)

    def _values(self, name: str) -> list[Any]:
        """The distinct values of a field in these documents."""
        column = self._fields.column(name, self._numbers)
        return [column.values[code] for code in np.unique(column.codes)]

    def _columns(self) -> tuple[Column, ...]:
        return (Column("document", "int64"), *self._typed)

    def _batches(self) -> Iterator[Batch]:
        for first in range(0, len(self), _PAGE):
            some = self._numbers[first : first + _PAGE]
            records = [flat_metadata(record) for record in self._index.documents.metadata(some)]
            batch: dict[str, Any] = {"document": some}
            for name, column in zip(self._names, self._typed, strict=True):
                batch[column.name] = [_value(record.get(name), column) for record in records]
            yield batch

    @property
    def provenance(self) -> Facts:
        """What the rows were computed from, by name; see `Tabular.provenance`."""
        return Origin(self._index, (("documents", str(len(self))),)).facts


def _column_name(field: str) -> str:
    return "metadata.document" if field == "document" else field


def _value(value: Any, column: Column) -> Any:
    """A value of a field, in the type of its column."""
    plain = plain_value(value)
    return show_value(plain) if column.kind == "string" and plain is not None else plain
