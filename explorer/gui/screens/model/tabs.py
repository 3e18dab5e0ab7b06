"""The tabs of the Model screen: one row each, in their order."""

from __future__ import annotations

from explorer.gui.screens.model.drafts.page import DraftsPage
from explorer.gui.screens.model.generate.page import GeneratePage
from explorer.gui.screens.model.mix.page import MixPage
from explorer.gui.screens.model.perplexity.page import PerplexityPage
from explorer.gui.screens.tabbed_screen import Tab
from explorer.i18n import mark

TABS = (
    Tab("perplexity", mark("Perplexity"), PerplexityPage, "model#perplexity"),
    Tab("mix", mark("Mix with a model"), MixPage, "model#mix-with-a-model"),
    Tab("generate", mark("Generate"), GeneratePage, "model#generated-text"),
    Tab("drafts", mark("Draft bench"), DraftsPage, "model#draft-bench"),
)
"""In the order in which they are shown."""
