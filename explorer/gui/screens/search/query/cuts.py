"""Cuts as chips: how the tokenizer split the hits, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from explorer.analyses.search.cuts import Cuts
from explorer.analyses.search.query import Variant, show_token
from explorer.backends.protocol.protocol import Backend
from explorer.gui.style.direction import isolated
from explorer.i18n import numeral, tr

_BYTES = re.compile("(?:⟨[0-9A-F]{2}⟩)+")


@dataclass(frozen=True)
class CutChip:
    """One way of splitting: its text with a dot at each cut, its hits, and its tokens in words."""

    text: str
    count: int
    tokens: str

    @property
    def shown(self) -> str:
        """The text on the chip."""
        return f"{isolated(self.text)} {numeral(self.count)}"

    @property
    def told(self) -> str:
        """A line of the tool tip."""
        return tr(
            "{cut}: {count:,} – tokens with their ids: {tokens}",
            cut=isolated(self.text),
            count=self.count,
            tokens=self.tokens,
        )


def chips_of_cuts(index: Backend, cuts: Cuts) -> tuple[tuple[CutChip, ...], int]:
    """Make chips of cuts; those that differ only in where the text begins become one.

    Returns: The chips, most frequent first, and the number of cuts that are not among `cuts`.
    """
    made: dict[tuple[int, ...], CutChip] = {}
    for cut in cuts.cuts:
        known = made.get(cut.tokens)
        # The same tokens in the same order read the same, wherever in the first one the text begins.
        if known is not None:
            made[cut.tokens] = replace(known, count=known.count + cut.count)
            continue
        named = ", ".join(_token(show_token(index, token), token) for token in cut.tokens)
        made[cut.tokens] = CutChip(cut.label, cut.count, named)
    # What is not among the given cuts cannot be merged, so it is counted as it is.
    return tuple(sorted(made.values(), key=lambda chip: -chip.count)), cuts.distinct - len(cuts.cuts)


def chips_of_variants(variants: Sequence[Variant]) -> tuple[CutChip, ...]:
    """The variants of a phrase that occur; if none does, the phrase as it is split."""
    made = [
        CutChip(
            _label([view.text for view in variant.tokens]),
            variant.matches.count,
            ", ".join(_token(view.text, view.token) for view in variant.tokens),
        )
        for variant in variants
    ]
    return tuple(sorted((chip for chip in made if chip.count), key=lambda chip: -chip.count)) or tuple(made[:1])


def _token(text: str, token: int) -> str:
    return f"{isolated(text)} ({token})"


def _label(texts: Sequence[str]) -> str:
    """The tokens with dots between them; those that are parts of one character are written together."""
    parts: list[str] = []
    waiting = b""
    for text in texts:
        # `show_token` writes bytes that are not a whole character in hexadecimal.
        if not _BYTES.fullmatch(text):
            parts.append(text)
            continue
        waiting += bytes.fromhex(text.replace("⟨", "").replace("⟩", ""))
        try:
            parts.append(waiting.decode("utf-8"))
            waiting = b""
        # The next token may have the rest of the character.
        except UnicodeDecodeError:
            continue
    return "·".join([*parts, *(["…"] if waiting else [])])
