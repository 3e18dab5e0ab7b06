"""What was handed over, as a session keeps it: packed ranges, and the index that they are of. No Qt."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from explorer.backends.ranges import Ranges, ranges_of
from explorer.corpus import Corpus
from explorer.gui.screens.curation.export.handed import Handed

MOST_KEPT = 1_000_000
"""Characters of packed ranges that a session keeps: its file is written again with every change."""
_MOST_BYTES = 200_000_000


def index_facts(corpus: Corpus) -> list[Any]:
    """What tells an index from others wherever it is, as JSON values; cuts are tokens of one index."""
    return [corpus.index.fingerprint, corpus.token_count, corpus.document_count]


def _is_of(corpus: Corpus, facts: object) -> bool:
    # Earlier versions told an index by its place.
    index = corpus.index
    return facts in (
        index_facts(corpus),
        [list(index.sources), index.name, corpus.token_count, corpus.document_count],
    )


def packed(ranges: Ranges) -> str:
    """Write ranges as a text; about four characters for each.

    Examples
    --------
    >>> unpacked(packed(ranges_of([3, 1], [0, 4], [5, 9]))).ends.tolist()
    [9, 5]
    """
    # Differences of neighbors are small numbers, of which most bytes are 0.
    gaps = np.stack(
        [np.diff(ranges.documents, prepend=0), np.diff(ranges.starts, prepend=0), ranges.ends - ranges.starts]
    )
    return base64.b64encode(zlib.compress(gaps.astype("<i8").tobytes())).decode("ascii")


def unpacked(text: str) -> Ranges:
    """Read ranges."""
    try:
        # A session is a file that anybody can write: it must not fill the memory.
        data = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), _MOST_BYTES)
    except (zlib.error, binascii.Error, MemoryError) as error:
        raise ValueError(str(error)) from error
    if len(data) % 24:
        raise ValueError("not three columns")
    documents, starts, sizes = np.frombuffer(data, "<i8").astype(np.int64).reshape(3, -1)
    documents, starts = np.cumsum(documents), np.cumsum(starts)
    if (np.concatenate([documents, starts, sizes - 1]) < 0).any():
        raise ValueError("not ranges")
    return ranges_of(documents, starts, starts + sizes)


def kept(corpus: Corpus, handed: Sequence[Handed]) -> dict[str, Any]:
    """What was handed over, as JSON values; what is too large is left out. Runs off the interface thread."""
    rows: list[dict[str, Any]] = []
    for each in handed:
        if len(text := packed(each.ranges)) <= MOST_KEPT:
            how: dict[str, Any] = {"asked": list(map(list, each.asked)), "on": each.on, "length": each.length}
            rows.append({"title": each.title, **how, "ranges": text})
    return {"index": index_facts(corpus), "cuts": rows}


def restored(corpus: Corpus, values: object) -> tuple[Handed, ...]:
    """Read what a session kept. Runs off the interface thread.

    values: As `kept` wrote them; what is not of this index, or damaged, is left out.
    """
    known = values if isinstance(values, dict) else {}
    rows = known.get("cuts")
    if not _is_of(corpus, known.get("index")) or not isinstance(rows, list):
        return ()
    return tuple(_read(corpus, rows))


def _read(corpus: Corpus, rows: list[Any]) -> Iterator[Handed]:
    for row in rows:
        try:
            title, asked, on, length = row["title"], row["asked"], row["on"], row["length"]
            ranges = unpacked(row["ranges"])
            pairs = tuple((str(name), str(value)) for name, value in asked)
        except (ValueError, TypeError, KeyError):
            continue
        fit = isinstance(title, str) and type(on) is bool and type(length) is int and 0 <= length < 65_536
        if fit and _is_inside(corpus, ranges):
            yield Handed(title, ranges, pairs, on, length)


def _is_inside(corpus: Corpus, ranges: Ranges) -> bool:
    """Whether each range is in a document: a session may have been changed by hand."""
    if not len(ranges):
        return False
    inside = int(ranges.documents.max()) < corpus.document_count
    return inside and bool((ranges.ends <= corpus.index.documents.lengths(ranges.documents)).all())
