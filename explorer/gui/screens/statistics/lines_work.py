"""The lines of a word or an n-gram, in the spelling of the text. No Qt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from explorer.api import Corpus
from explorer.api.results import Concordance
from explorer.export.columns import record_table
from explorer.export.provenance import index_facts
from explorer.export.saving import save_records
from explorer.jobs import CancelToken, Report
from explorer.words.rule import fold_case, spans

LINES = 50
"""Lines that are shown at once."""
_AROUND = 12
_WRITTEN = 1_000
"""Lines that are read together for a file."""


@dataclass(frozen=True, eq=False)
class LinesOf:
    """Whose lines are asked for.

    Attributes
    ----------
    corpus
        The index that is open.
    listed
        What was counted: the same, or its words.
    ids
        The word or n-gram, in ids of what was counted.
    form
        Its text.
    count
        How many lines it has.
    where
        A condition on metadata that the documents meet; "" for all documents.
    """

    corpus: Corpus
    listed: Corpus
    ids: tuple[int, ...]
    form: str
    count: int
    where: str = ""


@dataclass(frozen=True)
class ShownLine:
    """A line, and its place in the index that is open.

    Attributes
    ----------
    left, match, right
        Its text.
    document, offset, length
        Where it is, in tokens of that index.
    """

    left: str
    match: str
    right: str
    document: int
    offset: int
    length: int


def run_lines(asked: LinesOf, first: int, cancel: CancelToken) -> tuple[ShownLine, ...]:
    """Read some lines. Runs off the interface thread.

    Parameters
    ----------
    asked
        Whose lines.
    first
        The number of the first line, from 0.
    cancel
        Stops the work.

    Returns
    -------
    tuple[ShownLine, ...]
        At most `LINES` of them.
    """
    return _page(asked, _concordance(asked, cancel), first, LINES)


def write_lines(asked: LinesOf, path: Path, report: Report, cancel: CancelToken) -> Path:
    """Write all lines to a file. Runs off the interface thread.

    Parameters
    ----------
    asked
        Whose lines.
    path
        The file; its ending is that of one of the formats of tables.
    report
        Called with the lines that were written.
    cancel
        Stops the work; no file is left then.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ExportError
        If it cannot be written.
    Cancelled
        If it was cancelled.
    """
    found = _concordance(asked, cancel)

    def made() -> Iterator[ShownLine]:
        for first in range(0, asked.count, _WRITTEN):
            cancel.check()
            yield from _page(asked, found, first, _WRITTEN)

    about = (("form", asked.form), ("lines", str(asked.count)), ("where", asked.where or "all documents"))
    table = record_table(ShownLine, made, (*index_facts(asked.corpus.index), *about))
    save_records(path, replace(table, row_count=asked.count), report, cancel)
    return path


def _concordance(asked: LinesOf, cancel: CancelToken) -> Concordance:
    return asked.listed.concordance(asked.ids, sort="index", where=asked.where or None, cancel=cancel)


def _page(asked: LinesOf, found: Concordance, first: int, count: int) -> tuple[ShownLine, ...]:
    lines = found.lines(first, first + count, _AROUND)
    if asked.listed is not asked.corpus:
        return _as_written(asked, [each.document for each in lines], [each.offset for each in lines])
    return tuple(
        ShownLine(each.left, each.match, each.right, each.document, each.offset, each.length) for each in lines
    )


def _as_written(asked: LinesOf, documents: Sequence[int], offsets: Sequence[int]) -> tuple[ShownLine, ...]:
    """Lines of words in the text that the words were made of: with its capitals and its punctuation."""
    if not documents:
        return ()
    at, words, length = np.array(documents), np.array(offsets), len(asked.ids)
    sizes = asked.listed.index.documents.lengths(at)
    first, after = np.maximum(words - _AROUND, 0), words + length + _AROUND
    begins = np.where(first > 0, asked.listed.word_origins(at, first), 0)
    places = asked.listed.word_origins(at, words)
    ends = asked.corpus.index.documents.lengths(at)
    inside = after < sizes
    ends[inside] = asked.listed.word_origins(at[inside], after[inside])
    windows = asked.corpus.index.documents.windows(at, begins, ends)
    return tuple(
        _line(asked, document, tokens.tolist(), begin, place - begin)
        for document, tokens, begin, place in zip(documents, windows, begins.tolist(), places.tolist(), strict=True)
    )


def _line(asked: LinesOf, document: int, tokens: list[int], begin: int, before: int) -> ShownLine:
    """One line: `tokens` from `begin` on; the match begins in the token after `before` of them."""
    text = asked.corpus.decode(tokens)
    head = len(asked.corpus.decode(tokens[:before])) if before else 0
    words = spans(text)
    forms = [fold_case(text[start:end]) for start, end in words]
    wanted = asked.listed.decode(asked.ids).split()
    matches = [at for at in range(len(words)) if forms[at : at + len(wanted)] == wanted]
    # A token may end in one word and begin the next: the match is the first one from its beginning on.
    at = min(matches, key=lambda place: (words[place][0] < head, abs(words[place][0] - head)))
    last = at + len(wanted) - 1
    start, end = words[at][0], words[last][1]
    tokens_end = before + 1
    while tokens_end < len(tokens) and len(asked.corpus.decode(tokens[:tokens_end])) < end:
        tokens_end += 1
    left = text[words[max(0, at - _AROUND)][0] : start]
    right = text[end : words[min(len(words) - 1, last + _AROUND)][1]]
    return ShownLine(left, text[start:end], right, document, begin + before, tokens_end - before)
