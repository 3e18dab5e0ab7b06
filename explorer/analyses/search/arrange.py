"""Which hits become lines, and in which order: filters, samples, sorts and collapsing.

Lines in the order of the index cost nothing, however many there are. Everything else reads each hit, at most 2,000,000
of them; larger results are sampled with a fixed seed, and this is reported. The right context is the only order that
never uses a sample: the order of the index also groups lines by what follows, so it replaces the alphabetical order if
there are more than 1,000,000 lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.metadata.fields import Column, FieldColumns
from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.hits import CHUNK, Hits
from explorer.analyses.search.limits import MOST_TOKENS_AROUND, whole_number
from explorer.analyses.search.near import Nearness
from explorer.backends.places import Located
from explorer.backends.protocol.hit_questions import CASE_BITS
from explorer.backends.protocol.protocol import Backend, Part
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import counted, mark, tr

MAX_ARRANGED = 2_000_000
"""Hits that are looked at for a filter, a sort or a collapse; of more, a sample."""
MAX_SORTED = 1_000_000
"""The most lines that are sorted by their right context; more lines stay in the order of the index."""
MOST_LEVELS = 3
FARTHEST = 5
"""Words on each side that lines can be sorted by."""

POSITIONS = (*(f"{n}L" for n in range(FARTHEST, 0, -1)), "M", *(f"{n}R" for n in range(1, FARTHEST + 1)))
# Names for whole orders. "random" is not a list of levels and is parsed by itself.
_NAMED = {"index": "", "right": "1R,2R,3R", "left": "1L,2L,3L"}


@dataclass(frozen=True)
class SortLevel:
    """One level of an order.

    Attributes
    ----------
    key
        A word ("3L", "M", "1R"), "document", or "field:NAME".
    descending
        Whether it is reversed.
    """

    key: str
    descending: bool = False

    @property
    def place(self) -> int | None:
        """Words right of the match, negative to the left, 0 for the match; None for other keys."""
        if self.key == "M":
            return 0
        if self.key not in POSITIONS:
            return None
        return int(self.key[:-1]) * (1 if self.key.endswith("R") else -1)


@dataclass(frozen=True)
class NearFilter:
    """A filter for hits with something nearby.

    Attributes
    ----------
    text
        What was typed.
    parts
        Its n-grams, or its text pattern.
    distance
        The most tokens between hit and occurrence.
    wanted
        Whether it must occur; otherwise it must not.
    """

    text: str
    parts: tuple[Part, ...]
    distance: int
    wanted: bool = True

    def __str__(self) -> str:
        distance = counted("token", self.distance)
        if self.wanted:
            return tr("with “{text}” within {distance}", text=self.text, distance=distance)
        return tr("without “{text}” within {distance}", text=self.text, distance=distance)


Filter = FieldFilter | NearFilter
RIGHT_CONTEXT = (SortLevel("1R"), SortLevel("2R"), SortLevel("3R"))


@dataclass(frozen=True)
class LineSettings:
    """How hits become lines.

    Attributes
    ----------
    sort
        At most three levels; () for the order of the index.
    shuffle
        Whether lines are in a random order instead.
    filters
        Conditions that hits must meet.
    sample
        The number of hits that are drawn; 0 for all.
    collapse
        Lines that are identical within this many tokens on both sides become one; 0 for none.
    seed
        For everything random, from 0.

    Raises
    ------
    QueryError
        If a number is out of range.

    Examples
    --------
    >>> LineSettings(sample=2, seed=1).sample
    2
    """

    sort: tuple[SortLevel, ...] = ()
    shuffle: bool = False
    filters: tuple[Filter, ...] = ()
    sample: int = 0
    collapse: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        # Taken as Python's integers: a multiple of one of numpy's small integers could overflow.
        object.__setattr__(self, "sample", whole_number(self.sample, "sample"))
        object.__setattr__(self, "collapse", whole_number(self.collapse, "collapse", most=MOST_TOKENS_AROUND))
        object.__setattr__(self, "seed", whole_number(self.seed, "seed"))

    @property
    def free(self) -> bool:
        """Whether no hit has to be looked at."""
        # The seed alone decides nothing.
        return not (self.sort or self.shuffle or self.filters or self.sample or self.collapse)


@dataclass(frozen=True, eq=False)
class Arranged(ArrayValue):
    """The chosen hits in order.

    numbers: Their numbers, int64; None for all, in the order of ranks.
    repeats: The number of identical lines that each line represents, int64; None if lines were not merged.
    looked_at: The number of hits that were read.
    of: The number of all hits; if more than were read, a sample represents the rest.
    passed: Hits that met the filters, before sampling and merging.
    unsorted: Whether there were too many lines to sort them by their right context, so that they are in the order of
        the index.
    """

    numbers: NDArray[np.int64] | None
    repeats: NDArray[np.int64] | None
    looked_at: int
    of: int
    passed: int
    unsorted: bool = False

    @property
    def exact(self) -> bool:
        """Whether every hit was looked at, or none had to be."""
        return self.looked_at == self.of


def parse_sort(text: str) -> LineSettings:
    """Parse an order of lines.

    Parameters
    ----------
    text
        "right" or "left" (alphabetical by the three words there), "random", "index" (the order of the index, which
        costs nothing), or up to three of 5L … 1L, M, 1R … 5R, document and field:NAME, separated by commas, each with a
        - before it for the other direction.

    Returns
    -------
    LineSettings
        A view with this order.

    Raises
    ------
    QueryError
        If it is not an order.

    Examples
    --------
    >>> [level.key for level in parse_sort("1R,-field:year").sort]
    ['1R', 'field:year']
    """
    if text.strip() == "random":
        return LineSettings(shuffle=True)
    parts = [part.strip() for part in _NAMED.get(text.strip(), text).split(",") if part.strip()]
    levels = tuple(SortLevel(part.removeprefix("-"), part.startswith("-")) for part in parts)
    check_levels(levels)
    return LineSettings(sort=levels)


def check_levels(levels: Sequence[SortLevel]) -> None:
    """Check an order.

    Raises `QueryError` if there are more than three, or one has an unknown key.
    """
    if len(levels) > MOST_LEVELS:
        raise QueryError(
            mark("Lines can be sorted by at most {most} levels, not {count}."),
            reason="too-many-levels",
            most=MOST_LEVELS,
            count=len(levels),
        )
    for level in levels:
        if level.place is None and level.key != "document" and not level.key.startswith("field:"):
            raise QueryError(
                mark('Lines cannot be sorted by "{key}".'),
                reason="unknown-sort-key",
                names=", ".join(POSITIONS),
                key=level.key,
            )


def arrange(
    hits: Hits,
    numbers: NDArray[np.int64] | None,
    view: LineSettings,
    columns: FieldColumns,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Arranged:
    """Choose and order hits.

    numbers: The hits that are considered, ascending; None for all.
    view: Filters, sample, order and merging.
    columns: The known metadata of the documents, which is extended if fields are needed.
    Returns: The numbers of the hits in their order, or the fact that the index's own order is enough.
    Raises `QueryError` if the order is not valid or a field does not exist.

    Notes
    -----
    Every order except the index's reads all hits, or a sample of 2,000,000 of them.
    """
    check_levels(view.sort)
    total = hits.count if numbers is None else len(numbers)
    # Known before anything is read: the order of the index groups lines by what follows, too, and costs nothing. With a
    # filter, fewer lines may be left to sort; `_ordered` decides then.
    if _by_right_context(view) and total > MAX_SORTED and replace(view, sort=()).free:
        return replace(arrange(hits, numbers, replace(view, sort=()), columns, report, cancel), unsorted=True)
    # Numbers that are given are of hits that are shown, as those of an AND are. Without numbers, None means all hits
    # only if none of them is hidden.
    if view.free and (numbers is not None or not hits.sieved):
        return Arranged(numbers, None, total, total, total)
    return _Arranging(hits, view, columns, report, cancel, np.random.default_rng(view.seed)).run(numbers, total)


def usual_sort(index: Backend) -> str:
    """Name the order of lines for which none was chosen.

    Returns: "right", or "index" if the index cannot sort by words.
    """
    return "index" if index.capabilities.missing("sorting") else "right"


def _by_right_context(view: LineSettings) -> bool:
    """Whether lines are sorted by their right context, in either direction."""
    return tuple(replace(level, descending=False) for level in view.sort) == RIGHT_CONTEXT


_Chosen = tuple[NDArray[np.int64], Located]
"""Numbers of hits, and the place of each."""


@dataclass(frozen=True)
class _Arranging:
    """One run of `arrange` over hits of which each has to be looked at."""

    hits: Hits
    view: LineSettings
    columns: FieldColumns
    report: Report
    cancel: CancelToken | None
    random: np.random.Generator

    def run(self, numbers: NDArray[np.int64] | None, total: int) -> Arranged:
        """Draw, filter, order and merge. total: the number of hits that are considered."""
        view = self.view
        # If nothing depends on the other lines, the sample is drawn first, from all of them.
        early = not view.filters and 0 < view.sample <= MAX_ARRANGED
        # The sequence of random calls (this draw, the one after filters, the permutation) is part of what a seed
        # promises: the same lines in every run.
        found = self._choose(numbers, view.sample if early else MAX_ARRANGED)
        looked_at = total if early else len(found[0])
        for condition in view.filters:
            found = _kept(found, self._met(found[1], condition))
        # If only a sample of the hits was read, this counts in the sample, whose size is `looked_at`.
        passed = len(found[0]) if view.filters or looked_at != total else total
        if view.filters and view.sample:
            found = _kept(found, _drawn(self.random, len(found[0]), view.sample))
        (chosen, located), unsorted = self._ordered(found)
        if not view.collapse:
            return Arranged(chosen, None, looked_at, total, passed, unsorted)
        first, repeats = self._collapsed(located)
        return Arranged(chosen[first], repeats, looked_at, total, passed, unsorted)

    def _choose(self, numbers: NDArray[np.int64] | None, size: int) -> _Chosen:
        """At most `size` random hits, in order, and their places; hits that are left out are never drawn."""
        total = self.hits.total if numbers is None else len(numbers)
        # How many can be found at most; `drawn`: how many have to be drawn to find enough.
        there = total if numbers is not None else self.hits.count
        # Left-out hits are among those that can be drawn, until enough others are found.
        drawn = size if there == total else min(total, max(4 * size, CHUNK))
        while True:
            # Each round draws from all hits again, instead of adding to the last draw, so that the sample stays
            # uniform.
            some = _drawn(self.random, total, drawn)
            found = self._look_up(some if numbers is None else numbers[some])
            if len(found[0]) >= min(size, there) or drawn >= total:
                break
            drawn = min(total, 4 * drawn)
        return _kept(found, _drawn(self.random, len(found[0]), size))

    def _look_up(self, numbers: NDArray[np.int64]) -> _Chosen:
        """The hits that are not left out, and where they are."""
        kept: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
        parts: list[Located] = []
        done = 0
        for part, located in self.hits.chunks(numbers, self.cancel):
            kept.append(part)
            parts.append(located)
            done += len(part)
            self.report(Progress("Looking up hits", done, len(numbers), "hits"))
        return np.concatenate(kept), Located.join(parts)

    def _met(self, located: Located, condition: Filter) -> NDArray[np.bool_]:
        """Which hits meet a condition."""
        if isinstance(condition, FieldFilter):
            return self._column(condition.field, located).kept(condition)
        # Without this, the hits of the phrase might be listed in vain.
        if not len(located):
            return np.zeros(0, dtype=np.bool_)
        others = Hits(self.hits.index, condition.parts)
        near = Nearness(others, len(located), condition.distance, self.cancel).near(located)
        return near if condition.wanted else ~near

    def _ordered(self, found: _Chosen) -> tuple[_Chosen, bool]:
        """The hits in the order of the view, and whether they are too many to be sorted."""
        chosen, located = found
        # Words around a hit and identical lines depend on where the hit ends; documents and fields do not.
        if self.view.collapse or any(level.place is not None for level in self.view.sort):
            located = self.hits.measured(located, self.cancel)
        if _by_right_context(self.view) and len(located) > MAX_SORTED:
            return (chosen, located), True
        return _kept((chosen, located), self._order(located)), False

    def _order(self, located: Located) -> NDArray[np.int64]:
        """The hits from first to last."""
        if self.view.shuffle:
            return self.random.permutation(len(located))
        keys: list[NDArray[np.int64]] = []
        cases: list[NDArray[np.int64]] = []
        for number, level in enumerate(self.view.sort):
            self.report(Progress("Sorting", number, len(self.view.sort), "levels"))
            # Only the order of ranks counts, so they are reversed by their sign.
            sign = -1 if level.descending else 1
            if level.place is not None:
                ranks = self.hits.index.hits.word_ranks(located, level.place, self.cancel)
                keys.append(sign * (ranks >> CASE_BITS))
                cases.append(sign * (ranks & ((1 << CASE_BITS) - 1)))
            elif level.key == "document":
                # Lines of one document follow each other as they do in it.
                keys += [sign * located.documents, sign * located.offsets]
            else:
                column = self._column(level.key.removeprefix("field:"), located)
                keys.append(column.ranks(level.descending))
        # The case of words decides last: “The” and “the” are one word for the levels that follow.
        keys += cases
        # `lexsort` takes the most important key last. It is stable: equal lines stay in the order of the index.
        return np.lexsort(keys[::-1]) if keys else np.arange(len(located))

    def _column(self, field: str, located: Located) -> Column:
        return self.columns.column(field, located.documents, self.report, self.cancel)

    def _collapsed(self, located: Located) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first of each kind of line, in order, and how many there are of each."""
        hashes = self.hits.index.hits.surroundings(located, self.view.collapse, self.cancel)
        # `unique` sorts by hash; the lines keep the order in which the first of each kind came.
        _, first, counts = np.unique(hashes, return_index=True, return_counts=True)
        order = np.argsort(first)
        return first[order], counts[order]


def _kept(found: _Chosen, which: NDArray[np.int64] | NDArray[np.bool_]) -> _Chosen:
    """Some hits, by a bool for each or by their places among these."""
    return found[0][which], found[1][which]


def _drawn(random: np.random.Generator, total: int, size: int) -> NDArray[np.int64]:
    """At most `size` of the numbers below `total`, in order."""
    if total <= size:
        return np.arange(total, dtype=np.int64)
    return np.sort(random.choice(total, size, replace=False)).astype(np.int64)


def merge_views(sort: LineSettings, rest: LineSettings) -> LineSettings:
    """Take the order of one view, and everything else of another.

    sort: The view with the order.
    rest: The view with filters, sample, merging and seed.
    """
    return replace(rest, sort=sort.sort, shuffle=sort.shuffle)
