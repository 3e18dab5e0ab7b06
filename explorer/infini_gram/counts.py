"""The calls for counts: n-grams, probabilities, next tokens."""

from __future__ import annotations

from explorer.backends.local.shards import ShardBackend
from explorer.backends.protocol.protocol import Backend
from explorer.backends.protocol.values import NextTokens
from explorer.core.jobs import CancelToken
from explorer.infini_gram.checks import answered, check_below, check_id, check_ids, positive
from explorer.infini_gram.responses import (
    CountResponse,
    CreativityResponse,
    DistTokenResult,
    FindResponse,
    InfGramNtdResponse,
    InfGramProbResponse,
    NtdResponse,
    ProbResponse,
)


class SeamCounts:
    """The calls that any index answers, wherever it is. The empty list is the context before every token."""

    # Set by whoever inherits.
    index: Backend
    token_id_max: int
    eos_token_id: int
    max_support: int

    @answered
    def count(self, input_ids: list[int]) -> CountResponse:
        """Count an n-gram.

        Parameters
        ----------
        input_ids
            Token ids; [] counts all tokens.

        Returns
        -------
        CountResponse
            The exact count.

        Examples
        --------
        >>> engine.count([])
        {'count': 27, 'approx': False}
        """
        check_ids("input_ids", input_ids, self.token_id_max)
        return {"count": self.index.counts.count(input_ids), "approx": False}

    @answered
    def prob(self, prompt_ids: list[int], cont_id: int) -> ProbResponse:
        """Give the probability of a token after exactly this context.

        Parameters
        ----------
        prompt_ids
            Token ids of the context.
        cont_id
            The token that follows.

        Returns
        -------
        ProbResponse
            Both counts and their ratio; -1.0 if the context does not occur.

        Examples
        --------
        >>> *context, token = engine.corpus.encode("the cat sat").tolist()
        >>> engine.prob(context, token)
        {'prompt_cnt': 2, 'cont_cnt': 2, 'prob': 1.0}
        """
        self._check_context(prompt_ids)
        check_id("cont_id", cont_id, self.token_id_max)
        return _as_prob(*self.index.counts.continuation(prompt_ids, cont_id))

    @answered
    def infgram_prob(self, prompt_ids: list[int], cont_id: int) -> InfGramProbResponse:
        """Give the probability of a token after the longest suffix of the context that occurs.

        Parameters
        ----------
        prompt_ids
            Token ids of the context.
        cont_id
            The token that follows.

        Returns
        -------
        InfGramProbResponse
            As from `prob`, and the length of the suffix.
        """
        self._check_context(prompt_ids)
        check_id("cont_id", cont_id, self.token_id_max)
        length, context, continued = self.index.counts.backed_off(prompt_ids, cont_id)
        return {**_as_prob(context, continued), "suffix_len": length}

    @answered
    def ntd(
        self, prompt_ids: list[int], max_support: int | None = None, *, cancel: CancelToken | None = None
    ) -> NtdResponse:
        """Count the tokens after exactly this context.

        Parameters
        ----------
        prompt_ids
            Token ids of the context.
        max_support
            Checked, and of no effect: the package estimates the counts from this number of occurrences, and this answer
            is exact.
        cancel
            Stops the count.

        Returns
        -------
        NtdResponse
            Counts and probabilities; the end of a document has the id `eos_token_id`.

        Examples
        --------
        >>> engine.ntd(engine.corpus.encode("the cat").tolist())["result_by_token_id"].values()
        dict_values([{'cont_cnt': 2, 'prob': 1.0}])
        """
        return self._ntd(prompt_ids, max_support, backoff=False, cancel=cancel)[0]

    @answered
    def infgram_ntd(
        self, prompt_ids: list[int], max_support: int | None = None, *, cancel: CancelToken | None = None
    ) -> InfGramNtdResponse:
        """Count the tokens after the longest suffix of the context that occurs.

        Parameters
        ----------
        prompt_ids
            Token ids of the context.
        max_support, cancel
            As in `ntd`.

        Returns
        -------
        InfGramNtdResponse
            As from `ntd`, and the length of the suffix.
        """
        found, length = self._ntd(prompt_ids, max_support, backoff=True, cancel=cancel)
        return {**found, "suffix_len": length}

    def _check_context(self, ids: list[int]) -> None:
        check_ids("prompt_ids", ids, self.token_id_max)

    def _ntd(
        self, ids: list[int], max_support: int | None, backoff: bool, cancel: CancelToken | None
    ) -> tuple[NtdResponse, int]:
        positive("max_support", max_support, self.max_support)
        self._check_context(ids)
        found = self.index.counts.next_tokens(ids, backoff, cancel=cancel)
        return {
            "prompt_cnt": found.context_count,
            "result_by_token_id": self._by_token(found),
            "approx": False,
        }, found.context_length

    def _by_token(self, found: NextTokens) -> dict[int, DistTokenResult]:
        counts = dict(zip(found.tokens.tolist(), found.counts.tolist(), strict=True))
        if ends := counts.pop(self.index.separator, 0):
            # Added, because the id may also be that of a token which occurs.
            counts[self.eos_token_id] = counts.get(self.eos_token_id, 0) + ends
        return {
            token: {"cont_cnt": count, "prob": count / found.context_count} for token, count in sorted(counts.items())
        }


