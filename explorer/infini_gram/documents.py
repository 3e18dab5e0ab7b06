"""The calls for documents: by the rank of a suffix, by a byte of the file of tokens, and by number."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from explorer.backends.local.shards import ShardBackend
from explorer.infini_gram.checks import BadArgumentError, answered, check_below, check_lengths, positive
from explorer.infini_gram.reading import beginning, shown
from explorer.infini_gram.responses import DocResult

PositionOf = Callable[[int, int], int]
"""Finds the position of a rank or a pointer in the stored text of a shard."""
_LENGTHS = ("needle_len", "max_ctx_len")


class EngineDocuments:
    """Documents of an `Engine`, which inherits these methods.

    A rank is the number of a suffix in a shard, as `find` gives them. A pointer is a byte of its file of tokens, as
    `find_cnf` and `attribute` give them. The calls without "_2" show `max_disp_len` tokens, half of them before the
    place. Those with "_2" show a needle of `needle_len` tokens with at most `max_ctx_len` tokens on each side.
    """

    # Set by `Engine`.
    index: ShardBackend
    max_disp_len: int

    # --- a number of tokens around a place -------------------------------------------------------

    @answered
    def get_doc_by_rank(self, s: int, rank: int, max_disp_len: int | None = None) -> DocResult:
        """Read the document of a rank.

        Parameters
        ----------
        s
            The number of the shard.
        rank
            The rank.
        max_disp_len
            The most tokens to show.

        Returns
        -------
        DocResult
            The document and its part.

        Examples
        --------
        >>> first, _ = engine.find(engine.corpus.encode(" dog saw").tolist())["segment_by_shard"][0]
        >>> found = engine.get_doc_by_rank(s=0, rank=first, max_disp_len=4)
        >>> found["doc_ix"], found["doc_len"], engine.corpus.decode(found["token_ids"])
        (3, 5, 'the dog saw')
        """
        return self._around(self._position_of, [(s, rank)], max_disp_len)[0]

    @answered
    def get_docs_by_ranks(
        self, list_of_s_and_rank: Iterable[tuple[int, int]], max_disp_len: int | None = None
    ) -> list[DocResult]:
        """Read the documents of several ranks.

        Parameters
        ----------
        list_of_s_and_rank
            Numbers of shards, and ranks.
        max_disp_len
            As in `get_doc_by_rank`.

        Returns
        -------
        list[DocResult]
            One per rank; none if one of them is out of range.
        """
        return self._around(self._position_of, list_of_s_and_rank, max_disp_len)

    @answered
    def get_doc_by_ptr(self, s: int, ptr: int, max_disp_len: int | None = None) -> DocResult:
        """Read the document of a pointer.

        Parameters
        ----------
        s
            The number of the shard.
        ptr
            The pointer.
        max_disp_len
            The most tokens to show.

        Returns
        -------
        DocResult
            The document and its part.
        """
        return self._around(self._position_at, [(s, ptr)], max_disp_len)[0]

    @answered
    def get_docs_by_ptrs(
        self, list_of_s_and_ptr: Iterable[tuple[int, int]], max_disp_len: int | None = None
    ) -> list[DocResult]:
        """Read the documents of several pointers.

        Parameters
        ----------
        list_of_s_and_ptr
            Numbers of shards, and pointers.
        max_disp_len
            As in `get_doc_by_ptr`.

        Returns
        -------
        list[DocResult]
            One per pointer; none if one of them is out of range.
        """
        return self._around(self._position_at, list_of_s_and_ptr, max_disp_len)

    @answered
    def get_doc_by_ix(self, doc_ix: int, max_disp_len: int | None = None) -> DocResult:
        """Read the beginning of a document.

        Parameters
        ----------
        doc_ix
            The document's number, across all shards.
        max_disp_len
            The most tokens to show.

        Returns
        -------
        DocResult
            The document and its part.

        Examples
        --------
        >>> engine.get_doc_by_ix(2, max_disp_len=3)["disp_len"]
        3
        """
        length = positive("max_disp_len", max_disp_len, self.max_disp_len)
        return self._beginning(doc_ix, length)

    @answered
    def get_docs_by_ixs(self, list_of_doc_ix: Iterable[int], max_disp_len: int | None = None) -> list[DocResult]:
        """Read the beginnings of several documents.

        Parameters
        ----------
        list_of_doc_ix
            The documents' numbers.
        max_disp_len
            As in `get_doc_by_ix`.

        Returns
        -------
        list[DocResult]
            One per number; none if one of them is out of range.
        """
        length = positive("max_disp_len", max_disp_len, self.max_disp_len)
        return [self._beginning(doc_ix, length) for doc_ix in list_of_doc_ix]

    # --- a needle and its context ----------------------------------------------------------------

    @answered
    def get_doc_by_rank_2(self, s: int, rank: int, needle_len: int, max_ctx_len: int) -> DocResult:
        """Read the needle at a rank, and the text around it.

        Parameters
        ----------
        s
            The number of the shard.
        rank
            The rank.
        needle_len
            Tokens of the needle.
        max_ctx_len
            The most tokens to show on each side.

        Returns
        -------
        DocResult
            The document and its part.
        """
        return self._needles(self._position_of, [(s, rank, needle_len, max_ctx_len)])[0]

    @answered
    def get_docs_by_ranks_2(self, requests: Iterable[tuple[int, int, int, int]]) -> list[DocResult]:
        """Read the needles at several ranks, and the text around them.

        Parameters
        ----------
        requests
            Of each, the arguments of `get_doc_by_rank_2`.

        Returns
        -------
        list[DocResult]
            One per request; none if one of them is out of range.
        """
        return self._needles(self._position_of, requests)

    @answered
    def get_doc_by_ptr_2(self, s: int, ptr: int, needle_len: int, max_ctx_len: int) -> DocResult:
        """Read the needle at a pointer, and the text around it.

        Parameters
        ----------
        s
            The number of the shard.
        ptr
            The pointer.
        needle_len
            Tokens of the needle.
        max_ctx_len
            The most tokens to show on each side.

        Returns
        -------
        DocResult
            The document and its part.
        """
        return self._needles(self._position_at, [(s, ptr, needle_len, max_ctx_len)])[0]

    @answered
    def get_docs_by_ptrs_2(self, requests: Iterable[tuple[int, int, int, int]]) -> list[DocResult]:
        """Read the needles at several pointers, and the text around them.

        Parameters
        ----------
        requests
            Of each, the arguments of `get_doc_by_ptr_2`.

        Returns
        -------
        list[DocResult]
            One per request; none if one of them is out of range.
        """
        return self._needles(self._position_at, requests)

    @answered
    def get_doc_by_ix_2(self, doc_ix: int, max_ctx_len: int) -> DocResult:
        """Read the beginning of a document.

        Parameters
        ----------
        doc_ix
            The document's number, across all shards.
        max_ctx_len
            The most tokens to show.

        Returns
        -------
        DocResult
            The document and its part.
        """
        check_lengths(_LENGTHS[1:], max_ctx_len)
        return self._beginning(doc_ix, max_ctx_len)

    @answered
    def get_docs_by_ixs_2(self, requests: Iterable[tuple[int, int]]) -> list[DocResult]:
        """Read the beginnings of several documents.

        Parameters
        ----------
        requests
            Of each, the arguments of `get_doc_by_ix_2`.

        Returns
        -------
        list[DocResult]
            One per request; none if one of them is out of range.
        """
        found = []
        for doc_ix, length in requests:
            check_lengths(_LENGTHS[1:], length)
            found.append(self._beginning(doc_ix, length))
        return found

    def _position_of(self, s: int, rank: int) -> int:
        """The position of a suffix in the stored text; raises BadArgumentError if there is none."""
        check_below("s", s, len(self.index.shards))
        shard = self.index.shards[s]
        check_below("rank", rank, shard.token_count)
        return int(shard.positions(np.array([rank], dtype=np.int64))[0])

    def _position_at(self, s: int, ptr: int) -> int:
        """The position of a token in the stored text; raises BadArgumentError if none begins at this byte."""
        check_below("s", s, len(self.index.shards))
        shard = self.index.shards[s]
        width, size = shard.widths.token, shard.token_count * shard.widths.token
        if type(ptr) is not int or not 0 <= ptr < size or ptr % width:
            kind = {1: "an integer", 2: "an even integer"}.get(width, f"a multiple of {width}")
            raise BadArgumentError(f"ptr must be {kind} in range [0, {size})")
        return ptr // width

    def _around(self, find: PositionOf, given: Iterable[tuple[int, int]], max_disp_len: int | None) -> list[DocResult]:
        """A number of tokens around each rank or pointer."""
        length = positive("max_disp_len", max_disp_len, self.max_disp_len)
        # All places before the first document is read: one that does not exist is an answer for all.
        places = [(s, find(s, place)) for s, place in given]
        return [shown(self.index, s, position, 0, length // 2, (length + 1) // 2) for s, position in places]

    def _needles(self, find: PositionOf, requests: Iterable[tuple[int, int, int, int]]) -> list[DocResult]:
        """A needle at each rank or pointer, and its context."""
        places = []
        for s, place, needle, context in requests:
            check_lengths(_LENGTHS, needle, context)
            places.append((s, find(s, place), needle, context))
        return [shown(self.index, s, position, needle, context, context) for s, position, needle, context in places]

    def _beginning(self, doc_ix: int, length: int) -> DocResult:
        check_below("doc_ix", doc_ix, self.index.document_count)
        return beginning(self.index, doc_ix, length)
