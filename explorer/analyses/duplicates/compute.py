"""Which tokens of a corpus are copies of others, by any length and rule, from its repeat profile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.duplicates.borders import Borders, within_borders
from explorer.backends.copies import copied_ranges, first_places
from explorer.backends.places import Places
from explorer.backends.protocol.protocol import Backend, Numbers, RepeatProfile
from explorer.backends.range_texts import read_pieces
from explorer.backends.ranges import Ranges, ranges_of
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report

DuplicateRule = Literal["separate", "first", "all"]
"""Keep the first copy, and whatever overlaps with it; keep the first; keep none."""


@dataclass(frozen=True, eq=False)
class Spared(ArrayValue):
    """What is kept of copies, beyond what a rule keeps.

    preferred: Whether the document of each number is one of which the copy is kept, where it has one; None for none.
    never: Tokens that are never cut; None for none.
    borders: Where a cut may begin and end.
    """

    preferred: NDArray[np.bool_] | None = None
    never: Ranges | None = None
    borders: Borders = "tokens"


@dataclass(frozen=True, eq=False)
class Duplicates(ArrayValue):
    """What is to be cut so that no passage of a length is left twice.

    tokens: All tokens of the index, without separators.
    documents_emptied: Documents of which nothing is left.
    bytes_removed: The bytes of text that the tokens spell; None without a tokenizer.
    first: Where the tokens at the beginning of each range occur first: why it is cut. -1 where that is the range
        itself, which the rule "all" cuts as well. None where it was not looked up.
    """

    ranges: Ranges
    tokens: int
    documents_emptied: int
    bytes_removed: int | None
    first: Places | None = None


def find_duplicates(
    index: Backend,
    length: int,
    rule: DuplicateRule,
    gap: int = 0,
    across: bool = False,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    spared: Spared | None = None,
) -> Duplicates:
    """Find the tokens that are copies of others.

    length: Tokens of a window that is compared, 1 to 65,535.
    gap: The most tokens between two ranges of a document that are cut with them.
    across: Whether only copies of another document count.
    report: Called with the progress of the profile, and of counting bytes.
    spared: What is kept beyond that; None for nothing.
    Returns: The ranges, and what cutting them comes to.
    Raises `CapabilityError` if documents are subtracted from the index.
    """
    spared, token = spared or Spared(), cancel or CancelToken()
    profile = index.lists.repeat_profile(length, report, cancel, spared.preferred)
    ranges = removable(profile, length, rule, across, token).joined(gap)
    ranges = within_borders(
        index, ranges if spared.never is None else ranges.without(spared.never), spared.borders, report, token
    )
    tokens = int(profile.spectrum[0].sum())
    spelled = _spelled_bytes(index, ranges, report, token) if index.has_tokenizer else None
    first = first_places(profile, ranges, length, token)
    return Duplicates(ranges, tokens, _emptied(index, ranges), spelled, first)


def removable(
    profile: RepeatProfile,
    length: int,
    rule: DuplicateRule,
    across: bool = False,
    cancel: CancelToken | None = None,
) -> Ranges:
    """Give the tokens that a rule cuts at a length.

    profile: The profile of the index, with matches of `length` tokens or shorter ones.
    rule: "separate": a window is cut if an earlier one is equal, but for one that overlaps with the first of them, so
        that text which repeats itself keeps one whole window. "first": also such a one, as bsade does. "all": every
        window that occurs twice, as Lee et al. (2022).
    across: Whether only windows count whose first equal one is in another document.

    Notes
    -----
    Cost: one pass over the spans of the profile, some hundredths of a second for a million.
    """
    # By "first", a copy that begins one token later is one.
    apart = 0 if across else length if rule == "separate" else 1
    return copied_ranges(profile, length, None if rule == "all" else apart, cancel)


def first_copy(profile: RepeatProfile, document: int, start: int, end: int, length: int) -> tuple[int, int] | None:
    """Find the first place of what a cut range begins with.

    profile: The profile of the index, with matches of `length` tokens or shorter ones.
    Returns: The document and the token where the first window of the range that is a copy occurs first; None if it has
        none. A rule may cut this place, too.
    """
    found = first_places(profile, ranges_of(document, start, end), length)
    return None if found.documents[0] < 0 else (int(found.documents[0]), int(found.offsets[0]))


def first_copies(
    profile: RepeatProfile, ranges: Ranges, cut: Ranges, length: int, cancel: CancelToken | None = None
) -> Places:
    """Find the first place of what ranges begin with, where they are copies.

    profile: The profile of the index, with matches of `length` tokens or shorter ones.
    ranges: The ranges: those that a rule cut, or these with others.
    Returns: The document and the token for each of `ranges`; -1 for one with nothing that the rule cut.
    """
    found = first_places(profile, ranges, length, cancel)
    copied = ranges.meeting(cut)
    return Places(np.where(copied, found.documents, -1), np.where(copied, found.offsets, -1))


def removed_curve(
    profile: RepeatProfile,
    lengths: Sequence[int],
    rule: DuplicateRule,
    across: bool = False,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Numbers:
    """Count the tokens that a rule cuts, for many lengths.

    Returns: Tokens for each length, int64.
    """
    token, found = cancel or CancelToken(), np.empty(len(lengths), np.int64)
    for place, length in enumerate(lengths):
        token.check()
        report(Progress("Counting duplicates", place, len(lengths), "lengths"))
        found[place] = removable(profile, length, rule, across, token).tokens
    return found


def _emptied(index: Backend, ranges: Ranges) -> int:
    if not len(ranges):
        return 0
    documents, places = np.unique(ranges.documents, return_inverse=True)
    removed = np.bincount(places, weights=ranges.ends - ranges.starts).astype(np.int64)
    return int((removed == index.documents.lengths(documents)).sum())


def _spelled_bytes(index: Backend, ranges: Ranges, report: Report, cancel: CancelToken) -> int:
    """The bytes of the tokens of ranges, without the space that a tokenizer puts before a document."""
    known, total, done = index.tokenizer.bytes_of, 0, 0
    for piece, tokens in read_pieces(index, ranges, cancel):
        report(Progress("Counting bytes", done, ranges.tokens, "tokens"))
        done += len(tokens)
        ids, counts = np.unique(tokens, return_counts=True)
        total += sum(len(known[token]) * count for token, count in zip(ids.tolist(), counts.tolist(), strict=True))
        sizes = piece.ends - piece.starts
        begins = tokens[(np.cumsum(sizes) - sizes)[piece.starts == 0]]
        total -= sum(map(index.tokenizer.artificial_bytes, begins.tolist()))
    return total
