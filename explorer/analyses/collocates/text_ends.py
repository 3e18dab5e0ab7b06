"""Where sentences and lines end: places that a window does not reach over."""

from __future__ import annotations

import re
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import Places
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.range_texts import pieces_of
from explorer.backends.ranges import Ranges
from explorer.core.jobs import CancelToken

Within = Literal["document", "sentence", "line"]
WITHIN: tuple[Within, ...] = ("document", "sentence", "line")
"""What a window does not reach beyond."""

_CLOSING = rb"(?:[\"')\]]|\xe2\x80[\x99\x9d]|\xc2\xbb)*"
# Before a blank, which "3.14" does not have. The full stops of Chinese, Japanese and Hindi have no blank after them.
_LATIN = rb"(?:[.!?]|\xe2\x80\xa6|\xd8\x9f)+" + _CLOSING + rb"(?=\s|\Z)"
_OTHER = rb"(?:\xe3\x80\x82|\xef\xbc\x81|\xef\xbc\x9f|\xe0\xa5\xa4)+(?:\xe3\x80[\x8d\x8f])*"
# A heading ends at an empty line.
_EMPTY_LINE = rb"\n[^\S\n]*\n"
# With the tokens on both sides of a range that can tell whether something ends in it: a closing quote can have three
# bytes and as many tokens.
_ENDS = {
    "sentence": (re.compile(b"|".join((_LATIN, _OTHER, _EMPTY_LINE))), 8),
    "line": (re.compile(rb"\n|\r"), 0),
}
_IN_WORDS = re.compile(rb"[0-9A-Za-z\x80-\xff]")


def text_ends(index: Backend, ranges: Ranges, within: Within, cancel: CancelToken | None = None) -> Places:
    """Find where sentences or lines end in some ranges.

    index: The index of the texts, not that of their words.
    within: For "sentence", after `.`, `!`, `?` or `…` and closing quotes and brackets, before a blank; after `。`,
        `！`, `？` and `।`; at an empty line. No list of abbreviations is used, so a sentence ends after "Mr." For
        "line", after a line break.
    Returns: The tokens before which something ended, in the order of documents and offsets. If one token has both an
        end and the beginning of a word, it belongs to what comes next.
    Raises `TokenizerError` if the index has no tokenizer.

    Notes
    -----
    Cost: the ranges are read and decoded.
    """
    known, parts = index.tokenizer.bytes_of, []
    ends, beside = _ENDS[within]
    for piece in pieces_of(ranges):
        if cancel is not None:
            cancel.check()
        # With what is next to a range, since an end depends on it; that of a document is cut off.
        lows = np.maximum(piece.starts - beside, 0)
        read = index.documents.windows(piece.documents, lows, piece.ends + beside)
        sizes = np.array([len(tokens) for tokens in read], dtype=np.int64)
        at = _tokens_after([known[token] for tokens in read for token in tokens.tolist()], ends)
        begins = np.cumsum(sizes) - sizes
        row = np.searchsorted(begins, at - 1, "right") - 1
        found = lows[row] + at - begins[row]
        own = (piece.starts[row] < found) & (found <= piece.ends[row])
        parts.append(Places(piece.documents[row[own]], found[own]))
    return Places.join(parts)


def _tokens_after(texts: list[bytes], ends: re.Pattern[bytes]) -> Numbers:
    """The tokens before which something ended, ascending; at least 1."""
    data = b"".join(texts)
    starts = np.cumsum([0, *map(len, texts)])
    found = np.array([match.end() for match in ends.finditer(data)], dtype=np.int64)
    # The token that holds the last byte of each end.
    token = np.searchsorted(starts, found - 1, "right") - 1
    bounds = zip(found.tolist(), starts[token + 1].tolist(), strict=True)
    follows = np.array([_IN_WORDS.search(data, first, last) is not None for first, last in bounds], dtype=np.bool_)
    after: NDArray[np.int64] = np.unique(token + 1 - (follows & (token > 0)))
    return after
