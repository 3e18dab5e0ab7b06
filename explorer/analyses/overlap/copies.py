"""The documents that contain most of a text, including copies with a few changed words, and an index without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.overlap.self_match import LEAST, SHARE, documents_with, find_self_match
from explorer.analyses.overlap.verbatim import LEAST_WORDS, TextMatcher
from explorer.backends.documents.reading import whole_documents
from explorer.backends.protocol.protocol import Backend
from explorer.core.files.encoding import replace_surrogates
from explorer.core.jobs import CancelToken
from explorer.text.tokens.tokenizer import Encoded

_MATCHES = 100
"""Number of longest matches of a text whose documents are checked."""
_PLACES = 20


@dataclass(frozen=True)
class Copies:
    """Documents that contain at least half of a text.

    rest: The largest share of the text that any other document contains; 0.0 if nothing is shared.

    Notes
    -----
    Only the documents of the text's longest matches are checked.
    """

    documents: tuple[int, ...]
    rest: float


@dataclass(frozen=True)
class WithoutCopies:
    """An index without the documents that contain most of some texts.

    documents: Numbers of the documents that were found and left out, together with identical ones.
    rest: The largest share of one of the texts that a remaining document contains.
    """

    index: Backend
    documents: tuple[int, ...]
    rest: float


def find_copies(
    index: Backend, text: str, encoded: Encoded, longest: NDArray[np.int64], cancel: CancelToken | None = None
) -> Copies:
    """Find the documents that contain most of a text word for word.

    Returns: Their numbers, and the largest share that any other document contains.

    Notes
    -----
    Only the documents of the longest few matches are read.
    """
    # A document that contains half of a text in passages of five words or more leaves at least a tenth of its starts.
    if len(longest) < LEAST or np.mean(longest >= LEAST_WORDS) < SHARE / LEAST_WORDS:
        return Copies((), 0.0)
    candidates: dict[int, None] = {}
    for start, length in _longest_few(longest):
        if cancel is not None:
            cancel.check()
        # A dictionary instead of a set: the documents stay in the order in which they were found.
        candidates |= dict.fromkeys(documents_with(index, encoded.ids[start : start + length], _PLACES)[1])
    matcher = TextMatcher(text, encoded)
    whole = whole_documents(index, list(candidates))
    shares = {number: matcher.hold(tokens, cancel).share for number, tokens in whole}
    # A match of half the tokens may be less than half of the characters; its documents count as copies, too.
    same = find_self_match(index, encoded.ids, longest)
    copies = {number for number, share in shares.items() if share >= SHARE} | set(same.documents if same else ())
    rest = max((share for number, share in shares.items() if number not in copies), default=0.0)
    return Copies(tuple(sorted(copies)), rest)


def _longest_few(longest: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Starts and lengths of the longest matches; none is part of another."""
    ends = np.arange(len(longest)) + longest
    whole = np.flatnonzero((longest >= LEAST_WORDS) & (ends > np.concatenate([[0], ends[:-1]])))
    # A stable sort: of equally long matches the first ones, so that an answer can be repeated.
    chosen = whole[np.argsort(-longest[whole], kind="stable")[:_MATCHES]]
    return list(zip(chosen.tolist(), longest[chosen].tolist(), strict=True))


def without_copies(
    index: Backend, texts: Sequence[tuple[str, Encoded]], cancel: CancelToken | None = None
) -> WithoutCopies:
    """Leave out the documents that contain most of any of some texts, repeatedly until none is found.

    Each round finds what the copies of the previous one hid: fewer matches are left, and other documents have the
    longest.

    Returns: The index without these documents, and their numbers.
    Raises `QueryError` if the documents are too large to be left out.
    """
    left_out: set[int] = set()
    current = index
    while True:
        found = [
            find_copies(current, text, encoded, current.counts.longest_matches(encoded.ids, cancel), cancel)
            for text, encoded in texts
        ]
        # A found document stays left out, so only further ones call for another round.
        new = {number for copies in found for number in copies.documents} - left_out
        if not new:
            return WithoutCopies(current, tuple(sorted(left_out)), max((copies.rest for copies in found), default=0.0))
        # Each round leaves out at least one more document, so this ends.
        left_out |= new
        current = index.without(sorted(left_out), cancel)


def without_text(index: Backend, text: str, cancel: CancelToken | None = None) -> WithoutCopies:
    """Leave out the documents that contain most of one text, until none does.

    Returns: The index without these documents, and their numbers.
    Raises `QueryError` if the documents are too large to be left out.
    """
    text = replace_surrogates(text)
    return without_copies(index, [(text, index.tokenizer.encode_with_offsets(text))], cancel)
