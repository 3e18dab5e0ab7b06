"""What is open and typed in a window: saved every few seconds and at exit, restored on startup."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from explorer.gui.opening import request_of, short
from explorer.gui.screen import Screen

if TYPE_CHECKING:
    from explorer.gui.main_window import MainWindow

_INTERVAL_MS = 5_000
"""A killed window loses at most what was typed in this time."""


class Session(QObject):
    """Saves a window's session in the settings, if they ask for it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._unrestored: dict[str, dict[str, Any]] = {}
        self._kept: dict[str, Any] | None = None
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._keep_changes)
        self._timer.start()

    def now(self) -> dict[str, Any]:
        """What is open and typed, as JSON values."""
        window, made = self._window, self._window.screens.made()
        return {
            **window.last_request.as_session(window.corpus is not None),
            "screen": window.screens.spec_of(window.current_screen()).id,
            "screens": self._unrestored | {id: short(screen.session()) for id, screen in made.items()},
        }

    def _keep_changes(self) -> None:
        """Of two windows, the one that was used last is saved. Without an index, the last session is kept."""
        window = self._window
        if window.corpus is None or window.opener.busy or not window.settings.get("restore"):
            return
        found = self.now()
        if found != self._kept:
            self._kept = found
            window.settings.set("session", found)

    def end(self) -> None:
        """Save it for the next start, or clear it if the settings turn this off."""
        self._timer.stop()
        settings = self._window.settings
        settings.set("session", self.now() if settings.get("restore") else {})

    def restore(self, values: dict[str, Any]) -> None:
        """Open what was open, and restore what was typed."""
        request = request_of(values)
        if request is not None:
            self._window.open(request, partial(self._restore_screens, values))

    def _restore_screens(self, values: dict[str, Any]) -> None:
        window, kept = self._window, values.get("screens")
        if isinstance(kept, dict):
            self._unrestored = {id: kept[id] for id in window.screens if isinstance(kept.get(id), dict)}
        for id, screen in window.screens.made().items():
            self.restore_screen(id, screen)
        if values.get("screen") in window.screens:
            window.show_screen(values["screen"])

    def restore_screen(self, id: str, screen: Screen) -> None:
        """Restore, once, what was typed in a screen that was just created.

        Parameters
        ----------
        id
            The screen's id.
        screen
            The screen.
        """
        if id in self._unrestored:
            screen.restore_session(self._unrestored.pop(id))
