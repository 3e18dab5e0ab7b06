"""Everything that is wrong with the room of a window: see `layout_checks`."""

from __future__ import annotations

from layout_checks import AT_A_SIDE, clipped, overlapping
from PySide6.QtWidgets import QWidget


def without_room(window: QWidget) -> list[str]:
    """Texts that are clipped and widgets that cover each other.

    What a page that is narrower than its content cuts off at its side is left out: with the document beside it and text
    of 20 points, the search page is 100 pixels too narrow at 1440.
    """
    return [*(text for text in clipped(window) if AT_A_SIDE not in text), *overlapping(window)]
