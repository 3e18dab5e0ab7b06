"""What a corpus is asked for numbers: counts of texts and n-grams, probabilities, next tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.next_tokens import counts
from explorer.analyses.next_tokens.question import NextTokensQuestion
from explorer.analyses.search.concordance import count_documents
from explorer.analyses.search.find import Match
from explorer.backends.protocol import values
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.results.origin import Origin, as_result
from explorer.corpus.results.search.next_tokens import NextTokens
from explorer.corpus.search import queries
from explorer.corpus.search.where import Where, chosen_documents, count_within
from explorer.corpus.types import Equate, Query, Variant
from explorer.export.provenance import Facts

_USUAL = NextTokensQuestion()


@checks_jobs
class CorpusCounts:
    """Counts of a `Corpus`, which inherits them. Occurrences themselves are in `explorer.corpus.search.hits`."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def count(
        self,
        query: Query,
        variants: Sequence[Variant] = (),
        *,
        match: Match = "text",
        ignore_case: bool = False,
        whole_words: bool = False,
        equate: Iterable[Equate] = (),
        where: Where | None = None,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> int:
        """Count the occurrences of a literal text, of a regular expression, or of token ids.

        The text is literal: AND, OR, NOT, quotes and parentheses have no special meaning. For the query language use
        `search(query).count`, as the command `count` does without --literal.

        Parameters
        ----------
        query
            A text, a regular expression (with match="regex"), or token ids, which are an n-gram whatever `match` is.
        variants
            With match="tokens", other spellings to include: "space", "lower", "upper", "title".
        match
            "text": every occurrence of these characters, however the tokenizer split them; overlapping ones count each.
            "regex": the places at which a match begins. "tokens": the text as the tokenizer splits it by itself, which
            misses occurrences that are split in another way, and includes beginnings of longer words.
        ignore_case
            Whether characters that differ in case only are equal (Unicode's full case folding, so "ß" equals "SS").
        whole_words
            Whether there must be no letter, mark, digit or connector directly before and after, except next to a letter
            of a script that is written without spaces, such as Chinese or Thai. Zero-width joiners and soft hyphens are
            part of words.
        equate
            What else counts as the same, any of "spacing" (a space and any run of white space, line breaks included),
            "quotes" (straight and typographic apostrophes and quotation marks, primes; dashes) and "forms" (composed
            and decomposed characters; zero-width joiners and soft hyphens as if they were not there).
        where
            Conditions on the metadata of documents: "year>=2020" as the command line's --where takes it, a sequence of
            these, all of which must be met, or a mapping such as {"source": {"a", "b"}}.
        report
            With `where`, called with the documents whose metadata are read, then with the occurrences looked up.
        cancel
            With `where`, stops the work; without, nothing takes long.

        Returns
        -------
        int
            The number of occurrences.

        Raises
        ------
        QueryError
            If the query is empty, too broad or not understood, an id is not one of this index, or no document has the
            field of a condition.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Cost: for ids and tokens one search per shard and spelling, some microseconds. For texts some milliseconds,
        which grow with the vocabulary and hardly with the corpus; the first text takes a second or less more, once per
        tokenizer. With `where`, every occurrence is looked up, and the metadata of all documents are read once; for
        many counts, `subset` is faster.

        Examples
        --------
        >>> corpus.count("at")
        8
        >>> corpus.count("at", whole_words=True)
        0
        >>> corpus.count("[cm]at", match="regex")
        5
        >>> corpus.count("the\\ncat", equate=["spacing"])
        3
        >>> corpus.count(corpus.encode("the cat"))
        2
        >>> corpus.count("the", where="year>=1997")
        3
        """
        # The question that models ask by the million: making and checking options for it would take longer than the
        # engine's answer. The engine checks the ids itself.
        plain = not (variants or ignore_case or whole_words or equate) and match == "text" and where is None
        if plain and not isinstance(query, str) and queries.length(query):
            return self.index.counts.count(query)
        # Not `len(concordance(…))`: counting needs no hit to be located, so its cost hardly grows with the corpus.
        options = queries.checked_options(query, variants, match, ignore_case, whole_words, equate)
        if where is None:
            return queries.count(self.index, query, options)
        chosen = chosen_documents(self.index, self.columns, where, report, cancel)
        return count_within(self.index, queries.parts(self.index, query, options), chosen, cancel, report)

    def count_documents(
        self,
        query: Query,
        *,
        match: Match = "text",
        ignore_case: bool = False,
        whole_words: bool = False,
        equate: Iterable[Equate] = (),
        cancel: CancelToken | None = None,
    ) -> int:
        """Count the documents with a literal text, a regular expression or an n-gram.

        Parameters
        ----------
        query, match, ignore_case, whole_words, equate
            As in `count`.
        cancel
            Stops the work.

        Returns
        -------
        int
            The number of documents.

        Raises
        ------
        QueryError
            As from `count`.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Every occurrence is looked up.

        Examples
        --------
        >>> corpus.count_documents("the")
        4
        """
        options = queries.checked_options(query, (), match, ignore_case, whole_words, equate)
        # Unlike a count, this needs the place of every hit: ranges of the suffix array are not ordered by document.
        return count_documents(self.index, queries.parts(self.index, query, options), cancel)

    def prob(self, context: Query, token: int) -> counts.Probability:
        """Give the probability of a token after exactly this context.

        Parameters
        ----------
        context
            A text, which is tokenized as it is, or token ids; may be empty.
        token
            The id of the token that follows.

        Returns
        -------
        counts.Probability
            The counts of the context, and of the context with the token; their ratio is nan if the context does not
            occur.

        Raises
        ------
        QueryError
            If an id is not one of this index.

        Notes
        -----
        Two binary searches per shard.

        Examples
        --------
        >>> *context, token = corpus.encode("the cat sat").tolist()
        >>> corpus.prob(context, token)
        Probability(context_count=2, continuation_count=2, probability=1.0, context_length=2)
        """
        # A ratio of counts, without smoothing: 0 for a token that never follows, which is not the same as nan.
        return counts.prob(self.index, queries.as_ids(self.index, context), token)

    def infgram_prob(self, context: Query, token: int) -> counts.Probability:
        """Give the probability of a token after the longest suffix of the context that occurs.

        Parameters
        ----------
        context
            A text, which is tokenized as it is, or token ids; may be empty.
        token
            The id of the token that follows.

        Returns
        -------
        counts.Probability
            As from `prob`; `context_length` is the length of the suffix.

        Raises
        ------
        QueryError
            If an id is not one of this index.

        Notes
        -----
        The ∞-gram model of J. Liu et al., "Infini-gram: Scaling unbounded n-gram language models to a trillion tokens",
        2024.

        Examples
        --------
        >>> *context, token = corpus.encode("a dog saw the cat sat on").tolist()
        >>> found = corpus.infgram_prob(context, token)
        >>> found.context_length, found.probability
        (2, 1.0)
        """
        # The length of the suffix is a part of the answer: probabilities after one token and after ten are different
        # findings.
        return counts.infgram_prob(self.index, queries.as_ids(self.index, context), token)

    def next_tokens(self, context: Query, limit: int | None = _USUAL.limit) -> NextTokens:
        """Count the tokens after exactly this context.

        Parameters
        ----------
        context
            A text, which is tokenized as it is, or token ids; may be empty.
        limit
            Number of occurrences to look at for an estimate, 1 or more; None for an exact answer.

        Returns
        -------
        NextTokens
            Ids and counts, most frequent first; the separator is the end of a document. It is also a table.

        Raises
        ------
        QueryError
            If an id is not one of this index, or the limit is out of range.

        Notes
        -----
        The cost grows with the number of distinct tokens, or with the limit.

        Examples
        --------
        >>> found = corpus.next_tokens("the cat sat on the")
        >>> found.texts, found.counts.tolist()
        ((' mat', ' rug'), [1, 1])
        """
        ids = queries.as_ids(self.index, context)
        question = NextTokensQuestion(limit=limit)
        found = counts.next_tokens(self.index, ids, question.limit)
        # Only what was accepted as a context has a length.
        return self._next(found, context, replace(question, n=found.context_length + 1))

    def infgram_next_tokens(self, context: Query, limit: int | None = _USUAL.limit) -> NextTokens:
        """Count the tokens after the longest suffix of the context that occurs.

        Parameters
        ----------
        context
            A text, which is tokenized as it is, or token ids; may be empty.
        limit
            As in `next_tokens`.

        Returns
        -------
        NextTokens
            As from `next_tokens`; `context_length` is the length of the suffix.

        Raises
        ------
        QueryError
            As from `next_tokens`.

        Notes
        -----
        As for `next_tokens`; the model is that of `infgram_prob`.

        Examples
        --------
        >>> found = corpus.infgram_next_tokens("no bird sat on")
        >>> found.context_length, found.top(1).texts
        (2, (' the',))
        """
        ids = queries.as_ids(self.index, context)
        question = NextTokensQuestion(limit=limit)
        return self._next(counts.infgram_next_tokens(self.index, ids, question.limit), context, question)

    def _next(self, found: values.NextTokens, context: Query, question: NextTokensQuestion) -> NextTokens:
        asked: Facts = (("context", queries.shown(context)), ("context length", str(found.context_length)))
        exact: Facts = () if question.limit is None else (("exact", str(found.exact).lower()),)
        return as_result(NextTokens, found, Origin(self.index, (*asked, *question.facts, *exact)))
