"""The pages of the Index screen that are seen later: the window is shown before they are imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.gui.screens.index.about.view import AboutView
from explorer.gui.screens.index.build.prepare_view import PrepareView
from explorer.gui.screens.index.build.progress_view import ProgressView

if TYPE_CHECKING:
    from explorer.gui.presenting.requests import Request
    from explorer.gui.screens.index.presenter import IndexScreenPresenter

LaterPage = AboutView | PrepareView | ProgressView


def make_page(name: str, presenter: IndexScreenPresenter, ask: Callable[[Request], object]) -> LaterPage:
    """Make a page.

    ask: Takes the requests of the page about the open index.
    Returns: The page, without style sheets.
    """
    if name == "about":
        about = AboutView(presenter)
        about.asked.connect(ask)
        return about
    if name == "prepare":
        return PrepareView(presenter.build)
    progress = ProgressView()
    progress.pause.clicked.connect(lambda _=False: presenter.pause())
    progress.cancel.clicked.connect(lambda _=False: presenter.cancel())
    return progress
