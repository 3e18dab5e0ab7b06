"""What a repeat profile tells at one length: which tokens are copies, and where they occur first."""

from __future__ import annotations

import numpy as np

import _fastsa
from explorer.backends.places import Places
from explorer.backends.protocol.list_values import RepeatProfile
from explorer.backends.ranges import Ranges
from explorer.core.jobs import CancelToken
from explorer.index.guard import Guard


def copied_ranges(profile: RepeatProfile, length: int, apart: int | None, cancel: CancelToken | None = None) -> Ranges:
    """Give the tokens of all windows of a length that are copies.

    profile: The profile of the index, with matches of `length` tokens or shorter ones.
    apart: How far a window must begin after the first equal one, if that is in the same document; 0: it must be in
        another one; None: every window that occurs elsewhere is a copy.
    """
    spans = profile.elsewhere if apart is None else profile.earlier
    with Guard([]):
        found = _fastsa.copied_ranges(
            spans.starts,
            spans.ends,
            None if apart is None else spans.others,
            profile.firsts,
            length,
            apart or 0,
            cancel.flag if cancel else None,
        )
    return Ranges(*np.ascontiguousarray(found.T))


def first_places(profile: RepeatProfile, ranges: Ranges, length: int, cancel: CancelToken | None = None) -> Places:
    """Find where what ranges begin with occurs first.

    ranges: Ranges in each of which a window of the length begins or ends that occurs earlier.
    Returns: For each range, the document and the token where its first window that is a copy occurs first, or the part
        of one that it begins with; -1 if it has none.
    """
    spans = profile.earlier.of_length(length)
    begins, ends = profile.firsts[ranges.documents] + ranges.starts, profile.firsts[ranges.documents] + ranges.ends
    if not len(spans):
        nowhere = np.full(len(ranges), -1, np.int64)
        return Places(nowhere, nowhere.copy())
    # The first window that begins in the range; where words or lines are kept whole, a range can be shorter than one.
    span = np.minimum(np.searchsorted(spans.ends, begins + length), len(spans) - 1)
    copied = np.maximum(begins, spans.starts[span])
    short = (copied + length > ends) | (copied + length > spans.ends[span])
    span[short] = np.minimum(np.searchsorted(spans.ends, begins[short], "right"), len(spans) - 1)
    copied[short] = np.maximum(begins[short], spans.starts[span[short]])
    known = (copied < ends) & (copied < spans.ends[span])
    windows = np.minimum(copied, spans.ends[span] - length)
    moved = copied - windows
    with Guard([]):
        stop = cancel.flag if cancel else None
        _fastsa.first_copies(spans.starts, spans.ends, spans.others, length, windows, stop)
    documents = np.searchsorted(profile.firsts, windows, "right") - 1
    offsets = windows + moved - profile.firsts[documents]
    return Places(np.where(known, documents, -1), np.where(known, offsets, -1))
