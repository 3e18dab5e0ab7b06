"""All n-grams of a corpus: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import SupportsIndex

from explorer.analyses.fgrams.compute import make_fgrams
from explorer.analyses.search.limits import whole_number
from explorer.analyses.wordlist.ngram_lists import LONGEST, list_ngrams, ngram_rows
from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.analyses.wordlist.table import NgramRecord
from explorer.backends.protocol.protocol import Backend, NgramRule
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_job, checks_jobs
from explorer.corpus.results.model.fgrams import Fgrams
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.statistics.ngrams import Ngrams, ngram_records
from explorer.corpus.search import queries
from explorer.corpus.types import Query
from explorer.derive.question import settings_of
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.words.stop_list import stop_ids

_USUAL = WordlistQuestion()


@checks_jobs
class CorpusNgrams:
    """N-grams of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend

    def ngrams(
        self,
        n: SupportsIndex | None = None,
        *,
        min_n: SupportsIndex | None = None,
        max_n: SupportsIndex | None = None,
        top: SupportsIndex | None = _USUAL.top,
        min_count: SupportsIndex = _USUAL.min_count,
        min_documents: SupportsIndex = _USUAL.min_documents,
        begins_with: Query | None = None,
        contains: Query | None = None,
        stop: Iterable[str] = (),
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Ngrams:
        """Count all n-grams within documents, and list some of them, with exact counts and numbers of documents.

        Parameters
        ----------
        n
            Tokens of the n-grams; None for all from `min_n` to `max_n`.
        min_n
            Tokens of the shortest n-grams; None for 1. Not together with `n`.
        max_n
            Tokens of the longest n-grams, 1 to 64; None for 8. Not together with `n`.
        top
            How many of each length, the most frequent ones; None for all.
        min_count
            Minimum number of occurrences.
        min_documents
            Minimum number of documents.
        begins_with
            List only n-grams that begin with these words or tokens: a text, which is tokenized as it is, or token ids.
        contains
            List only n-grams that contain these words or tokens, one after the other.
        stop
            Words that no row contains; `figures` counts them like others. Each is tokenized, and one that is not a
            single token has no effect.
        report
            Called with the tokens that were counted.
        cancel
            Stops the count.

        Returns
        -------
        Ngrams
            The n-grams, and the figures of all n-grams of each n.

        Raises
        ------
        QueryError
            If a number is out of range, options exclude each other, or there are more than 33 million rows.
        TokenizerError
            If a text is given and the index has no tokenizer.
        CapabilityError
            If the index cannot list n-grams, or its folders are stored in different directions.
        Cancelled
            If it was cancelled.

        Notes
        -----
        One walk over the suffix array for all n together, which needs no memory but for the rows. What neighboring
        suffixes share is found before the first list of a shard of a million tokens or more, and kept in the cache
        folder: 3 bytes per token, some seconds per 100 million. Documents cost one step per occurrence of each row.
        With `stop` and `top`, more rows are kept; if they are still too few, the walk is repeated.

        Examples
        --------
        >>> found = corpus.ngrams(max_n=3, top=2)
        >>> [(row.form, row.count) for row in found]
        [(' the', 4), ('the', 3), (' on the', 3), (' sat on', 3), (' sat on the', 3), ('the cat sat', 2)]
        >>> corpus.ngrams(n=3, begins_with=" sat on").figures[0].types
        1
        """
        if n is not None and (min_n is not None or max_n is not None):
            raise QueryError(mark("Give n, or min_n and max_n, not both."), reason="n-and-max-n")
        if n is not None:
            min_n = max_n = _checked_n(n)
        question = WordlistQuestion.of(
            unit="tokens",
            min_n=1 if min_n is None else min_n,
            max_n=8 if max_n is None else max_n,
            top=top,
            min_count=min_count,
            min_documents=min_documents,
            begins_with=begins_with,
            contains=contains,
            stop=stop,
        )
        return ngrams_of(self.index, question, report, cancel)

    def fgrams(
        self,
        max_n: SupportsIndex = 5,
        *,
        min_count: SupportsIndex = 5,
        size: SupportsIndex | None = None,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Fgrams:
        """Find the most frequent n-grams of 2 to `max_n` tokens, all lengths ranked together (SCONE's f-grams).

        Parameters
        ----------
        max_n
            K, tokens of the longest, 2 to 64.
        min_count
            Their least count.
        size
            How many, of all lengths together; whatever is as frequent as the last of them is kept too. None for all of
            the least count.
        report
            Called with the tokens that were counted.
        cancel
            Stops the count.

        Returns
        -------
        Fgrams
            The f-grams with exact counts, and the longest of them that ends at each token of a text.

        Raises
        ------
        QueryError
            If a number is out of range, or there are more than 33 million f-grams.
        CapabilityError
            If the index cannot list n-grams.
        Cancelled
            If it was cancelled.

        Notes
        -----
        One walk over the suffix array, two with `size`, and a sort of the f-grams. The method is that of Yu et al.,
        "Scaling Embedding Layers in Language Models" (2025), section 3.1, with exact counts instead of repeated scans.

        Examples
        --------
        >>> found = corpus.fgrams(max_n=4, size=3)
        >>> found.cutoff, len(found)
        (5, 0)
        >>> [(each.n, each.distinct, each.at_least) for each in corpus.fgrams(max_n=3, min_count=2).by_n]
        [(2, 12, 5), (3, 10, 4)]
        """
        # Before the walk: a mistake should not take minutes to be found.
        longest = whole_number(max_n, "max_n", 2, LONGEST)
        least = whole_number(min_count, "min_count", 1)
        wanted = None if size is None else whole_number(size, "size", 1)
        table = make_fgrams(self.index, longest, least, wanted, report, cancel)
        # The cut-off is an answer, but whoever reads a table needs it as much as the settings.
        asked = (
            ("longest", str(longest)),
            ("least count", str(least)),
            ("size", "all" if wanted is None else str(wanted)),
            ("cutoff", str(table.cutoff)),
        )
        return Fgrams(table, Origin(self.index, asked))


@checks_job
def each_ngram(
    corpus: CorpusNgrams,
    n: SupportsIndex = _USUAL.max_n,
    *,
    min_count: SupportsIndex = _USUAL.min_count,
    min_documents: SupportsIndex = _USUAL.min_documents,
    begins_with: Query | None = None,
    contains: Query | None = None,
    stop: Iterable[str] = (),
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Iterator[NgramRecord]:
    """Go through all n-grams of one length; only some tens of thousands are in memory at a time.

    Parameters
    ----------
    corpus
        The corpus.
    n
        Tokens of the n-grams, 1 to 64.
    min_count
        Minimum number of occurrences.
    min_documents
        Minimum number of documents.
    begins_with
        List only n-grams that begin with these words or tokens: a text, which is tokenized as it is, or token ids.
    contains
        List only n-grams that contain these words or tokens, one after the other.
    stop
        Words that no row contains.
    report
        Called with the tokens that were counted.
    cancel
        Stops the list.

    Returns
    -------
    Iterator of NgramRecord
        The records of `Corpus.ngrams` without `top`, in the same order, of any number.

    Raises
    ------
    QueryError
        If a number is out of range, or options exclude each other.
    TokenizerError
        If a text is given and the index has no tokenizer.
    CapabilityError
        If the index cannot list n-grams, or its folders are stored in different directions.
    Cancelled
        If it was cancelled.

    Notes
    -----
    A walk over the suffix array, made as the records are read.

    Examples
    --------
    >>> sum(row.count for row in each_ngram(corpus, 2)) == corpus.ngrams(2).figures[0].total
    True
    """
    question = WordlistQuestion.of(
        unit="tokens",
        max_n=_checked_n(n),
        min_count=min_count,
        min_documents=min_documents,
        begins_with=begins_with,
        contains=contains,
        stop=stop,
    )
    rows = ngram_rows(corpus.index, ngram_rule(corpus.index, question), report, cancel)
    return ngram_records(corpus.index, rows, cancel)


def ngrams_of(
    index: Backend, question: WordlistQuestion, report: Report = no_report, cancel: CancelToken | None = None
) -> Ngrams:
    """List n-grams of an index, whose tokens are words or tokens."""
    # Provenance states the words of a file, which can change.
    question = replace(question, stop=question.stop_words)
    lists = list_ngrams(index, ngram_rule(index, question), report, cancel)
    return Ngrams(lists, Origin(index, question.facts))


def ngram_rule(index: Backend, question: WordlistQuestion) -> NgramRule:
    """Make of the texts of a question what they are in an index; a text without a token raises `QueryError`."""
    begins, contains = (_ids_of(index, each) for each in (question.begins_with, question.contains))
    if (tokens := len(begins or contains)) > question.max_n:
        raise QueryError(
            mark("{tokens:,} tokens do not fit into n-grams of length {n:,}."),
            reason="needle-too-long",
            n=question.max_n,
            tokens=tokens,
        )
    return NgramRule(
        question.shortest,
        question.max_n,
        question.top,
        question.min_count,
        question.min_documents,
        begins,
        contains,
        stop=stop_ids(index, question.stop_words),
    )


def _ids_of(index: Backend, phrase: Query | None) -> tuple[int, ...]:
    if phrase is None:
        return ()
    ids = queries.as_ids(index, phrase)
    if isinstance(phrase, str) and not len(ids):
        raise QueryError(mark("“{text}” has no word."), reason="no-word", text=phrase)
    return tuple(index.counts.check_ids(ids).tolist())


def _checked_n(n: SupportsIndex) -> int:
    found: int = settings_of(WordlistQuestion)["max_n"].kind.check("n", n)
    return found
