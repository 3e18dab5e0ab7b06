"""The text of one shard as it is on disk: its tokens, where its documents are, and their metadata."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import DamagedIndexError
from explorer.i18n import mark
from explorer.index.layout import ShardFiles, Widths, infer_widths, separator
from explorer.index.metadata_lines import Lines, MetadataLines
from explorer.index.monitored import MonitoredFiles

# Little-endian as infini-gram writes them, also on a machine of the other order.
TOKEN_TYPES: dict[int, np.dtype[Any]] = {1: np.dtype("u1"), 2: np.dtype("<u2"), 4: np.dtype("<u4")}


class ShardText(MonitoredFiles):
    """Text, document offsets and metadata of one shard; `MappedShard` adds the suffix array.

    Positions count tokens of the stored text; documents count from 0 within the shard.

    files: The paths of the shard's files.
    reversed_text: Whether each document's tokens are stored in reverse order (infini-gram version 5).
    Raises `DamagedIndexError` if a file cannot be mapped, or its size does not fit the others.

    Notes
    -----
    All files stay mapped as long as the shard is in use. Every read of them happens inside the shard's guard, which
    checks the files' sizes before and their readability after.
    """

    def __init__(self, files: ShardFiles, reversed_text: bool = False) -> None:
        super().__init__()
        self.files = files
        # What errors call the file of the text.
        self.text_name = str(files.tokenized)
        self.reversed_text = reversed_text
        self.widths: Widths = infer_widths(files)
        self.separator = separator(self.widths.token)
        self.tokens: NDArray[Any] = self.map(files.tokenized, scattered=True).view(TOKEN_TYPES[self.widths.token])
        self.offsets = self._map_offsets(files.offset)
        metadata = self._map_metadata()
        self.metadata = MetadataLines(files, metadata, self._guard)
        self._check_documents()

    @property
    def token_count(self) -> int:
        """Tokens of the shard, separators included."""
        return len(self.tokens)

    @property
    def document_count(self) -> int:
        """Documents of the shard."""
        return len(self.offsets)

    def _map_offsets(self, path: Path) -> NDArray[np.uint64]:
        raw = self.map(path)
        if len(raw) % 8:
            raise DamagedIndexError(
                mark("{path} has {size:,} bytes, which is not 8 for each document: it was cut short."),
                reason="cut-short",
                path=path,
                size=len(raw),
            )
        # Byte offsets into the tokens, or into the metadata: one per document, ascending.
        return raw.view("<u8")

    def _map_metadata(self) -> Lines | None:
        """The lines of metadata and where they begin; None if one is missing, which is of no use without the other."""
        if self.files.metadata is None or self.files.metaoff is None:
            return None
        # Bounds are checked when a line is read: checking them all would read the whole file.
        metaoff = self._map_offsets(self.files.metaoff)
        if len(metaoff) != len(self.offsets):
            raise DamagedIndexError(
                mark("{path} lists {count:,} documents, and {other} lists {other_count:,}."),
                reason="metadata-count",
                path=self.files.metaoff,
                count=len(metaoff),
                other=self.files.offset.name,
                other_count=len(self.offsets),
            )
        return self.map(self.files.metadata), metaoff

    def _check_documents(self) -> None:
        """First and last document begin with a separator inside of the text (a cheap look, not a proof)."""
        if not len(self.offsets) or int(self.offsets[0]) != 0:
            raise DamagedIndexError(
                mark("{path} does not begin with document {document} at byte {byte}."),
                reason="offset-out-of-order",
                path=self.files.offset,
                document=0,
                byte=0,
            )
        # Raises if there is no separator. `verify` looks at all of them.
        for document in (0, len(self.offsets) - 1):
            self.document_start(document)

    def document_start(self, document: int) -> int:
        """Find the position of a document's separator.

        Raises `DamagedIndexError` if there is no separator where the offset points.
        """
        with self._guard:
            # A Python number: near 2**64 it would overflow in int64.
            offset = int(self.offsets[document])
            position, rest = divmod(offset, self.widths.token)
            if rest or position >= len(self.tokens) or int(self.tokens[position]) != self.separator:
                raise DamagedIndexError(
                    mark(
                        "{path} records that document {document} begins at byte {start:,} of {tokens}, but no "
                        "document begins there."
                    ),
                    reason="no-document-there",
                    path=self.files.offset,
                    document=document,
                    start=offset,
                    tokens=self.files.tokenized.name,
                    byte=8 * document,
                )
        return position

    def stored(self, start: int, end: int) -> NDArray[np.int64]:
        """Copy a run of tokens, in the order in which they are stored.

        end: One past the last position.
        Returns: Token ids, int64 of shape (end - start,).
        """
        with self._guard:
            return self.tokens[start:end].astype(np.int64)

    def tokens_at(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Read single tokens.

        Returns: Token ids, int64 of the same shape.
        """
        with self._guard:
            return self.tokens[positions].astype(np.int64)

    def reading(self, document: int) -> NDArray[np.int64]:
        """Copy a document's tokens in reading order.

        Raises `DamagedIndexError` if the offsets are out of order there.
        """
        stored = self.stored(*self.document_bounds(document))
        return stored[::-1] if self.reversed_text else stored

    def document_bounds(self, document: int) -> tuple[int, int]:
        """Find the positions of a document, without its separator.

        document: The document's number in this shard.
        Returns: The first position, and one past the last.
        Raises `DamagedIndexError` if the offsets are out of order there.
        """
        start = self.document_start(document) + 1
        # Every other document ends where the separator of the next one is.
        last = document + 1 == len(self.offsets)
        end = len(self.tokens) if last else self.document_start(document + 1)
        if end < start:
            raise DamagedIndexError(
                mark("{path} is out of order at document {document}."),
                reason="offset-out-of-order",
                path=self.files.offset,
                document=document,
                byte=8 * document,
            )
        return start, end

    def bounds(self, documents: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Find the positions of many documents at once, as `document_bounds` for one.

        documents: Numbers of documents in this shard, int64.
        Returns: The first positions, and those one past the last, both int64 of the shape of `documents`.
        Raises `DamagedIndexError` if the offsets are out of order at one of them.
        """
        width = self.widths.token
        with self._guard:
            # An offset beyond 2**63 becomes negative here, and is caught by `wrong`.
            first = self.offsets[documents].astype(np.int64)
            # Clipped, because `where` evaluates both sides, and the last document has no following one.
            following = np.minimum(documents + 1, len(self.offsets) - 1)
            last = np.where(documents + 1 == len(self.offsets), len(self.tokens) * width, self.offsets[following])
            last = last.astype(np.int64)
            wrong = (first % width != 0) | (first < 0) | (first >= last) | (last > len(self.tokens) * width)
            # Only offsets that are within the text are followed.
            wrong[~wrong] = self.tokens[first[~wrong] // width] != self.separator
        if wrong.any():
            # The single look finds out which is at fault, and why.
            self.document_bounds(int(documents[np.flatnonzero(wrong)[0]]))
            raise DamagedIndexError(
                mark("{path} is out of order."),
                reason="offset-out-of-order",
                path=self.files.offset,
            )
        return first // width + 1, last // width

    def document_sizes(self) -> NDArray[np.int64]:
        """Count the tokens of all documents.

        Returns: Tokens of each document, its separator included; int64 of shape (document_count,).
        Raises `DamagedIndexError` if the offsets do not ascend.
        """
        with self._guard:
            starts = self.offsets.copy()
        ends = np.append(starts[1:], np.uint64(len(self.tokens) * self.widths.token))
        # Compared as unsigned numbers: one near 2**64 would be negative if signed.
        if (starts >= ends).any():
            raise DamagedIndexError(
                mark("{path} is out of order."),
                reason="offset-out-of-order",
                path=self.files.offset,
            )
        return (ends - starts).astype(np.int64) // self.widths.token

    def documents_of(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the document of each position.

        positions: Positions in the stored text, int64.
        Returns: Numbers of documents, int64 of the same shape.

        Notes
        -----
        Costs one binary search per position.
        """
        offsets = positions.astype(np.uint64) * np.uint64(self.widths.token)
        with self._guard:
            # The last document that begins at or before the position; a separator belongs to the document after it.
            return np.searchsorted(self.offsets, offsets, side="right").astype(np.int64) - 1

    def reading_at(self, documents: NDArray[np.int64], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Read one token of each document.

        documents: Numbers of documents in this shard, int64.
        offsets: Token offsets in reading order, one per document, int64; they may lie outside of the document.
        Returns: Token ids, int64; the separator where the document has no such token.
        """
        starts, ends = self.bounds(documents)
        places = ends - 1 - offsets if self.reversed_text else starts + offsets
        inside = (places >= starts) & (places < ends)
        found = np.full(len(documents), self.separator, dtype=np.int64)
        # Only places within the documents are read, so a neighbor's token is never taken for one of theirs.
        found[inside] = self.tokens_at(places[inside])
        return found
