"""What the rules of others flag on the same items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.analyses.contamination.item_matches import EVIDENCE, PARAGRAPH_GRAM, ItemMatches

_LEAST_GRAM = 5
"""Words of a paragraph that BFF looks at."""


@dataclass(frozen=True)
class RuleCounts:
    """How many items rules of others flag; an item that is shorter than the n-grams of a rule is not.

    Attributes
    ----------
    gpt_3
        With an N-gram that occurs; N is the fifth percentile of the items' lengths, at least 8 and at most 13 (Brown et
        al. 2020).
    palm
        With 70 percent or more of their 8-grams (Chowdhery et al. 2022).
    llama_2
        With 80 percent or more in matches of more than ten with at most four mismatches, which it calls dirty (Touvron
        et al. 2023).
    any_13
        With a 13-gram that occurs, as lm-evaluation-harness had it.
    llama_3
        With half or more in 8-grams that occur (Grattafiori et al. 2024, where the share is chosen for each benchmark
        by the scores of a model).
    con_tam
        With half or more in one match of 8 or more, the measure "longest match" of ConTAM (Singh et al. 2024, where the
        share is chosen likewise).
    infini_gram_mini
        With 80 percent or more of their substrings of 50 characters within matches (Xu et al. 2025, who compare
        characters: matches here end with words or tokens, and words are compared in lower case).
    bff
        With more than 80 percent of their 13-grams; an item of 5 to 12 is one n-gram (AI2's BFF, whose rule for a
        paragraph of the training text is turned around here).
    llama_2_not_clean
        With 20 percent or more in matches as those of `llama_2`.
    """

    gpt_3: int
    palm: int
    llama_2: int
    any_13: int
    llama_3: int
    con_tam: int
    infini_gram_mini: int
    bff: int
    llama_2_not_clean: int = 0


def count_rules(found: Sequence[ItemMatches]) -> RuleCounts:
    """Count what rules of others flag."""
    lengths = [each.units for each in found]
    n = min(13, max(8, int(np.percentile(lengths, 5)))) if lengths else 13
    # An item of fewer than eight has no 8-gram, and none of it occurs.
    palm = sum(each.grams > 0 and each.grams >= 0.7 * (each.units - EVIDENCE + 1) for each in found)
    llama_2, not_clean = (
        sum(each.mismatched > 0 and each.mismatched >= least * each.units for each in found) for least in (0.8, 0.2)
    )
    return RuleCounts(
        gpt_3=sum(each.longest >= n for each in found),
        palm=palm,
        llama_2=llama_2,
        any_13=sum(each.longest >= 13 for each in found),
        llama_3=sum(each.covered[0] > 0 and each.coverage(0) >= 0.5 for each in found),
        con_tam=sum(each.longest >= EVIDENCE and each.longest_share >= 0.5 for each in found),
        infini_gram_mini=sum(each.substrings[0] > 0 and _share(each.substrings) >= 0.8 for each in found),
        bff=sum(map(_as_bff, found)),
        llama_2_not_clean=not_clean,
    )


def _share(part: tuple[int, int]) -> float:
    return part[0] / part[1]


def _as_bff(each: ItemMatches) -> bool:
    all_grams = max(1, each.units - PARAGRAPH_GRAM + 1)
    return each.units >= _LEAST_GRAM and each.long_grams > 0.8 * all_grams
