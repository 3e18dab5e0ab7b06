"""Texts tokenized with the help of what was tokenized before: most words of a corpus occur often.

A text is cut at its seams (see `seams`) into chunks, most of which are a word with what is before it. The ids of each
are looked up in a table of the engine; the library tokenizes those that it lacks, many of them joined to one text.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from os import cpu_count

import numpy as np
import tokenizers
from numpy.typing import NDArray

import _fastsa
from explorer.text.tokens.seams import Seams

ROOM = 1 << 20
"""Chunks that are kept, in at most 80 MB. If there are more, all are forgotten: what comes later is of another kind."""

_JOINED = 4_000
"""Bytes of new chunks that are joined to one text."""
_AT_ONCE = 1 << 18
"""Bytes that the library tokenizes at a time: enough for all cores, and little enough for their memory."""

_GUARD = "a"
"""Put before chunks that do not begin a text: what begins one may be treated otherwise."""
_FILLER = " a"
"""Put between chunks that begin in a word."""

_RANK = np.array([0, 2, 2, 2, 1, 2, 2, 2], dtype=np.int64)
"""In which order chunks are asked for, by their kinds: within a text, in a word, all others."""

Ids = NDArray[np.uint32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class _Job:
    """New chunks that are tokenized as one text: which ones, and whether something is put before them."""

    first: int
    last: int
    guarded: bool


class ChunkEncoder:
    """Tokenizes texts of a tokenizer that has seams.

    sizes: The bytes of text that each id represents; None if a text may have other bytes than its tokens.
    room: The most chunks to keep.
    """

    def __init__(
        self, backend: tokenizers.Tokenizer, seams: Seams, sizes: Numbers | None = None, room: int = ROOM
    ) -> None:
        starters = np.zeros(128, dtype=np.uint8)
        starters[[*map(ord, seams.starters)]] = 1
        starters[[*map(ord, seams.marks)]] = 2
        self._backend, self._sizes = backend, sizes
        self._added = [content.encode("utf-8") for content in seams.added]
        guard, filled = (backend.encode(text, add_special_tokens=False).ids for text in (_GUARD, _GUARD + _FILLER))
        self._guard = np.array(guard, dtype=np.uint32)
        self._fillers = len(filled) - len(guard)
        self._table = _fastsa.ChunkTable(starters, room)
        # The table is read and changed in turns.
        self._lock = threading.Lock()

    def encode_batch(self, texts: Sequence[str]) -> list[Numbers]:
        """Tokenize texts, on all cores.

        Returns: The ids of each text: those that the library gives.

        Notes
        -----
        Cost: about 100 ns per chunk that is known, and what the library takes for the others.
        """
        data = [text.encode("utf-8") for text in texts]
        whole = self._with_added(data)
        with self._lock:
            cut = iter(self._encode_cut([text for number, text in enumerate(data) if number not in whole]))
        asked = self._backend.encode_batch_fast([texts[number] for number in sorted(whole)], add_special_tokens=False)
        rest = iter([np.array(encoding.ids, dtype=np.int64) for encoding in asked])
        return [next(rest) if number in whole else next(cut) for number in range(len(texts))]

    def _with_added(self, data: Sequence[bytes]) -> frozenset[int]:
        """The texts with an added token."""
        joined = b"\n".join(data)
        present = [content for content in self._added if content in joined]
        rows = enumerate(data) if present else ()
        return frozenset(number for number, text in rows if any(content in text for content in present))

    def _encode_cut(self, data: Sequence[bytes]) -> list[Numbers]:
        if self._table.is_full:
            self._table.forget()
        bounds = _ends(np.array([*map(len, data)], dtype=np.int64))
        joined = b"".join(data)
        ranges = _shares(bounds, cpu_count() or 1)
        with ThreadPoolExecutor(len(ranges)) as pool:
            cuts = [*pool.map(lambda each: self._table.cut(joined, bounds, *each), ranges)]
            others = [self._learn(joined, cut) for cut in cuts]
            parts = pool.map(lambda cut, other: self._table.joined(cut, *other), cuts, others)
            return [ids[first:last].astype(np.int64) for ids, ends in parts for first, last in pairwise(ends.tolist())]

    def _learn(self, text: bytes, cut: _fastsa.Cut) -> tuple[Ids, Numbers]:
        """Ask for the ids of new chunks; those of chunks that are not kept are returned, and where each begin."""
        numbers, kinds = self._table.admit(text, cut)
        # Chunks within texts first: many of them are joined.
        order = np.argsort(_RANK[kinds], kind="stable")
        numbers, kinds = numbers[order], kinds[order]
        ids, counts = self._filled(*cut.bytes_of(text, numbers), kinds)
        entries = cut.entries[numbers]
        kept = entries >= 0
        self._table.learn(entries[kept], ids[np.repeat(kept, counts)], _ends(counts[kept]))
        ends = _ends(counts)
        others = sorted(np.flatnonzero(~kept).tolist(), key=numbers.__getitem__)
        parts = [ids[ends[each] : ends[each + 1]] for each in others]
        return np.concatenate([np.empty(0, dtype=np.uint32), *parts]), _ends(counts[others])

    def _filled(self, data: bytes, bounds: Numbers, kinds: Numbers) -> tuple[Ids, Numbers]:
        """The ids of some chunks, and how many each has; those that begin in a word are asked for with a filler."""
        which = np.flatnonzero(kinds == _fastsa.BEGINS_IN_WORD)
        if not len(which):
            return self._ask(data, bounds, kinds)
        first, last = int(which[0]), int(which[-1]) + 1
        ends = bounds[first : last + 1].tolist()
        middle = [data[start:end] + _FILLER.encode() for start, end in pairwise(ends)]
        longer = bounds + len(_FILLER) * np.clip(np.arange(len(bounds)) - first, 0, last - first)
        joined = b"".join([data[: ends[0]], *middle, data[ends[-1] :]])
        ids, counts = self._ask(joined, longer, kinds)
        kept = np.ones(len(ids), dtype=np.bool_)
        kept[_ends(counts)[first + 1 : last + 1, None] - np.arange(1, self._fillers + 1)] = False
        counts[first:last] -= self._fillers
        return ids[kept], counts

    def _ask(self, data: bytes, bounds: Numbers, kinds: Numbers) -> tuple[Ids, Numbers]:
        """The ids of some chunks, and how many each has."""
        ids, counts = [np.empty(0, dtype=np.uint32)], [np.empty(0, dtype=np.int64)]
        for jobs in _groups(_jobs(bounds, kinds), bounds):
            texts = [
                (_GUARD if job.guarded else "") + data[bounds[job.first] : bounds[job.last]].decode("utf-8")
                for job in jobs
            ]
            found = self._backend.encode_batch_fast(texts, add_special_tokens=False)
            for job, asked, encoding in zip(jobs, texts, found, strict=True):
                part, ends = self._shared(job, asked, np.array(encoding.ids, dtype=np.uint32), bounds)
                ids.append(part)
                counts.append(np.diff(ends))
        return np.concatenate(ids), np.concatenate(counts)

    def _shared(self, job: _Job, asked: str, ids: Ids, bounds: Numbers) -> tuple[Ids, Numbers]:
        """The ids of the chunks of a job, and where those of each begin, and one past the last."""
        if not job.guarded:
            return ids, np.array([0, len(ids)], dtype=np.int64)
        before = len(self._guard)
        wanted = bounds[job.first : job.last + 1] - bounds[job.first]
        if self._sizes is not None and np.array_equal(ids[:before], self._guard):
            rest = ids[before:]
            lengths = _ends(self._sizes[rest])
            ends = np.searchsorted(lengths, wanted)
            # Not so where the tokenizer changed the text.
            if lengths[-1] == wanted[-1] and np.array_equal(lengths[ends], wanted):
                return rest, ends
        return self._placed(asked, wanted)

    def _placed(self, asked: str, wanted: Numbers) -> tuple[Ids, Numbers]:
        """The same by the places in the text that the library gives, which takes it twice as long."""
        [encoding] = self._backend.encode_batch([asked], add_special_tokens=False)
        begins = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)[:, 0]
        # Places are characters, of which continuing bytes begin none.
        data = np.frombuffer(asked.encode("utf-8"), dtype=np.uint8)
        characters = _ends((data & 0xC0 != 0x80).astype(np.int64))
        ends = np.append(np.searchsorted(begins, characters[wanted[:-1] + len(_GUARD)]), len(begins))
        return np.array(encoding.ids, dtype=np.uint32)[ends[0] :], ends - ends[0]


def _jobs(bounds: Numbers, kinds: Numbers) -> list[_Job]:
    """Texts in which chunks have the neighbors that matter; those of the first two ranks are joined."""
    inner, within = np.searchsorted(_RANK[kinds], [1, 2]).tolist()
    joined = [*_joined(bounds, 0, inner), *_joined(bounds, inner, within)]
    begins = (kinds[within:] & _fastsa.BEGINS_TEXT).tolist()
    return joined + [_Job(each, each + 1, not begin) for each, begin in enumerate(begins, within)]


def _joined(bounds: Numbers, first: int, last: int) -> Iterator[_Job]:
    marks = np.searchsorted(bounds[: last + 1], np.arange(int(bounds[first]), int(bounds[last]), _JOINED)).tolist()
    for start, end in pairwise(dict.fromkeys([*marks, last])):
        yield _Job(start, end, True)


def _groups(jobs: Sequence[_Job], bounds: Numbers) -> Iterator[list[_Job]]:
    group: list[_Job] = []
    start = 0
    for job in jobs:
        if group and int(bounds[job.last]) - start > _AT_ONCE:
            yield group
            group, start = [], int(bounds[job.first])
        group.append(job)
    if group:
        yield group


def _ends(counts: Numbers) -> Numbers:
    return np.append(np.int64(0), np.cumsum(counts, dtype=np.int64))


def _shares(bounds: Numbers, parts: int) -> list[tuple[int, int]]:
    """The texts in as many groups of about equal size."""
    marks = np.searchsorted(bounds, np.arange(1, parts) * int(bounds[-1]) // parts).tolist()
    ends = [0, *marks, len(bounds) - 1]
    return [(first, last) for first, last in pairwise(ends) if first < last] or [(0, len(bounds) - 1)]
