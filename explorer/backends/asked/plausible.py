"""Answers that have the right kinds, and cannot be true all the same: checked on the side that asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.backends.places import Located, Places
from explorer.backends.protocol.values import Cut, Followed, HintArrays, HintRule, Level, Matches, NextTokens, Numbers


@dataclass(frozen=True)
class Bounds:
    """What an index has: its largest id, and one more than its largest document number."""

    separator: int
    slots: int

    def ids(self, values: Any, ends: bool = True) -> bool:
        """Whether all are ids; without `ends`, not that of the end of a document."""
        return _within(values, 0, self.separator if ends else self.separator - 1)

    def places(self, found: Places) -> bool:
        """Whether all are places in documents."""
        # An n-gram that begins with a separator begins before its document.
        return _within(found.documents, 0, self.slots - 1) and _within(found.offsets, -1)


Check = Callable[[Any, Sequence[Any], Bounds], bool]


def is_plausible(name: str, answer: Any, arguments: Sequence[Any], bounds: Bounds) -> bool:
    """Tell whether an answer can be that of a question.

    name: The question: see `explorer.backends.asked.questions`.
    Returns: False if a number is one that no index of this size can give.

    Examples
    --------
    >>> is_plausible("count", -1, (), Bounds(255, 1)), is_plausible("tokens_at", np.array([97]), (), Bounds(255, 1))
    (False, True)
    """
    check = _CHECKS.get(name)
    return check is None or check(answer, arguments, bounds)


def _within(values: Any, low: int, high: int | None = None) -> bool:
    numbers = np.asarray(values)
    return not numbers.size or (int(numbers.min()) >= low and (high is None or int(numbers.max()) <= high))


def _ascend(values: Any) -> bool:
    return bool((np.diff(values) > 0).all())


def _counts(answer: Any, arguments: Sequence[Any], bounds: Bounds) -> bool:
    return _within(answer, 0)


def _backed_off(answer: tuple[int, int, int], arguments: Sequence[Any], bounds: Bounds) -> bool:
    length, count, followed = answer
    return 0 <= length <= len(arguments[0]) and 0 <= followed <= count


def _next_tokens(answer: NextTokens, arguments: Sequence[Any], bounds: Bounds) -> bool:
    whole = 0 <= answer.context_length <= len(arguments[0]) and min(answer.context_count, answer.sample_size) >= 0
    return whole and bounds.ids(answer.tokens) and _within(answer.counts, 1) and _ascend(np.sort(answer.tokens))


def _longest(answer: Numbers, arguments: Sequence[Any], bounds: Bounds) -> bool:
    # As many of either are checked elsewhere. No match reaches beyond the end of the text.
    room = np.arange(len(arguments[0]), 0, -1)
    return _within(answer, 0) and (len(answer) != len(room) or bool((answer <= room).all()))


def _followed(answer: tuple[Followed, ...], arguments: Sequence[Any], bounds: Bounds) -> bool:
    return all(
        _within(one.starts, 0)
        and bool((one.starts <= np.arange(len(one.starts))).all())
        and _within(one.continuation, 0)
        and bool((one.continuation <= one.context).all())
        for one in answer
    )


def _followers(answer: tuple[Numbers, Numbers], arguments: Sequence[Any], bounds: Bounds) -> bool:
    followed, distinct = answer
    return len(followed) == len(distinct) and _within(distinct, 0) and bool((distinct <= followed).all())


def _levels(answer: tuple[tuple[Level, ...], bool], arguments: Sequence[Any], bounds: Bounds) -> bool:
    (levels, _), (context, least, most, _) = answer, arguments
    lengths = [level.length for level in levels]
    ordered = _ascend(lengths[::-1]) and _within(lengths, least, len(context))
    return (ordered and (most is None or len(levels) <= most)) and all(
        bounds.ids(level.tokens, ends=False)
        and _ascend(level.tokens)
        and len(level.tokens) > 0
        and _within(level.counts, 1)
        and level.ends >= 0
        for level in levels
    )


def _greedy(answer: tuple[int, list[int]], arguments: Sequence[Any], bounds: Bounds) -> bool:
    length, tokens = answer
    return 0 <= length <= len(arguments[0]) and len(tokens) <= arguments[1] and bounds.ids(tokens, ends=False)


def _hints(answer: HintArrays, arguments: Sequence[Any], bounds: Bounds) -> bool:
    rule: HintRule = arguments[-1]
    rows = len(answer.lengths)
    if answer.samples.shape != (rows, rule.samples) or rows != len(arguments[1]):
        return False
    # As many samples as there are, and then nothing but -1.
    there = np.arange(rule.samples) < answer.lengths[:, None]
    tokens, rest = answer.samples[there], answer.samples[~there]
    return (
        _within(answer.lengths, 0, rule.samples)
        and bounds.ids(tokens, ends=False)
        and bool((rest == -1).all())
        and _within(answer.context_lengths, 0, rule.context)
        and _within(answer.counts, 0)
        # Samples are different occurrences.
        and bool((answer.lengths <= answer.counts).all())
    )


def _find(answer: Matches, arguments: Sequence[Any], bounds: Bounds) -> bool:
    return answer.ids == tuple(arguments[0].tolist()) and answer.count >= 0


def _some_places(answer: tuple[Numbers, Places], arguments: Sequence[Any], bounds: Bounds) -> bool:
    (which, places), most = answer, arguments[3]
    few = not len(which) or int(np.unique(which, return_counts=True)[1].max()) <= most
    return few and bool((np.diff(which) >= 0).all()) and bounds.places(places)


def _cuts(answer: tuple[Cut, ...], arguments: Sequence[Any], bounds: Bounds) -> bool:
    return all(one.count >= 1 and one.begin >= 0 and bounds.ids(one.tokens) for one in answer)


def _located(answer: Located, arguments: Sequence[Any], bounds: Bounds) -> bool:
    sizes = (answer.lengths, answer.begins, answer.rests)
    return bounds.places(answer) and all(_within(each, 0) for each in sizes)


def _windows(answer: list[Numbers], arguments: Sequence[Any], bounds: Bounds) -> bool:
    _, firsts, lasts = arguments
    room = np.maximum(0, lasts - firsts).tolist()
    # As many windows as documents are checked elsewhere.
    return all(len(one) <= most and bounds.ids(one) for one, most in zip(answer, room, strict=False))


_CHECKS: Mapping[str, Check] = {
    "count": _counts,
    "continuation": lambda answer, arguments, bounds: 0 <= answer[1] <= answer[0],
    "backed_off": _backed_off,
    "longest_suffix": lambda answer, arguments, bounds: 0 <= answer <= len(arguments[0]),
    "next_tokens": _next_tokens,
    "count_many": _counts,
    "longest_matches": _longest,
    "followed": _followed,
    "followers": _followers,
    "levels": _levels,
    "greedy": _greedy,
    "hints": _hints,
    "find": _find,
    "find_text": lambda answer, arguments, bounds: answer.patterns == arguments[0] and answer.count >= 0,
    "some_places": _some_places,
    "word_ranks": _counts,
    "cuts": _cuts,
    "numbered": lambda answer, arguments, bounds: 0 <= answer[1] <= answer[0],
    "locate": _located,
    "numbers": lambda answer, arguments, bounds: _ascend(answer) and _within(answer, 0, bounds.slots - 1),
    "sizes": _counts,
    "lengths": _counts,
    "windows": _windows,
    "tokens_at": lambda answer, arguments, bounds: bounds.ids(answer),
    "like": lambda answer, arguments, bounds: arguments[0] in answer and _within(answer, 0, bounds.slots - 1),
}
"""What a number may be. Yes and no, hashes, names and metadata may be anything: their number is checked elsewhere."""
