"""All n-grams of a corpus: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import SupportsIndex

from explorer.api import queries
from explorer.api.results.fgrams import Fgrams
from explorer.api.results.ngrams import Ngrams, ngram_records
from explorer.api.results.origin import Origin
from explorer.api.types import Query
from explorer.backends.protocol import Backend
from explorer.errors import QueryError
from explorer.export.records.ngram import NgramRecord
from explorer.i18n import mark
from explorer.jobs import CancelToken, Report, no_report
from explorer.jobs.asked import checks_job, checks_jobs
from explorer.search.limits import whole_number
from explorer.statistics.fgrams import make_fgrams
from explorer.statistics.ngram_lists import LONGEST, NgramRequest, list_ngrams, ngram_rows
from explorer.words.stop_list import checked_stop, stop_ids


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
        top: SupportsIndex | None = None,
        min_count: SupportsIndex = 1,
        min_documents: SupportsIndex = 1,
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
            How many of each n, the most frequent ones; None for all.
        min_count
            Their least count.
        min_documents
            The least number of documents that they are in.
        begins_with
            A text, which is tokenized as it is, or token ids: only n-grams that begin with these tokens.
        contains
            The same: only n-grams that contain these tokens, one after the other.
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
            n = min_n = max_n = whole_number(n, "n", 1, LONGEST)
        shortest, longest = 1 if min_n is None else min_n, 8 if max_n is None else max_n
        # Texts become tokens here, above the seam, as everywhere in the library.
        ids = [None if given is None else queries.as_ids(self.index, given) for given in (begins_with, contains)]
        request = NgramRequest(
            shortest, longest, top, min_count, min_documents, ids[0], ids[1],
            stop_ids(self.index, left_out := checked_stop(stop)),
        )  # fmt: skip
        # Written beside every table.
        given = (("begins with", begins_with), ("contains", contains))
        asked = (
            ("n", str(n) if n is not None else f"{shortest} to {longest}"),
            ("top", "all" if top is None else str(top)),
            ("least count", str(min_count)),
            ("least documents", str(min_documents)),
            *((name, queries.shown(query)) for name, query in given if query is not None),
            *((("left out", ", ".join(left_out)),) if left_out else ()),
        )
        return Ngrams(list_ngrams(self.index, request, report, cancel), Origin(self.index, asked))

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
    n: SupportsIndex = 1,
    *,
    min_count: SupportsIndex = 1,
    min_documents: SupportsIndex = 1,
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
        Their least count.
    min_documents
        The least number of documents that they are in.
    begins_with
        A text, which is tokenized as it is, or token ids: only n-grams that begin with these tokens.
    contains
        The same: only n-grams that contain these tokens, one after the other.
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
    ids = [None if given is None else queries.as_ids(corpus.index, given) for given in (begins_with, contains)]
    length = whole_number(n, "n", 1, LONGEST)
    request = NgramRequest(length, length, None, min_count, min_documents, ids[0], ids[1], stop_ids(corpus.index, stop))
    return ngram_records(corpus.index, ngram_rows(corpus.index, request, report, cancel), cancel)
