"""How varied the vocabulary of a text is; what a text is too short for is None, never 0."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from explorer.words.repeats import Repeats, repeats_of

Ids = NDArray[np.int64]
_DRAWN = 42
"""Words that HD-D draws from a text."""
WINDOW = 50
"""Words of a window of MATTR, unless others are asked for."""


def moving_types(words: Ids, window: int) -> float | None:
    """Compute MATTR: the mean share of types in all windows of a text.

    Parameters
    ----------
    words
        The ids of its words, int64 [words].
    window
        Words of a window; above 0.

    Returns
    -------
    float | None
        0 to 1; None if the text is shorter than a window. Cost: a sort of the words.

    Notes
    -----
    M. A. Covington and J. D. McFall, "Cutting the Gordian knot: the moving-average type-token ratio", 2010.

    Examples
    --------
    >>> moving_types(np.array([1, 2, 1, 3]), 2), moving_types(np.array([1]), 2)
    (1.0, None)
    """
    return window_share(repeats_of(words, window), window)


def window_share(repeats: Repeats, window: int) -> float | None:
    """Compute MATTR of counts.

    Parameters
    ----------
    repeats
        The counts of one or more documents.
    window
        Words of a window, as they were counted.

    Returns
    -------
    float | None
        As `moving_types`; None if every document is shorter than a window.

    Examples
    --------
    >>> window_share(repeats_of(np.array([1, 2, 2]), 2), 2)
    0.75
    """
    return repeats.window_types / repeats.windows / window if repeats.windows else None


def textual_diversity(words: Ids) -> float | None:
    """Compute MTLD: the mean number of words before the share of types falls to 0.72, read in both directions.

    Parameters
    ----------
    words
        The ids of a text's words, int64 [words].

    Returns
    -------
    float | None
        Words per factor, of both directions on average; None if no word is repeated, so that no factor has begun.
        It depends on the order of the words.

    Notes
    -----
    P. M. McCarthy and S. Jarvis, "MTLD, vocd-D, and HD-D", 2010.

    Examples
    --------
    >>> textual_diversity(np.array([1, 1] * 10)), textual_diversity(np.array([1, 2, 3]))
    (2.0, None)
    """
    return factor_length(repeats_of(words, 1))


def factor_length(repeats: Repeats) -> float | None:
    """Compute MTLD of counts.

    Parameters
    ----------
    repeats
        The counts of one or more documents.

    Returns
    -------
    float | None
        As `textual_diversity`.

    Examples
    --------
    >>> factor_length(repeats_of(np.array([1, 1, 2, 2]), 1))
    2.0
    """
    words = int(repeats.frequencies.sum())
    # Without a repeated word, no factor has begun.
    if not repeats.forward or not repeats.backward:
        return None
    return (words / repeats.forward + words / repeats.backward) / 2


def drawn_types(words: Ids) -> float | None:
    """Compute HD-D: the expected share of types among 42 words drawn without putting them back.

    words: The ids of a text's words, int64 [words].
    Returns: 0 to 1; None for a text of fewer than 42 words.

    Notes
    -----
    P. M. McCarthy and S. Jarvis, "MTLD, vocd-D, and HD-D", 2010: for each type, the hypergeometric chance to be drawn.

    Examples
    --------
    >>> round(drawn_types(np.arange(50)), 3), drawn_types(np.arange(41))
    (1.0, None)
    """
    return drawn_share(_frequencies(words))


def drawn_share(frequencies: Ids) -> float | None:
    """Compute HD-D of the frequencies of a text's types.

    Parameters
    ----------
    frequencies
        How often each type occurs, int64 [types]; each above 0.

    Returns
    -------
    float | None
        As `drawn_types`.

    Examples
    --------
    >>> drawn_share(np.array([42])), drawn_share(np.array([41]))
    (0.023809523809523808, None)
    """
    total = int(frequencies.sum())
    if total < _DRAWN:
        return None
    frequencies, types = np.unique(frequencies, return_counts=True)
    chances = [1 - _never(total, int(frequency)) for frequency in frequencies]
    return float(np.dot(types, chances) / _DRAWN)


def _never(total: int, frequency: int) -> float:
    """The chance that none of a type's words is among those drawn."""
    if total - frequency < _DRAWN:
        return 0.0
    rest = math.lgamma(total - frequency + 1) - math.lgamma(total - frequency - _DRAWN + 1)
    return math.exp(rest - math.lgamma(total + 1) + math.lgamma(total - _DRAWN + 1))


def _frequencies(words: Ids) -> Ids:
    return np.unique(words, return_counts=True)[1].astype(np.int64)


def _type_share(words: Ids) -> float | None:
    return len(_frequencies(words)) / len(words) if len(words) else None


def _hapax_share(words: Ids) -> float | None:
    """The share of the types that occur once."""
    frequencies = _frequencies(words)
    return int(np.count_nonzero(frequencies == 1)) / len(frequencies) if len(words) else None


def yule(frequencies: Ids) -> float | None:
    """Compute Yule's K: 10,000 times the chance that two words drawn are of one type.

    Parameters
    ----------
    frequencies
        How often each type occurs, int64 [types].

    Returns
    -------
    float | None
        0 or more; None for no words.

    Examples
    --------
    >>> yule(np.array([1, 1])), yule(np.array([2]))
    (0.0, 5000.0)
    """
    total = int(frequencies.sum())
    # As floats: squares of frequencies may exceed 64 bits.
    return float(1e4 * ((frequencies.astype(np.float64) ** 2).sum() - total) / total**2) if total else None


def _yule(words: Ids) -> float | None:
    return yule(_frequencies(words))


def _herdan(words: Ids) -> float | None:
    return math.log(len(_frequencies(words))) / math.log(len(words)) if len(words) > 1 else None


@dataclass(frozen=True)
class Diversity:
    """One measure of a text's vocabulary.

    Attributes
    ----------
    id
        Its name in commands and tables.
    label
        Its name on the screen.
    formula
        How it is computed, as people write it.
    source
        Who proposed it.
    compute
        The measure of word ids; None if the text is too short for it.
    """

    id: str
    label: str
    formula: str
    source: str
    compute: Callable[[Ids], float | None] = field(repr=False)


_ROWS = (
    Diversity("ttr", "TTR", "types / words; falls with the length", "Johnson 1944", _type_share),
    Diversity(
        "mattr",
        "MATTR",
        "mean TTR of all windows of a text",
        "Covington & McFall 2010",
        lambda ids: moving_types(ids, WINDOW),
    ),
    Diversity(
        "mtld", "MTLD", "words until the TTR falls to 0.72, both ways", "McCarthy & Jarvis 2010", textual_diversity
    ),
    Diversity("hdd", "HD-D", "expected share of types among 42 words drawn", "McCarthy & Jarvis 2010", drawn_types),
    Diversity("hapax_share", "Hapaxes", "types that occur once / types", "Baayen 2001", _hapax_share),
    Diversity("yule", "Yule's K", "10⁴·(Σ f² − N) / N²", "Yule 1944", _yule),
    Diversity("herdan", "Herdan's C", "ln types / ln words", "Herdan 1960", _herdan),
)
DIVERSITIES: Mapping[str, Diversity] = MappingProxyType({row.id: row for row in _ROWS})
"""The measures by id, in the order in which tables show them."""
