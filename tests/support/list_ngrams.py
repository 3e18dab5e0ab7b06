"""The n-grams of documents in lists, by plain counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from explorer.backends.values import SPECTRUM, NgramList, NgramRule


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
