"""Subtracting an index from a cluster: which documents of each group of folders are left out.

The documents to subtract are read here, and looked up on the workers by their tokens. Each removes one document of the
same tokens, the first that is still left, as in `explorer.backends.local.subtracting.subtract`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from typing import Any

import numpy as np

from explorer.backends.cluster.copies import COPIES, asked_copies
from explorer.backends.cluster.directory import ClusterError, Group
from explorer.backends.protocol.locations import Subtracted
from explorer.backends.protocol.protocol import Backend
from explorer.backends.protocol.values import Numbers
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.i18n import mark

Ask = Callable[[Group, str, list[Any], CancelToken | None], Any]
"""Asks a question about a group: see `explorer.backends.cluster.asking.Cluster.ask`."""
_AT_ONCE = 1 << 19
"""Tokens of documents that are looked up in one message."""


@dataclass
class _Content:
    """Documents to subtract that have the same tokens: how many there are, and the number of one."""

    count: int
    number: int


def pair_documents(
    groups: Sequence[Group], ask: Ask, minus: Backend, report: Report, cancel: CancelToken | None
) -> tuple[list[Numbers], Subtracted]:
    """Find the documents of a cluster that an index subtracts.

    groups: All folders, in the order of their documents.
    ask: Asks the workers of a group.
    report: Called with the documents that were looked up.
    Returns: For each group, the numbers in it of the documents that are left out, ascending.
    Returns: How many documents there were to subtract.
    Raises `ClusterError` if folders are on no worker, or an answer cannot be one.

    Notes
    -----
    Reads the documents to subtract twice. Each different one goes to every group once, half a million tokens at a time.
    """
    contents = _contents(minus, cancel)
    total = sum(content.count for content in contents)
    taken: list[list[int]] = [[] for _ in groups]
    done = 0
    with ThreadPoolExecutor(len(groups), "copies") as threads:
        for batch in _batches(minus, contents):
            report(Progress("Subtracting", done, total, "documents"))
            texts = _texts(minus, [each.number for each in batch])
            wanted = [each.count for each in batch]
            asked = partial(_look_up, ask, asked_copies(texts, wanted), wanted, cancel)
            for most, *copies in zip(wanted, *threads.map(asked, groups), strict=True):
                _take(most, copies, taken)
            done += sum(content.count for content in batch)
    unmatched = total - sum(map(len, taken))
    return [np.array(sorted(numbers), dtype=np.int64) for numbers in taken], Subtracted(total, unmatched)


def _take(wanted: int, copies: Sequence[list[int]], taken: Sequence[list[int]]) -> None:
    """Take the first copies: those of the first group come first."""
    for mine, here in zip(taken, copies, strict=True):
        mine.extend(here[:wanted])
        wanted -= len(here[:wanted])


def _look_up(
    ask: Ask, arguments: list[Any], wanted: Sequence[int], cancel: CancelToken | None, group: Group
) -> list[list[int]]:
    """Ask a group, and check the answer: documents of these numbers are left out without a further look."""
    answer: list[list[int]] = ask(group, COPIES, arguments, cancel)
    slots = sum(size.documents for size in group.sizes)
    fits = isinstance(answer, list) and len(answer) == len(wanted)
    if fits and all(_fits(row, most, slots) for row, most in zip(answer, wanted, strict=True)):
        return answer
    raise ClusterError(
        mark("A worker that has {names} answered with something that cannot be its answer."),
        reason="wrong-answer",
        names=", ".join(group.names),
    )


def _fits(row: Any, most: int, slots: int) -> bool:
    if not isinstance(row, list) or len(row) > most:
        return False
    whole = all(isinstance(number, int) and 0 <= number < slots for number in row)
    return whole and all(first < second for first, second in pairwise(row))


def _contents(minus: Backend, cancel: CancelToken | None) -> list[_Content]:
    """The different documents to subtract."""
    # Hashes instead of tokens: there may be millions.
    found: dict[bytes, _Content] = {}
    numbers = minus.documents.numbers().tolist()
    for number, text in zip(numbers, _read(minus, numbers, cancel), strict=True):
        found.setdefault(hashlib.sha256(text.tobytes()).digest(), _Content(0, number)).count += 1
    return [*found.values()]


def _batches(minus: Backend, contents: Sequence[_Content]) -> Iterator[list[_Content]]:
    """Documents of about as many tokens as are looked up at once; at least one."""
    lengths = minus.documents.lengths(np.array([content.number for content in contents], dtype=np.int64)).tolist()
    rest = iter(contents)
    for count in _cut(lengths):
        yield [*islice(rest, count)]


def _read(minus: Backend, numbers: Sequence[int], cancel: CancelToken | None) -> Iterator[Numbers]:
    lengths = minus.documents.lengths(np.array(numbers, dtype=np.int64)).tolist()
    first = 0
    for count in _cut(lengths):
        if cancel is not None:
            cancel.check()
        yield from _texts(minus, numbers[first : first + count])
        first += count


def _cut(lengths: Sequence[int]) -> Iterator[int]:
    """How many of the next documents are read at once."""
    count = tokens = 0
    for length in lengths:
        if count and tokens + length > _AT_ONCE:
            yield count
            count = tokens = 0
        # An empty document costs a little, too.
        count, tokens = count + 1, tokens + length + 1
    if count:
        yield count


def _texts(minus: Backend, numbers: Sequence[int]) -> Sequence[Numbers]:
    documents = np.array(numbers, dtype=np.int64)
    lengths = minus.documents.lengths(documents)
    return minus.documents.windows(documents, np.zeros_like(lengths), lengths)
