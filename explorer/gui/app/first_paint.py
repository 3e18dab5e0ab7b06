"""Tells when a window has been painted for the first time: until then, nothing should take time that can wait."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


class _FirstPaint(QObject):
    def __init__(self, window: QWidget, call: Callable[[], object]) -> None:
        # A child of the window, so that it lives as long: Qt does not own an event filter.
        super().__init__(window)
        self._call = call
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait for the first paint, and for the end of the turn that paints."""
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            # Of this object: without the window, there is no call.
            QTimer.singleShot(0, self, self._done)
        return False

    def _done(self) -> None:
        self._call()
        self.deleteLater()


def when_painted(window: QWidget, call: Callable[[], object]) -> None:
    """Call a function once, in the first turn of the event loop after a window was painted.

    window: A window that is not visible yet.
    call: The function. A window that is never shown, or deleted before, does not call it.
    """
    _FirstPaint(window, call)
