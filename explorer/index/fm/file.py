"""The file of one part of a compressed index: made of a text, in sections, each page with a checksum.

A page of numbers comes first, little-endian, of eight bytes each:

| number | what |
| --- | --- |
| 0 | `fmbytes1` |
| 1 | the size of the file |
| 2 | the bytes of the text, separators included |
| 3 | the row that no byte precedes |
| 4, 5 | the steps of the places and of the rows that are sampled |
| 6 | the documents |
| 7 | the runs of equal bytes in the transform |
| 8 to 27 | where each section begins, and its size |
| 28 | the checksum of the last section |
| 32 to 287 | how often each byte occurs |
| 511 | the checksum of the numbers before it |

The last section has the checksum of each page after the first. The engine, `_fastsa.fm`, reads all of it in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from _fastsa import Stopped, fm, suffix_array
from explorer.core.files.paths import sync
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled

MAGIC = int.from_bytes(b"fmbytes1", "little")
PAGE = 4096
PADDING = 1088
"""Zeros after data in blocks, so that the engine can read whole words there."""
GROUP = 64
"""Documents whose places are stored together."""
PLACE_STEP, ROW_STEP = 32, 128
"""Bytes of the text from one stored place to the next, and from one stored row to the next."""
MOST_BYTES = 2**31 - 2
"""The sort numbers suffixes with int32."""

Bytes = NDArray[np.uint8]


def write_part(
    path: Path,
    source: Path,
    documents: NDArray[np.int64],
    cancel: CancelToken,
    steps: NDArray[np.int64],
    pool: Executor | None = None,
) -> int:
    """Index a text.

    path: The file to write; it appears under this name only when it is complete.
    source: The file of the text: documents with a separator before each.
    documents: The places of the separators, ascending.
    steps: One int64 that grows by about 11 for each byte of the text.
    pool: Threads that may help to sort; None for this one only.
    Returns: The runs of equal bytes in the transform: a text that repeats itself has few.
    Raises `OSError` if the file cannot be written.
    Raises `ValueError` if the text is too long.

    Notes
    -----
    Linear time. Memory: 5 to 6 bytes per byte of the text, while it is sorted.
    """
    try:
        head, sections = _made(source, documents, cancel, steps, pool)
    except Stopped as error:
        raise Cancelled from error
    partial = path.with_name(path.name + ".part")
    with open(partial, "wb") as file:
        for data in _laid_out(head, sections):
            cancel.check()
            file.write(data.data)
        sync(file)
    partial.replace(path)
    return int(head[7])


def _made(
    source: Path, documents: NDArray[np.int64], cancel: CancelToken, steps: NDArray[np.int64], pool: Executor | None
) -> tuple[NDArray[np.uint64], list[Bytes]]:
    """The numbers of the first page that are known, and the sections but the last."""
    size = source.stat().st_size
    if size > MOST_BYTES:
        raise ValueError(f"a part has at most {MOST_BYTES} bytes")
    # The system refuses to map nothing.
    text = np.memmap(source, dtype=np.uint8, mode="r") if size else np.empty(0, dtype=np.uint8)
    opening = int(text[0]) if size else -1
    counts, pairs = fm.pair_starts(text, cancel.flag)
    bytes_of = np.flatnonzero(counts)
    # The sort wants symbols from 1 on, as few as there are. They are in the order of the bytes.
    first = 0 if len(bytes_of) == 256 else 1
    symbols = np.zeros(256, dtype=np.uint8)
    symbols[bytes_of] = np.arange(first, first + len(bytes_of))
    dense = fm.reversed_text(text, symbols, cancel.flag)
    # What is mapped counts as memory until it is given back.
    del text
    order = suffix_array(dense, len(bytes_of) + first, cancel.flag, steps, pool)
    marks, places, rows = fm.sample_rows(order, PLACE_STEP, ROW_STEP, cancel.flag)
    without, runs = fm.transform(dense, order, cancel.flag)
    # The transform is in the first quarter of the order.
    dense[:] = order.view(np.uint8)[:size]
    del order
    _replace(dense, bytes_of, first)
    tree = fm.encode_symbols(dense, fm.huffman_tree(counts.tolist()), cancel.flag, steps)
    mark = fm.encode_bits(marks, size + 1, cancel.flag)
    head = np.zeros(PAGE // 8, dtype="<u8")
    head[:8] = (MAGIC, 0, size, without, PLACE_STEP, ROW_STEP, len(documents), runs)
    head[32:288] = counts
    padding = np.zeros(PADDING, dtype=np.uint8)
    document_rows, document_bits = pack_documents(documents, size)
    sections = [
        tree[0].view(np.uint8),
        np.concatenate([tree[1], padding]),
        mark[0].view(np.uint8),
        np.concatenate([mark[1], padding]),
        fm.Packed(places, int(size // PLACE_STEP).bit_length()).data,
        fm.Packed(rows, int(size).bit_length()).data,
        _pair_rows(counts, pairs, opening).view(np.uint8),
        document_rows.view(np.uint8),
        document_bits,
    ]
    return head, sections


def _replace(symbols: Bytes, bytes_of: NDArray[np.int64], first: int) -> None:
    """Put bytes in place of symbols, in pieces, so that no second text is in memory."""
    table = np.zeros(256, dtype=np.uint8)
    table[first : first + len(bytes_of)] = bytes_of
    for start in range(0, len(symbols), 1 << 20):
        piece = symbols[start : start + (1 << 20)]
        piece[:] = table[piece]


def _pair_rows(counts: NDArray[np.int64], pairs: NDArray[np.int64], opening: int) -> NDArray[np.uint32]:
    """The first row of each pair of bytes that occur, and one number more.

    counts, pairs: how often bytes and pairs of them occur. opening: the text's first byte; -1 for an empty text.
    """
    some = np.flatnonzero(counts)
    # Row 0 is the empty suffix. The rows of a byte are sorted by the byte before it in the text; first of them is the
    # one of the text's beginning, which no byte is before.
    before = 1 + np.cumsum(counts) - counts
    before[opening] += 1 if opening >= 0 else 0
    sorted_pairs = pairs.T[np.ix_(some, some)]
    starts = before[some][:, None] + np.cumsum(sorted_pairs, axis=1) - sorted_pairs
    return np.append(starts.reshape(-1), 0).astype("<u4")


def pack_documents(documents: NDArray[np.int64], size: int) -> tuple[NDArray[np.uint32], Bytes]:
    """Store places of separators.

    size: The bytes of the text.
    Returns: For each group of documents, its first place and where its other places are, uint32, and the text's size at
        the end; and these places, as distances from the first, in as few bits as the group needs.
    """
    firsts = np.append(documents[::GROUP], size)
    rows = np.zeros((len(firsts), 2), dtype="<u4")
    rows[:, 0] = firsts
    data: list[Bytes] = []
    offset = 0
    for number, (first, following) in enumerate(zip(firsts[:-1].tolist(), firsts[1:].tolist(), strict=True)):
        others = documents[GROUP * number + 1 : GROUP * number + GROUP] - first
        packed = fm.Packed(np.ascontiguousarray(others), int(following - first).bit_length()).data[:-8]
        rows[number, 1] = offset
        data.append(packed)
        offset += len(packed)
    return rows.reshape(-1), np.concatenate([*data, np.zeros(8, dtype=np.uint8)])


def _laid_out(head: NDArray[np.uint64], sections: Sequence[Bytes]) -> list[Bytes]:
    """The file in pieces; fills the numbers that are missing in the first page."""
    pieces: list[Bytes] = []
    at = PAGE
    for number, data in enumerate(sections):
        head[8 + 2 * number], head[9 + 2 * number] = at, len(data)
        # Eight bytes for the directories, and whole pages at the end.
        gap = -(at + len(data)) % (64 if number + 1 < len(sections) else PAGE)
        pieces += [data, np.zeros(gap, dtype=np.uint8)]
        at += len(data) + gap
    checks = _checks(pieces)
    number = len(sections)
    head[8 + 2 * number], head[9 + 2 * number], head[1] = at, len(checks), at + len(checks)
    head[28] = check_of(checks)
    head[511] = check_of(head[:511].view(np.uint8))
    return [head.view(np.uint8), *pieces, checks]


def _checks(pieces: Sequence[Bytes]) -> Bytes:
    """The checksums of pages, of data in pieces."""
    found: list[NDArray[np.uint32]] = []
    rest = np.empty(0, dtype=np.uint8)
    for piece in pieces:
        # First what completes the page that the piece before has begun.
        begin = min(-len(rest) % PAGE, len(piece))
        rest = np.concatenate([rest, piece[:begin]])
        if len(rest) == PAGE:
            found.append(fm.page_checks(rest))
            rest = rest[:0]
        end = begin + (len(piece) - begin) // PAGE * PAGE
        if end > begin:
            found.append(fm.page_checks(piece[begin:end]))
        if end < len(piece):
            rest = piece[end:]
    return np.concatenate([np.empty(0, dtype=np.uint32), *found]).view(np.uint8)


def check_of(data: Bytes) -> int:
    """Compute a checksum as the first page has it.

    data: The bytes, at least one.
    """
    return fm.whole_check(data)


def runs_of(path: Path) -> int:
    """Read how many runs of equal bytes the transform of a part has."""
    return int(np.fromfile(path, dtype="<u8", count=8)[7])
