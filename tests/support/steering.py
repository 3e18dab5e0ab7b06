"""Characters that a terminal would obey, by Unicode's own tables."""

from __future__ import annotations

import unicodedata

_BIDI_CONTROLS = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


def steers(char: str) -> bool:
    """Whether this is a control, a separator of lines, half a character, or reorders text."""
    category = unicodedata.category(char)
    return category in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(char) in _BIDI_CONTROLS
