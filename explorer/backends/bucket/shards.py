"""The shards of an index folder elsewhere: entries of tables, text, and bounds of documents, each in one round."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.bucket.blocks import Blocks
from explorer.backends.bucket.keys import Keys
from explorer.backends.defaults.ranked import Rank
from explorer.core.files.json_text import parse_json
from explorer.core.jobs import CancelToken
from explorer.errors import DamagedIndexError, QueryError
from explorer.http.parts import FilePart
from explorer.i18n import mark
from explorer.index.layout import MAX_METADATA_LINE, Widths, separator

TOKEN_TYPES: dict[int, np.dtype[Any]] = {1: np.dtype("u1"), 2: np.dtype("<u2"), 4: np.dtype("<u4")}
_OFFSET = 8
"""Bytes of an entry of `offset` and `metaoff`."""
_NEAR = 2048
"""Entries of `offset` that are read together, once the document is among them."""
_PROBES = 32
"""Entries of `offset` that are read in one round."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class FarShard:
    """One shard.

    suffix: What the names of its files end with: ".0", or "" for the only one.
    widths: Bytes of a token and of an entry of the table.
    metadata_bytes: Bytes of the metadata; None for none.
    keys: The sampled keys that are beside it; None for none.
    """

    suffix: str
    widths: Widths
    token_bytes: int
    document_count: int
    metadata_bytes: int | None = None
    keys: Keys | None = None

    @property
    def token_count(self) -> int:
        """Tokens, separators included."""
        return self.token_bytes // self.widths.token

    def file(self, name: str) -> str:
        """Name one of its files, such as the table."""
        return name + self.suffix


