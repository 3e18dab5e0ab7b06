"""What is open and typed in a window: saved every few seconds and at exit, restored on startup."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer

from explorer.gui.chrome.actions import WindowCommands
from explorer.gui.index.indexes import Indexes
from explorer.gui.index.opening import request_of, short
from explorer.gui.project.views import Views
from explorer.gui.screens.screen import Screen
from explorer.gui.screens.screen_set import ScreenSet
from explorer.gui.settings.store import Settings

_INTERVAL_MS = 5_000
"""A killed window loses at most what was typed in this time."""


class Session(QObject):
    """Saves a window's session in the settings, if they ask for it.

    indexes: Knows the open index.
    screens: The screens, whose sessions are part of it.
    project: Gives the path of the open project; "" for none.
    """

    def __init__(
        self,
        settings: Settings,
        indexes: Indexes,
        screens: ScreenSet,
        window: WindowCommands,
        project: Callable[[], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._project = project
        self._settings, self._indexes, self._screens, self._window = settings, indexes, screens, window
        # Sessions of screens that do not exist yet, or have not got the index yet. They are saved again if the window
        # closes before that.
        self._unrestored: dict[str, dict[str, Any]] = {}
        # What was saved last: the file is written only after a change.
        self._kept: dict[str, Any] | None = None
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self.keep_changes)
        self._timer.start()

    def now(self) -> dict[str, Any]:
        """What is open and typed, as JSON values."""
        state, views = self._indexes.state, self.views()
        opened = state.request.as_session(state.corpus is not None)
        return {**opened, "screen": views.screen, "screens": views.screens, "project": self._project()}

    def views(self) -> Views:
        """What is typed and chosen on each screen."""
        sessions = {id: short(screen.session()) for id, screen in self._screens.made().items()}
        return Views(self._screens.spec_of(self._window.current_screen()).id, sessions | self._unrestored)

    def show(self, views: Views) -> None:
        """Restore what was typed and chosen, in the open index."""
        self._restore_screens({"screen": views.screen, "screens": views.screens})

    def keep_changes(self) -> None:
        """Save what has changed since the last call; called every few seconds.

        Of two windows, the one that was used last is saved. Without an index, the last session is kept.
        """
        state = self._indexes.state
        if state.corpus is None or state.opening or not self._settings.get("restore"):
            return
        # Compared as values: writing the same file every five seconds would keep a disk awake.
        found = self.now()
        if found != self._kept:
            self._kept = found
            self._settings.set("session", found)

    def end(self) -> None:
        """Save it for the next start, or clear it if the settings turn this off."""
        # Before it is written: a turn of the timer in between would write the session of a window that is closing.
        self._timer.stop()
        self._settings.set("session", self.now() if self._settings.get("restore") else {})

    def restore(self, values: dict[str, Any]) -> None:
        """Open what was open, and restore what was typed."""
        request = request_of(values)
        if request is not None:
            self._indexes.open(request, partial(self._restore_screens, values))

    def _restore_screens(self, values: dict[str, Any]) -> None:
        kept = values.get("screens")
        if isinstance(kept, dict):
            # Beside the others: a project also shows single screens, once the user has agreed to read their files.
            self._unrestored |= {id: kept[id] for id in self._screens if isinstance(kept.get(id), dict)}
        # The others are restored when they get the index.
        for id, screen in self._screens.got().items():
            self.restore_screen(id, screen)
        shown = values.get("screen")
        if isinstance(shown, str) and shown in self._screens:
            self._window.show_screen(shown)

    def restore_screen(self, id: str, screen: Screen) -> None:
        """Restore, once, what was typed in a screen that was just created."""
        # Taken out: another index that is opened later must not bring the old texts back.
        if id in self._unrestored:
            from explorer.project.view_files import usable_files

            screen.restore_session(usable_files(id, self._unrestored.pop(id)))
