"""How a vocabulary grows, and how frequency falls with rank: what the library offers beside `Corpus`."""

from __future__ import annotations

from typing import Literal, SupportsIndex

import numpy as np

from explorer.analyses.spectrum.curves import RankCurve, VocabularyGrowth, measure_growth, shuffled
from explorer.analyses.spectrum.question import SpectrumQuestion
from explorer.analyses.spectrum.spectra import count_spectra
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_job
from explorer.corpus.statistics.ngrams import CorpusNgrams
from explorer.corpus.statistics.units import counted_index
from explorer.derive.kinds import Whole

_USUAL = SpectrumQuestion()


@checks_job
def vocabulary_growth(
    corpus: CorpusNgrams,
    unit: Literal["words", "tokens"] = _USUAL.unit,
    *,
    step: SupportsIndex | None = _USUAL.step,
    shuffle: SupportsIndex | None = _USUAL.shuffle,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> VocabularyGrowth:
    """Count how many different words the first words of the corpus have.

    Parameters
    ----------
    corpus
        The corpus.
    unit
        "words", in lower case, or "tokens" of this corpus, as in a corpus of words.
    step
        Words from one point of the curve to the next, from 1; None for at most 500 points.
    shuffle
        A seed, from 0: documents are read in an order that is drawn at random. None for their own order.
    report
        Called with the documents that were read.
    cancel
        Stops the work.

    Returns
    -------
    VocabularyGrowth
        The curve; `heaps` is the power law that is fitted to it.

    Raises
    ------
    QueryError
        If a number is out of range or the unit is unknown.
    CapabilityError
        If words are asked for and the index is not in folders on this machine.
    Cancelled
        If it was cancelled.

    Notes
    -----
    H. S. Heaps, "Information retrieval", 1978: V = K·N^β. Documents in the order of time or of topics bend the
    curve; shuffled, it is that of a mixture. Cost: every document is read once.

    Examples
    --------
    >>> found = vocabulary_growth(corpus, step=10)
    >>> found.words.tolist(), found.types.tolist(), found.heaps.points
    ([10, 20], [5, 8], 2)
    """
    question = SpectrumQuestion.of(view="vocabulary", unit=unit, step=step, shuffle=shuffle)
    index = counted_index(corpus.index, question.unit, report, cancel)
    documents = np.asarray(index.documents.numbers(), np.int64)
    if question.shuffle is not None:
        documents = shuffled(documents, question.shuffle)
    return measure_growth(index, documents, 1 << 16, question.step, report, cancel)


@checks_job
def rank_curve(
    corpus: CorpusNgrams,
    first: SupportsIndex = _USUAL.ranks[0],
    last: SupportsIndex = _USUAL.ranks[1],
    unit: Literal["words", "tokens"] = _USUAL.unit,
    *,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> RankCurve:
    """Count how frequency falls with rank, and fit Zipf's law to a range of ranks.

    Parameters
    ----------
    corpus
        The corpus.
    first, last
        The ranks that are fitted, from 1: the most frequent words and the rarest ones follow no straight line.
    unit
        "words", in lower case, or "tokens" of this corpus, as in a corpus of words.
    report
        Called with the words that were counted.
    cancel
        Stops the work.

    Returns
    -------
    RankCurve
        The curve and its law, whose exponent is about −1 for a text.

    Raises
    ------
    QueryError
        If a rank is out of range or the unit is unknown.
    CapabilityError
        If words are asked for and the index is not in folders on this machine, or it cannot list n-grams.
    Cancelled
        If it was cancelled.

    Notes
    -----
    G. K. Zipf, "Human behavior and the principle of least effort", 1949. The line is a least-squares fit of the
    logarithms of the counts of all ranks from `first` to `last`. Cost: as for `ngrams` of one word.

    Examples
    --------
    >>> found = rank_curve(corpus, first=1, last=5)
    >>> found.last, found.law.points, found.law.exponent < 0
    (5, 5, True)
    """
    begin = Whole(1).check("first", first)
    end = Whole(begin).check("last", last)
    question = SpectrumQuestion.of(view="zipf", unit=unit, ranks=(begin, end))
    [single] = count_spectra(counted_index(corpus.index, question.unit, report, cancel), 1, report, cancel)
    return RankCurve.of(single.counts, single.ngrams, begin, end)
