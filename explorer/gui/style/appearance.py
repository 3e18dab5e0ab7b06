"""Theme, text size and shortcuts: stores a setting, and lets it take effect in every window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from explorer.core.jobs.pool import SHARED
from explorer.gui.chrome.folders import choose_folder
from explorer.gui.presenting.requests import ChangeSetting, ChangeTextSize, Request
from explorer.gui.settings.store import Settings
from explorer.gui.style.surfaces import restyle
from explorer.gui.style.theme import choose_fonts, choose_motion, choose_scheme, choose_text_size, text_size

LOOKS = ("scheme", "text_size", "text_font", "code_font", "motion")
"""Settings that change how all windows look."""
_LEAST_POINTS, _MOST_POINTS = 6, 28


def choose_looks(settings: Settings) -> None:
    """Take theme, text size, fonts and motion from the settings; `restyle` makes them visible."""
    choose_scheme(settings.scheme())
    choose_text_size(settings.get("text_size"))
    choose_fonts(settings.get("text_font"), settings.get("code_font"))
    choose_motion(reduced=settings.get("motion") == "reduced")


class Appearance(QObject):
    """Applies settings. `keys_changed()`: shortcuts must be shown again."""

    keys_changed = Signal()

    def __init__(self, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        # To a slot of a QObject: Qt ends the connection when the window is deleted.
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._restyle)

    def change(self, key: str, value: object) -> None:
        """Store a setting and let it take effect.

        Raises `ValueError` if the value is not valid for it.
        """
        # Stored first: `set` refuses what is not valid, and nothing then takes effect.
        self._settings.set(key, value)
        self.apply(key)

    def apply(self, key: str) -> None:
        """Apply a stored setting."""
        if key == "shortcuts":
            self.keys_changed.emit()
        elif key in LOOKS:
            # For the whole application: all windows share a theme, a text size and fonts.
            choose_looks(self._settings)
            self._restyle()
        # These two are of the process, like the looks: all windows share dialogs' first folder and the pool.
        elif key == "folder":
            choose_folder(self._settings.get("folder"))
        elif key == "threads":
            SHARED.allow(self._settings.get("threads"))

    def step_text_size(self, step: int) -> None:
        """Make the text larger by some points; negative: smaller."""
        # From the size that is shown, so that the first step from the system's own size is one point as well.
        self.change("text_size", min(_MOST_POINTS, max(_LEAST_POINTS, round(text_size()) + step)))

    @Slot()
    def _restyle(self) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        restyle(application)

    def routes(self) -> Mapping[type[Request], Callable[[Any], object]]:
        """The requests that are taken here, and what they do."""
        return {
            ChangeSetting: lambda request: self.change(request.key, request.value),
            ChangeTextSize: lambda request: self.step_text_size(request.step),
        }
