"""Hints from single counts: for every kind of index."""

from __future__ import annotations

import numpy as np

from explorer.backends.protocol.protocol import CountQuestions, HintArrays, HintRule, Numbers
from explorer.core.jobs import CancelToken


def hints_by_counts(
    counts: CountQuestions,
    separator: int,
    ids: Numbers,
    places: Numbers,
    begins: Numbers,
    numbers: Numbers,
    rule: HintRule,
    cancel: CancelToken | None = None,
) -> HintArrays:
    """Answer `explorer.backends.protocol.count_questions.CountQuestions.hints` by other questions.

    separator: The id that ends documents.
    ids: Checked ids of texts, one after another.
    numbers: A number for each, which together with the seed decides all chance.
    Returns: As there; other samples of the same distribution.
    """
    samples = np.full((len(places), rule.samples), -1, dtype=np.int32)
    drawn, sizes, totals = [np.zeros(len(places), dtype=np.int64) for _ in range(3)]
    for row, (place, begin) in enumerate(zip(places.tolist(), begins.tolist(), strict=True)):
        if cancel is not None:
            cancel.check()
        room = min(place - begin, rule.context)
        sizes[row] = _chosen(counts, separator, ids[: place + 1], room, rule)
        tokens, times = _after(counts, separator, ids[: place + 1], int(sizes[row]), rule)
        totals[row] = times.sum()
        # Different occurrences: the hypergeometric distribution, in which no token is drawn oftener than it follows.
        drawn[row] = min(rule.samples, totals[row])
        # The seed and the number are one stream of chance each.
        random = np.random.default_rng([rule.seed, numbers[row]])
        taken = random.multivariate_hypergeometric(times, drawn[row]) if len(times) else times
        samples[row, : drawn[row]] = np.repeat(tokens, taken)
    return HintArrays(samples, drawn.astype(np.uint8), sizes.astype(np.int32), totals)


def _chosen(counts: CountQuestions, separator: int, text: Numbers, room: int, rule: HintRule) -> int:
    """The tokens of the context of the last token of a text."""
    run, before = 0, -1
    for size in range(1, room + 1):
        total = int(_after(counts, separator, text, size, rule)[1].sum())
        # A count of 0 is not a plateau, and longer contexts have no more.
        if not total:
            return size - 1
        run = run + 1 if total == before else 1
        before = total
        if run == rule.plateau:
            return size - run
    return room


def _after(counts: CountQuestions, separator: int, text: Numbers, size: int, rule: HintRule) -> tuple[Numbers, Numbers]:
    """What follows the `size` tokens before the last one of a text, and how often."""
    found = counts.next_tokens(text[len(text) - 1 - size : -1])
    tokens, times = found.tokens[found.tokens != separator], found.counts[found.tokens != separator].copy()
    if rule.leaves_out:
        # Only where it follows: otherwise there is nothing to leave out.
        times[tokens == text[-1]] -= 1
    return tokens, times
