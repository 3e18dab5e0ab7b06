"""Whether the items of a benchmark occur in a corpus: how much of each, in which document, with the answer beside it.

All figures of an item come from the longest match from each of its words or tokens. A match of L or more at a place is
the same as an L-gram from there that occurs, so one pass answers every rule that counts n-grams.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from explorer.analyses.contamination.benchmarks import Benchmark, Item
from explorer.analyses.contamination.item_matches import (
    COVERED,
    EVIDENCE,
    PARAGRAPH_GRAM,
    SUBSTRING,
    Evidence,
    ItemMatches,
)
from explorer.analyses.contamination.mismatches import contaminated_units
from explorer.analyses.overlap.chained import MOST_BETWEEN, chained_units
from explorer.analyses.trace.measures.covering import longest_covering
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import mark

_PLACES = 1_000
"""Occurrences of an n-gram whose documents are looked at; of more, some are drawn."""
_SEED = 0
_SHORT_ANSWER = 3
_HEAD = 20
"""Characters of a text after whose next blank its tokens are the same, whatever is before it."""
_TEMPLATE_ITEMS = 5


def find_items(
    index: Backend,
    benchmark: Benchmark,
    parts: Sequence[str] = ("question",),
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> tuple[ItemMatches, ...]:
    """Look for the items of a benchmark in an index.

    index: The index; its tokens are compared, so give one of words to compare words.
    parts: Which parts of them are looked for; see `explorer.analyses.contamination.benchmarks.PARTS`.
    Returns: One per item, in their order.
    Raises `QueryError` if no item has any of the parts.

    Notes
    -----
    Cost: one search per word or token of an item, and a look-up for each occurrence of its matches of 8 or more, at
    most 1,000 for each.
    """
    token = cancel or CancelToken()
    if not any(item.text(parts).strip() for item in benchmark.items):
        raise QueryError(
            mark("{path}: no item has what is looked for: {parts}."),
            reason="no-parts",
            path=benchmark.name,
            parts=", ".join(parts),
        )
    found = tuple(_each(index, benchmark, parts, report, token))
    # The texts of the longest matches: what many items share is not about one of them.
    shared = Counter(_matched(each, parts) for each in found if each.longest >= EVIDENCE)
    return tuple(
        replace(each, template=each.longest >= EVIDENCE and shared[_matched(each, parts)] >= _TEMPLATE_ITEMS)
        for each in found
    )


def _matched(found: ItemMatches, parts: Sequence[str]) -> str:
    if found.evidence is None:
        return ""
    return " ".join(found.item.text(parts)[found.evidence.begin : found.evidence.end].lower().split())


def _each(
    index: Backend, benchmark: Benchmark, parts: Sequence[str], report: Report, cancel: CancelToken
) -> Iterator[ItemMatches]:
    total = len(benchmark.items)
    for number, item in enumerate(benchmark.items):
        cancel.check()
        report(Progress("Looking for items", number, total, "items"))
        yield _find(index, item, item.text(parts), cancel)


def _find(index: Backend, item: Item, text: str, cancel: CancelToken) -> ItemMatches:
    written = _cut(index, text)
    if not len(written[0]):
        return ItemMatches(item, 0, 0, 0, (0, 0, 0), 0, 0, (0, 0), None)
    (ids, starts, ends), matches = _best_cut(index, text, written, cancel)
    covering = longest_covering(matches)
    start = int(matches.argmax())
    longest = int(matches[start])
    count = index.counts.count(ids[start : start + longest]) if longest else 0
    at_least = [int((covering >= least).sum()) for least in COVERED]
    grams, long_grams = (int((matches >= size).sum()) for size in (EVIDENCE, min(PARAGRAPH_GRAM, len(ids))))
    spelled = substrings_found(matches, starts, ends)
    where = _evidence(index, item, ids, matches, (starts, ends), cancel) if longest else None
    covered = at_least[0], at_least[1], at_least[2]
    mismatched = contaminated_units(index, ids, matches, cancel)
    return ItemMatches(
        item, len(ids), longest, count, covered, grams, long_grams, spelled, where, mismatched=mismatched
    )


_Cut = tuple[Numbers, Numbers, Numbers]
"""The tokens of a text, and the characters of each."""


def _cut(index: Backend, text: str) -> _Cut:
    encoded = index.tokenizer.encode_with_offsets(text)
    return encoded.ids, encoded.starts, encoded.ends


def _best_cut(index: Backend, text: str, written: _Cut, cancel: CancelToken) -> tuple[_Cut, Numbers]:
    """The tokens of a text with their longest matches: as it is written, or as after a blank if more occurs then."""
    matches = index.counts.longest_matches(written[0], cancel)
    if not _depends_on_blank(index, text):
        return written, matches
    after = _after_blank(index, text)
    others = index.counts.longest_matches(after[0], cancel)
    # Within a sentence the first token is another one than at the beginning of a text.
    more = (int(others.max()), int((others >= EVIDENCE).sum())) > (int(matches.max()), int((matches >= EVIDENCE).sum()))
    return (after, others) if more else (written, matches)


def _depends_on_blank(index: Backend, text: str) -> bool:
    """Whether a text has other tokens after a blank, by its first words."""
    head = text[: text.find(" ", _HEAD)] if " " in text[_HEAD:] else text
    return not np.array_equal(index.tokenizer.encode(head), _after_blank(index, head)[0])


def _after_blank(index: Backend, text: str) -> _Cut:
    """The tokens of a text that follows a blank, without a token that is only this blank."""
    ids, starts, ends = _cut(index, f" {text}")
    mine = ends > 1
    return ids[mine], np.maximum(starts[mine] - 1, 0), ends[mine] - 1


def substrings_found(matches: Numbers, starts: Numbers, ends: Numbers) -> tuple[int, int]:
    """Count the substrings of 50 characters that are within a match.

    matches: Words or tokens of the longest match from each word or token on, int64.
    starts, ends: The characters of each word or token, int64.
    Returns: Those within a match, and all from the first word or token to the end of the last one.
    """
    first, total = int(starts[0]), int(ends[-1]) - int(starts[0]) - SUBSTRING + 1
    some = np.flatnonzero(matches)
    lows, highs = starts[some] - first, ends[some + matches[some] - 1] - first - SUBSTRING + 1
    long = highs > lows
    inside = np.zeros(max(total, 0) + 1, dtype=np.int64)
    np.add.at(inside, lows[long], 1)
    np.add.at(inside, highs[long], -1)
    return int(np.count_nonzero(np.cumsum(inside)[:-1])), max(total, 0)


def _evidence(
    index: Backend,
    item: Item,
    ids: Numbers,
    matches: Numbers,
    characters: tuple[Numbers, Numbers],
    cancel: CancelToken,
) -> Evidence:
    """The document that has most of an item, and where the longest match with it is."""
    # Short matches lead nowhere, unless the item has no other.
    size = min(EVIDENCE, int(matches.max()))
    starts = np.flatnonzero(matches >= size)
    which, places = index.hits.some_places(ids, starts, starts + size, _PLACES, _SEED, cancel)
    drawn = np.bincount(which, minlength=len(starts))
    grams = starts[which]
    document, covered, holders = _most_covered(grams, places.documents, size, (len(ids) + 1) // 2)
    mine = places.documents == document
    begin, offset, length = _longest_run(grams[mine], places.offsets[mine], size)
    near, said = _answer(index, item, document, offset + length, len(ids)) if item.answer.strip() else (None, None)
    return Evidence(
        document,
        offset,
        int(characters[0][begin]),
        int(characters[1][begin + length - 1]),
        length,
        covered / len(ids) if size == EVIDENCE else 0.0,
        _chained(index, ids, document, begin, offset),
        near,
        bool((drawn >= _PLACES).any()),
        holders if size == EVIDENCE else (),
        said,
    )


def _chained(index: Backend, ids: Numbers, document: int, begin: int, offset: int) -> float:
    """The share of an item that is chained around the place where a match of it begins."""
    # A chain with as many words between its matches as it may have is three times as long as its matches of two.
    first, last = offset - 3 * begin - MOST_BETWEEN, offset + 3 * (len(ids) - begin) + MOST_BETWEEN
    [text] = index.documents.windows(np.array([document]), np.array([max(0, first)]), np.array([last]))
    return chained_units(ids, text) / len(ids)


def _most_covered(grams: Numbers, documents: Numbers, size: int, half: int) -> tuple[int, int, tuple[int, ...]]:
    """The document whose n-grams cover most of an item, the first of equal ones, how many units, and who has half."""
    order = np.lexsort((grams, documents))
    best, most, holders = -1, -1, []
    edges = np.flatnonzero(np.diff(documents[order], prepend=-1))
    for rows in np.split(order, edges[1:]):
        begins = np.unique(grams[rows])
        # The next one covers what the one before it does not.
        covered = int(np.minimum(np.diff(begins), size).sum()) + size
        if covered >= half:
            holders.append(int(documents[rows[0]]))
        if covered > most:
            best, most = int(documents[rows[0]]), covered
    return best, most, tuple(holders)


def _longest_run(grams: Numbers, offsets: Numbers, size: int) -> tuple[int, int, int]:
    """The longest match with one document: its place in the item and in the document, and its length."""
    # N-grams that are neighbors in both are one match: their difference is the same.
    order = np.lexsort((grams, offsets - grams))
    at, shift = grams[order], (offsets - grams)[order]
    breaks = np.flatnonzero((np.diff(at) != 1) | (np.diff(shift) != 0)) + 1
    runs = np.split(np.arange(len(at)), breaks)
    run = max(runs, key=len)
    first = int(run[0])
    return int(at[first]), int(at[first] + shift[first]), len(run) - 1 + size


def _answer(index: Backend, item: Item, document: int, after: int, units: int) -> tuple[bool | None, int | None]:
    """Whether the answer begins soon after a match, None if it has no words that could be found; and where."""
    answer = index.tokenizer.encode(item.answer)
    if not len(answer):
        return None, None
    within = 50 if len(answer) <= _SHORT_ANSWER else max(100, 2 * units)
    last = after + within + len(answer)
    [text] = index.documents.windows(np.array([document]), np.array([after]), np.array([last]))
    # As after a blank, too: after a colon or within a sentence, its first token is another one.
    for words in (answer, _after_blank(index, item.answer)[0]):
        if not 0 < len(words) <= len(text):
            continue
        windows = np.lib.stride_tricks.sliding_window_view(text, len(words))
        places = np.flatnonzero((windows == words).all(axis=1))
        if len(places):
            return True, after + int(places[0])
    return False, None
