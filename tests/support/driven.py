"""A window whose screens are attributes by their ids, as tests ask for them: `window.search`."""

from __future__ import annotations

from typing import cast

from explorer.gui import app
from explorer.gui.main_window import MainWindow
from explorer.gui.screens.agreement.screen import AgreementScreen
from explorer.gui.screens.index.screen import IndexScreen
from explorer.gui.screens.next_token.screen import NextTokenScreen
from explorer.gui.screens.search.screen import SearchScreen
from explorer.gui.screens.trace.screen import TraceScreen
from explorer.gui.settings import Settings


class DrivenWindow(MainWindow):
    """The program's own window; each property creates its screen if it does not exist yet."""

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
    def index(self) -> IndexScreen:
        return cast(IndexScreen, self.screens["index"])


def show_driven_windows() -> None:
    """From now on, `show_window` makes windows of this kind."""
    setattr(app, "MainWindow", DrivenWindow)  # noqa: B010 - which mypy would take for a slip


def show_driven(startup: app.Startup, settings: Settings) -> DrivenWindow:
    """Show one, as `show_window` does."""
    show_driven_windows()
    return cast(DrivenWindow, app.show_window(startup, settings))
