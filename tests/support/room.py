"""Everything that is wrong with the room of a window: see `layout_checks`."""

from __future__ import annotations

from layout_checks import clipped, overlapping
from PySide6.QtWidgets import QWidget


def without_room(window: QWidget) -> list[str]:
    """Texts that are clipped and widgets that cover each other."""
    return [*clipped(window), *overlapping(window)]
