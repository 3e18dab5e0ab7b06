"""What the tab of personal data runs in its background lanes. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.personal_data.table import PersonalKindRecord, PersonalRecord
from explorer.api import Corpus
from explorer.api.results.personal import PersonalTable
from explorer.curation.personal_kinds import KINDS
from explorer.jobs import CancelToken, Report

MOST_ROWS = 10_000
"""Findings of the table; a file has all of them."""


@dataclass(frozen=True)
class PersonalRule:
    """What is looked for.

    email, phone, ip, card, key: Whether this kind is.
    shown: Whether texts are shown in full; otherwise they are masked.
    """

    email: bool = True
    phone: bool = True
    ip: bool = True
    card: bool = True
    key: bool = True
    shown: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that are looked for."""
        return tuple(name for name in KINDS if getattr(self, name))


@dataclass(frozen=True, eq=False)
class PersonalAnswer:
    """What was found.

    rows: The first of them.
    kinds: How much there is of each kind.
    bytes: Nothing: the answer needs no word index.
    """

    rule: PersonalRule
    found: PersonalTable
    rows: tuple[PersonalRecord, ...]
    kinds: tuple[PersonalKindRecord, ...]
    bytes: int = 0


def personal_of(
    corpus: Corpus, rule: PersonalRule, top: int | None, report: Report, cancel: CancelToken
) -> PersonalTable:
    """Look for personal data. Runs off the interface thread.

    top: How many findings are rows; None for all.
    Raises `CorpusError` if the texts cannot be read.
    """
    return corpus.personal_data(rule.kinds, masked=not rule.shown, top=top, report=report, cancel=cancel)  # type: ignore[arg-type]


def run_personal(corpus: Corpus, rule: PersonalRule, report: Report, cancel: CancelToken) -> PersonalAnswer:
    """Look for personal data, and prepare what is shown. Runs off the interface thread.

    Raises `CorpusError` if the texts cannot be read.
    """
    found = personal_of(corpus, rule, MOST_ROWS, report, cancel)
    return PersonalAnswer(rule, found, tuple(found), found.kinds)