class EngineCounts(SeamCounts):
    """Counts of an `Engine`, which inherits them."""

    # Set by `Engine`.
    index: ShardBackend

    @answered
    def find(self, input_ids: list[int]) -> FindResponse:
        """Find the ranks of an n-gram.

        Parameters
        ----------
        input_ids
            Token ids; [] finds every token.

        Returns
        -------
        FindResponse
            The count, and the ranks in each shard.

        Examples
        --------
        >>> engine.find(engine.corpus.encode("the cat").tolist())["cnt"]
        2
        """
        check_ids("input_ids", input_ids, self.token_id_max)
        found = self.index.counts.find(input_ids)
        return {"cnt": found.count, "segment_by_shard": list(found.ranges)}

    @answered
    def creativity(self, input_ids: list[int]) -> CreativityResponse:
        """Find where the longest n-gram from each token on ends that occurs.

        Parameters
        ----------
        input_ids
            Token ids of a text.

        Returns
        -------
        CreativityResponse
            For each token, one past the last token of the n-gram; the token's own index if it does not occur.
        """
        check_ids("input_ids", input_ids, self.token_id_max)
        longest = self.index.counts.longest_matches(input_ids).tolist()
        return {"rs": [start + length for start, length in enumerate(longest)]}

    @answered
    def compute_unigram_counts(self, s: int) -> dict[int, int]:
        """Count every token of a shard.

        Parameters
        ----------
        s
            The number of the shard.

        Returns
        -------
        dict[int, int]
            Counts by token id. Ids that do not occur have 0, except in indexes with 4-byte tokens, where they are left
            out. The largest id is the separator: one per document.
        """
        check_below("s", s, len(self.index.shards))
        shard = self.index.shards[s]
        tokens, counts = shard.next_tokens((0, shard.token_count), 0)
        found = dict(zip(tokens.tolist(), counts.tolist(), strict=True))
        if shard.widths.token == 4:
            return dict(sorted(found.items()))
        return {token: found.get(token, 0) for token in range(self.token_id_max + 1)}

    def get_total_doc_cnt(self) -> int:
        """Count the documents of all shards.

        Returns
        -------
        int
            The number of documents.

        Examples
        --------
        >>> engine.get_total_doc_cnt()
        4
        """
        return self.index.document_count


def _as_prob(context: int, continued: int) -> ProbResponse:
    return {"prompt_cnt": context, "cont_cnt": continued, "prob": continued / context if context else -1.0}
