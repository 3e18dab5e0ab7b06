"""An opened corpus: what it contains, its documents, and texts as tokens."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.search.limits import whole_number
from explorer.backends.documents.document import Document
from explorer.backends.documents.reading import decode_ids
from explorer.backends.made_of import MadeOf, made_of, note_made_of
from explorer.backends.protocol.protocol import Backend, Ids
from explorer.corpus.analyses import CorpusAnalyses
from explorer.corpus.closed import Closed, closed_error
from explorer.corpus.curation.contamination import CorpusContamination
from explorer.corpus.curation.cuts import CorpusCuts
from explorer.corpus.curation.decontamination import CorpusDecontamination
from explorer.corpus.curation.duplicate_documents import CorpusDuplicateDocuments
from explorer.corpus.curation.duplicates import CorpusDuplicates
from explorer.corpus.curation.personal import CorpusPersonalData
from explorer.corpus.curation.repeats import CorpusRepeats
from explorer.corpus.documents import Documents, Metadata
from explorer.corpus.model.mixing import CorpusMixing
from explorer.corpus.model.modeling import CorpusModels
from explorer.corpus.search import queries
from explorer.corpus.search.batches import CorpusBatches
from explorer.corpus.search.counts import CorpusCounts
from explorer.corpus.search.hits import CorpusHits
from explorer.corpus.search.places import CorpusPlaces
from explorer.corpus.search.texts import CorpusTexts
from explorer.corpus.statistics.clusters import CorpusClusters
from explorer.corpus.statistics.collocates import CorpusCollocates
from explorer.corpus.statistics.dispersion import CorpusDispersion
from explorer.corpus.statistics.diversity import CorpusDiversity
from explorer.corpus.statistics.keywords import CorpusKeywords
from explorer.corpus.statistics.ngrams import CorpusNgrams
from explorer.corpus.statistics.words import CorpusWords
from explorer.corpus.subsets import CorpusSubsets
from explorer.corpus.types import Query
from explorer.errors import QueryError
from explorer.i18n import counted, mark


# One class for the user, several files for the reader: each base answers one kind of question, has no state of its own
# and no __init__, and is not used without this class.
class Corpus(
    CorpusCounts,
    CorpusHits,
    CorpusPlaces,
    CorpusTexts,
    CorpusBatches,
    CorpusModels,
    CorpusMixing,
    CorpusNgrams,
    CorpusCollocates,
    CorpusClusters,
    CorpusKeywords,
    CorpusDiversity,
    CorpusDispersion,
    CorpusSubsets,
    CorpusWords,
    CorpusContamination,
    CorpusRepeats,
    CorpusDuplicates,
    CorpusCuts,
    CorpusDecontamination,
    CorpusDuplicateDocuments,
    CorpusPersonalData,
    CorpusAnalyses,
):
    """An opened corpus: one or several index folders that answer as one. `open_index` makes it.

    Every method raises a `CorpusError` that tells what is wrong if the input or the index is.

    Parameters
    ----------
    index
        The opened index.

    Raises
    ------
    QueryError
        If `index` is a path, or several: `open_index` opens them.

    Notes
    -----
    The files of the index stay mapped as long as the corpus is in use, or until `close`. Several threads may ask at the
    same time. A corpus can be pickled: the other process opens the same folders, with the same tokenizer, and shares
    the memory of the files. Two corpora are equal if the same was opened in the same way.

    Examples
    --------
    >>> corpus.document_count, corpus.token_count
    (4, 27)
    >>> corpus.count("cat")
    3
    >>> "the cat" in corpus
    True
    >>> corpus
    Corpus('Cats', 27 tokens, 4 documents, 1 shard)
    """

    def __init__(self, index: Backend) -> None:
        # Without types to check it, a path would fail at the first question only, in a worker perhaps.
        if isinstance(index, str | bytes | os.PathLike | list | tuple):
            raise QueryError(
                mark("Corpus takes an index that explorer.open_index opened, not a path."),
                reason="not-an-opened-index",
            )
        # Neither is replaced later, so threads may share a corpus. What is read on demand is kept by the backend and by
        # `columns`, which are made for several threads.
        self.index = index
        self.columns = FieldColumns(index)
        # What was opened, for `==`. A backend that does not tell it is equal to itself only.
        self._key: object = getattr(index, "key", None) or object()

    def close(self) -> None:
        """Let go of the files; every later question raises CorpusError. A second call does nothing.

        Notes
        -----
        The files are unmapped as soon as nothing else uses them: concordances, documents and other results of this
        corpus stay valid.

        Examples
        --------
        >>> import explorer
        >>> with explorer.open_index(folder) as opened:
        ...     opened.count("cat")
        3
        >>> opened.count("cat")
        Traceback (most recent call last):
        explorer.errors.CorpusError: This corpus is closed.
        """
        # Typed as what they replace: only this method and `closed` know the difference.
        self.index = cast(Backend, Closed())
        self.columns = cast(FieldColumns, Closed())

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return isinstance(self.index, Closed)

    def __enter__(self) -> Self:
        if self.closed:
            raise closed_error()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __contains__(self, query: Query) -> bool:
        # As `count` reads it: a text is literal, and ids are an n-gram.
        return self.count(query) > 0

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Corpus) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Callable[..., Corpus], tuple[object, ...]]:
        # The backend is opened again from its folders, so the pickle is small, and processes share the mapped files.
        if self.closed:
            raise closed_error()
        return _unpacked, (type(self), self.index, made_of(self.index))

    def __repr__(self) -> str:
        if self.closed:
            return "Corpus(closed)"
        shards = f", {counted('shard', self.shard_count)}" if self.shard_count else ""
        sizes = f"{counted('token', self.token_count)}, {counted('document', self.document_count)}"
        return f"Corpus({self.index.name!r}, {sizes}{shards})"

    def __dir__(self) -> list[str]:
        # The program's own rooms use both; they are not part of the library.
        return [name for name in super().__dir__() if name not in ("index", "columns")]

    @property
    def token_count(self) -> int:
        """Tokens, separators included: one per document."""
        return self.index.token_count

    @property
    def document_count(self) -> int:
        """Number of documents, without those that are subtracted."""
        return self.index.document_count

    @property
    def minus_unmatched(self) -> int:
        """Number of documents to subtract that are not in this index; nothing was subtracted for them."""
        return self.index.subtracted.unmatched

    @property
    def shard_count(self) -> int:
        """Shards of all folders.

        Examples
        --------
        >>> corpus.shard_count
        1
        """
        return len(self.index.local.parts) if self.index.local else 0

    @property
    def folders(self) -> tuple[Path, ...]:
        """Index folders, in the order in which they were given; () for an index that is not on this machine."""
        return self.index.local.folders if self.index.local else ()

    @property
    def metadata_fields(self) -> tuple[str, ...]:
        """Names of the metadata fields of all folders; see `metadata_fields_complete`.

        Examples
        --------
        >>> corpus.metadata_fields
        ('path', 'linenum', 'author', 'year')
        """
        # Found once and kept, since an open index does not change.
        return self.columns.known.names

    @property
    def metadata_fields_complete(self) -> bool:
        """Whether the list of fields is complete.

        True if every folder lists its fields in `index.json`. In other folders, the first, middle and last documents of
        each shard are read.
        """
        return self.columns.known.complete

    def encode(self, text: str) -> NDArray[np.int64]:
        """Tokenize a text exactly as it is written; no special tokens are added.

        Parameters
        ----------
        text
            Any text.

        Returns
        -------
        NDArray[np.int64]
            Token ids, int64 of shape (tokens,).

        Raises
        ------
        QueryError
            If it is not a text.
        TokenizerError
            If the index has no tokenizer.

        Examples
        --------
        >>> len(corpus.encode("the cat sat"))
        3
        """
        # In reading order, also if the index stores its documents backwards: no direction is visible above the seam.
        return self.index.tokenizer.encode(queries.checked_text(text))

    def decode(self, ids: Ids) -> str:
        """Write token ids as text; the space that some tokenizers put before a text is removed.

        Parameters
        ----------
        ids
            Token ids; may be empty.

        Returns
        -------
        str
            The text. Bytes that are not UTF-8 become U+FFFD.

        Raises
        ------
        QueryError
            If an id is not one of this index.

        Examples
        --------
        >>> corpus.decode(corpus.encode("the cat sat"))
        'the cat sat'
        """
        # `begins`: the ids are read as a text of their own. As a part of a document, the first would keep its space.
        return decode_ids(self.index, self.index.counts.check_ids(ids, allow_empty=True), begins=True).text

    def document(self, number: int) -> Document:
        """Open a document by its number.

        Parameters
        ----------
        number
            From 0, through all folders. A subtracted document keeps its number but cannot be read, so an index from
            which others are subtracted has more numbers than documents: see `documents`.

        Returns
        -------
        Document
            The document; its text is read when it is used.

        Raises
        ------
        QueryError
            If there is no such document, it is subtracted, or the number is not a whole number.

        Examples
        --------
        >>> corpus.document(2).text
        'a dog sat on the mat'
        >>> corpus.document(2).metadata["metadata"]["author"]
        'Bob'
        """
        whole = whole_number(number, "number")
        # Asked at once and not when the text is read: an error far from its cause is hard to find.
        self.index.documents.check(whole)
        return Document(self.index, whole)

    @property
    def documents(self) -> Documents:
        """All documents that are not subtracted, in the order of their numbers: a sequence that reads nothing before it
        is used. `corpus.documents()` goes through them, too.

        Examples
        --------
        >>> [document.token_count for document in corpus.documents]
        [6, 6, 6, 5]
        >>> corpus.documents[-1].number
        3
        """
        return Documents(self.index)

    def metadata(self, fields: Sequence[str] | None = None, numbers: Ids | None = None) -> Metadata:
        """Give metadata of documents as a table.

        Parameters
        ----------
        fields
            The fields, or one of them; None for all of `metadata_fields`.
        numbers
            Numbers of documents, in the order of the rows; None for all documents.

        Returns
        -------
        Metadata
            The table: `document`, then a column per field.

        Raises
        ------
        QueryError
            If no document has a field, or there is no such document.

        Notes
        -----
        The metadata of these documents are read for each field, once per corpus, and again for the rows.

        Examples
        --------
        >>> corpus.metadata(["author", "year"], [3, 0]).to_arrow().to_pylist()
        [{'document': 3, 'author': 'Bob', 'year': 2003}, {'document': 0, 'author': 'Ann', 'year': 1990}]
        """
        # A single name would otherwise be taken for its letters.
        names = self.metadata_fields if fields is None else (fields,) if isinstance(fields, str) else tuple(fields)
        for name in names:
            self.columns.require(name)
        return Metadata(self.index, self.columns, names, self._existing(numbers))

    def _existing(self, numbers: Ids | None) -> NDArray[np.int64]:
        """Numbers of documents, all of which there are."""
        if numbers is None:
            return self.index.documents.numbers()
        wanted = np.array([whole_number(number, "number") for number in numbers], dtype=np.int64)
        # Raises for one that is not there, or is subtracted.
        self.index.documents.lengths(wanted)
        return wanted


def _unpacked(kind: type[Corpus], index: Backend, made: MadeOf | None) -> Corpus:
    """A corpus from a pickle, which still knows what it was made of."""
    note_made_of(index, made)
    return kind(index)
