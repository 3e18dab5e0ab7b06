"""The metadata of a shard's documents: one line of JSON each, read where it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.files.json_text import parse_json
from explorer.core.jobs import CancelToken
from explorer.errors import DamagedIndexError
from explorer.i18n import mark
from explorer.index.guard import Guard
from explorer.index.layout import MAX_METADATA_LINE, ShardFiles

_SEARCHED = 1 << 24
"""Bytes of metadata that are searched between two checks of the cancel flag."""

Lines = tuple[NDArray[np.uint8], NDArray[np.uint64]]
"""The bytes of all lines, and the byte at which each begins; both mapped."""


class MetadataLines:
    """The lines of metadata of one shard; documents count from 0 within the shard.

    files: The paths of the shard's files, for what errors name.
    lines: The mapped lines and their offsets, as many as documents; None for a shard without metadata.
    guard: The shard's guard. It keeps the mappings valid: every read of `lines` happens inside it.
    """

    def __init__(self, files: ShardFiles, lines: Lines | None, guard: Guard) -> None:
        self._path = files.metadata
        self._lines = lines
        self._guard = guard

    @property
    def exists(self) -> bool:
        """Whether documents have lines of metadata."""
        return self._lines is not None

    def of(self, document: int) -> dict[str, Any]:
        """Read a document's line of metadata.

        Returns: The fields, with NaN as None and lone surrogates as U+FFFD; {} if the index has no metadata. A line
            that is not an object is the field "metadata".
        Raises `DamagedIndexError` if the line is not valid JSON, or its offset is wrong.
        """
        if self._lines is None:
            return {}
        # Parsed outside of the guard: a line is a copy, and JSON can take long.
        line = self._line(*self._lines, document)
        try:
            value = parse_json(line)
        except ValueError as error:
            raise DamagedIndexError(
                mark("{path}, line {line} at byte {byte:,}: the metadata is not valid JSON."),
                reason="metadata-not-json",
                path=self._path,
                line=document + 1,
                byte=int(self._lines[1][document]),
                document=document,
            ) from error
        return value if isinstance(value, dict) else {"metadata": value}

    def text(self, document: int) -> str:
        """Read a document's line of metadata as it is written.

        Returns: The line with its line feed, what is not UTF-8 as U+FFFD; "" if the index has no metadata.
        Raises `DamagedIndexError` if its offset is wrong.
        """
        return "" if self._lines is None else self._line(*self._lines, document).decode("utf-8", "replace")

    def _line(self, lines: NDArray[np.uint8], metaoff: NDArray[np.uint64], document: int) -> bytes:
        with self._guard:
            start = int(metaoff[document])
            # The line ends where the next one begins, its line feed included.
            end = len(lines) if document + 1 == len(metaoff) else int(metaoff[document + 1])
            if not start <= end <= len(lines) or end - start > MAX_METADATA_LINE:
                raise DamagedIndexError(
                    mark("{path}, line {line} at byte {byte:,}: the bounds of the line are impossible."),
                    reason="metadata-out-of-bounds",
                    path=self._path,
                    line=document + 1,
                    byte=start,
                    document=document,
                )
            return lines[start:end].tobytes()

    def documents_with(self, needle: bytes, cancel: CancelToken | None = None) -> Iterator[int]:
        """Yield the documents whose line of metadata contains some bytes; nothing is parsed.

        needle: The bytes to look for, at least one.
        Yields: Numbers of documents in this shard, ascending.
        """
        if self._lines is None:
            return
        lines, metaoff = self._lines
        at = 0
        while at < len(lines):
            if cancel is not None:
                cancel.check()
            with self._guard:
                # Pieces overlap by the needle less one byte, so that none is cut in two and none is found twice.
                found = lines[at : at + _SEARCHED + len(needle) - 1].tobytes().find(needle)
                document = int(np.searchsorted(metaoff, np.uint64(at + max(found, 0)), side="right")) - 1
                following = int(metaoff[document + 1]) if document + 1 < len(metaoff) else None
            if found < 0:
                at += _SEARCHED
                continue
            yield document
            # On to the next document: one hit in each is enough. At least one byte further, also where damaged offsets
            # do not ascend, or the loop would never end.
            at = len(lines) if following is None else max(following, at + found + 1)
