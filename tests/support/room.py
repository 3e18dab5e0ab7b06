"""Everything that is wrong with the room of a window: see `layout_checks`."""

from __future__ import annotations

from layout_checks import AT_A_SIDE, clipped, overlapping
from PySide6.QtWidgets import QWidget

_ELSEWHERE = (AT_A_SIDE, "painted", "are outside")
"""What `test_layout` looks for, where what is not mended yet is listed."""


def without_room(window: QWidget) -> list[str]:
    """Texts that are clipped and widgets that cover each other.

    What a page that is narrower than its content cuts off at its side is left out, as are painted texts and parts that
    reach out of what they are in: `test_layout` looks for these in every view.
    """
    return [
        *(text for text in clipped(window) if not any(words in text for words in _ELSEWHERE)),
        *overlapping(window),
    ]
