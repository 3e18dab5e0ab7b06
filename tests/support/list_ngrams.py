"""The n-grams of documents in lists, by plain counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from explorer.backends.protocol.list_values import (
    LONGEST_SHARED,
    SPECTRUM,
    GrowthRule,
    NgramGrowth,
    NgramList,
    NgramRule,
)


def listed(documents: Iterable[Sequence[int]], rule: NgramRule, separator: int) -> tuple[NgramList, ...]:
    """One list for each n."""
    every = list(documents)
    return tuple(_of_size(every, n, rule, separator) for n in range(rule.min_n, rule.max_n + 1))


def _of_size(documents: Sequence[Sequence[int]], n: int, rule: NgramRule, separator: int) -> NgramList:
    counts, homes = Counter[tuple[int, ...]](), Counter[tuple[int, ...]]()
    for document in documents:
        found = Counter(tuple(document[at : at + n]) for at in range(len(document) - n + 1))
        wanted = {ids: count for ids, count in found.items() if separator not in ids and _is_asked(ids, rule)}
        counts.update(wanted)
        homes.update(wanted.keys())
    spectrum = np.zeros(SPECTRUM, dtype=np.int64)
    for count in counts.values():
        spectrum[min(count, SPECTRUM - 1)] += 1
    rows = sorted(ids for ids in counts if counts[ids] >= rule.min_count and homes[ids] >= rule.min_documents)
    rows = [ids for ids in rows if rule.stop.isdisjoint(ids)]
    rows.sort(key=lambda ids: [id.to_bytes(4, "little") for id in ids])
    if rule.top is not None:
        rows = sorted(rows, key=lambda ids: -counts[ids])[: rule.top]
    return NgramList(
        n,
        counts.total(),
        spectrum,
        np.array(rows, dtype=np.uint32).reshape(-1, n),
        np.array([counts[ids] for ids in rows], dtype=np.int64),
        np.array([homes[ids] for ids in rows], dtype=np.int64) if rule.documents or rule.min_documents > 1 else None,
    )


def _is_asked(ids: tuple[int, ...], rule: NgramRule) -> bool:
    size = len(rule.contains)
    inside = any(ids[at : at + size] == rule.contains for at in range(len(ids) - size + 1))
    return inside and ids[: len(rule.begins)] == rule.begins


def shared(documents: Sequence[Sequence[int]]) -> np.ndarray:
    """How many suffixes share so many tokens with the one before; each document has one that is empty."""
    counts = np.zeros(LONGEST_SHARED + 1, dtype=np.int64)
    suffixes = sorted(tuple(document[at:]) for document in documents for at in range(len(document) + 1))
    for one, other in zip([(), *suffixes], suffixes, strict=False):
        same = [a == b for a, b in zip(one, other, strict=False)]
        counts[min([*same, False].index(False), LONGEST_SHARED)] += 1
    return counts


def grown(documents: Sequence[Sequence[int]], rule: GrowthRule) -> NgramGrowth:
    """The n-grams of the first documents, counted anew for each size."""
    sizes = [len(document) + 1 for document in documents]
    wanted = [sum(sizes) * step / rule.steps for step in range(1, rule.steps + 1)]
    numbers = sorted({next(n for n in range(1, len(sizes) + 1) if sum(sizes[:n]) >= each) for each in wanted if sizes})
    counts = [
        [
            sum(
                count >= rule.min_count
                for count in Counter(
                    tuple(document[at : at + n])
                    for document in documents[:number]
                    for at in range(len(document) - n + 1)
                ).values()
            )
            for number in numbers
        ]
        for n in range(rule.min_n, rule.max_n + 1)
    ]
    tokens = np.array([sum(sizes[:number]) - number for number in numbers], dtype=np.int64)
    made = np.array(counts, dtype=np.int64).reshape(rule.max_n - rule.min_n + 1, len(numbers))
    return NgramGrowth(np.array(numbers, dtype=np.int64), tokens, made)
