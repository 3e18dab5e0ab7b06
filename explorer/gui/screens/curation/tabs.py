"""The tabs of the Curation screen: one row each, in their order."""

from __future__ import annotations

from explorer.gui.analysis.page import tabs_of
from explorer.gui.screens.curation.contamination.page import ContaminationPage
from explorer.gui.screens.curation.duplicates.page import DuplicatesPage
from explorer.gui.screens.curation.export.page import ExportPage
from explorer.gui.screens.curation.personal.page import PersonalPage
from explorer.gui.screens.tabbed_screen import Tab
from explorer.i18n import mark

TABS = (
    Tab("duplicates", mark("Duplicates"), DuplicatesPage, "curation#duplicates"),
    Tab("contamination", mark("Contamination"), ContaminationPage, "curation#contamination"),
    Tab("personal", mark("Personal data"), PersonalPage, "curation#personal-data"),
    *tabs_of("curation"),
    Tab("export", mark("Export"), ExportPage, "curation#export"),
)
"""In the order in which they are shown."""
