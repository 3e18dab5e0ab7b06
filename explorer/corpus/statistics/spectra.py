"""How many n-grams a corpus has: what the library offers beside `Corpus.ngrams`."""

from __future__ import annotations

from typing import SupportsIndex

from explorer.analyses.spectrum.question import SpectrumQuestion
from explorer.analyses.spectrum.spectra import CountSpectrum, DistinctNgrams, count_distinct, count_growth
from explorer.analyses.spectrum.spectra import count_spectra as spectra_of
from explorer.backends.protocol.protocol import GrowthRule, NgramGrowth
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_job
from explorer.corpus.statistics.ngrams import CorpusNgrams
from explorer.derive.kinds import Whole

_USUAL = SpectrumQuestion()


@checks_job
def distinct_ngrams(
    corpus: CorpusNgrams, *, report: Report = no_report, cancel: CancelToken | None = None
) -> DistinctNgrams:
    """Count the distinct n-grams within documents for every n, and of all lengths together.

    Parameters
    ----------
    corpus
        The corpus.
    report
        Called with the progress.
    cancel
        Stops the count.

    Returns
    -------
    DistinctNgrams
        Exact counts for n to 65,535.

    Raises
    ------
    CapabilityError
        If the index cannot list n-grams, or documents are subtracted from it.
    Cancelled
        If it was cancelled.

    Notes
    -----
    What neighboring suffixes share (LCP) tells them all. Liu et al., "Infini-gram" (2024), speak of a table of two
    quadrillion n-grams, which an index of five trillion tokens implies. Cost: the LCP of every shard, 3 bytes per
    token, made once and kept in the cache folder, and a merge of several shards.

    Examples
    --------
    >>> found = distinct_ngrams(corpus)
    >>> found.distinct[:3].tolist() == [each.types for each in corpus.ngrams(max_n=3).figures]
    True
    """
    return count_distinct(corpus.index, report, cancel)


@checks_job
def count_spectra(
    corpus: CorpusNgrams,
    max_n: SupportsIndex = 8,
    *,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> tuple[CountSpectrum, ...]:
    """Count how many n-grams occur once, twice and so on.

    Parameters
    ----------
    corpus
        The corpus.
    max_n
        Tokens of the longest n-grams, 1 to 64.
    report
        Called with the tokens that were counted.
    cancel
        Stops the count.

    Returns
    -------
    tuple of CountSpectrum
        One for each n from 1; `above` gives the share that occurs more often than a limit.

    Raises
    ------
    QueryError
        If `max_n` is out of range.
    CapabilityError
        If the index cannot list n-grams.
    Cancelled
        If it was cancelled.

    Notes
    -----
    One walk over the suffix array for all n, as `Corpus.ngrams`, whose own spectra end at 4,094 occurrences.

    Examples
    --------
    >>> [single, *_] = count_spectra(corpus, 1)
    >>> int((single.counts * single.ngrams).sum()) == corpus.ngrams(1).figures[0].total
    True
    """
    return spectra_of(corpus.index, SpectrumQuestion.of(view="counts", max_n=max_n).max_n, report, cancel)


@checks_job
def ngram_growth(
    corpus: CorpusNgrams,
    *,
    min_n: SupportsIndex = 2,
    max_n: SupportsIndex = _USUAL.max_n,
    min_count: SupportsIndex = _USUAL.min_count,
    sizes: SupportsIndex = _USUAL.sizes,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> NgramGrowth:
    """Count the distinct n-grams of growing parts of a corpus: its first documents, in their order.

    Parameters
    ----------
    corpus
        The corpus.
    min_n, max_n
        Tokens of the shortest and of the longest n-grams, 1 to 64.
    min_count
        How often an n-gram must occur in a part to be counted; 1 for all.
    sizes
        How many parts, 1 to 256, of as equal steps as documents allow.
    report
        Called with the progress.
    cancel
        Stops the count.

    Returns
    -------
    NgramGrowth
        Exact counts of each part.

    Raises
    ------
    QueryError
        If a number is out of range.
    CapabilityError
        If the index cannot list n-grams, or documents are subtracted from it.
    Cancelled
        If it was cancelled.

    Notes
    -----
    One read of the suffix array for all parts. Figure 3 of Yu et al., "Scaling Embedding Layers in Language Models"
    (2025), is such a count.

    Examples
    --------
    >>> found = ngram_growth(corpus, max_n=2, min_count=1, sizes=2)
    >>> int(found.ngrams[0, -1]) == corpus.ngrams(2).figures[0].types
    True
    """
    question = SpectrumQuestion.of(view="growth", max_n=max_n, min_count=min_count, sizes=sizes)
    shortest = Whole(1, question.max_n).check("min_n", min_n)
    rule = GrowthRule(shortest, question.max_n, question.min_count, question.sizes)
    return count_growth(corpus.index, rule, report, cancel)
