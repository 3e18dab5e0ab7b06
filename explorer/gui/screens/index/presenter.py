"""What the Index screen does: chooses what is seen, and states what went wrong. Its pages have presenters. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.presenting.requests import (
    ChooseRemote,
    OpenBuilt,
    OpenRequest,
    OpenSample,
    Request,
    Saved,
    ShowStart,
    StopSample,
)
from explorer.gui.screens.index.about.presenter import AboutPresenter
from explorer.gui.screens.index.build.presenter import BuildPresenter
from explorer.gui.screens.index.check.presenter import CheckPresenter
from explorer.gui.screens.index.start.presenter import StartPresenter
from explorer.gui.screens.index.state import ADDRESS, NOT_NOW, SEND, IndexScreenState, Page, View
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.building.paused import PausedBuild
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError
    from explorer.gui.index.indexes import IndexState
    from explorer.gui.remote.sharing import SharePresenter
    from explorer.gui.screens.index.build.state import BuildState, Built


class IndexScreenPresenter(Presenter[IndexScreenState]):
    """The screen without its widgets; `start`, `build`, `about` and `check` present its pages.

    ask: Asks the window for something.
    """

    def __init__(self, services: Services, ask: Callable[[Request], None]) -> None:
        super().__init__(IndexScreenState())
        self._ask = ask
        self.start = StartPresenter(services, ask, self.fail)
        self.build = BuildPresenter(services, self._open_built, self.start.find_paused)
        self.about = AboutPresenter(services)
        self.check = CheckPresenter(services)
        self.sharing: Callable[[], SharePresenter] | None = None
        """Gives what shares the open index, which is the window's; None until the screen is in a window."""
        # The folder of an index that was just built and is being opened; the sample counts while it is built.
        self._built: Path | None = None
        self._visible = False

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Show another index. A running build continues: it is independent of the open index."""
        # By the folder: another index may be opened while the new one is on its way, or waits to be opened.
        fresh = corpus is not None and self._built is not None and corpus.folders == (self._built,)
        if fresh:
            self._built = None
        self.check.use_corpus(corpus)
        self.about.use_corpus(corpus, fresh)
        self.change(corpus=corpus, page=Page.OPEN if corpus is None else Page.ABOUT)
        # After the change, which decides the page that is seen.
        self._seen()
        # Only an index that opened answers a problem; that one was closed does not.
        if corpus is not None:
            self.remark("")
        if offline := self.state.indexes.offline_remark:
            self.change(remark=offline, refused=self.state.indexes.request)
        if fresh:
            self.check.run()

    def use_indexes(self, indexes: IndexState) -> None:
        """Follow what the window opens, and which indexes are recent."""
        before = self.state.indexes
        self.change(indexes=indexes)
        self.start.use_indexes(indexes, before)
        if indexes.builds_sample and not before.builds_sample:
            self._built = Path(indexes.request.paths[0])
            self.show_page(Page.OPEN)
        # The same error comes with every later state of the window; it is told once.
        if indexes.changed is not None and indexes.changed is not before.changed:
            self.fail(indexes.changed)

    def use_build(self, build: BuildState) -> None:
        """Follow the build that is prepared or runs: it decides which page is seen."""
        # The screen passes the states on: a presenter has one watcher, and that of `build` draws its page.
        self.change(prepares=bool(build.entries.sources), builds=build.building)

    def show_page(self, page: Page) -> None:
        """Show another tab."""
        self.change(page=page)
        self._seen()

    def show(self, visible: bool) -> None:
        """Whether the screen is seen: what it describes is read only then."""
        self._visible = visible
        self._seen()
        if visible:
            self.start.look()

    def _seen(self) -> None:
        self.about.show(self._visible and self.state.view is View.ABOUT)

    def check_now(self) -> None:
        """Show the open index, and check it."""
        if self.state.corpus is None:
            self.remark(tr("Open an index first."))
            return
        self.show_page(Page.ABOUT)
        self.check.run()

    def add_sources(self, paths: tuple[str, ...]) -> None:
        """Prepare a build from files and folders."""
        self.show_page(Page.OPEN)
        self.build.add_sources(paths)

    def build_again(self, encoding: str = "") -> None:
        """Prepare the build of the open index once more, with what was left out.

        encoding: How to read texts of unknown encoding; "" as the last time.
        """
        request = self.about.state.again
        if request is not None and not self.build.state.building:
            self.show_page(Page.OPEN)
            self.build.show_request(replace(request, encoding=encoding or request.encoding))

    def fail(self, error: CorpusError, refused: OpenRequest | None = None) -> None:
        """State what went wrong.

        refused: What was to be opened, if that is what failed.
        """
        self.change(problem=error, refused=refused)

    def remark(self, text: str) -> None:
        """State something instead of what went wrong; "" for nothing."""
        self.change(problem=None, refused=None, remark=text)

    def miss_tokenizer(self) -> None:
        """State what is missing, and where to give it."""
        self.remark(
            tr(
                "This index does not record its tokenizer, so its text cannot be searched or shown. "
                "Choose the tokenizer that it was built with."
            )
        )

    def open_unchecked(self) -> None:
        """Open what was refused, not what is chosen by now: another index may be opening."""
        if self.state.unchecked is not None:
            self._ask(replace(self.state.unchecked, check_fit=False))

    def settle(self, remedy: str) -> None:
        """Do something about an address that did not open."""
        refused = self.state.refused
        if refused is None or remedy == NOT_NOW:
            self.remark("")
        elif remedy == ADDRESS:
            self._ask(ChooseRemote(refused))
        else:
            # Another index may have been opened meanwhile: what is opened is what the notice is about.
            self._ask(replace(refused, allow_remote=remedy == SEND))

    def _open_built(self, folder: Path, built: Built) -> None:
        # Before the request: opening leads to `use_corpus`, which asks for it.
        self._built = folder
        self.build.clear()
        if self._visible:
            self._ask(Saved(folder, tr("Index saved in “{name}”", name=folder.name)))
        self._ask(OpenBuilt(str(folder), built.name or folder.name, built.tokens, wanted=self._visible))

    def pause(self) -> None:
        """Pause the build that is seen."""
        # Two builds can be seen here: that of the form, and the sample, which the window builds.
        if self.state.builds:
            self.build.pause()
        else:
            self._ask(StopSample(keep=True))

    def cancel(self) -> None:
        """Stop the build that is seen, and remove what it has done."""
        if self.state.builds:
            self.build.cancel()
        else:
            self._ask(StopSample(keep=False))

    def resume(self, build: PausedBuild) -> None:
        """Resume a paused build."""
        if not build.sample and self.build.state.building:
            self.remark(tr("Another build is running. Pause it or wait for its end to resume this one."))
            return
        # First: an offer that is still there could be clicked twice.
        self.start.resumed(build)
        if build.sample:
            self._ask(OpenSample(ShowStart()))
        else:
            self.show_page(Page.OPEN)
            self.build.show_request(build.request)
            self.build.start_request(build.request)
