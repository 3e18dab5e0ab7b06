"""What a backend is asked about counts of n-grams, and about what follows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from explorer.backends.protocol.values import Followed, HintArrays, HintRule, Ids, Level, NextTokens, Numbers
from explorer.core.jobs import CancelToken


class CountQuestions(Protocol):
    """What `explorer.backends.protocol.protocol.Backend.counts` answers.

    asks_elsewhere: Whether a question about many n-grams is one message to another machine: then few questions about
        many take less time than many about few.
    """

    asks_elsewhere: bool = False

    def check_ids(self, ids: Ids, allow_empty: bool = False) -> Numbers:
        """Check token ids.

        ids: The ids, in reading order.
        allow_empty: Whether there may be none.
        Raises `QueryError` if they are not whole numbers, or not ids of this index.
        """

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram; the empty one counts tokens. Cost: the least of all ways to one count."""

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Count a context and a token after it.

        context: Token ids; may be empty.
        Raises `QueryError` if an id is not one of this index.
        """

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Count the longest suffix of a context that occurs, and a token after it.

        context: Token ids; may be empty.
        Raises `QueryError` if an id is not one of this index.
        """

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs."""

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        """Count the tokens that follow a context.

        context: Token ids; may be empty.
        backoff: Whether to take the longest suffix of the context that occurs.
        limit: Occurrences to look at, at most, 1 or more; None for an exact answer.
        Returns: The tokens, most frequent first, with their counts.
        Raises `CapabilityError` without a limit, if `capabilities.next_tokens` is False.

        Notes
        -----
        Cost: grows with the number of distinct tokens, or with the limit.
        """

    def count_many(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> Numbers:
        """Count many n-grams of one text.

        ends: One past the last token of each; 0 ≤ start ≤ end ≤ len(ids), and n-gram i is ids[starts[i]:ends[i]].
        Returns: One count per n-gram. An empty n-gram counts every token.

        Notes
        -----
        Cost: one search per n-gram. Consecutive n-grams with one start and growing ends cost no more than the longest.
        """

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> Numbers:
        """Find the longest n-gram from each token of a text on that occurs.

        ids: Token ids of the text; may be empty.
        Returns: Its length in tokens; 0 for a token that does not occur.

        Notes
        -----
        The cost grows with the text's length, also where matches are long.
        """

    def followed(
        self, ids: Ids, orders: Sequence[int | None], longest: Numbers | None = None, cancel: CancelToken | None = None
    ) -> tuple[Followed, ...]:
        """Find out what each token of a text follows, for several models of it.

        orders: One entry per model: most tokens of an n-gram, its last one included (5: up to 4 tokens of context);
            None for the longest context that occurs.
        longest: The longest matches of this text, if they are known.
        Returns: One answer per order, with one entry per token.

        Notes
        -----
        Cost: a few searches per token and order.
        """

    def followers(
        self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Numbers]:
        """Count what follows many contexts of one text; the end of a document is not a token that follows.

        ends: One past the last token of each; 0 ≤ start ≤ end ≤ len(ids), and context i is ids[starts[i]:ends[i]].
        Returns: Per context: how many of its occurrences a token of the same document follows, and how many distinct
            tokens these are. The empty context is followed by every token but the separators.

        Notes
        -----
        Cost: one search per context, and a few steps per distinct token; in an index of several shards, stored
        backwards or with documents subtracted, it can cost as much as `next_tokens` per context.
        """

    def levels(
        self, context: Ids, least: int, most: int | None, selective: bool, cancel: CancelToken | None = None
    ) -> tuple[tuple[Level, ...], bool]:
        """Find the suffixes of one context that a token of the same document follows, and what follows each.

        least: The fewest tokens of a suffix, from 0: the empty one is followed by every token.
        most: The most suffixes, from the longest; None for all.
        selective: Whether to leave out a suffix that is followed as often as a longer one: it has the same followers.
            The empty one is never left out.
        Returns: The suffixes, the longest first; and whether the longest suffix that occurs only ends documents.

        Notes
        -----
        Cost: a few searches per suffix, and a step per distinct token.
        """

    def greedy(self, context: Ids, most: int, least: float, cancel: CancelToken | None = None) -> tuple[int, list[int]]:
        """Follow the longest suffix of a context that occurs, by the most frequent token each time.

        most: The most tokens; never more than the suffix has, but one at least.
        least: The tokens end before the product of their shares, among all that follow, falls below this.
        Returns: Tokens of the suffix, and the ids; of equally frequent ones, the smallest. They end where the end of
            the document is most frequent.
        """

    def hints(
        self,
        ids: Numbers,
        places: Numbers,
        begins: Numbers,
        numbers: Numbers,
        rule: HintRule,
        cancel: CancelToken | None = None,
    ) -> HintArrays:
        """Sample what follows the contexts of some tokens.

        ids: Checked ids of texts, one after another.
        begins: The first token of the text of each: no context begins before it.
        numbers: A number for each, which together with the seed decides all chance.
        rule: How they are made.
        Returns: One row per token. Samples are different occurrences of the context, each as likely as every other; the
            end of a document is not a sample.

        Notes
        -----
        Cost: a search per length of context up to the one that is chosen, and two reads per sample. Where documents
        are subtracted: one `next_tokens` per length.
        """
