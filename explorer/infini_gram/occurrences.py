"""The calls for occurrences: AND of OR-clauses, samples of documents, and the spans of a text."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.trace.spans import SpanRequest, TokenSpan, maximal_spans
from explorer.backends.local.shards import ShardBackend
from explorer.core.jobs import CancelToken
from explorer.infini_gram.checks import BadArgumentError, answered, check_cnf, check_ids, check_lengths, positive
from explorer.infini_gram.conjunction import ranges_in_shard
from explorer.infini_gram.reading import shown
from explorer.infini_gram.responses import (
    AttributionDoc,
    AttributionResponse,
    AttributionSpan,
    CountResponse,
    DocResult,
    FindCnfResponse,
    SearchDocsResponse,
)


class EngineOccurrences:
    """Occurrences of an `Engine`, which inherits these methods."""

    # Set by `Engine`.
    index: ShardBackend
    token_id_max: int
    max_clause_freq: int
    max_diff_tokens: int
    maxnum: int
    max_disp_len: int
    bow_ids: Collection[int]
    random: np.random.Generator

    @answered
    def find_cnf(
        self,
        cnf: list[list[list[int]]],
        max_clause_freq: int | None = None,
        max_diff_tokens: int | None = None,
        *,
        cancel: CancelToken | None = None,
    ) -> FindCnfResponse:
        """Find an AND of OR-clauses of n-grams.

        Parameters
        ----------
        cnf
            The clauses; each is a list of n-grams.
        max_clause_freq
            Checked, and of no effect: the package looks at this number of occurrences of a clause, at most, and
            estimates the count; this answer is exact.
        max_diff_tokens
            The most tokens between n-grams of different clauses, in one document.
        cancel
            Stops the search.

        Returns
        -------
        FindCnfResponse
            The count, and in each shard the bytes at which the matches begin; [] if a clause does not occur at all.

        Notes
        -----
        The places of all occurrences of all clauses are read.

        Examples
        --------
        >>> cat, mat = (engine.corpus.encode(text).tolist() for text in (" cat", " mat"))
        >>> engine.find_cnf([[cat], [mat]])["cnt"]
        1
        """
        found = self._matches(cnf, max_clause_freq, max_diff_tokens, cancel)
        width = self.index.local.token_width
        return {
            "cnt": sum(map(len, found)),
            "approx": False,
            "ptrs_by_shard": [(positions * width).tolist() for positions in found],
        }

    @answered
    def count_cnf(
        self,
        cnf: list[list[list[int]]],
        max_clause_freq: int | None = None,
        max_diff_tokens: int | None = None,
        *,
        cancel: CancelToken | None = None,
    ) -> CountResponse:
        """Count an AND of OR-clauses of n-grams.

        Parameters
        ----------
        cnf, max_clause_freq, max_diff_tokens, cancel
            As in `find_cnf`.

        Returns
        -------
        CountResponse
            The exact count.
        """
        return {"count": sum(map(len, self._matches(cnf, max_clause_freq, max_diff_tokens, cancel))), "approx": False}

    @answered
    def search_docs(
        self, input_ids: list[int], maxnum: int | None = None, max_disp_len: int | None = None
    ) -> SearchDocsResponse:
        """Draw occurrences of an n-gram at random, with their documents.

        Parameters
        ----------
        input_ids
            Token ids; [] draws from all tokens.
        maxnum
            Occurrences to draw; one may be drawn again.
        max_disp_len
            The most tokens of a document to show, half of them before the occurrence.

        Returns
        -------
        SearchDocsResponse
            The count, the numbers of the occurrences that were drawn, and their documents.
        """
        number = positive("maxnum", maxnum, self.maxnum)
        length = positive("max_disp_len", max_disp_len, self.max_disp_len)
        check_ids("input_ids", input_ids, self.token_id_max)
        ranges = self.index.counts.find(input_ids).ranges
        # Not listed: the empty n-gram has as many ranks as there are tokens.
        return self._drawn([range(*each) for each in ranges], number, length, ranks=True)

    @answered
    def search_docs_cnf(
        self,
        cnf: list[list[list[int]]],
        maxnum: int | None = None,
        max_disp_len: int | None = None,
        max_clause_freq: int | None = None,
        max_diff_tokens: int | None = None,
        *,
        cancel: CancelToken | None = None,
    ) -> SearchDocsResponse:
        """Draw matches of an AND of OR-clauses at random, with their documents.

        Parameters
        ----------
        cnf, max_clause_freq, max_diff_tokens, cancel
            As in `find_cnf`.
        maxnum, max_disp_len
            As in `search_docs`.

        Returns
        -------
        SearchDocsResponse
            As from `search_docs`.
        """
        number = positive("maxnum", maxnum, self.maxnum)
        length = positive("max_disp_len", max_disp_len, self.max_disp_len)
        return self._drawn(self._matches(cnf, max_clause_freq, max_diff_tokens, cancel), number, length, ranks=False)

    @answered
    def attribute(
        self, input_ids: list[int], delim_ids: list[int], min_len: int, max_cnt: int, enforce_bow: bool
    ) -> AttributionResponse:
        """Find the longest spans of a text that occur, and where they occur.

        Parameters
        ----------
        input_ids
            Token ids of the text.
        delim_ids
            Ids of tokens that may only end a span.
        min_len
            The least tokens of a span.
        max_cnt
            The most occurrences of a span.
        enforce_bow
            Whether spans begin and end at the beginnings of words, which are the ids of `bow_ids_path`.

        Returns
        -------
        AttributionResponse
            The spans that no other contains, by their beginnings; each with all its occurrences. `unigram_logprob_sum`
            is the sum of log(count / tokens), whatever `precompute_unigram_logprobs` was.

        Raises
        ------
        BadArgumentError
            If an argument is of another type, or out of its range.
        """
        check_ids("input_ids", input_ids, self.token_id_max)
        check_ids("delim_ids", delim_ids, self.token_id_max)
        check_lengths(["min_len"], min_len)
        positive("max_cnt", max_cnt)
        if type(enforce_bow) is not bool:
            raise BadArgumentError("enforce_bow must be a boolean")
        ids = np.array(input_ids, dtype=np.int64)
        begins = np.isin(ids, list(self.bow_ids)) if enforce_bow else np.ones(len(ids), dtype=np.bool_)
        longest = self.index.counts.longest_matches(ids)
        spans = maximal_spans(self.index, SpanRequest(ids, longest, begins, np.isin(ids, delim_ids), min_len, max_cnt))
        logs = self._logs(ids).tolist()
        return {"spans": [self._span(input_ids, span, sum(logs[span.start : span.end])) for span in spans]}

    def _matches(
        self,
        cnf: list[list[list[int]]],
        max_clause_freq: int | None,
        max_diff_tokens: int | None,
        cancel: CancelToken | None,
    ) -> list[NDArray[np.int64]]:
        """The positions of the matches in each shard; no shard at all if a clause does not occur."""
        positive("max_clause_freq", max_clause_freq, self.max_clause_freq)
        distance = positive("max_diff_tokens", max_diff_tokens, self.max_diff_tokens)
        check_cnf(cnf, self.token_id_max)
        clauses = [[self.index.counts.find(ngram) for ngram in clause] for clause in cnf]
        if any(sum(ngram.count for ngram in clause) == 0 for clause in clauses):
            return []
        return [
            ranges_in_shard(
                shard, [[(ngram.ranges[s], ngram) for ngram in clause] for clause in clauses], distance, cancel
            )
            for s, shard in enumerate(self.index.shards)
        ]

    def _drawn(
        self, found: Sequence[Sequence[int] | NDArray[np.int64]], number: int, length: int, ranks: bool
    ) -> SearchDocsResponse:
        """Some of the ranks or positions of each shard, drawn with replacement."""
        ends = np.cumsum([len(each) for each in found], dtype=np.int64)
        total = int(ends[-1]) if len(ends) else 0
        drawn = self.random.integers(total, size=number) if total else np.empty(0, dtype=np.int64)
        documents: list[DocResult] = []
        for which in drawn.tolist():
            s = int(np.searchsorted(ends, which, side="right"))
            place = found[s][which - (int(ends[s]) - len(found[s]))]
            position = self.index.shards[s].positions(np.array([place]))[0] if ranks else place
            documents.append(shown(self.index, s, int(position), 0, length // 2, (length + 1) // 2))
        return {"cnt": total, "approx": False, "idxs": drawn.tolist(), "documents": documents}

    def _logs(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """The logarithm of each token's share of the index; of one that does not occur, which no span has, 0."""
        distinct, where = np.unique(ids, return_inverse=True)
        at = np.arange(len(distinct), dtype=np.int64)
        counts = self.index.counts.count_many(distinct, at, at + 1)
        shares = np.where(counts > 0, counts, self.index.token_count) / self.index.token_count
        return np.asarray(np.log(shares)[where], dtype=np.float64)

    def _span(self, ids: list[int], span: TokenSpan, logprob: float) -> AttributionSpan:
        ranges = self.index.counts.find(ids[span.start : span.end]).ranges
        width = self.index.local.token_width
        docs: list[AttributionDoc] = [
            {"s": s, "ptr": position * width}
            for s, (shard, each) in enumerate(zip(self.index.shards, ranges, strict=True))
            for position in shard.positions(np.arange(*each, dtype=np.int64)).tolist()
        ]
        return {
            "l": span.start,
            "r": span.end,
            "length": span.end - span.start,
            "count": span.count,
            "unigram_logprob_sum": logprob,
            "docs": docs,
        }
