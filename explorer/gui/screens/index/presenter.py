"""What the Index screen does: opens indexes, offers paused builds, and states what went wrong. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from explorer.api import Corpus
from explorer.building.paused import PausedBuild
from explorer.building.source import Problem
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.indexes import IndexState
from explorer.gui.presenter import Presenter, Services
from explorer.gui.requests import OpenBuilt, OpenRequest, OpenSample, Request
from explorer.gui.screens.index.build_presenter import BuildPresenter
from explorer.gui.screens.index.check_presenter import CheckPresenter
from explorer.gui.screens.index.state import IndexScreenState, Page
from explorer.gui.screens.index.work import discard_builds, paused_builds, read_report
from explorer.i18n import tr
from explorer.jobs import Kind


class IndexScreenPresenter(Presenter[IndexScreenState]):
    """The screen without its widgets; `build` and `check` present its tabs.

    Parameters
    ----------
    services
        Slots and delays.
    ask
        Asks the window for something.
    """

    def __init__(self, services: Services, ask: Callable[[Request], None]) -> None:
        super().__init__(IndexScreenState())
        self._ask = ask
        self.build = BuildPresenter(services, self._open_built, self.find_paused)
        self.check = CheckPresenter(services)
        # Slots keep only their newest request: neither a list nor a search may end a check or a removal.
        self._reader = services.slot("left out", timed=False)
        self._finder = services.slot("paused builds")
        self._discarder = services.slot("discarded builds", timed=False, kind=Kind.APART)
        self._to_discard: tuple[Path, ...] = ()

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Show another index. A running build continues: it is independent of the open index."""
        # A list that arrives later would be shown with the counts of this index.
        self._reader.cancel()
        self.change(corpus=corpus, left_out=Answer())
        self.check.use_corpus(corpus)
        # Only an index that opened answers a problem; that one was closed does not.
        if corpus is not None:
            self.remark("")

    def use_indexes(self, indexes: IndexState) -> None:
        """Follow what the window opens, and which indexes are recent."""
        before = self.state.indexes
        self.change(indexes=indexes)
        # The sample may have been paused instead of opened.
        if indexes.opening != before.opening and not indexes.builds_sample:
            self.find_paused()
        # The same error comes with every later state of the window; it is told once.
        if indexes.changed is not None and indexes.changed is not before.changed:
            self.fail(indexes.changed)

    def show_page(self, page: Page) -> None:
        """Show another tab."""
        self.change(page=page)

    def fail(self, error: CorpusError, refused: OpenRequest | None = None) -> None:
        """State what went wrong; `refused` is what was to be opened, if that is what failed."""
        self.change(problem=error, refused=refused)

    def remark(self, text: str) -> None:
        """State something instead of what went wrong; "" for nothing."""
        self.change(problem=None, refused=None, remark=text)

    def miss_tokenizer(self) -> None:
        """State what is missing, and where to give it."""
        self.remark(
            tr(
                "This index does not record its tokenizer, so its text cannot be searched or shown. Choose its "
                "tokenizer.json with File > Choose the tokenizer."
            )
        )

    def open(self, path: str) -> None:
        """Open an index."""
        self._ask(OpenRequest((path,)))

    def open_unchecked(self) -> None:
        """Open what was refused, not what is chosen by now: another index may be opening."""
        if self.state.unchecked is not None:
            self._ask(replace(self.state.unchecked, check_fit=False))

    def _open_built(self, folder: Path, left_out: bool) -> None:
        self._ask(OpenBuilt(str(folder), left_out))

    def find_paused(self) -> None:
        """Look for builds that can be resumed, and offer them."""
        self._finder.run(lambda _: paused_builds(), self._offer)

    def _offer(self, builds: Sequence[PausedBuild]) -> None:
        self.change(paused=tuple(builds))

    def resume(self, build: PausedBuild) -> None:
        """Resume a paused build."""
        if not build.sample and self.build.state.building:
            self.remark(tr("Another build is running. Pause it or wait for its end to resume this one."))
            return
        # No longer offered, or a second click would start it again; nor by a search that began before.
        self._finder.cancel()
        self.change(paused=tuple(other for other in self.state.paused if other is not build))
        if build.sample:
            self._ask(OpenSample())
        else:
            self.show_page(Page.BUILD)
            self.build.show_request(build.request)
            self.build.start_request(build.request)

    def discard(self, build: PausedBuild) -> None:
        """Remove what a paused build has made."""
        # All that are still to be removed: a newer request takes the place of one that waits.
        self._to_discard = outs = (*self._to_discard, build.request.out)
        self._discarder.run(lambda _: discard_builds(outs), self._discarded, self._not_discarded)

    def _discarded(self, _: None) -> None:
        # The newest request had all of them; an earlier one is not answered.
        self._to_discard = ()
        self.find_paused()

    def _not_discarded(self, error: CorpusError) -> None:
        self._discarded(None)
        self.fail(error)

    def list_left_out(self) -> None:
        """Read what the build of the open index left out."""
        corpus = self.state.corpus
        if corpus is None or not self.state.counts:
            return
        folder = corpus.folders[0]
        self.change(left_out=self.state.left_out.asked())
        self._reader.run(lambda _: read_report(folder), self._list, self._fail_reading)

    def _list(self, problems: tuple[Problem, ...]) -> None:
        self.change(left_out=self.state.left_out.arrived(problems))

    def _fail_reading(self, error: CorpusError) -> None:
        self.change(left_out=self.state.left_out.failed(error))
        self.fail(error)
