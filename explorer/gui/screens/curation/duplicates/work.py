"""What the tab of duplicates runs in its background lanes. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from explorer.analyses.duplicates.question import DuplicatesQuestion
from explorer.analyses.repeats.question import RepeatsQuestion
from explorer.analyses.repeats.table import RepeatRecord, RunRecord
from explorer.backends.hit_places import hit_places
from explorer.backends.protocol.protocol import Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results.curation.duplicates import DuplicateTable
from explorer.corpus.results.curation.repeats import RepeatTable
from explorer.gui.found_lines.work import LinesOf, Spans
from explorer.gui.style.text_positions import cell_text

SHORTEST, LONGEST = 16, 500
"""The lengths of the curve. The repeat profile in the cache has matches of 16 tokens and more."""
LENGTHS: tuple[int, ...] = tuple(np.unique(np.geomspace(SHORTEST, LONGEST, 48).round().astype(int)).tolist())


@dataclass(frozen=True, eq=False)
class CopiesAnswer:
    """What goes.

    found: The tokens that are cut, and what cutting them comes to.
    bytes: Nothing: the answer needs no word index.
    """

    rule: DuplicatesQuestion
    found: DuplicateTable
    bytes: int = 0


@dataclass(frozen=True, eq=False)
class CopiesCurve(ArrayValue):
    """How much goes at each length.

    rule: The rule, and whether only copies of another document go.
    kept: Tokens that the rule cuts at each of `LENGTHS`.
    every: Tokens that go if no copy is kept.
    """

    rule: DuplicatesQuestion
    kept: Numbers
    every: Numbers


@dataclass(frozen=True, eq=False)
class RepeatList:
    """Passages that repeat, and stretches that repeat themselves; `rows` are the passages, which were read."""

    question: RepeatsQuestion
    found: RepeatTable
    rows: tuple[RepeatRecord, ...]


def run_copies(corpus: Corpus, rule: DuplicatesQuestion, report: Report, cancel: CancelToken) -> CopiesAnswer:
    """Find what goes. Runs off the interface thread.

    Raises `CorpusError` if they cannot be found.
    """
    return CopiesAnswer(rule, corpus.duplicates(**rule.in_force.arguments(), report=report, cancel=cancel))


def run_curve(corpus: Corpus, rule: DuplicatesQuestion, report: Report, cancel: CancelToken) -> CopiesCurve:
    """Count what goes at each length. Runs off the interface thread.

    Raises `CorpusError` if they cannot be counted.
    """
    every = corpus.duplicates_curve(LENGTHS, "all", report=report, cancel=cancel)
    if rule.rule == "all":
        return CopiesCurve(rule, every, every)
    kept = corpus.duplicates_curve(LENGTHS, rule.rule, across=rule.across, report=report, cancel=cancel)
    return CopiesCurve(rule, kept, every)


def run_list(corpus: Corpus, question: RepeatsQuestion, report: Report, cancel: CancelToken) -> RepeatList:
    """List passages and stretches. Runs off the interface thread.

    Raises `CorpusError` if they cannot be listed.
    """
    found = corpus.repeats(**question.arguments(), report=report, cancel=cancel)
    return RepeatList(question, found, tuple(found))


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
