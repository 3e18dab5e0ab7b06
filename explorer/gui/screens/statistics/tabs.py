"""The tabs of the Statistics screen: one row each, in their order."""

from __future__ import annotations

from explorer.gui.analysis.page import tabs_of
from explorer.gui.screens.statistics.dispersion.page import DispersionPage
from explorer.gui.screens.statistics.growth.page import GrowthPage
from explorer.gui.screens.statistics.keywords.page import KeywordsPage
from explorer.gui.screens.statistics.words.page import WordsPage
from explorer.gui.screens.tabbed_screen import Tab
from explorer.i18n import mark

TABS = (
    Tab("words", mark("Words and n-grams"), WordsPage, "statistics#words-and-n-grams"),
    Tab("keywords", mark("Keywords"), KeywordsPage, "statistics#keywords"),
    Tab("growth", mark("Diversity and growth"), GrowthPage, "statistics#diversity-and-growth"),
    Tab("dispersion", mark("Dispersion"), DispersionPage, "statistics#dispersion"),
    *tabs_of("statistics"),
)
"""In the order in which they are shown."""
