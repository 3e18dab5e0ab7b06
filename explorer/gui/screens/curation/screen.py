"""The Curation screen: a row of tabs, each a page of its own that is made when it is first turned to."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from explorer.gui.presenting.requests import ExportCuts, Request
from explorer.gui.screens.curation.export.page import ExportPage
from explorer.gui.screens.curation.tabs import TABS
from explorer.gui.screens.tabbed_screen import Tab, TabbedScreen
from explorer.i18n import tr


class CurationScreen(TabbedScreen):
    """Tabs on top; below them the page of the chosen one."""

    def __init__(self, parent: QWidget | None = None, rows: Sequence[Tab] = TABS) -> None:
        super().__init__(rows, tr("Parts of the Curation screen"), parent)

    def take(self, request: Request) -> None:
        """Show what is to be cut, whatever found it."""
        page = self.turn_to("export") if isinstance(request, ExportCuts) else None
        if isinstance(request, ExportCuts) and isinstance(page, ExportPage):
            page.presenter.add(request)
        else:
            super().take(request)
