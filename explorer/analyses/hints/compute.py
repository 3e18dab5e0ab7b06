"""Hints for texts and for whole indexes: what follows the context of each token elsewhere (the blog on infini-LLM)."""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from explorer.backends.protocol.protocol import Backend, HintArrays, HintRule, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report

BLOCK = 32_768
"""Tokens that one call of the engine gets: 3 MB of samples."""


@dataclass(frozen=True, eq=False)
class DocumentHints(ArrayValue):
    """A document of an index or a part of a long one, and the hints of its tokens.

    first: The first of these tokens in the document.
    """

    document: int
    first: int
    ids: Numbers
    hints: HintArrays


def text_hints(index: Backend, ids: Numbers, rule: HintRule, cancel: CancelToken | None = None) -> HintArrays:
    """Make hints for one text.

    rule: How they are made.
    Returns: One row per token; a text of the same tokens and seed has the same ones.
    """
    places = np.arange(len(ids), dtype=np.int64)
    return index.counts.hints(ids, places, np.zeros(len(ids), dtype=np.int64), places, rule, cancel)


def index_hints(
    index: Backend, rule: HintRule, report: Report = no_report, cancel: CancelToken | None = None
) -> Iterator[DocumentHints]:
    """Make hints for every token of an index, each as if its own occurrence were not there.

    rule: How they are made; its `leaves_out` and `is_inside` are not read.
    Yields: Documents in their order; one of more than `BLOCK` tokens comes in parts.

    Notes
    -----
    Blocks of tokens are worked on by all cores: the engine gives the interpreter's lock up. Few are in memory at once.
    """
    # Otherwise every text would be its own hint. The engine need not look for what is known to be there.
    rule = replace(rule, leaves_out=True, is_inside=True)
    # Without the separators, which are not in a document.
    sizes = np.maximum(index.documents.sizes() - 1, 0)
    total, done = int(sizes.sum()), 0
    workers = max(1, os.cpu_count() or 1)
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[list[DocumentHints]]] = deque()
        parts = _parts(sizes)
        try:
            while True:
                if cancel is not None:
                    cancel.check()
                for numbers, first, last in itertools.islice(parts, 2 * workers + 1 - len(waiting)):
                    waiting.append(pool.submit(_block, index, numbers, first, last, rule, cancel))
                # The parts are read only as far as they are worked on, so nothing is left when this is empty.
                if not waiting:
                    return
                # The oldest one, so that documents come in their order whatever is finished first.
                for part in waiting.popleft().result():
                    done += len(part.ids)
                    yield part
                report(Progress("Making hints", done, total, "tokens"))
        finally:
            # After an error or the end of interest, what has not begun is not made.
            for future in waiting:
                future.cancel()


def _parts(sizes: Numbers) -> Iterator[tuple[Numbers, int, int]]:
    """Documents whose tokens are about one block, and which tokens of them: all, or a part of a long one."""
    # Documents are short as a rule: a call of the engine for each would cost more than its work.
    numbers: list[int] = []
    room = BLOCK
    for number in np.flatnonzero(sizes).tolist():
        size = int(sizes[number])
        if numbers and size > room:
            yield np.array(numbers, dtype=np.int64), 0, BLOCK
            numbers, room = [], BLOCK
        if size > BLOCK:
            for first in range(0, size, BLOCK):
                yield np.array([number], dtype=np.int64), first, min(size, first + BLOCK)
            continue
        numbers.append(number)
        room -= size
    if numbers:
        yield np.array(numbers, dtype=np.int64), 0, BLOCK


def _block(
    index: Backend, numbers: Numbers, first: int, last: int, rule: HintRule, cancel: CancelToken | None
) -> list[DocumentHints]:
    # A part of a long document has the tokens before it as context.
    before = max(0, first - rule.context)
    firsts, lasts = np.full(len(numbers), before), np.full(len(numbers), last)
    read = index.documents.windows(numbers, firsts, lasts)
    starts = np.cumsum([0, *map(len, read)], dtype=np.int64)
    ids = np.concatenate(read).astype(np.int64)
    places = np.arange(first - before, len(ids), dtype=np.int64)
    begins = np.repeat(starts[:-1], np.diff(starts))[first - before :]
    # A token has the same chance whatever the blocks are: its document and its place in it decide.
    within = places - begins + before
    which = np.repeat(numbers, np.diff(starts))[first - before :]
    found = index.counts.hints(ids, places, begins, which << 32 | within, rule, cancel)
    # The tokens of the context are not among those that are told.
    own = np.maximum(starts - (first - before), 0).tolist()
    return [
        DocumentHints(number, first, ids[first - before :][begin:end], _rows(found, begin, end))
        for number, begin, end in zip(numbers.tolist(), own, own[1:], strict=False)
    ]


def _rows(found: HintArrays, begin: int, end: int) -> HintArrays:
    rows = slice(begin, end)
    return HintArrays(found.samples[rows], found.lengths[rows], found.context_lengths[rows], found.counts[rows])
