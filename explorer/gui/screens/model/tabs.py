"""The tabs of the Model screen: one row each, in their order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorer.gui.lanes import Lanes
from explorer.gui.screens.model.drafts.page import DraftsPage
from explorer.gui.screens.model.generate.page import GeneratePage
from explorer.gui.screens.model.mix.page import MixPage
from explorer.gui.screens.model.page import ModelPage
from explorer.gui.screens.model.perplexity.page import PerplexityPage
from explorer.i18n import mark


@dataclass(frozen=True)
class ModelTab:
    """One tab.

    Attributes
    ----------
    id
        Its identity in sessions and in the code; never shown.
    title
        Its name, not yet translated.
    make
        Makes its page from the lanes of the screen; called when the tab is first turned to.
    topic
        The topic of the guide about it.
    """

    id: str
    title: str
    make: Callable[[Lanes], ModelPage]
    topic: str


TABS = (
    ModelTab("perplexity", mark("Perplexity"), PerplexityPage, "model#perplexity"),
    ModelTab("mix", mark("Mix with a model"), MixPage, "model#mix-with-a-model"),
    ModelTab("generate", mark("Generate"), GeneratePage, "model#generated-text"),
    ModelTab("drafts", mark("Draft bench"), DraftsPage, "model#draft-bench"),
)
"""In the order in which they are shown."""
