"""The Model screen: a row of tabs, each a page of its own that is made when it is first turned to."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from explorer.gui.presenting.requests import Request, ScoreText
from explorer.gui.screens.model.perplexity.page import PerplexityPage
from explorer.gui.screens.model.tabs import TABS
from explorer.gui.screens.tabbed_screen import Tab, TabbedScreen
from explorer.i18n import tr


class ModelScreen(TabbedScreen):
    """Tabs on top; below them the page of the chosen one."""

    def __init__(self, parent: QWidget | None = None, rows: Sequence[Tab] = TABS) -> None:
        super().__init__(rows, tr("Parts of the Model screen"), parent)

    def take(self, request: Request) -> None:
        """Score a text that another screen shows."""
        page = self.turn_to("perplexity") if isinstance(request, ScoreText) else None
        if isinstance(request, ScoreText) and isinstance(page, PerplexityPage):
            page.score_text(request.text)
        else:
            super().take(request)
