"""A window whose screens are attributes by their ids, as tests ask for them: `window.search`."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QLabel

from explorer.gui.app import app
from explorer.gui.app.main_window import MainWindow
from explorer.gui.app.startup import Startup
from explorer.gui.document.panel import DocumentPanel
from explorer.gui.help.dialog import HelpDialog
from explorer.gui.palette.palette import CommandPalette
from explorer.gui.presenting.requests import ShowSettings
from explorer.gui.screens.agreement.screen import AgreementScreen
from explorer.gui.screens.index.screen import IndexScreen
from explorer.gui.screens.model.screen import ModelScreen
from explorer.gui.screens.next_token.screen import NextTokenScreen
from explorer.gui.screens.search.screen import SearchScreen
from explorer.gui.screens.settings.screen import SettingsScreen
from explorer.gui.screens.trace.screen import TraceScreen
from explorer.gui.settings.store import Settings


class DrivenWindow(MainWindow):
    """The program's own window, and short names for what tests ask of its parts.

    Each property that is a screen creates it if it does not exist yet.
    """

    @property
    def search(self) -> SearchScreen:
        return cast(SearchScreen, self.screens["search"])

    @property
    def next_token(self) -> NextTokenScreen:
        return cast(NextTokenScreen, self.screens["next_token"])

    @property
    def trace(self) -> TraceScreen:
        return cast(TraceScreen, self.screens["trace"])

    @property
    def agreement(self) -> AgreementScreen:
        return cast(AgreementScreen, self.screens["agreement"])

    @property
    def model(self) -> ModelScreen:
        return cast(ModelScreen, self.screens["model"])

    @property
    def index(self) -> IndexScreen:
        return cast(IndexScreen, self.screens["index"])

    @property
    def panel(self) -> DocumentPanel:
        return self.stage.panel

    @property
    def index_label(self) -> QLabel:
        return self.indexes.index_label

    def set_scheme(self, scheme: str) -> None:
        self.appearance.change("scheme", scheme)

    def change_setting(self, key: str, value: object) -> None:
        self.appearance.change(key, value)

    def open_settings(self, page: str = "", key: str = "") -> SettingsScreen:
        self.ask(ShowSettings(page, key))
        return cast(SettingsScreen, self.screens["settings"])

    def open_palette(self) -> CommandPalette:
        return self.dialogs.palette()

    def open_help(self) -> HelpDialog:
        return self.dialogs.help()


def show_driven_windows() -> None:
    """From now on, `show_window` makes windows of this kind."""
    setattr(app, "MainWindow", DrivenWindow)  # noqa: B010 - which mypy would take for a slip


def show_driven(startup: Startup, settings: Settings) -> DrivenWindow:
    """Show one, as `show_window` does."""
    show_driven_windows()
    return cast(DrivenWindow, app.show_window(startup, settings))
