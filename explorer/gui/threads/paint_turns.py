"""A page that comes to the front is painted in several turns of the event loop: from its first part to its last one.

To paint a page of two hundred widgets takes up to 40 ms, and what shows it takes as long: together, the window would
not answer for longer than a person does not notice. Everything here runs on the interface thread.
"""

from __future__ import annotations

from collections.abc import Iterator

import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from explorer.gui.style.surfaces import parts_below

_MOST = 40
"""Widgets that are painted in one turn; a part with more of them has a turn of its own."""
_FRAME_MS = 16
"""Between two parts: Qt waits for the display before it paints, and would paint parts that follow sooner together."""


def paint_in_turns(page: QWidget) -> None:
    """Paint the first part of a page in the next frame, and each of the others in a later one.

    page: A page that was just shown. One with few widgets is painted at once.
    """
    groups = list(_groups(parts_below(page, _MOST)))[1:]
    for group in groups:
        for part in group:
            part.setUpdatesEnabled(False)
    if groups:
        # What showed the page has its own turn. Until the next frame, the page that was in front stays on the display.
        page.setUpdatesEnabled(False)
        # Of the page: without it there is nothing to paint. A part that is shown again meanwhile is only painted twice.
        QTimer.singleShot(_FRAME_MS, page, lambda: _paint_first(page, groups))


def _groups(parts: list[QWidget]) -> Iterator[list[QWidget]]:
    """The visible parts, in order, as many together as have a turn."""
    group: list[QWidget] = []
    room = _MOST
    for part in parts:
        if part.isHidden():
            continue
        size = 1 + len(part.findChildren(QWidget))
        if group and size > room:
            yield group
            group, room = [], _MOST
        group.append(part)
        room -= size
    if group:
        yield group


def _paint_first(page: QWidget, groups: list[list[QWidget]]) -> None:
    page.setUpdatesEnabled(True)
    QTimer.singleShot(_FRAME_MS, page, lambda: _paint_next(page, groups))


def _paint_next(page: QWidget, groups: list[list[QWidget]]) -> None:
    for part in groups.pop(0):
        # It may have been deleted since the page was shown.
        if shiboken6.isValid(part):
            part.setUpdatesEnabled(True)
    if groups:
        QTimer.singleShot(_FRAME_MS, page, lambda: _paint_next(page, groups))
