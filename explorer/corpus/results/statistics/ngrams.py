"""Lists of n-grams, as the library returns them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.wordlist.ngram_lists import running_tokens
from explorer.analyses.wordlist.table import NgramFacts, NgramRecord
from explorer.backends.documents.reading import decode_ngrams
from explorer.backends.protocol.protocol import Backend, NgramList, NgramRows, Numbers
from explorer.core.jobs import CancelToken
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult
from explorer.errors import QueryError
from explorer.export.columns import BATCH, Batch
from explorer.i18n import mark
from explorer.words.tokenizer import WordTokenizer

_STRAY_BYTE = re.compile("[\udc80-\udcff]")


def form_of(index: Backend, ids: Numbers) -> str | None:
    """The text of an n-gram, with bytes of cut characters as <0xNN>; None without a tokenizer."""
    if not index.has_tokenizer:
        return None
    return _texts(index, ids[np.newaxis])[0]


def _texts(index: Backend, ids: Numbers | NDArray[np.uint32]) -> list[str]:
    """As `form_of`, of many n-grams of an index with a tokenizer."""
    if isinstance(index.tokenizer, WordTokenizer):
        # A space before a token is part of it, one before a word is not.
        return decode_ngrams(index, ids, begins=True)
    known = index.tokenizer.bytes_of
    return [_spelled(b"".join([known[token] for token in row])) for row in ids.tolist()]


def _spelled(data: bytes) -> str:
    # Tokens may begin or end inside a character: without these bytes, different n-grams would look the same.
    text = data.decode("utf-8", "surrogateescape")
    return text if text.isascii() else _STRAY_BYTE.sub(lambda stray: f"<0x{ord(stray[0]) - 0xDC00:02X}>", text)


def ngram_records(
    index: Backend, rows: Iterable[NgramList | NgramRows], cancel: CancelToken | None = None
) -> Iterator[NgramRecord]:
    """Make records of n-grams, one after the other."""
    tokens = running_tokens(index)
    for each in _batches_of(rows):
        if cancel is not None:
            cancel.check()
        documents = repeat(None, len(each.ids)) if each.documents is None else each.documents.tolist()
        forms = _forms(index, each.ids)
        for ids, form, count, homes in zip(each.ids.tolist(), forms, each.counts.tolist(), documents, strict=True):
            yield NgramRecord(len(ids), tuple(ids), form, count, homes, 1e6 * count / tokens)


def ngram_batches(index: Backend, rows: Iterable[NgramRows]) -> Iterator[Batch]:
    """Make columns of n-grams whose documents were counted, for tables of millions of rows.

    Parameters
    ----------
    index
        The index.
    rows
        The n-grams.

    Yields
    ------
    Batch
        At most 8,192 rows: `form`, `count`, `documents`, `per_million` and `n`, as in `NgramRecord`.
    """
    tokens = running_tokens(index)
    for each in _batches_of(rows):
        assert each.documents is not None
        yield {
            "form": _forms(index, each.ids),
            "count": each.counts,
            "documents": each.documents,
            "per_million": 1e6 * each.counts / tokens,
            "n": np.full(len(each.ids), each.ids.shape[1], dtype=np.int64),
        }


def _batches_of(rows: Iterable[NgramList | NgramRows]) -> Iterator[NgramRows]:
    for each in rows:
        for first in range(0, len(each.ids), BATCH):
            part = slice(first, first + BATCH)
            documents = None if each.documents is None else each.documents[part]
            yield NgramRows(each.ids[part], each.counts[part], documents)


def _forms(index: Backend, ids: NDArray[np.uint32]) -> Sequence[str | None]:
    return _texts(index, ids) if index.has_tokenizer else [None] * len(ids)


class Ngrams(RecordsResult):
    """N-grams of a corpus with exact counts; also a table with one row per n-gram.

    Notes
    -----
    Rows are in the order of n. With `top`, the most frequent come first, and of equal counts those whose stored bytes
    do; otherwise all are in the order of their stored bytes. (An index of version 5 stores the last token first.)

    Examples
    --------
    >>> found = corpus.ngrams(n=2, top=1)
    >>> [(row.form, row.count, row.documents) for row in found]
    [(' on the', 3, 3)]
    >>> found.figures
    (NgramFacts(n=2, total=19, types=12, hapaxes=7),)
    """

    _record = NgramRecord

    def __init__(self, lists: Sequence[NgramList], origin: Origin) -> None:
        super().__init__(origin)
        self._lists = tuple(lists)

    def __len__(self) -> int:
        return sum(len(each.ids) for each in self._lists)

    def __iter__(self) -> Iterator[NgramRecord]:
        return self._made()

    @property
    def figures(self) -> tuple[NgramFacts, ...]:
        """What all n-grams of each n are, those without a row included."""
        return tuple(NgramFacts(each.n, each.total, each.types, each.hapaxes) for each in self._lists)

    def spectrum(self, n: int) -> NDArray[np.int64]:
        """Give the frequency spectrum of one n.

        Parameters
        ----------
        n
            Tokens of the n-grams.

        Returns
        -------
        NDArray[np.int64]
            At m, the number of n-grams that occur m times: int64 of shape (4096,); the last for all greater counts.

        Raises
        ------
        QueryError
            If n-grams of other lengths were counted.
        """
        return self.of_length(n).spectrum

    def of_length(self, n: int) -> NgramList:
        """Give the rows of one n as arrays.

        Parameters
        ----------
        n
            Tokens of the n-grams.

        Returns
        -------
        NgramList
            Ids, counts and numbers of documents.

        Raises
        ------
        QueryError
            If n-grams of other lengths were counted.
        """
        for each in self._lists:
            if each.n == n:
                return each
        raise QueryError(
            mark("N-grams of {n} tokens were not counted, but those of {least} to {most}."),
            reason="n-not-counted",
            n=n,
            least=self._lists[0].n,
            most=self._lists[-1].n,
        )

    def _made(self) -> Iterator[NgramRecord]:
        # Opened again where the result was pickled.
        return ngram_records(self._origin.index, self._lists)

    def __repr__(self) -> str:
        return f"Ngrams({len(self):,} of {self._lists[0].n} to {self._lists[-1].n} tokens)"
