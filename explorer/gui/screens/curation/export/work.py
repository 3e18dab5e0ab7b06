"""What the tab of exports runs in its background lanes. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from explorer.analyses.duplicates.compute import Duplicates, first_copies, first_copy
from explorer.backends.places import Places
from explorer.backends.ranges import Ranges, ranges_of
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results.curation.duplicates import DuplicateTable
from explorer.corpus.results.origin import Origin
from explorer.export.cuts.cuts import CUT_FORMATS, CutCounts, CutExport, CutFormat, cut_counts
from explorer.gui.screens.curation.export.handed import Handed
from explorer.gui.screens.curation.export.keeping import kept
from explorer.i18n import numeral, tr

MOST_ROWS = 1_000
"""Documents of the table."""
MOST_SHOWN = 20_000
"""Characters of a document that are shown."""
_BEFORE = 500
"""Characters that are shown before the first cut of a long document."""


@dataclass(frozen=True)
class ExportRule:
    """How texts are written.

    gap: The most tokens between two cuts that go with them.
    parquet: Whether cleaned rows are a Parquet file.
    packed: Whether files of JSON Lines are compressed.
    sources_only: Whether to refuse if the source of a document that is cut is gone or has changed.
    """

    format: str = "cleaned"
    gap: int = 0
    parquet: bool = False
    packed: bool = False
    sources_only: bool = False


@dataclass(frozen=True)
class TouchedRow:
    """A document of which something is cut.

    tokens, cut: Its tokens, and those that go.
    cuts: How many ranges go.
    """

    number: int
    tokens: int
    cut: int
    cuts: int
    why: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ExportAnswer:
    """What goes altogether.

    rule: How it was asked.
    counts: What cutting it comes to.
    rows: The documents of which most goes, at most `MOST_ROWS`.
    kept: All that was handed over, also what is switched off, as a session keeps it.
    bytes: Nothing: the answer needs no word index.
    """

    rule: ExportRule
    handed: tuple[Handed, ...]
    ranges: Ranges
    counts: CutCounts
    rows: tuple[TouchedRow, ...]
    kept: dict[str, Any]
    bytes: int = 0

    @property
    def found(self) -> Ranges:
        """What is cut."""
        return self.ranges


@dataclass(frozen=True)
class PreviewSpan:
    """A part of a text that is cut."""

    start: int
    end: int
    why: str


@dataclass(frozen=True, eq=False)
class Preview:
    """A document with what is cut of it.

    text: Its text, or the part of it that is shown.
    spans: What is cut, in characters of `text`.
    first: The character with which `text` begins.
    original: Whether the text is that of the source.
    """

    number: int
    text: str
    spans: tuple[PreviewSpan, ...]
    first: int
    characters: int
    original: bool


def run_union(corpus: Corpus, rule: ExportRule, handed: Sequence[Handed], cancel: CancelToken) -> ExportAnswer:
    """Put together all that is cut. Runs off the interface thread.

    rule: How gaps are joined.
    handed: What was handed over; what is switched off is left out.
    Raises `CorpusError` if it cannot be told.
    """
    chosen = tuple(each for each in handed if each.on)
    ranges = ranges_of([], [], [])
    for each in chosen:
        cancel.check()
        ranges = ranges.union(each.ranges)
    ranges = ranges.joined(rule.gap)
    counts = cut_counts(corpus.index, ranges)
    return ExportAnswer(rule, chosen, ranges, counts, _rows(corpus, ranges, chosen), kept(corpus, handed))


def _rows(corpus: Corpus, ranges: Ranges, handed: Sequence[Handed]) -> tuple[TouchedRow, ...]:
    numbers, places, counts = np.unique(ranges.documents, return_inverse=True, return_counts=True)
    cut = np.bincount(places, weights=ranges.ends - ranges.starts, minlength=len(numbers)).astype(np.int64)
    best = np.argsort(-cut, kind="stable")[:MOST_ROWS]
    sizes = corpus.index.documents.lengths(numbers[best])
    homes = [(each.title, np.isin(numbers[best], each.ranges.documents).tolist()) for each in handed]
    found = zip(*(each.tolist() for each in (numbers[best], sizes, cut[best], counts[best])), strict=True)
    return tuple(
        TouchedRow(number, size, gone, cuts, tuple(title for title, has in homes if has[place]))
        for place, (number, size, gone, cuts) in enumerate(found)
    )


def run_preview(corpus: Corpus, answer: ExportAnswer, number: int, cancel: CancelToken) -> Preview:
    """Read a document with what is cut of it. Runs off the interface thread.

    Returns: Its text, of a long one the part around the first cut.
    """
    seen = corpus.preview_cuts(answer.ranges, number)
    starts, ends = answer.ranges.of_document(number)
    why = [_why(corpus, answer.handed, number, *span, cancel) for span in zip(starts, ends, strict=True)]
    # A range inside a character cuts none of it and has no span.
    reasons = why if len(why) == len(seen.spans) else [", ".join(dict.fromkeys(why))] * len(seen.spans)
    first = max(0, seen.spans[0][0] - _BEFORE) if seen.spans and len(seen.text) > MOST_SHOWN else 0
    text = seen.text[first : first + MOST_SHOWN]
    spans = (
        PreviewSpan(max(0, start - first), min(len(text), end - first), reason)
        for (start, end), reason in zip(seen.spans, reasons, strict=True)
    )
    shown = tuple(span for span in spans if span.start < span.end)
    return Preview(number, text, shown, first, len(seen.text), seen.original)


def _why(corpus: Corpus, handed: Sequence[Handed], number: int, start: int, end: int, cancel: CancelToken) -> str:
    """What found a range; of copies, with the place of the first one."""
    found = []
    for each in handed:
        cancel.check()
        starts, ends = each.ranges.of_document(number)
        inside = np.flatnonzero((starts < end) & (ends > start))
        if len(inside):
            # Several ranges are joined where a gap between them is cut, too: the first one is told.
            first = int(inside[0])
            copy = _copied(corpus, each.length, number, int(starts[first]), int(ends[first]), cancel)
            found.append(f"{each.title} ({copy})" if copy else each.title)
    return ", ".join(found)


def _copied(corpus: Corpus, length: int, number: int, start: int, end: int, cancel: CancelToken) -> str:
    if not length:
        return ""
    # The tab that found the copies has made the profile.
    profile = corpus.index.lists.repeat_profile(length, cancel=cancel)
    where = first_copy(profile, number, start, end, length)
    if where is None:
        return ""
    document, token = where
    if document == number:
        return tr("first in this document, at token {token}", token=numeral(token + 1))
    return tr(
        "first in document {document}, at token {token}", document=numeral(document + 1), token=numeral(token + 1)
    )


def write_cuts(corpus: Corpus, answer: ExportAnswer, folder: Path, report: Report, cancel: CancelToken) -> CutExport:
    """Write the texts. Runs off the interface thread.

    answer: What goes, and how it is written.
    Raises `CorpusError` if it cannot be written.
    """
    rule = answer.rule
    form: CutFormat = next(each for each in CUT_FORMATS if each == rule.format)
    return corpus.export_cuts(
        answer.ranges,
        folder,
        format=form,
        parquet=rule.parquet and form == "cleaned",
        packed=rule.packed and form in ("cleaned", "annotated") and not rule.parquet,
        sources_only=rule.sources_only,
        first=_first_copies(corpus, answer, cancel) if form == "annotated" else None,
        about={"cuts": [{"title": each.title, **dict(each.asked)} for each in answer.handed], "gap": rule.gap},
        report=report,
        cancel=cancel,
    )


def _first_copies(corpus: Corpus, answer: ExportAnswer, cancel: CancelToken) -> Places | None:
    """Where what each range begins with occurs first; of what several tabs found as copies, the first one tells."""
    nowhere = np.full(len(answer.ranges), -1, np.int64)
    copies = [each for each in answer.handed if each.length]
    documents, offsets = nowhere, nowhere
    for each in copies:
        profile = corpus.index.lists.repeat_profile(each.length, cancel=cancel)
        found = first_copies(profile, answer.ranges, each.ranges, each.length, cancel)
        known = documents >= 0
        documents, offsets = np.where(known, documents, found.documents), np.where(known, offsets, found.offsets)
    return Places(documents, offsets) if copies else None


def ranges_table(corpus: Corpus, answer: ExportAnswer) -> DuplicateTable:
    """All ranges as a table.

    Returns: One row per range.
    """
    cuts = (pair for each in answer.handed for pair in (("cut", each.title), *each.asked))
    told = (*cuts, ("gap between ranges that are joined", str(answer.rule.gap)))
    counts = answer.counts
    found = Duplicates(answer.ranges, counts.tokens, counts.documents_emptied, None)
    return DuplicateTable(found, Origin(corpus.index, told))
