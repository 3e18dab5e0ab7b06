"""The pages of the Index screen: the first one is made with it, the others ahead of their first time, or for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from explorer.gui.requests import Request
from explorer.gui.screens.index.about_view import AboutView
from explorer.gui.screens.index.build_state import BuildState
from explorer.gui.screens.index.prepare_view import PrepareView
from explorer.gui.screens.index.presenter import IndexScreenPresenter
from explorer.gui.screens.index.progress_view import ProgressView
from explorer.gui.screens.index.start_view import StartView
from explorer.gui.screens.index.state import View
from explorer.gui.widgets.scroll_areas import TallArea
from explorer.jobs import Progress


class IndexPages(QStackedWidget):
    """One page at a time.

    Parameters
    ----------
    presenter
        What the pages show, and what they ask.
    ask
        Takes the requests of the page about the open index.
    """

    def __init__(self, presenter: IndexScreenPresenter, ask: Callable[[Request], object]) -> None:
        super().__init__()
        self.presenter, self._ask = presenter, ask
        self.start = StartView(presenter.start)
        self._start_area = TallArea(self.start)
        self.addWidget(self._start_area)

    @cached_property
    def about(self) -> AboutView:
        """The page about the open index."""
        page = AboutView(self.presenter)
        page.asked.connect(self._ask)
        self.addWidget(page)
        return page

    @cached_property
    def prepare(self) -> PrepareView:
        """The page that prepares a build."""
        page = PrepareView(self.presenter.build)
        self.addWidget(page)
        page.draw(self.presenter.build.state, None)
        return page

    @cached_property
    def progress(self) -> ProgressView:
        """The page of a build that runs."""
        page = ProgressView()
        self.addWidget(page)
        page.pause.clicked.connect(lambda _=False: self.presenter.pause())
        page.cancel.clicked.connect(lambda _=False: self.presenter.cancel())
        return page

    def prepare_next(self) -> bool:
        """Make one more page, or give the newest its styles, before it is shown. False if all have both."""
        for name in ("about", "prepare", "progress"):
            if name not in self.__dict__:
                getattr(self, name)
                return True
            page: QWidget = getattr(self, name)
            if not page.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
                page.ensurePolished()
                return True
        return False

    def turn(self, view: View) -> None:
        """Turn to a page, which is made if this is its first time.

        Parameters
        ----------
        view
            The page.
        """
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
        """Draw what a build is prepared with.

        Parameters
        ----------
        build
            The new state.
        before
            The state that was drawn before.
        """
        # Not before it was made, which draws the state of that moment.
        if "prepare" in self.__dict__:
            self.prepare.draw(build, before)
