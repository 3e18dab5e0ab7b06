"""The dialogs of the window: palette, guide, log, licenses, new versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QMainWindow

from explorer.gui.app.log import log_path
from explorer.gui.chrome.actions import ActionBook, WindowCommands
from explorer.gui.chrome.commands import palette_commands
from explorer.gui.help.guide import GuidePage
from explorer.gui.presenting.requests import Request, ShowHelp, ShowLicenses, ShowLog, ShowPalette, ShowUpdates
from explorer.gui.settings.store import Settings

if TYPE_CHECKING:
    from explorer.gui.app.log_dialog import LogDialog
    from explorer.gui.help.dialog import HelpDialog
    from explorer.gui.help.license_dialog import LicenseDialog
    from explorer.gui.palette.palette import CommandPalette
    from explorer.gui.threads.runner import Runner
    from explorer.gui.updates.desk import UpdateDesk


class Dialogs:
    """Opens them over a window.

    parent, window: The window, as a widget and as commands know it.
    settings: The settings to show and change.
    here: The page or section of what has the focus; called with True, of what is under the pointer.
    ask: Asks the window for something.
    """

    def __init__(
        self,
        parent: QMainWindow,
        window: WindowCommands,
        settings: Settings,
        book: ActionBook,
        guide: Sequence[GuidePage],
        here: Callable[[bool], str],
        ask: Callable[[Request], object],
    ) -> None:
        self._parent, self._window = parent, window
        self._settings, self._book = settings, book
        self._guide, self._here, self._ask = tuple(guide), here, ask
        self._updates: UpdateDesk | None = None

    def palette(self, typed: str = "") -> CommandPalette:
        """Show every command, and the recent indexes, by name."""
        # Loaded when it is first needed: the start is faster without it.
        from explorer.gui.palette.palette import CommandPalette

        recent = self._settings.get("recent_commands")
        # Made for each palette: what is enabled, the shortcuts and the recent indexes change between two of them.
        commands = palette_commands(self._window, self._book)
        palette = CommandPalette(commands, self._parent, recent, self._settings.add_recent_command)
        palette.open_over(self._parent, typed)
        return palette

    def help(self, page: str = "", pointed: bool = False) -> HelpDialog:
        """Show a page of the guide.

        page: The page, or "page#section"; "" for that of what has the focus.
        pointed: Whether "" is what is under the pointer.
        """
        # Loaded when it is first needed: the start is faster without it.
        from explorer.gui.help.dialog import HelpDialog

        # Not modal, unlike the palette: the guide is read while the window is used.
        dialog = HelpDialog(self._parent, self._guide, page or self._here(pointed))
        dialog.show()
        return dialog

    def log(self) -> LogDialog:
        """Show the log of unexpected errors."""
        from explorer.gui.app.log_dialog import LogDialog

        # Beside the settings: whoever reports an error finds both in one folder.
        dialog = LogDialog(log_path(self._settings.path.parent), self._parent)
        dialog.show()
        return dialog

    def licenses(self) -> LicenseDialog:
        """Show what the program is made of."""
        from explorer.gui.help.license_dialog import LicenseDialog

        dialog = LicenseDialog(self._parent)
        dialog.show()
        return dialog

    def updates(self) -> UpdateDesk:
        """Give the window's part for new versions, which is made when it is first needed."""
        if self._updates is None:
            from explorer.gui.updates.desk import UpdateDesk

            self._updates = UpdateDesk(self._parent, self._settings, self._ask)
        return self._updates

    def runners(self) -> list[Runner]:
        """Their lanes, which end with the window."""
        return [] if self._updates is None else [self._updates.runner]

    def routes(self) -> Mapping[type[Request], Callable[[Any], object]]:
        """The requests that are taken here, and what they do."""
        return {
            ShowPalette: lambda request: self.palette(request.typed),
            ShowHelp: lambda request: self.help(request.page, request.pointed),
            ShowLog: lambda _: self.log(),
            ShowLicenses: lambda _: self.licenses(),
            ShowUpdates: lambda _: self.updates().show(),
        }
