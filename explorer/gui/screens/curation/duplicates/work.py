"""What the tab of duplicates runs in its background lanes. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np

from explorer.analyses.repeats.table import RepeatRecord, RunRecord
from explorer.api import Corpus
from explorer.api.results.duplicates import DuplicateTable
from explorer.api.results.repeats import RepeatTable
from explorer.arrays import ArrayValue
from explorer.backends.hit_places import hit_places
from explorer.backends.protocol import Numbers
from explorer.curation.duplicates import RULES, DuplicateRule
from explorer.curation.repeated import ORDERS, RepeatOrder
from explorer.gui.found_lines.work import LinesOf, Spans
from explorer.gui.text_positions import cell_text
from explorer.jobs import CancelToken, Report

MOST_ROWS = 1_000
"""Rows of the list; a file has all of them."""
SEPARATE, FIRST, ALL = RULES
RUNS = "runs"
LISTED = (*ORDERS, RUNS)
"""What is listed: passages in one of three orders, or stretches that repeat themselves."""
SHORTEST, LONGEST = 16, 500
"""The lengths of the curve. The repeat profile in the cache has matches of 16 tokens and more."""
LENGTHS: tuple[int, ...] = tuple(np.unique(np.geomspace(SHORTEST, LONGEST, 48).round().astype(int)).tolist())


@dataclass(frozen=True)
class CopiesRule:
    """What is cut, and what is listed.

    length: Tokens of the shortest repeat that counts.
    rule: Which copies go, one of `RULES`.
    across: Whether only copies of another document go.
    gap: The most tokens between two cuts that go with them.
    prefer: A condition on metadata: copies in these documents are kept; "" for the first copy.
    never: Passages that are never removed, as token ids.
    """

    length: int = 50
    rule: str = SEPARATE
    across: bool = False
    gap: int = 0
    prefer: str = ""
    listed: str = "saved"
    never: tuple[tuple[int, ...], ...] = ()

    @property
    def cut(self) -> CopiesRule:
        """The same for whatever is listed, without what its rule leaves out of account."""
        if self.rule == ALL:
            return CopiesRule(self.length, ALL, gap=self.gap, never=self.never)
        return CopiesRule(self.length, self.rule, self.across, self.gap, self.prefer.strip(), never=self.never)

    @property
    def curve(self) -> tuple[str, bool]:
        """What the curve depends on."""
        return self.cut.rule, self.cut.across


@dataclass(frozen=True, eq=False)
class CopiesAnswer:
    """What goes.

    found: The tokens that are cut, and what cutting them comes to.
    bytes: Nothing: the answer needs no word index.
    """

    rule: CopiesRule
    found: DuplicateTable
    bytes: int = 0


@dataclass(frozen=True, eq=False)
class CopiesCurve(ArrayValue):
    """How much goes at each length.

    asked: The rule, and whether only copies of another document go.
    kept: Tokens that the rule cuts at each of `LENGTHS`.
    every: Tokens that go if no copy is kept.
    """

    asked: tuple[str, bool]
    kept: Numbers
    every: Numbers


@dataclass(frozen=True, eq=False)
class RepeatList:
    """Passages that repeat.

    asked: Their least length, and what is listed.
    found: All that is known of them.
    rows: The passages that are shown; empty where stretches are listed.
    runs: The stretches that are shown; empty where passages are listed.
    """

    asked: tuple[int, str]
    found: RepeatTable
    rows: tuple[RepeatRecord, ...] = ()
    runs: tuple[RunRecord, ...] = ()


def run_copies(corpus: Corpus, rule: CopiesRule, report: Report, cancel: CancelToken) -> CopiesAnswer:
    """Find what goes. Runs off the interface thread.

    Raises `CorpusError` if they cannot be found.
    """
    cut = rule.cut
    found = corpus.duplicates(
        cut.length,
        cast(DuplicateRule, cut.rule),
        gap=cut.gap,
        across=cut.across,
        prefer=cut.prefer or (),
        never=[np.array(ids, np.int64) for ids in cut.never],
        report=report,
        cancel=cancel,
    )
    return CopiesAnswer(rule, found)


def run_curve(corpus: Corpus, asked: tuple[str, bool], report: Report, cancel: CancelToken) -> CopiesCurve:
    """Count what goes at each length. Runs off the interface thread.

    asked: The rule, and whether only copies of another document go.
    Raises `CorpusError` if they cannot be counted.
    """
    rule, across = asked
    every = corpus.duplicates_curve(LENGTHS, ALL, report=report, cancel=cancel)
    if rule == ALL:
        return CopiesCurve(asked, every, every)
    kept = corpus.duplicates_curve(LENGTHS, cast(DuplicateRule, rule), across=across, report=report, cancel=cancel)
    return CopiesCurve(asked, kept, every)


def repeats_of(corpus: Corpus, rule: CopiesRule, top: int | None, report: Report, cancel: CancelToken) -> RepeatTable:
    """List passages. Runs off the interface thread.

    rule: Their least length and their order.
    top: How many; None for all.
    Raises `CorpusError` if they cannot be listed.
    """
    by: RepeatOrder = next((order for order in ORDERS if order == rule.listed), "saved")
    return corpus.repeats(rule.length, top=top, by=by, report=report, cancel=cancel)


def run_list(corpus: Corpus, rule: CopiesRule, report: Report, cancel: CancelToken) -> RepeatList:
    """List passages, or stretches that repeat themselves. Runs off the interface thread.

    Raises `CorpusError` if they cannot be listed.
    """
    asked = rule.length, rule.listed
    if rule.listed == RUNS:
        found = repeats_of(corpus, rule, 1, report, cancel)
        return RepeatList(asked, found, runs=found.runs[:MOST_ROWS])
    found = repeats_of(corpus, rule, MOST_ROWS, report, cancel)
    return RepeatList(asked, found, tuple(found))


def lines_of(corpus: Corpus, row: RepeatRecord | RunRecord, source: RepeatTable | None = None) -> LinesOf:
    """Where a passage, or a stretch, is."""
    count = row.count if isinstance(row, RepeatRecord) else 1
    find = partial(_spans, corpus, row)
    return LinesOf(corpus, corpus, (), cell_text(row.text or ""), count, spans=find, source=source)


def _spans(corpus: Corpus, row: RepeatRecord | RunRecord, cancel: CancelToken) -> Spans:
    one = np.array([[row.document], [row.offset], [row.tokens]], np.int64)
    if isinstance(row, RunRecord):
        return Spans(*one)
    places = hit_places(corpus.index, tokens_of(corpus, row), check=cancel.check)
    return Spans(places.documents, places.offsets, np.full(len(places), row.tokens))


def tokens_of(corpus: Corpus, row: RepeatRecord) -> Numbers:
    """The tokens of a passage. Runs off the interface thread.

    Returns: Token ids, int64.
    """
    document, offset = np.array([row.document]), np.array([row.offset])
    [ids] = corpus.index.documents.windows(document, offset, offset + row.tokens)
    return ids
