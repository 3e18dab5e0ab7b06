"""How a token is shaded: four levels by effective n, probability or agreement, and the text of its tool tip."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from explorer.analyses.agreement.analysis import TextAgreement
from explorer.gui.screens.agreement.sentences import percent
from explorer.gui.style.text_positions import one_line
from explorer.gui.style.theme import qcolor
from explorer.i18n import counted, mark, tr, trn

LEVELS = 4
_FILLS = ("surface", "rel1", "rel2", "rel3")
KINDS = ((mark("Effective n"), "n"), (mark("Probability"), "p"), (mark("Agreement"), "a"))
# The smallest effective n of each level but the lowest; `_LEGENDS` has the same borders in words.
_N_BOUNDS = (5, 9, 17)
# Each level is a step that can be told apart by its lightness.
_LEGENDS = {
    "n": ("1–4", "5–8", "9–16", mark("17 or more")),
    "p": ("0–25%", "25–50%", "50–75%", "75–100%"),
    "a": (mark("does not agree"), "", mark("agrees"), mark("agrees, and nothing else ever follows")),
}


def legend(kind: str) -> tuple[tuple[int, str], ...]:
    """What the shades of one kind mean: level and words."""
    return tuple((level, tr(words)) for level, words in enumerate(_LEGENDS[kind]) if words)


def shade_levels(found: TextAgreement, kind: str) -> NDArray[np.int64]:
    """Choose the shade of each token.

    kind: "n" for effective n, "p" for probability, "a" for agreement.
    Returns: 0 (none) to 3 for each token, int64.
    """
    parts = found.infgram
    if kind == "p":
        # A probability of exactly 1 would be level 4, one more than there are.
        return np.minimum((parts.probability * LEVELS).astype(np.int64), LEVELS - 1)
    if kind == "a":
        return np.where(parts.agrees, np.where(parts.sparse, LEVELS - 1, LEVELS - 2), 0).astype(np.int64)
    return np.searchsorted(_N_BOUNDS, parts.effective_n, side="right").astype(np.int64)


def heights(found: TextAgreement, kind: str) -> NDArray[np.float64]:
    """Choose how high each token's bar in the ribbon is, so that it can be read without color.

    kind: "n" for the square root of effective n, as a share of the largest; "p" for probability; "a" for agreement.
    Returns: 0 to 1 for each token, float64.
    """
    parts = found.infgram
    if kind == "p":
        return parts.probability
    if kind == "a":
        # Never 0, so that every token has a bar.
        return np.where(parts.agrees, np.where(parts.sparse, 1.0, 0.7), 0.1)
    # The root keeps one long match from flattening everything else to nothing.
    roots = np.sqrt(parts.effective_n.astype(np.float64))
    return np.asarray(roots / max(1.0, float(roots.max(initial=1.0))))


def shade(level: int) -> QColor:
    """The background of a level: they differ in lightness, not in hue."""
    return qcolor(_FILLS[level])


def describe_token(found: TextAgreement, token: int) -> str:
    """Describe a token's figures.

    token: The token's number in it, from 0.
    Returns: The token, its context, how often it follows it, and the probability.
    """
    parts, encoded = found.infgram, found.encoded
    text = one_line(found.text[int(encoded.starts[token]) : int(encoded.ends[token])])
    sparse = tr("; nothing else ever follows") if parts.sparse[token] and parts.agrees[token] else ""
    if parts.effective_n[token] < 2:
        return tr(
            "“{text}” has no context that occurs: it is {continuations:,} of all {n:,} tokens, {probability}",
            text=text,
            continuations=int(parts.continuation_count[token]),
            n=int(parts.context_count[token]),
            probability=percent(float(parts.probability[token])),
        )
    return trn(
        "“{text}” follows the last {context} {continuations:,} of {n:,} time: {probability}{sparse}",
        "“{text}” follows the last {context} {continuations:,} of {n:,} times: {probability}{sparse}",
        int(parts.context_count[token]),
        text=text,
        context=counted("token", int(parts.effective_n[token]) - 1),
        continuations=int(parts.continuation_count[token]),
        probability=percent(float(parts.probability[token])),
        sparse=sparse,
    )
