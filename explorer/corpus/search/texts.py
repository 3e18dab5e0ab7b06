"""What a corpus is asked about a whole text: agreement, longest matches, trace."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.agreement.tokens import agreement
from explorer.analyses.trace.batch import trace_one
from explorer.analyses.trace.in_words import words_for
from explorer.analyses.trace.settings import TraceSettings, settings_or_default
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.results.origin import Origin, as_result
from explorer.corpus.results.search.agreement import Agreement, scored
from explorer.corpus.results.search.trace import Trace
from explorer.corpus.search import queries
from explorer.corpus.types import Query
from explorer.export.provenance import text_facts
from explorer.export.reports.trace_html import trace_facts


@checks_jobs
class CorpusTexts:
    """What a text and a `Corpus` have in common; `Corpus` inherits these methods."""

    # Set by `Corpus`.
    index: Backend

    def agreement(
        self, ids: Query, max_n: int | None = None, first: int = 0, *, cancel: CancelToken | None = None
    ) -> Agreement:
        """Compute how every token of a text agrees with the corpus: how long a context occurs, and what follows it.

        Parameters
        ----------
        ids
            The text, which is tokenized as it is, or its token ids; may be empty.
        max_n
            The most tokens of an n-gram, with backoff (5: a 5-gram model); None for the longest context that occurs.
        first
            The first token that is scored, from 0; those before it, such as a prompt, are context only.
        cancel
            Stops the work.

        Returns
        -------
        Agreement
            One entry per token that is scored: effective n, counts, probability, and whether only one token ever
            follows. It is also a table.

        Raises
        ------
        QueryError
            If an id is not one of this index, or `max_n` is less than 1.
        Cancelled
            If it was cancelled.

        Notes
        -----
        A few searches per token.

        Examples
        --------
        >>> found = corpus.agreement("the cat sat on the rug")
        >>> found.effective_n.tolist()
        [1, 2, 3, 4, 5, 6]
        >>> found.agrees.tolist()
        [False, True, True, True, True, False]
        >>> corpus.agreement("the cat sat on the rug", first=4).effective_n.tolist()
        [5, 6]
        """
        given = self.index.counts.check_ids(queries.as_ids(self.index, ids), allow_empty=True)
        found = agreement(self.index, given, max_n, cancel, first=first)
        asked = (
            *text_facts("text", queries.shown(ids)),
            ("text tokens", str(len(given))),
            ("first", str(first)),
            ("max n", str(max_n or "none")),
        )
        return scored(found, given, first, Origin(self.index, asked))

    def longest_matches(self, ids: Query) -> NDArray[np.int64]:
        """Find the longest n-gram from each token of a text on that occurs.

        Parameters
        ----------
        ids
            The text, which is tokenized as it is, or its token ids; may be empty.

        Returns
        -------
        NDArray[np.int64]
            Its length in tokens, int64 of the text's length; 0 for a token that does not occur.

        Raises
        ------
        QueryError
            If an id is not one of this index.

        Notes
        -----
        The cost grows with the text's length, also where matches are long.

        Examples
        --------
        >>> corpus.longest_matches("the cat sat on a mat").tolist()
        [4, 3, 2, 1, 0, 1, 1]
        """
        return self.index.counts.longest_matches(queries.as_ids(self.index, ids))

    def trace(
        self,
        text: str,
        prompt: str = "",
        settings: TraceSettings | None = None,
        *,
        without_self: bool = False,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Trace:
        """Find the parts of a text that occur in the corpus, and documents that contain them.

        Parameters
        ----------
        text
            The text.
        prompt
            The prompt that it answers; documents are compared with both.
        settings
            How spans are found and documents ranked; None for the defaults.
        without_self
            Whether documents that contain most of the text are left out of every count.
        report
            Called with the progress where words are looked up and their index has to be made first.
        cancel
            Stops the work.

        Returns
        -------
        Trace
            Spans, documents, the longest passage and novelty. Its spans are also a table.

        Raises
        ------
        QueryError
            If the text contains no tokens, or is not a text: `spans` takes token ids.
        CapabilityError
            If words are looked up and the index is not in folders on this machine.
        CorpusError
            If the word index cannot be made.
        Cancelled
            If it was cancelled.

        Notes
        -----
        A pass over the text for the longest matches, and a read of every listed document. For the setting
        `match="words"`, the word index is made once, as by `words`.

        Examples
        --------
        >>> found = corpus.trace("we think that the cat sat on the mat")
        >>> passage = found.longest_passage
        >>> found.text[passage.start : passage.end]
        'cat sat on the mat'

        In words, neither capitals nor line breaks nor punctuation matter; lengths are then in words:

        >>> from explorer import TraceSettings
        >>> found = corpus.trace("“The CAT” sat (on: the MAT)", settings=TraceSettings(match="words"))
        >>> found.unit, found.longest_passage.length, found.spans[0].count
        ('words', 6, 1)
        """
        texts = (queries.checked_text(text), queries.checked_text(prompt))
        chosen = settings_or_default(settings)
        words = words_for(self.index, report, cancel) if chosen.match == "words" else None
        found = trace_one(self.index, *texts, chosen, without_self, cancel, words)
        return as_result(Trace, found, Origin(self.index, trace_facts([found], without_self)))
