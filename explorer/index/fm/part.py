"""One part of a compressed index as it is on disk: mapped files around the engine's search."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from _fastsa import fm
from explorer.core.files.json_text import parse_json
from explorer.core.jobs import CancelToken
from explorer.errors import DamagedIndexError
from explorer.i18n import mark
from explorer.index.fm.blocks import Blocks
from explorer.index.fm.file import PAGE
from explorer.index.fm.layout import PartFiles
from explorer.index.guard import damaged_part
from explorer.index.layout import separator
from explorer.index.monitored import MonitoredFiles

SEPARATOR = separator(1)

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]


class MappedPart(MonitoredFiles):
    """One part: a text of bytes, with a separator before each document; documents count from 0 within the part.

    A place is the number of bytes before it. Rows number what the engine has sorted: see `_fastsa.fm`.

    Raises `DamagedIndexError` if a file cannot be mapped, is not as it was written, or does not fit the others.
    """

    def __init__(self, files: PartFiles) -> None:
        super().__init__()
        self.files = files
        data = self._data = self.map(files.index, scattered=True)
        try:
            with self._guard:
                # The engine keeps a reference to the array, and so the mapping, for as long as it lives.
                self.engine = fm.Part(data, str(files.index))
        except fm.DamagedPart as error:
            raise damaged_part(error) from error
        with self._guard:
            self._lines = Blocks(files.lines, self.map(files.lines))
            self._text = None if files.text is None else Blocks(files.text, self.map(files.text))
        self._check_sizes()

    def _check_sizes(self) -> None:
        found = [(self.files.lines, self._lines.items, self.document_count)]
        if self._text is not None and self.files.text is not None:
            found.append((self.files.text, self._text.items, self.size))
        for path, items, expected in found:
            if items != expected:
                raise DamagedIndexError(
                    mark("{path} has {items:,} entries, but {other} has {expected:,}: they do not belong together."),
                    reason="parts-differ",
                    path=path,
                    items=items,
                    other=self.files.index.name,
                    expected=expected,
                )

    @contextmanager
    def guarded(self) -> Iterator[fm.Part]:
        """The engine, its errors told as a user needs them."""
        with self._guard:
            yield self.engine

    @property
    def size(self) -> int:
        """Bytes of the text, separators included."""
        return self.engine.size

    @property
    def document_count(self) -> int:
        """Documents of the part."""
        return self.engine.documents

    @property
    def keeps_text(self) -> bool:
        """Whether the text is also stored as it is, so that it need not be put together."""
        return self._text is not None

    def marks(self) -> bytes:
        """What tells its content from others: the checksums of all checksums."""
        with self._guard:
            return self._data[:PAGE].tobytes() + self._lines.marks()

    def bounds(self, documents: Numbers) -> tuple[Numbers, Numbers]:
        """Find where documents are, without their separators.

        documents: Their numbers in the part, int64.
        Returns: The place of each one's first byte, and of the one past its last.
        """
        with self.guarded() as engine:
            starts = engine.document_starts(np.ascontiguousarray(documents)) + 1
            ends = engine.document_starts(documents + 1)
        if (starts > ends).any():
            raise self._disordered(int(documents[int((starts > ends).argmax())]))
        return starts, ends

    def _disordered(self, document: int) -> DamagedIndexError:
        return DamagedIndexError(
            mark("{path} is out of order at document {document}."),
            reason="offset-out-of-order",
            path=self.files.index,
            document=document,
        )

    def read(self, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> list[Bytes]:
        """Read pieces of the text.

        starts: The place of each one's first byte, int64.
        ends: The place past each one's last byte, int64.

        Notes
        -----
        Without the text itself, each byte costs a third of a microsecond, and so do the 64 before it on average.
        """
        if self._text is not None:
            with self._guard:
                spans = zip(starts.tolist(), ends.tolist(), strict=True)
                return [np.frombuffer(self._text.bytes_between(*span), dtype=np.uint8) for span in spans]
        flag = cancel.flag if cancel else None
        with self.guarded() as engine:
            found = engine.texts(np.ascontiguousarray(starts), np.ascontiguousarray(ends), flag)
        after = np.cumsum(ends - starts).tolist()
        return [found[low:high] for low, high in zip([0, *after], after, strict=False)]

    def metadata(self, document: int) -> dict[str, Any]:
        """Read the metadata of a document.

        Raises `DamagedIndexError` if they are not as they were written.
        """
        with self._guard:
            block, first, last = self._lines.block_of(document)
        lines = block.split(b"\n")
        # Each line ends with a line feed, so nothing is after the last one.
        if len(lines) != last - first + 1:
            raise self._not_json(document)
        return self._record(lines[document - first], document)

    def each_metadata(self) -> Iterator[dict[str, Any]]:
        """Read the metadata of all documents, in their order; raises DamagedIndexError."""
        with self._guard:
            for first, block in self._lines.each():
                for number, line in enumerate(block.split(b"\n")[:-1]):
                    yield self._record(line, first + number)

    def _record(self, line: bytes, document: int) -> dict[str, Any]:
        try:
            value = parse_json(line)
        except ValueError as error:
            raise self._not_json(document) from error
        return value if isinstance(value, dict) else {"metadata": value}

    def _not_json(self, document: int) -> DamagedIndexError:
        return DamagedIndexError(
            mark("{path}, line {line}: the metadata is not valid JSON."),
            reason="metadata-not-json",
            path=self.files.lines,
            line=document + 1,
            document=document,
        )

    def check(self, cancel: CancelToken, progress: NDArray[np.int64]) -> None:
        """Check every byte of every file.

        progress: One int64 that grows by the bytes of the index that were checked.
        Raises `DamagedIndexError` if a byte is not as it was written.
        """
        with self.guarded() as engine:
            engine.check_pages(cancel.flag, progress)
        with self._guard:
            for blocks in filter(None, (self._lines, self._text)):
                for _ in blocks.each():
                    cancel.check()
