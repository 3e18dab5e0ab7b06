"""How evenly words are spread over a corpus: what `Corpus` has of it."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np

from explorer.analyses.dispersion.compute import measure_words
from explorer.analyses.dispersion.question import DispersionQuestion
from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.wordlist.ngram_lists import list_ngrams
from explorer.backends.protocol.protocol import Backend, NgramRule
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.statistics.dispersion import DispersionTable
from explorer.corpus.statistics.parts import parts_of
from explorer.words.index import open_words
from explorer.words.rule import WordRule

_USUAL = DispersionQuestion()


@checks_jobs
class CorpusDispersion:
    """The spread of words over a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def dispersion(
        self,
        *,
        by: str | None = _USUAL.by,
        slices: SupportsIndex | None = _USUAL.slices,
        top: SupportsIndex | None = _USUAL.top,
        min_count: SupportsIndex = _USUAL.min_count,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> DispersionTable:
        """Measure how evenly the most frequent words are spread over the parts of the corpus.

        Parameters
        ----------
        by
            Metadata field whose values are the parts, in place of documents with words.
        slices
            Number of slices of equal size that are the parts, in place of documents, in their order.
        top
            Maximum number of words, the most frequent ones; None for all.
        min_count
            Minimum number of occurrences of a word, from 1.
        report
            Called with the words that were read.
        cancel
            Stops the work.

        Returns
        -------
        DispersionTable
            The words with their range, DP, DPnorm, D_A, Juilland's D, Carroll's D₂, Rosengren's S and average reduced
            frequency.

        Raises
        ------
        QueryError
            If a number is out of range, no document has the field, both kinds of parts are asked for, or there are
            fewer words than slices.
        CapabilityError
            If the index is not in folders on this machine.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Words are those of `words`, in lower case. `subset` chooses documents. `docs/dispersion.md` has the
        formulas and their sources. DP and D_A are meant for parts of unequal size.

        Cost: every word is read once, and those that are listed are sorted in parts of a million. Memory: one cell of
        16 bytes per listed word and part in which it occurs.

        Examples
        --------
        >>> [(row.form, row.count, row.range, round(row.dp, 3)) for row in corpus.dispersion(top=2, min_count=1)]
        [('the', 7, 4, 0.118), ('cat', 3, 3, 0.261)]
        """
        question = DispersionQuestion.of(by=by, slices=slices, top=top, min_count=min_count)
        rule = NgramRule(1, 1, question.top, question.min_count)
        if by is not None:
            self.columns.require(by, cancel)
        index = open_words(self.index, WordRule(), report, cancel)
        parts, _ = parts_of(index.backend, self.columns, question, report, cancel)
        [found] = list_ngrams(index.backend, rule, report, cancel)
        order = np.lexsort((found.ids[:, 0], -found.counts))
        words, counts = found.ids[order, 0].astype(np.int64), found.counts[order]
        measured = measure_words(index.backend, words, counts, parts, len(index.vocabulary), report, cancel)
        forms = [index.vocabulary.shown(word) for word in words.tolist()]
        return DispersionTable(forms, counts, measured, parts, Origin(self.index, question.facts))
