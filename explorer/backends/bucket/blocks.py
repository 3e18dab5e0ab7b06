"""Files elsewhere by blocks: what is read together is one round of requests, and blocks that were read are kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence

from explorer.core.jobs import CancelToken
from explorer.http.parts import FileFacts, FilePart, Files

BLOCK = 1024
"""Bytes. Most of what a search reads is a few bytes at a place of its own."""
_MOST_BLOCKS = 1 << 16
"""Blocks that are kept: 64 MiB."""
_GAP = 4
"""Blocks between two others that are read with them: less work than one more request."""
_MOST_RUN = 1024
"""Blocks of one request: a long document is read by several at once."""

Key = tuple[str, int]


class Blocks:
    """The bytes of files, read in rounds. May be used from any thread.

    facts: Their sizes, by name.
    rounds: How often something had to be waited for.
    requests: How many parts were read.
    bytes: How many bytes they had.
    """

    def __init__(self, files: Files, facts: dict[str, FileFacts]) -> None:
        self.files, self.facts = files, facts
        self.rounds = self.requests = self.bytes = 0
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, spans: Sequence[FilePart], cancel: CancelToken | None = None) -> list[bytes]:
        """Read many spans in one round.

        spans: The spans; what is beyond the end of a file is cut off.
        Raises `RemoteError` if something cannot be read.
        """
        if cancel is not None:
            cancel.check()
        wanted = {key for span in spans for key in self._keys(span)}
        blocks = self._known(wanted)
        missing = sorted(wanted - blocks.keys())
        if missing:
            blocks |= self._fetch([*self._runs(missing)], cancel)
        return [self._cut(span, blocks) for span in spans]

    def _keys(self, span: FilePart) -> Iterator[Key]:
        end = min(span.first + span.size, self.facts[span.name].size)
        if span.first < end:
            for number in range(span.first // BLOCK, (end - 1) // BLOCK + 1):
                yield span.name, number

    def _known(self, wanted: set[Key]) -> dict[Key, bytes]:
        found = {}
        with self._lock:
            for key in wanted:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    found[key] = self._kept[key]
        return found

    def _runs(self, missing: Sequence[Key]) -> Iterator[FilePart]:
        """Requests for some blocks, which ascend."""
        first = last = missing[0]
        for key in missing[1:]:
            name, number = key
            if name != first[0] or number - last[1] > _GAP or number - first[1] >= _MOST_RUN:
                yield self._run(first, last)
                first = key
            last = key
        yield self._run(first, last)

    def _run(self, first: Key, last: Key) -> FilePart:
        name = first[0]
        end = min((last[1] + 1) * BLOCK, self.facts[name].size)
        return FilePart(name, first[1] * BLOCK, end - first[1] * BLOCK)

    def _fetch(self, runs: Sequence[FilePart], cancel: CancelToken | None) -> dict[Key, bytes]:
        found = {}
        for run, data in zip(runs, self.files.read(runs, cancel), strict=True):
            for at in range(0, run.size, BLOCK):
                found[run.name, (run.first + at) // BLOCK] = data[at : at + BLOCK]
        with self._lock:
            self.rounds += 1
            self.requests += len(runs)
            self.bytes += sum(run.size for run in runs)
            self._kept |= found
            while len(self._kept) > _MOST_BLOCKS:
                self._kept.popitem(last=False)
        return found

    def _cut(self, span: FilePart, blocks: dict[Key, bytes]) -> bytes:
        data = b"".join(blocks[key] for key in self._keys(span))
        begin = span.first % BLOCK
        return data[begin : begin + span.size]
