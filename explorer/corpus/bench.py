"""How fast this machine answers from an index, and how fast it would build one."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from explorer.backends.protocol.protocol import Numbers
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.core.jobs.asked import checks_job
from explorer.corpus.corpus import Corpus
from explorer.errors import CapabilityError, QueryError
from explorer.i18n import mark
from explorer.index.writer import write_table

QUERIES = 200
"""Queries of each kind; those that take milliseconds are fewer."""
_COLD = 20
_TRACED, _PIECE = 450, 25
"""Tokens of a traced text, and of each piece of a document that it is put together from."""
_SORTED = 4_000_000
_TOKENIZED = 2_000_000
"""Tokens, and bytes of text, of the samples that building is measured on."""


@dataclass(frozen=True)
class BenchRow:
    """One figure, measured on this machine.

    Attributes
    ----------
    name
        What was measured.
    value
        The figure: of times, the median.
    most
        Of times, the longest; None for one that was taken once, and for rates.
    unit
        "s", "ms" or "µs", or "tokens/s" per core.
    queries
        How many were asked, or tokens for a rate.
    """

    name: str
    value: float
    most: float | None
    unit: str
    queries: int


@checks_job
def measure_index(
    reopen: Callable[[], Corpus], *, seed: int = 1, report: Report = no_report, cancel: CancelToken | None = None
) -> tuple[BenchRow, ...]:
    """Measure how fast an index answers, and how fast this machine tokenizes and sorts its texts.

    Parameters
    ----------
    reopen
        Opens the index; it is called twice.
    seed
        For the queries, which are taken from the corpus at random places.
    report
        Called with the figures that are done.
    cancel
        Stops the work.

    Returns
    -------
    tuple of BenchRow
        What could be measured: an index elsewhere has no cold count, one without a tokenizer no trace.

    Raises
    ------
    CorpusError
        If the index cannot be opened or read.
    OSError
        If a file of it is gone, or there is no room for a sample of 16 MB that is sorted.
    Cancelled
        If it was cancelled.

    Notes
    -----
    A cold count is of pages that the system was asked to forget, where it can be asked (Linux); another program that
    has the files open can keep them in memory.
    """
    token = cancel or CancelToken()
    rows: list[BenchRow] = []
    with reopen() as corpus:
        sample = _Sample(corpus, seed)
        longest = sample.queries(10, QUERIES)
        text = sample.text() if corpus.index.has_tokenizer else ""
        local = corpus.index.local
        # An index elsewhere would send them all.
        ids = sample.tokens(_SORTED if local else 0)
        files, width = (local.watched, local.token_width) if local else ((), 0)
    forgotten = _forget(files)
    started = time.perf_counter()
    with reopen() as corpus:
        rows.append(BenchRow("open", time.perf_counter() - started, None, "s", 1))
        parts = _measures(corpus, longest, text, forgotten)
        steps: list[_Step] = [*parts, partial(_tokenizing, corpus, ids), partial(_sorting, ids, width)]
        for done, step in enumerate(steps):
            token.check()
            report(Progress("benchmark", done, len(steps)))
            if (row := step(token)) is not None:
                rows.append(row)
    return tuple(rows)


class _Sample:
    """Tokens of a corpus, at random places."""

    def __init__(self, corpus: Corpus, seed: int) -> None:
        self._corpus, self._generator = corpus, np.random.default_rng(seed)
        index = corpus.index
        if not index.document_count:
            raise QueryError(
                mark("{name} has no documents to take queries from."), reason="no-documents", name=index.name
            )
        whole = index.document_count == index.document_slots
        slots = self._generator.integers(0, index.document_count, 20 * QUERIES)
        # The list of all numbers is as long as the index, so it is made for a part only.
        slots = slots if whole else index.documents.numbers()[slots]
        lengths = index.documents.lengths(slots)
        self._documents, self._lengths = slots[lengths > 0], lengths[lengths > 0]

    def _pieces(self, size: int, count: int) -> list[Numbers]:
        long = np.flatnonzero(self._lengths >= size)
        if not len(long):
            return []
        chosen = long[np.arange(count) % len(long)]
        firsts = self._generator.integers(0, self._lengths[chosen] - size + 1)
        return [*self._corpus.index.documents.windows(self._documents[chosen], firsts, firsts + size)]

    def queries(self, size: int, count: int) -> list[Numbers]:
        """N-grams that occur; none if every document is shorter."""
        return self._pieces(size, count)

    def text(self) -> str:
        """A text put together from pieces of several documents."""
        return self._corpus.decode(np.concatenate([*self._pieces(_PIECE, _TRACED // _PIECE), np.zeros(0, np.int64)]))

    def tokens(self, most: int) -> Numbers:
        """Whole documents, one after the other, each once."""
        found: list[Numbers] = []
        total = 0
        for document, length in dict(zip(self._documents.tolist(), self._lengths.tolist(), strict=True)).items():
            if total >= most:
                break
            found += self._corpus.index.documents.windows(
                np.array([document]), np.array([0]), np.array([min(length, most - total)])
            )
            total += min(length, most - total)
        return np.concatenate([*found, np.zeros(0, np.int64)])


_Step = Callable[[CancelToken], BenchRow | None]


def _measures(corpus: Corpus, longest: Sequence[Numbers], text: str, forgotten: bool) -> Iterator[_Step]:
    if forgotten:
        yield partial(
            _timed, "count of 5 tokens, first call", corpus.count, [ids[:5] for ids in longest[:_COLD]], 1e3, 1
        )
    for size in (1, 2, 5, 10):
        asked = [ids[:size] for ids in longest]
        yield partial(_timed, f"count of {size} token{'s' * (size > 1)}", corpus.count, asked, 1e6, 2)
    yield partial(_timed, "next tokens after 3", corpus.next_tokens, [ids[:3] for ids in longest], 1e6, 2)
    backed = partial(_infinite, corpus)
    yield partial(_timed, "∞-gram probability after 9", backed, longest, 1e6, 2)
    yield partial(_timed, "page of 50 lines", partial(_page, corpus), [ids[:3] for ids in longest[:_COLD]], 1e3, 2)
    if text:
        yield partial(_timed, f"trace of {_TRACED} tokens", corpus.trace, [text] * 3, 1e3, 2)


def _infinite(corpus: Corpus, ids: Numbers) -> object:
    return corpus.infgram_prob(ids[:-1], int(ids[-1]))


def _page(corpus: Corpus, ids: Numbers) -> object:
    return corpus.concordance(ids, sort="index")[:50]


def _timed(
    name: str, work: Callable[[Any], object], queries: Sequence[Any], scale: float, rounds: int, cancel: CancelToken
) -> BenchRow | None:
    """The last round counts: in those before it, what is needed comes into memory."""
    seconds: list[float] = []
    for _ in range(rounds):
        seconds = []
        for query in queries:
            cancel.check()
            started = time.perf_counter()
            try:
                work(query)
            except CapabilityError:
                return None
            seconds.append(scale * (time.perf_counter() - started))
    unit = {1e6: "µs", 1e3: "ms"}[scale]
    return BenchRow(name, median(seconds), max(seconds), unit, len(seconds)) if seconds else None


def _tokenizing(corpus: Corpus, ids: Numbers, cancel: CancelToken) -> BenchRow | None:
    """One thread: a build uses one per core."""
    if not corpus.index.has_tokenizer:
        return None
    text = corpus.decode(ids[:_TOKENIZED])[:_TOKENIZED]
    cancel.check()
    started = time.thread_time()
    count = len(corpus.index.tokenizer.encode(text))
    spent = time.thread_time() - started
    return BenchRow("tokenizing", count / spent, None, "tokens/s", count) if count and spent else None


def _sorting(ids: Numbers, width: int, cancel: CancelToken) -> BenchRow | None:
    if not width or not len(ids):
        return None
    with tempfile.TemporaryDirectory() as folder:
        ids.astype(f"<u{width}").tofile(Path(folder) / "tokenized.0")
        started = time.perf_counter()
        write_table(Path(folder), 0, width, cancel, np.zeros(1, np.int64))
        spent = time.perf_counter() - started
    return BenchRow("sorting", len(ids) / spent / (os.cpu_count() or 1), None, "tokens/s", len(ids))


def _forget(files: Sequence[Path]) -> bool:
    """Ask the system to forget what it has read of files; whether it could be asked."""
    if not files or not hasattr(os, "posix_fadvise"):
        return False
    for path in files:
        with open(path, "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return True
