"""Traces in a few numbers and sentences: the same in the window, in reports and on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from explorer.analyses.overlap.verbatim import Passage
from explorer.analyses.trace.as_read import as_read
from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.measures.coverage import LEAST
from explorer.analyses.trace.measures.measure import Unit
from explorer.analyses.trace.measures.novelty import INDEX_LENGTHS
from explorer.analyses.trace.passages import TextPassage, passages_of
from explorer.analyses.trace.ranking import shown_share
from explorer.analyses.trace.trace import Trace
from explorer.backends.documents.document import document_title
from explorer.i18n import counted, numeral, tr, trn
from explorer.words.rule import WordRule, words_of

_LEAST_WORDS = 20
"""Words of a text in one document from which they are named: fewer are common phrases."""

_MEASURES = frozenset(("coverage", "longest_passage", "novelty"))
"""The measures whose values are among the totals."""


@dataclass(frozen=True)
class Totals:
    """The numbers of one or more traces.

    passages, high: Passages, and those of high relevance.
    spans: Spans, of which a passage may have several.
    size: Tokens, or words, of the texts.
    longest: Tokens of the longest match.
    covered, novelty: The shares of all tokens, 0 to 1.
    documents: Different documents that are listed.
    unit: What lengths and shares are of.
    """

    passages: int
    high: int
    spans: int
    size: int
    longest: int
    covered: float
    novelty: float
    documents: int
    unit: Unit = "tokens"

    @property
    def sentence(self) -> str:
        """The numbers in one line."""
        return " · ".join((self._where, *self._shares, counted("document", self.documents)))

    @property
    def _where(self) -> str:
        passages = trn("{n:,} passage", "{n:,} passages", self.passages)
        # A passage that is cut at full stops has several; where each has one, their number is left off.
        spans = "" if self.spans == self.passages else tr(" of {spans}", spans=counted("span", self.spans))
        return tr("{passages}{spans} in {size}", passages=passages, spans=spans, size=self._units(self.size))

    @property
    def _shares(self) -> tuple[str, ...]:
        covered, novelty = percent(self.covered), percent(self.novelty)
        first, last = INDEX_LENGTHS[0], INDEX_LENGTHS[-1]
        longest = tr("longest match {length}", length=self._units(self.longest))
        high = tr("{n:,} of high relevance", n=self.high)
        if self.unit == "words":
            return (
                high,
                tr("{share} of words in matches of {least}+", share=covered, least=LEAST),
                longest,
                tr(
                    "{share} of words outside matches, mean of {first}+ to {last}+",
                    share=novelty,
                    first=first,
                    last=last,
                ),
            )
        return (
            high,
            tr("{share} of tokens in matches of {least}+", share=covered, least=LEAST),
            longest,
            tr("{share} of tokens outside matches, mean of {first}+ to {last}+", share=novelty, first=first, last=last),
        )

    def _units(self, count: int) -> str:
        return counted("word" if self.unit == "words" else "token", count)


def percent(share: float) -> str:
    """A share in whole percent."""
    # Rounding alone would show 99.9% as all of the text, and 0.1% as nothing.
    return numeral(shown_share(share), ".0%")


def totals_of(traces: Sequence[Trace], passages: Sequence[Sequence[TextPassage]]) -> Totals:
    """Add up the numbers of traces.

    Returns: Their numbers. Shares are of all tokens, so each text weighs as many as it has.
    """
    every = [passage for each in passages for passage in each]
    sizes = np.array([trace.token_count for trace in traces], np.float64)
    return Totals(
        passages=len(every),
        high=sum(passage.level == "high" for passage in every),
        spans=sum(len(trace.spans) for trace in traces),
        size=sum(trace.token_count for trace in traces),
        longest=max(trace.novelty.longest_match for trace in traces),
        covered=float(np.average([trace.coverage for trace in traces], weights=sizes)),
        # The mean over lengths of shares of tokens: the weighted mean of the texts is that of all tokens together.
        novelty=float(np.average([trace.novelty.index for trace in traces], weights=sizes)),
        # By their numbers: a document that two answers share counts once.
        documents=len({document.number for trace in traces for document in trace.documents}),
        unit=traces[0].unit,
    )


def summary(trace: Trace) -> str:
    """A trace in one line, with the measures that were added to those of its numbers."""
    return " · ".join([totals_of([trace], [passages_of(trace)]).sentence, *_of_others(trace, "summary")])


def sentences(trace: Trace) -> str:
    """A trace as a report states it."""
    return " ".join([f"{totals_of([trace], [passages_of(trace)]).sentence}.", *_of_others(trace, "sentence")])


def _of_others(trace: Trace, form: Literal["summary", "sentence"]) -> list[str]:
    others = (found for found in trace.measured if found.id not in _MEASURES)
    every = [(getattr(found, form), tr(found.measure.note) if form == "summary" else "") for found in others]
    return [f"{words} ({note})" if note else words for words, note in every if words]


def verdict(trace: Trace) -> str:
    """How much of a text one document contains, in one sentence.

    Returns: The words of the text in passages of five words or more of the document that has most of them, and the
        other words between these passages; "" if no document that was looked up has `_LEAST_WORDS`.
    """
    read = as_read(trace)
    if not read.documents:
        return ""
    best = max(read.documents, key=lambda document: document.share)
    parts = _joined(best.passages)
    held = sum(_words(read.text[start:end]) for start, end in parts)
    if held < _LEAST_WORDS:
        return ""
    between = sum(_words(read.text[end:start]) for (_, end), (start, _) in pairwise(parts))
    return _sentence(read, best, held, len(parts), between)


def _joined(passages: Sequence[Passage]) -> list[tuple[int, int]]:
    """The characters of passages; those that overlap are one part."""
    parts: list[tuple[int, int]] = []
    for start, end in sorted((passage.start, passage.end) for passage in passages):
        if parts and start <= parts[-1][1]:
            parts[-1] = (parts[-1][0], max(end, parts[-1][1]))
        else:
            parts.append((start, end))
    return parts


def _words(text: str) -> int:
    return len(words_of(text, WordRule()))


def _sentence(trace: Trace, best: TraceDocument, held: int, parts: int, between: int) -> str:
    total, title = _words(trace.text), document_title(best.metadata, best.number)
    share = tr("{held:,} of {total:,} words", held=held, total=total)
    if held == total:
        share = trn("All {n:,} words", "All {n:,} words", total)
    where = tr("{share} of this text are in {title} word for word", share=share, title=title)
    if trace.unit == "words":
        where = tr("{where}, apart from case and punctuation", where=where)
    if parts == 1:
        return tr("{where}.", where=where)
    return trn(
        "{where}, in {parts:,} passages with {n:,} other word between them.",
        "{where}, in {parts:,} passages with {n:,} other words between them.",
        between,
        where=where,
        parts=parts,
    )
