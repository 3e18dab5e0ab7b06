"""The Statistics screen: a row of tabs, each a page of its own that is made when it is first turned to."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from explorer.gui.screens.statistics.tabs import TABS
from explorer.gui.screens.tabbed_screen import Tab, TabbedScreen
from explorer.i18n import tr


class StatisticsScreen(TabbedScreen):
    """Tabs on top; below them the page of the chosen one."""

    def __init__(self, parent: QWidget | None = None, rows: Sequence[Tab] = TABS) -> None:
        super().__init__(rows, tr("Parts of the Statistics screen"), parent)