class FarShards:
    """All shards of a folder; documents are numbered across them.

    shards: The shards, all of one token width.
    reversed_text: Whether documents are stored from their last token to their first.
    """

    def __init__(self, blocks: Blocks, shards: Sequence[FarShard], reversed_text: bool) -> None:
        self.blocks, self.shards, self.reversed_text = blocks, tuple(shards), reversed_text
        self.token_width = self.shards[0].widths.token
        self.separator = separator(self.token_width)
        self.token_count = sum(shard.token_count for shard in self.shards)
        # Documents of shard i are [firsts[i], firsts[i + 1]).
        self.firsts: list[int] = np.cumsum([0, *(shard.document_count for shard in self.shards)]).tolist()
        self.document_count: int = self.firsts[-1]

    def path(self, shard: FarShard, name: str) -> str:
        """The address of a file, for errors."""
        return f"{self.blocks.files.address}/{shard.file(name)}"

    def stored(self, ids: Sequence[int] | Numbers) -> bytes:
        """An n-gram, given in reading order, as the text has it."""
        array = np.asarray(ids, dtype=np.int64)
        return self.packed(array[::-1] if self.reversed_text else array)

    def packed(self, ids: Numbers) -> bytes:
        """Ids in the order in which they are stored, as bytes."""
        return ids.astype(TOKEN_TYPES[self.token_width]).tobytes()

    # --- the table and the text ----------------------------------------------------------------

    def entries_part(self, shard: FarShard, first: int, last: int) -> FilePart:
        """The part of the table with the ranks [first, last)."""
        width = shard.widths.pointer
        return FilePart(shard.file("table"), first * width, (last - first) * width)

    def pointers(self, ranks: Sequence[Rank], cancel: CancelToken | None = None) -> list[int]:
        """Read entries of tables.

        Returns: Where the suffix of each begins, in bytes of the text.
        Raises `DamagedIndexError` if an entry does not point to a token.
        """
        spans = [self.entries_part(self.shards[shard], rank, rank + 1) for shard, rank in ranks]
        found = [int.from_bytes(data, "little") for data in self.blocks.read(spans, cancel)]
        for (number, rank), at in zip(ranks, found, strict=True):
            shard = self.shards[number]
            if at >= shard.token_bytes or at % shard.widths.token:
                raise DamagedIndexError(
                    mark("{path} is damaged at byte {byte:,}: the entry does not point to a token."),
                    reason="entry-points-nowhere",
                    path=self.path(shard, "table"),
                    byte=rank * shard.widths.pointer,
                    entry=rank,
                )
        return found

    def texts(self, places: Sequence[tuple[int, int, int]], cancel: CancelToken | None = None) -> list[bytes]:
        """Read stored text.

        places: A shard, a byte of its text, and how many bytes.
        Returns: What is there; less at the end of the text.
        """
        spans = [FilePart(self.shards[shard].file("tokenized"), at, size) for shard, at, size in places]
        return self.blocks.read(spans, cancel)

    def tokens(self, data: bytes) -> Numbers:
        """Stored bytes as token ids, in the order in which they are stored."""
        return np.frombuffer(data, dtype=TOKEN_TYPES[self.token_width]).astype(np.int64)

    # --- documents -----------------------------------------------------------------------------

    def shard_of(self, document: int) -> tuple[int, int]:
        """Find the shard of a document.

        Raises `QueryError` if there is no such document.
        """
        if not 0 <= document < self.document_count:
            raise QueryError(
                mark("There is no document {document:,}: documents are numbered 0 to {last:,}."),
                reason="no-document",
                document=document,
                last=self.document_count - 1,
            )
        shard = bisect.bisect_right(self.firsts, document) - 1
        return shard, document - self.firsts[shard]

    def documents_at(self, places: Sequence[tuple[int, int]], cancel: CancelToken | None = None) -> list[int]:
        """Find the documents of some bytes of text.

        places: Shards and bytes of their text.
        """
        # The document is in [low, high): `offset` of the first is not greater, that of the last is.
        spans = [(0, self.shards[shard].document_count) for shard, _ in places]
        while wide := [i for i, (low, high) in enumerate(spans) if high - low > 1]:
            probes = [_probes(*spans[i], max(1, _PROBES // len(wide))) for i in wide]
            parts = [
                FilePart(self.shards[places[i][0]].file("offset"), first * _OFFSET, (last - first) * _OFFSET)
                for i, ranges in zip(wide, probes, strict=True)
                for first, last in ranges
            ]
            data = iter(self.blocks.read(parts, cancel))
            for i, ranges in zip(wide, probes, strict=True):
                found = np.frombuffer(b"".join(next(data) for _ in ranges), dtype="<u8")
                numbers = [number for span in ranges for number in range(*span)]
                inside = int(np.searchsorted(found, np.uint64(places[i][1]), side="right"))
                low, high = spans[i]
                spans[i] = (
                    numbers[inside - 1] if inside else low,
                    numbers[inside] if inside < len(numbers) else high,
                )
        return [low for low, _ in spans]

    def _numbers(self, wanted: Sequence[tuple[int, str, int]], cancel: CancelToken | None) -> list[int]:
        """Entries of `offset` or `metaoff`: of a shard, by name and number."""
        spans = [FilePart(self.shards[shard].file(name), number * _OFFSET, _OFFSET) for shard, name, number in wanted]
        return [int.from_bytes(data, "little") for data in self.blocks.read(spans, cancel)]

    def bounds(self, documents: Sequence[tuple[int, int]], cancel: CancelToken | None = None) -> list[tuple[int, int]]:
        """Find where documents are, without their separators.

        documents: Shards and numbers of documents in them.
        Returns: The first byte of each and the one past its last.
        Raises `DamagedIndexError` if the offsets of one are out of order, or no separator is there.
        """
        spans = self._spans(documents, "offset", [self.shards[shard].token_bytes for shard, _ in documents], cancel)
        width = self.token_width
        for (shard, document), (start, end) in zip(documents, spans, strict=True):
            if start % width or end % width or not start < end <= self.shards[shard].token_bytes:
                raise self._out_of_order(shard, document, "offset")
        # A separator is at both ends, unless the text ends with the document.
        ends = [(shard, at, width) for (shard, _), span in zip(documents, spans, strict=True) for at in span]
        data = self.texts(ends, cancel)
        for (shard, document), first, last in zip(documents, data[::2], data[1::2], strict=True):
            if first != b"\xff" * width or last not in (b"", first):
                raise self._out_of_order(shard, document, "offset")
        return [(start + width, end) for start, end in spans]

    def _spans(
        self, documents: Sequence[tuple[int, int]], name: str, ends: Sequence[int], cancel: CancelToken | None
    ) -> list[tuple[int, int]]:
        """The entries of documents and of the ones after them; of a shard's last one, the end."""
        wanted = [
            (shard, name, number)
            for shard, document in documents
            for number in (document, min(document + 1, self.shards[shard].document_count - 1))
        ]
        found = self._numbers(wanted, cancel)
        pairs = zip(documents, found[::2], found[1::2], ends, strict=True)
        return [
            (start, end if document + 1 == self.shards[shard].document_count else following)
            for (shard, document), start, following, end in pairs
        ]

    def _out_of_order(self, shard: int, document: int, name: str) -> DamagedIndexError:
        return DamagedIndexError(
            mark("{path} is out of order at document {document}."),
            reason="offset-out-of-order",
            path=self.path(self.shards[shard], name),
            document=document,
            byte=_OFFSET * document,
        )

    def metadata(self, documents: Sequence[tuple[int, int]], cancel: CancelToken | None = None) -> list[dict[str, Any]]:
        """Read lines of metadata.

        documents: Shards and numbers of documents in them.
        Returns: The fields of each; {} where a shard has none.
        Raises `DamagedIndexError` if a line is not JSON, or its bounds are impossible.
        """
        some = [i for i, (shard, _) in enumerate(documents) if self.shards[shard].metadata_bytes is not None]
        chosen = [documents[i] for i in some]
        ends = [self.shards[shard].metadata_bytes or 0 for shard, _ in chosen]
        spans = self._spans(chosen, "metaoff", ends, cancel)
        for (shard, document), (start, end), most in zip(chosen, spans, ends, strict=True):
            if not start <= end <= most or end - start > MAX_METADATA_LINE:
                raise self._out_of_order(shard, document, "metaoff")
        parts = [
            FilePart(self.shards[shard].file("metadata"), start, end - start)
            for (shard, _), (start, end) in zip(chosen, spans, strict=True)
        ]
        found: list[dict[str, Any]] = [{} for _ in documents]
        for i, line in zip(some, self.blocks.read(parts, cancel), strict=True):
            found[i] = self._record(line, *documents[i])
        return found

    def _record(self, line: bytes, shard: int, document: int) -> dict[str, Any]:
        try:
            value = parse_json(line)
        except ValueError as error:
            raise DamagedIndexError(
                mark("{path}, line {line}: the metadata is not valid JSON."),
                reason="metadata-not-json",
                path=self.path(self.shards[shard], "metadata"),
                line=document + 1,
                document=document,
            ) from error
        return value if isinstance(value, dict) else {"metadata": value}


def _probes(low: int, high: int, most: int) -> list[tuple[int, int]]:
    """Documents between two to look at, as ranges: one of all of them where they are few."""
    if high - low - 1 <= _NEAR:
        return [(low + 1, high)]
    chosen = [low + (i + 1) * (high - low) // (most + 1) for i in range(most)]
    return [(number, number + 1) for number in chosen]
