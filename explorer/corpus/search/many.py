"""Many counts in one call: n-grams together in the engine, texts one after the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.metadata.values import labels, plain_value
from explorer.analyses.search.find import QueryOptions
from explorer.analyses.search.limits import whole_number
from explorer.backends.protocol.protocol import Backend, Ids
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.corpus.inputs import listed
from explorer.corpus.search import queries
from explorer.corpus.search.where import count_within
from explorer.corpus.types import Query
from explorer.errors import QueryError
from explorer.i18n import mark

Numbers = NDArray[np.int64]
R = TypeVar("R")

_TOGETHER = 1 << 15
"""N-grams that one call of the engine counts, between two reports."""
_TOKENS_PER_QUERY = 1_000
"""An index of chosen documents is made if it has fewer tokens per query than this: it takes a microsecond per token,
and looking up the occurrences of one query a millisecond or more."""


@dataclass(frozen=True, eq=False)
class Many(ArrayValue):
    """How many queries are counted.

    Attributes
    ----------
    index
        The index.
    options
        How texts are matched.
    threads
        Threads that count n-grams, from 1.
    report
        Called with the queries that are done.
    cancel
        Stops the count.
    chosen
        Whether each document counts, bool of shape (document slots,); None for all documents.
    """

    index: Backend
    options: QueryOptions
    threads: int
    report: Report
    cancel: CancelToken
    chosen: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "threads", whole_number(self.threads, "threads", 1))

    def counts(self, given: Iterable[Query] | NDArray[Any]) -> Numbers:
        """Count queries.

        Parameters
        ----------
        given
            The queries.

        Returns
        -------
        Numbers
            One count per query.

        Raises
        ------
        QueryError
            For the first query that cannot be counted; its number is `item`.
        Cancelled
            If it was cancelled.
        """
        if self.chosen is not None:
            items = listed(given)
            part = self._part(items, np.flatnonzero(self.chosen))
            if part is None:
                return self._one_by_one(items, self.chosen)
            return replace(self, index=part, chosen=None).counts(items)
        if isinstance(given, np.ndarray) and given.ndim == 2 and given.shape[1] and given.dtype.kind in "iu":
            self._check_ngram(0, given[0] if len(given) else ())
            return self._of_table(given)
        items = listed(given)
        texts = [number for number, item in enumerate(items) if isinstance(item, str)]
        others = [number for number, item in enumerate(items) if not isinstance(item, str)]
        if others:
            self._check_ngram(others[0], items[others[0]])
        if not texts:
            return self._of_ngrams(items)
        if self.options.match == "tokens" and not self.options.variants:
            encoded = self.index.tokenizer.encode_batch([str(items[number]) for number in texts])
            for number, ids in zip(texts, encoded, strict=True):
                items[number] = ids
            return self._of_ngrams(items)
        found = np.zeros(len(items), dtype=np.int64)
        # N-grams first: a wrong id is found before the slower texts are looked up.
        found[others] = self._of_ngrams([items[number] for number in others], others)
        for done, number in enumerate(texts):
            self._step(done, len(texts))
            found[number] = at_item(number, partial(queries.count, self.index, items[number], self.options))
        return found

    def _part(self, items: Sequence[Query], numbers: Numbers) -> Backend | None:
        """An index of the chosen documents alone, if it is worth its cost."""
        index = self.index
        if not len(numbers) or not index.capabilities.subtraction or self._has_separator(items):
            return None
        chosen = int(index.documents.lengths(numbers).sum())
        if min(chosen, index.token_count - chosen) > len(items) * _TOKENS_PER_QUERY:
            return None
        try:
            return index.within(numbers, self.cancel)
        except QueryError as error:
            # Queries are then looked up, which has no limit.
            if error.reason != "too-many-tokens-left-out":
                raise
            return None

    def _has_separator(self, items: Sequence[Query]) -> bool:
        """Whether an n-gram goes beyond a document: what follows there is not chosen with it."""
        try:
            return any(self.index.separator in item for item in items if not isinstance(item, str))
        except TypeError:
            # A wrong query is found, and named, when it is counted.
            return True

    def _one_by_one(self, items: Sequence[Query], chosen: NDArray[np.bool_]) -> Numbers:
        """Counts in chosen documents, where every occurrence is looked up."""

        def count(item: Query) -> int:
            options = self._options_for(item)
            return count_within(self.index, queries.parts(self.index, item, options), chosen, self.cancel)

        counts = np.zeros(len(items), dtype=np.int64)
        for number, item in enumerate(items):
            self._step(number, len(items))
            counts[number] = at_item(number, partial(count, item))
        return counts

    def _check_ngram(self, number: int, ids: Query) -> None:
        """Refuse options that an n-gram does not have."""
        at_item(number, partial(self._options_for, ids))

    def _options_for(self, item: Query) -> QueryOptions:
        """The options, which an n-gram may not have."""
        given = self.options
        return queries.checked_options(
            item, given.variants, given.match, given.ignore_case, given.whole_words, given.equate
        )

    def _step(self, done: int, of: int) -> None:
        self.cancel.check()
        self.report(Progress("Counting", done, of, "queries"))

    def _of_table(self, table: NDArray[Any]) -> Numbers:
        """Counts of n-grams of one length, a row each."""
        rows, length = table.shape
        if not rows:
            return np.zeros(0, dtype=np.int64)
        try:
            ids = self.index.counts.check_ids(table.reshape(-1))
        except QueryError:
            # Only now is it worth looking for the row.
            return self._of_ngrams(list(table))
        return self._of_flat(ids, np.full(rows, length, dtype=np.int64))

    def _of_ngrams(self, items: Sequence[Query], numbers: Sequence[int] | None = None) -> Numbers:
        """Counts of n-grams; `numbers`: what each is called in an error."""
        if not items:
            return np.zeros(0, dtype=np.int64)
        try:
            lengths = np.fromiter(map(len, items), np.int64, len(items))
            if not lengths.all():
                raise ValueError("an n-gram is empty")
            return self._of_flat(self.index.counts.check_ids(_joined(items)), lengths)
        except (QueryError, TypeError, ValueError):
            # An item is empty, has no length, or has wrong ids: the first such one is reported.
            for place, item in enumerate(items):
                at_item(numbers[place] if numbers else place, partial(self.index.counts.check_ids, cast(Ids, item)))
            raise

    def _of_flat(self, ids: Numbers, lengths: Numbers) -> Numbers:
        """Counts of n-grams that follow each other in one array."""
        ends = np.cumsum(lengths)
        starts = ends - lengths
        # By their first two tokens: n-grams that are next to each other in this order are so in the suffix array, too,
        # whose pages and cache lines are then read once. It halves the time.
        second = np.where(lengths > 1, ids[np.minimum(starts + 1, len(ids) - 1)], -1)
        order = np.argsort(ids[starts] * (int(ids.max()) + 2) + second)
        counts = np.empty(len(lengths), dtype=np.int64)
        # Several per thread, so that none waits long for the last one.
        size = min(_TOGETHER, -(-len(order) // (4 * self.threads))) if self.threads > 1 else _TOGETHER
        parts = [order[first : first + size] for first in range(0, len(order), size)]

        def count(part: Numbers) -> tuple[Numbers, Numbers]:
            return part, self.index.counts.count_many(ids, starts[part], ends[part], self.cancel)

        done = 0
        for part, found in self._spread(count, parts):
            counts[part] = found
            done += len(part)
            self._step(done, len(order))
        return counts

    def _spread(self, work: Callable[[Numbers], R], parts: Sequence[Numbers]) -> Iterable[R]:
        """What `work` gives for each part, on some threads: the engine lets others run while it counts."""
        threads = min(self.threads, os.cpu_count() or 1)
        if threads == 1 or len(parts) == 1:
            yield from map(work, parts)
            return
        with ThreadPoolExecutor(threads) as pool:
            yield from pool.map(work, parts)


def at_item(number: int, work: Callable[[], R]) -> R:
    """Do what one query or row needs, so that an error names it.

    Parameters
    ----------
    number
        Its number, from 0.
    work
        What to do.

    Returns
    -------
    R
        What `work` gives.

    Raises
    ------
    QueryError
        The error of `work`, with `item`.
    """
    try:
        return work()
    except QueryError as error:
        sentence = mark("This is item {item:,}, counted from 0.")
        raise error.followed_by(sentence, error.outcome, item=number) from None


def _joined(items: Sequence[Query]) -> Ids:
    """All n-grams one after the other, as the engine checks them."""
    if all(isinstance(item, np.ndarray) and item.ndim == 1 and item.dtype.kind in "iu" for item in items):
        return np.concatenate(items)
    # A nested list or a float is refused by the check, as in a single n-gram.
    return list(chain.from_iterable(items))


def checked_texts(
    texts: Iterable[str], groups: Iterable[object] | None, prompts: Iterable[str] | None = None
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Check texts, their groups, by the rule for metadata values, and their prompts; () for None."""
    found = _checked(texts)
    names = () if groups is None else labels([plain_value(group) for group in listed(groups)])
    before = () if prompts is None else _checked(prompts)
    if groups is not None and len(names) != len(found):
        raise QueryError(
            mark("There are {groups:,} groups for {texts:,} texts."),
            reason="groups-differ",
            groups=len(names),
            texts=len(found),
        )
    if prompts is not None and len(before) != len(found):
        raise QueryError(
            mark("There are {prompts:,} prompts for {texts:,} texts."),
            reason="prompts-differ",
            prompts=len(before),
            texts=len(found),
        )
    return found, names, before


def _checked(texts: Iterable[str]) -> tuple[str, ...]:
    found = tuple(listed(texts))
    for number, text in enumerate(found):
        if not isinstance(text, str):
            raise QueryError(mark("Item {item:,}, counted from 0, is not a text."), reason="not-a-text", item=number)
    return tuple(str(text) for text in found)
