"""What repeats in a corpus: what `Corpus` has of it."""

from __future__ import annotations

from typing import Literal, SupportsIndex

from explorer.analyses.repeats.compute import find_repeats
from explorer.analyses.repeats.question import RepeatsQuestion
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.results.curation.repeats import RepeatTable
from explorer.corpus.results.origin import Origin

_USUAL = RepeatsQuestion()


@checks_jobs
class CorpusRepeats:
    """Repeats of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend

    def repeats(
        self,
        length: SupportsIndex = _USUAL.length,
        *,
        top: SupportsIndex | None = _USUAL.top,
        by: Literal["saved", "length", "count"] = _USUAL.by,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> RepeatTable:
        """List the passages that occur twice or more and cannot be made longer, and stretches that repeat themselves.

        Parameters
        ----------
        length
            Minimum length of a passage, in tokens, 1 to 65,535. In an index of bytes, a token is a byte.
        top
            Maximum number of passages, the first in the order; None for all.
        by
            The order: by the tokens of all copies but one, by length, or by the number of copies: "saved", "length" or
            "count".
        report
            Called with the progress of comparing neighbors in the suffix array, and of counting documents.
        cancel
            Stops the work.

        Returns
        -------
        RepeatTable
            The passages in that order, and the stretches, the longest first. Empty if nothing repeats.

        Raises
        ------
        QueryError
            If a setting is out of range.
        CapabilityError
            If documents are subtracted from the index, or its parts are stored in different directions.
        Cancelled
            If it was cancelled.

        Notes
        -----
        A passage is within one document, and all its occurrences are counted, also those inside of longer passages:
        one of 60 tokens that occurs twice, of which the first 50 occur a third time, makes two rows. Occurrences of a
        passage that overlap are in a text with a period, such as a line that is repeated a hundred times, which
        contains a hundred nested passages: it is one of the stretches instead.

        Cost: the common prefixes of neighbors in the suffix array, which are found once and kept in the cache folder
        (3 bytes per token), and a walk over them: 0.2 s for 2.9 million tokens. Memory: 8 bytes for each place at which
        the most frequent passage of `length` tokens occurs.

        Examples
        --------
        >>> [(row.text, row.tokens, row.count, row.tokens_saved) for row in corpus.repeats(3)]
        [(' sat on the', 3, 3, 6), ('the cat sat on the', 5, 2, 5), (' sat on the mat', 4, 2, 4)]
        """
        question = RepeatsQuestion.of(length=length, top=top, by=by)
        found = find_repeats(self.index, question.length, question.top, question.by, report, cancel)
        return RepeatTable(found, self.index, Origin(self.index, question.facts))
