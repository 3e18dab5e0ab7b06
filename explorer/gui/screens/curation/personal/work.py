"""What the tab of personal data runs in its background lanes. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.personal_data.question import PersonalDataQuestion
from explorer.analyses.personal_data.table import PersonalKindRecord, PersonalRecord
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results.curation.personal import PersonalTable

MOST_ROWS = 10_000
"""Findings of the table; a file has all of them."""


@dataclass(frozen=True, eq=False)
class PersonalAnswer:
    """What was found.

    rows: The first of them.
    kinds: How much there is of each kind.
    bytes: Nothing: the answer needs no word index.
    """

    rule: PersonalDataQuestion
    found: PersonalTable
    rows: tuple[PersonalRecord, ...]
    kinds: tuple[PersonalKindRecord, ...]
    bytes: int = 0


def run_personal(corpus: Corpus, question: PersonalDataQuestion, report: Report, cancel: CancelToken) -> PersonalAnswer:
    """Look for personal data, and prepare what is shown. Runs off the interface thread.

    Raises `CorpusError` if the texts cannot be read.
    """
    found = corpus.personal_data(**question.arguments(), report=report, cancel=cancel)
    return PersonalAnswer(question, found, tuple(found), found.kinds)
