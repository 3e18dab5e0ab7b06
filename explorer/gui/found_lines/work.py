"""The lines of a word or an n-gram, in the spelling of the text. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results import Concordance
from explorer.export.columns import record_table
from explorer.export.provenance import Facts, index_facts
from explorer.export.saving import save_records
from explorer.text.segments import spans
from explorer.words.rule import WordRule

LINES = 50
"""Lines that are shown at once."""
_AROUND = 12
_WRITTEN = 1_000
"""Lines that are read together for a file."""


@dataclass(frozen=True, eq=False)
class Spans(ArrayValue):
    """Where matches are.

    documents, offsets, lengths: The document of each match, its first word or token there, and how many it has; int64.
    """

    documents: NDArray[np.int64]
    offsets: NDArray[np.int64]
    lengths: NDArray[np.int64]

    def part(self, first: int, last: int) -> Spans:
        """Those from `first` to before `last`."""
        return Spans(*(each[first:last] for each in (self.documents, self.offsets, self.lengths)))


class Sourced(Protocol):
    """A result that states what it was computed from."""

    @property
    def provenance(self) -> Facts:
        """Names and values; reads the index's fingerprint."""


@dataclass(frozen=True, eq=False)
class LinesOf:
    """Whose lines are asked for.

    corpus: The index that is open.
    listed: What was counted: the same, or its words.
    ids: The word or n-gram, in ids of what was counted.
    count: How many lines it has.
    where: A condition on metadata that the documents meet; "" for all documents.
    spans: Finds the matches, in words or tokens of what was counted; None for all places of `ids`.
    source: The table that the word or n-gram is a row of, whose facts are written with the lines; None for no table.
    """

    corpus: Corpus
    listed: Corpus
    ids: tuple[int, ...]
    form: str
    count: int
    where: str = ""
    spans: Callable[[CancelToken], Spans] | None = None
    source: Sourced | None = None


@dataclass(frozen=True)
class ShownLine:
    """A line, and its place in the index that is open.

    document, offset, length: Where it is, in tokens of that index.
    """

    left: str
    match: str
    right: str
    document: int
    offset: int
    length: int


def run_lines(asked: LinesOf, first: int, cancel: CancelToken) -> tuple[ShownLine, ...]:
    """Read some lines. Runs off the interface thread.

    first: The number of the first line, from 0.
    """
    return _reader(asked, cancel)(first, LINES)


def write_lines(asked: LinesOf, path: Path, report: Report, cancel: CancelToken) -> Path:
    """Write all lines to a file. Runs off the interface thread.

    path: The file; its ending is that of one of the formats of tables.
    cancel: Stops the work; no file is left then.
    Raises `ExportError` if it cannot be written.
    """
    read = _reader(asked, cancel)

    def made() -> Iterator[ShownLine]:
        for first in range(0, asked.count, _WRITTEN):
            cancel.check()
            yield from read(first, _WRITTEN)

    about = (("form", asked.form), ("lines written", str(asked.count)), ("where", asked.where or "all documents"))
    facts = index_facts(asked.corpus.index) if asked.source is None else asked.source.provenance
    table = record_table(ShownLine, made, (*facts, *about))
    save_records(path, replace(table, row_count=asked.count), report, cancel)
    return path


def _reader(asked: LinesOf, cancel: CancelToken) -> Callable[[int, int], tuple[ShownLine, ...]]:
    """What reads some lines: it takes the number of the first one, and how many."""
    if asked.spans is not None:
        return partial(_at_spans, asked, asked.spans(cancel))
    found = asked.listed.concordance(asked.ids, sort="index", where=asked.where or None, cancel=cancel)
    return partial(_page, asked, found)


def _at_spans(asked: LinesOf, spans: Spans, first: int, count: int) -> tuple[ShownLine, ...]:
    here = spans.part(first, first + count)
    return _as_written(asked, here) if asked.listed is not asked.corpus else _of_tokens(asked.corpus, here)


def _page(asked: LinesOf, found: Concordance, first: int, count: int) -> tuple[ShownLine, ...]:
    lines = found.lines(first, first + count, _AROUND)
    if asked.listed is not asked.corpus:
        places = (np.array(each, np.int64) for each in zip(*((at.document, at.offset) for at in lines), strict=True))
        documents, offsets = places if lines else (np.empty(0, np.int64),) * 2
        return _as_written(asked, Spans(documents, offsets, np.full(len(lines), len(asked.ids))))
    return tuple(
        ShownLine(each.left, each.match, each.right, each.document, each.offset, each.length) for each in lines
    )


def _of_tokens(corpus: Corpus, spans: Spans) -> tuple[ShownLine, ...]:
    """Lines of tokens: each part is decoded by itself."""
    ends = spans.offsets + spans.lengths
    bounds = (np.maximum(spans.offsets - _AROUND, 0), spans.offsets, ends, ends + _AROUND)
    read = corpus.index.documents.windows
    texts = [
        [corpus.decode(tokens) if len(tokens) else "" for tokens in read(spans.documents, begin, end)]
        for begin, end in pairwise(bounds)
    ]
    places = zip(spans.documents.tolist(), spans.offsets.tolist(), spans.lengths.tolist(), strict=True)
    return tuple(
        ShownLine(left, match, right, *place) for left, match, right, place in zip(*texts, places, strict=True)
    )


def _as_written(asked: LinesOf, spans: Spans) -> tuple[ShownLine, ...]:
    """Lines of words in the text that the words were made of: with its capitals and its punctuation."""
    if not len(spans.documents):
        return ()
    at, words = spans.documents, spans.offsets
    sizes = asked.listed.index.documents.lengths(at)
    first, after = np.maximum(words - _AROUND, 0), words + spans.lengths + _AROUND
    begins = np.where(first > 0, asked.listed.word_origins(at, first), 0)
    places = asked.listed.word_origins(at, words)
    ends = asked.corpus.index.documents.lengths(at)
    inside = after < sizes
    ends[inside] = asked.listed.word_origins(at[inside], after[inside])
    windows = asked.corpus.index.documents.windows(at, begins, ends)
    matches = asked.listed.index.documents.windows(at, words, words + spans.lengths)
    return tuple(
        _line(asked.corpus, asked.listed.decode(match).split(), document, tokens.tolist(), begin, place - begin)
        for match, document, tokens, begin, place in zip(
            matches, at.tolist(), windows, begins.tolist(), places.tolist(), strict=True
        )
    )


def _line(corpus: Corpus, wanted: list[str], document: int, tokens: list[int], begin: int, before: int) -> ShownLine:
    """One line: `tokens` from `begin` on; the match, of the words `wanted`, begins after `before` of them."""
    text = corpus.decode(tokens)
    head = len(corpus.decode(tokens[:before])) if before else 0
    words, form = spans(text), WordRule().form
    forms, sought = [form(text[start:end]) for start, end in words], list(map(form, wanted))
    matches = [at for at in range(len(words)) if forms[at : at + len(sought)] == sought]
    # A token may end in one word and begin the next: the match is the first one from its beginning on.
    at = min(matches, key=lambda place: (words[place][0] < head, abs(words[place][0] - head)))
    last = at + len(sought) - 1
    start, end = words[at][0], words[last][1]
    tokens_end = before + 1
    while tokens_end < len(tokens) and len(corpus.decode(tokens[:tokens_end])) < end:
        tokens_end += 1
    left = text[words[max(0, at - _AROUND)][0] : start]
    right = text[end : words[min(len(words) - 1, last + _AROUND)][1]]
    return ShownLine(left, text[start:end], right, document, begin + before, tokens_end - before)
