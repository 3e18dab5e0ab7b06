"""Files that a person drags over a widget, on every version of Qt."""

from __future__ import annotations

from typing import Any

import PySide6
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent


def drag_enter(place: QPointF, data: QMimeData) -> QDragEnterEvent:
    """The event of a drag that may copy what it brings."""
    # The place is in whole pixels before Qt 6.12, which deprecates them.
    at: Any = place if PySide6.__version_info__ >= (6, 12) else place.toPoint()
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    return QDragEnterEvent(at, copy, data, left, Qt.KeyboardModifier.NoModifier)
