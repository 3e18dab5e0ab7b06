"""Personal data and secrets: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, SupportsIndex

from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.personal_data.compute import find_personal_data
from explorer.analyses.personal_data.question import PersonalDataQuestion
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.results.curation.personal import PersonalTable
from explorer.corpus.results.origin import Origin

_USUAL = PersonalDataQuestion()


@checks_jobs
class CorpusPersonalData:
    """Personal data of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def personal_data(
        self,
        kinds: Iterable[Literal["email", "phone", "ip", "card", "key"]] = (),
        *,
        masked: bool = _USUAL.masked,
        top: SupportsIndex | None = _USUAL.top,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> PersonalTable:
        """Find e-mail addresses, telephone numbers, IP addresses, card numbers and keys in all documents.

        Parameters
        ----------
        kinds
            Kinds of data to find: "email", "phone", "ip", "card" and "key"; empty for all of them.
        masked
            Hide most letters and digits of the texts: dots take their place.
        top
            Maximum number of findings that are rows; None for all. Totals and ranges are of all.
        report
            Called with the documents that are done.
        cancel
            Stops the search.

        Returns
        -------
        PersonalTable
            The findings in the order of the corpus, with totals, and ranges of tokens to be cut.

        Raises
        ------
        QueryError
            If a kind is not known, or `top` is out of range.
        TokenizerError
            If the index has no tokenizer.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Each kind is a regular expression, and for some kinds a check, such as the check digit of a card. What is found
        is exactly what they find in the texts of all documents, from left to right; but only documents that hold what
        every finding must hold, such as an @, are read. A finding may be something else that is written alike: see
        `note` of each kind.

        Cost: about a second for a million tokens of documents that are read. Memory: 25 bytes for each finding, and the
        rows.

        Examples
        --------
        >>> corpus.personal_data(["email"]).kinds[0].count
        0
        """
        question = PersonalDataQuestion.of(kinds=[kinds] if isinstance(kinds, str) else kinds, masked=masked, top=top)
        found = find_personal_data(self.index, question.kinds, question.top, report, cancel)
        return PersonalTable(found, self.columns, question.masked, Origin(self.index, question.facts))
