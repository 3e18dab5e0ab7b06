"""Connects the search screen's history with the settings, which store it between runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import SignalInstance

from explorer.gui.screens.search.query.history import HistoryButton
from explorer.gui.settings.history import PastQuery
from explorer.gui.settings.store import Settings


def connect_history(
    button: HistoryButton,
    kept: SignalInstance,
    settings: Settings,
    show: Callable[[Sequence[tuple[PastQuery, bool]]], None],
) -> None:
    """Store the queries that a screen emits, and show the stored ones in its menu."""
    # Qt calls slots in the order of connection: the menu shows what was stored just before.
    for signal, store in (
        (kept, settings.add_query),
        (button.pin_toggled, settings.toggle_pin),
        (button.cleared, settings.clear_queries),
    ):
        signal.connect(store)
        signal.connect(lambda *_: show(settings.history()))
    show(settings.history())
