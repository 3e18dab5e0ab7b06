"""A part of a document, as the package shows it."""

from __future__ import annotations

import numpy as np

from explorer.backends.local.shards import ShardBackend
from explorer.index.shard import MappedShard
from explorer.infini_gram.responses import DocResult


def shown(index: ShardBackend, s: int, position: int, needle: int, before: int, after: int) -> DocResult:
    """Read the part of a document around a place.

    Parameters
    ----------
    index
        The index.
    s
        The number of the shard.
    position
        A position in its stored text: the needle's first stored token.
    needle
        Tokens of the needle; 0 if that is not known.
    before, after
        The most tokens to show before the needle, and after its end.

    Returns
    -------
    DocResult
        The document and its part.
    """
    shard = index.shards[s]
    document = int(shard.documents_of(np.array([position], dtype=np.int64))[0])
    start, end = shard.document_bounds(document)
    offset = position - start
    # Stored backwards, the last token of a needle comes first. Its separator is before the text in either direction.
    if shard.reversed_text and offset >= 0:
        offset = end - start - offset - max(1, needle)
    first = max(0, offset - before)
    last = max(first, min(end - start, offset + needle + after))
    return _result(index, s, document, (first, last), offset - first)


def beginning(index: ShardBackend, number: int, length: int) -> DocResult:
    """Read the beginning of a document.

    Parameters
    ----------
    index
        The index.
    number
        The document's number, across all shards.
    length
        The most tokens to show.

    Returns
    -------
    DocResult
        The document and its part.

    Raises
    ------
    IndexError
        If the index has no document with this number.
    """
    for s, shard in enumerate(index.shards):
        if number < shard.document_count:
            start, end = shard.document_bounds(number)
            return _result(index, s, number, (0, min(length, end - start)), 0)
        number -= shard.document_count
    raise IndexError(number)


def _result(index: ShardBackend, s: int, document: int, part: tuple[int, int], needle_offset: int) -> DocResult:
    shard = index.shards[s]
    start, end = shard.document_bounds(document)
    return {
        "doc_ix": document + sum(earlier.document_count for earlier in index.shards[:s]),
        "doc_len": end - start,
        "disp_len": part[1] - part[0],
        "needle_offset": needle_offset,
        "metadata": shard.metadata.text(document),
        "token_ids": _tokens(shard, (start, end), part),
        "blocked": False,
    }


def _tokens(shard: MappedShard, bounds: tuple[int, int], part: tuple[int, int]) -> list[int]:
    """Tokens of a document, in reading order."""
    start, end = bounds
    first, last = part
    backwards = shard.reversed_text
    stored = shard.stored(end - last, end - first)[::-1] if backwards else shard.stored(start + first, start + last)
    tokens: list[int] = stored.tolist()
    return tokens
