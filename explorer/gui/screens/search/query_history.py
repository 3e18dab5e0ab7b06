"""Connects the search screen's history with the settings, which store it between runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.gui.settings import Settings

if TYPE_CHECKING:
    from explorer.gui.screens.search.screen import SearchScreen


def connect_history(screen: SearchScreen, settings: Settings) -> None:
    """Store the queries that the screen emits, and show the stored ones in its menu."""
    button = screen.bar.history

    def show() -> None:
        screen.presenter.history.show(settings.history())

    # Qt calls slots in the order of connection: the menu shows what was stored just before.
    for signal, store in (
        (screen.query_kept, settings.add_query),
        (button.pin_toggled, settings.toggle_pin),
        (button.cleared, settings.clear_queries),
    ):
        signal.connect(store)
        signal.connect(lambda *_: show())
    show()
