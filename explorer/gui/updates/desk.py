"""The window's part for new versions: their presenter, its lane, and the dialog."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMainWindow

from explorer.core.jobs import Kind
from explorer.gui.presenting.requests import Request
from explorer.gui.threads.runner import Runner
from explorer.gui.updates.dialog import UpdateDialog
from explorer.gui.updates.presenter import UpdatePresenter, Values
from explorer.http.releases import own_releases


class UpdateDesk:
    """Holds the presenter as long as the window lives.

    ask: Asks the window for something.
    """

    def __init__(self, window: QMainWindow, kept: Values, ask: Callable[[Request], object]) -> None:
        self._window = window
        # Apart: another machine may take its time, and nothing else should wait for it.
        self.runner = Runner("updates", window, Kind.APART)
        self.presenter = UpdatePresenter(self.runner, kept, ask, own_releases())

    def show(self) -> UpdateDialog:
        """Show the dialog."""
        dialog = UpdateDialog(self._window, self.presenter)
        dialog.show()
        return dialog
