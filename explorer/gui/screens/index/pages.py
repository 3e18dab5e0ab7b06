"""The pages of the Index screen: the first one is made with it, the others ahead of their first time, or for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QWidget

from explorer.gui.screens.index.start.view import StartView
from explorer.gui.screens.index.state import View
from explorer.gui.threads.ahead import Ahead
from explorer.gui.widgets.layouts.scroll_areas import TallArea
from explorer.gui.widgets.layouts.stack import LowStack

if TYPE_CHECKING:
    from explorer.core.jobs import Progress
    from explorer.gui.presenting.requests import Request
    from explorer.gui.screens.index.about.view import AboutView
    from explorer.gui.screens.index.build.prepare_view import PrepareView
    from explorer.gui.screens.index.build.progress_view import ProgressView
    from explorer.gui.screens.index.build.state import BuildState
    from explorer.gui.screens.index.later_pages import LaterPage
    from explorer.gui.screens.index.presenter import IndexScreenPresenter

_LATER = "explorer.gui.screens.index.later_pages"
_NAMES = ("about", "prepare", "progress")
"""The pages of that module, in the order in which they are made ahead."""


class IndexPages(LowStack):
    """One page at a time.

    presenter: What the pages show, and what they ask.
    ask: Takes the requests of the page about the open index.
    """

    def __init__(self, presenter: IndexScreenPresenter, ask: Callable[[Request], object]) -> None:
        super().__init__()
        self.presenter, self._ask = presenter, ask
        self._ahead = {name: Ahead(partial(self._make, name), self) for name in _NAMES}
        self.start = StartView(presenter.start)
        self._start_area = TallArea(self.start)
        self.addWidget(self._start_area)

    @cached_property
    def about(self) -> AboutView:
        """The page about the open index."""
        page = cast("AboutView", self._ahead["about"].complete())
        self.addWidget(page)
        return page

    @cached_property
    def prepare(self) -> PrepareView:
        """The page that prepares a build."""
        page = cast("PrepareView", self._ahead["prepare"].complete())
        self.addWidget(page)
        page.draw(self.presenter.build.state, None)
        return page

    @cached_property
    def progress(self) -> ProgressView:
        """The page of a build that runs."""
        page = cast("ProgressView", self._ahead["progress"].complete())
        self.addWidget(page)
        return page

    def _make(self, name: str) -> LaterPage:
        page: LaterPage = import_module(_LATER).make_page(name, self.presenter, self._ask)
        return page

    def prepare_next(self) -> bool:
        """Import or make one more page, or style one more part of it, before it is shown. False if all are there."""
        if _LATER not in sys.modules:
            import_module(_LATER)
            return True
        for name in _NAMES:
            if name in self.__dict__:
                continue
            if not self._ahead[name].step():
                getattr(self, name)
            return True
        return False

    def turn(self, view: View) -> None:
        """Turn to a page, which is made if this is its first time."""
        pages: dict[View, Callable[[], QWidget]] = {
            View.ABOUT: lambda: self.about,
            View.START: lambda: self._start_area,
            View.PREPARE: lambda: self.prepare,
            View.PROGRESS: lambda: self.progress,
        }
        self.setCurrentWidget(pages[view]())

    def show_progress(self, progress: Progress) -> None:
        """Show how far a build is."""
        # A slot of this object, since that of the page itself would need the page when the window starts.
        self.progress.show_progress(progress)

    def draw_build(self, build: BuildState, before: BuildState) -> None:
        """Draw what a build is prepared with."""
        # Not before it was made, which draws the state of that moment.
        if "prepare" in self.__dict__:
            self.prepare.draw(build, before)
