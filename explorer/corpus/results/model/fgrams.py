"""Tables of f-grams, as the library returns them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.fgrams.compute import FgramCoverage, FgramMatches, FgramSize, FgramTable
from explorer.analyses.search.limits import whole_number
from explorer.analyses.wordlist.ngram_lists import running_tokens
from explorer.analyses.wordlist.table import NgramRecord
from explorer.backends.documents.reading import decode_ids
from explorer.backends.protocol.protocol import Numbers
from explorer.corpus.inputs import listed
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult
from explorer.corpus.search import queries
from explorer.corpus.types import Query
from explorer.errors import QueryError
from explorer.export.fgrams.files import write_fgrams
from explorer.i18n import mark


class Fgrams(RecordsResult):
    """The most frequent n-grams of 2 to K tokens, all lengths ranked together; also a table with one row per f-gram.

    Rows are numbered in the order of the table: f-grams of 2 tokens first, each n sorted by ids. Embeddings of the
    f-grams are in this order.

    Examples
    --------
    >>> found = corpus.fgrams(max_n=3, min_count=3)
    >>> [(row.form, row.count) for row in found]
    [(' on the', 3), (' sat on', 3), (' sat on the', 3)]
    >>> found.match("a dog sat on the rug").lengths.tolist()
    [1, 1, 1, 2, 3, 1]
    """

    _record = NgramRecord

    def __init__(self, table: FgramTable, origin: Origin) -> None:
        super().__init__(origin)
        self._table_of_fgrams = table

    def __len__(self) -> int:
        return self._table_of_fgrams.kept

    def __iter__(self) -> Iterator[NgramRecord]:
        return self._made()

    @property
    def max_n(self) -> int:
        """K: tokens of the longest f-grams that were asked for."""
        return self._table_of_fgrams.max_n

    @property
    def cutoff(self) -> int:
        """The least count of an f-gram: everything as frequent is in the table."""
        return self._table_of_fgrams.cutoff

    @property
    def by_n(self) -> tuple[FgramSize, ...]:
        """For each n from 2, the distinct n-grams of the corpus, and those in the table."""
        return self._table_of_fgrams.by_n

    def ids(self, n: SupportsIndex) -> NDArray[np.uint32]:
        """Give the f-grams of one n: uint32 [rows, n], ascending."""
        return self._table_of_fgrams.parts[self._checked(n) - 2].ids

    def counts(self, n: SupportsIndex) -> NDArray[np.int64]:
        """Give the counts of the f-grams of one n, int64."""
        return self._table_of_fgrams.parts[self._checked(n) - 2].counts

    def match(self, text: Query) -> FgramMatches:
        """Find the longest f-gram that ends at each token of a text (SCONE's algorithm 1).

        Parameters
        ----------
        text
            A text, which is tokenized as it is, or token ids.

        Returns
        -------
        FgramMatches
            Lengths and rows, one per token.

        Notes
        -----
        One binary search per token and n.
        """
        return self._table_of_fgrams.matches(self._tokens(text))

    def coverage(
        self, texts: Iterable[Query], sizes: Sequence[SupportsIndex] | None = None
    ) -> tuple[FgramCoverage, ...]:
        """Measure what smaller tables would match of some texts, by K and size.

        Parameters
        ----------
        texts
            Texts, or token ids.
        sizes
            Numbers of f-grams; None for all of this table.

        Returns
        -------
        tuple of FgramCoverage
            For each size, one for each K from 2 to `max_n`.

        Notes
        -----
        The least count of this table is also that of the smaller ones.

        Examples
        --------
        >>> corpus.fgrams(max_n=3, min_count=2).coverage(["a dog sat on the rug"], [3])[-1].mean_length
        1.5
        """
        # An empty table has a size as well: then nothing matches.
        wanted = [max(1, len(self))] if sizes is None else [whole_number(size, "sizes", 1) for size in sizes]
        # One text of all, so that sizes are compared on the same tokens; separators end every match.
        separator = np.array([self._table_of_fgrams.separator], dtype=np.int64)
        parts = [part for text in listed(texts) for part in (self._tokens(text), separator)]
        return self._table_of_fgrams.coverage(np.concatenate([separator, *parts]), wanted)

    def embedding_bytes(self, dimension: SupportsIndex, value_type: str = "float16") -> int:
        """Size of a table of embeddings, in bytes.

        Parameters
        ----------
        dimension
            Values of an embedding.
        value_type
            Type of the values: "float32", "float16", "bfloat16", or "int8", which adds a scale of four bytes per row.

        Returns
        -------
        int
            Rows × bytes of a row, without the ids and counts, which take 2 or 4 bytes per token and 8 per row.

        Raises
        ------
        QueryError
            If the dimension is not a whole number of 1 or more, or the type is unknown.

        Examples
        --------
        >>> found = corpus.fgrams(max_n=3, min_count=3)
        >>> found.embedding_bytes(2048), found.embedding_bytes(2048, "int8")
        (12288, 6156)
        """
        return self._table_of_fgrams.embedding_bytes(whole_number(dimension, "dimension", 1), value_type)

    def write_arrays(self, folder: str | PathLike[str]) -> None:
        """Write the table for training: sorted ids and counts of each n, and what they are of.

        Parameters
        ----------
        folder
            A new folder. It gets `fgrams-N.npy` (uint16 or uint32 [rows, N]) and `counts-N.npy` (int64) for each n, and
            `meta.json`.

        Raises
        ------
        ExportError
            If the folder exists, or cannot be written; then nothing is left of it.
        """
        index = self._origin.index
        tokenizer = index.tokenizer.fingerprint if index.has_tokenizer else None
        # What decides whether ids of another program mean the same.
        facts = {"fingerprint": index.fingerprint, "tokenizer": tokenizer, "asked": dict(self._origin.asked)}
        write_fgrams(Path(folder), self._table_of_fgrams, facts)

    def _tokens(self, text: Query) -> Numbers:
        index = self._origin.index
        return index.counts.check_ids(queries.as_ids(index, text), allow_empty=True)

    def _checked(self, n: SupportsIndex) -> int:
        # Two errors: a number that no table has, and one that another table would have.
        whole = whole_number(n, "n", 2)
        if whole > self.max_n:
            raise QueryError(
                mark("The longest f-grams of this table have {most} tokens, not {n}."),
                reason="fgram-too-long",
                most=self.max_n,
                n=whole,
            )
        return whole

    def _made(self) -> Iterator[NgramRecord]:
        # Rates are of tokens, so those of all n can be compared.
        index = self._origin.index
        tokens = running_tokens(index)
        for n, part in enumerate(self._table_of_fgrams.parts, 2):
            for ids, count in zip(part.ids, part.counts.tolist(), strict=True):
                form = decode_ids(index, ids).text if index.has_tokenizer else None
                # Documents are not counted for a table of millions of rows.
                yield NgramRecord(n, tuple(ids.tolist()), form, count, None, 1e6 * count / tokens)

    def __repr__(self) -> str:
        return f"Fgrams({len(self):,} of 2 to {self.max_n} tokens, cutoff {self.cutoff:,})"
