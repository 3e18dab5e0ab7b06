"""Offers what can be opened: recent indexes, paused builds, and the sample with its examples. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.building.own_places import sample_folder, sample_is_built
from explorer.core.jobs import Kind
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.presenting.requests import OpenRequest, OpenSample, Request, ShowStart
from explorer.gui.screens.index.start.state import EXAMPLES, StartState
from explorer.gui.screens.index.work import discard_builds, paused_builds, summaries

if TYPE_CHECKING:
    from explorer.backends.summary import IndexSummary
    from explorer.building.paused import PausedBuild
    from explorer.errors import CorpusError
    from explorer.gui.index.indexes import IndexState


def _today() -> date:
    return date.today()


class StartPresenter(Presenter[StartState]):
    """The first page.

    ask: Asks the window for something.
    """

    def __init__(
        self,
        services: Services,
        ask: Callable[[Request], None],
        failed: Callable[[CorpusError], None],
        today: Callable[[], date] = _today,
    ) -> None:
        super().__init__(StartState(today=today(), sample_built=sample_is_built()))
        self._ask, self._fail, self._today = ask, failed, today
        # Slots keep only their newest request: a list must not end a removal. Drives may be slow to answer.
        self._looker = services.slot("recent indexes", timed=False, kind=Kind.LATER)
        self._finder = services.slot("paused builds", timed=False)
        self._discarder = services.slot("discarded builds", timed=False, kind=Kind.APART)
        self._to_discard: tuple[Path, ...] = ()

    def use_indexes(self, state: IndexState, before: IndexState) -> None:
        """Follow which indexes are recent.

        state: What the window knows now.
        """
        if state.recent != self.state.recent:
            self.change(recent=state.recent)
            self.look()
        # The sample may have been built, or paused.
        if state.opening != before.opening and not state.builds_sample:
            self.change(sample_built=sample_is_built())
            self.find_paused()

    def look(self) -> None:
        """Look at the folders of recent indexes: they may have changed, or be gone."""
        self.change(today=self._today(), sample_built=sample_is_built())
        paths = [recent.path for recent in self.state.recent]
        self._looker.run(lambda _: summaries(paths), self._take_summaries)

    def _take_summaries(self, found: Mapping[str, IndexSummary]) -> None:
        self.change(summaries=found)

    def open(self, path: str) -> None:
        """Open an index."""
        self._ask(OpenRequest((path,)))

    def try_example(self, number: int) -> None:
        """Ask the sample something, by the number in `EXAMPLES`; it is built first if it is missing."""
        self._ask(OpenSample(EXAMPLES[number].request()))

    def open_sample(self) -> None:
        """Build the sample if it is missing, and open it."""
        self._ask(OpenSample(ShowStart()))

    def is_sample(self, folders: Sequence[Path]) -> bool:
        """Whether the folders are those of the sample."""
        return tuple(folders) == (sample_folder(),)

    def find_paused(self) -> None:
        """Look for builds that can be resumed, and offer them."""
        self._finder.run(lambda _: paused_builds(), self._offer)

    def _offer(self, builds: Sequence[PausedBuild]) -> None:
        self.change(paused=tuple(builds))

    def resumed(self, build: PausedBuild) -> None:
        """Offer a build no longer: a second click would start it again, and a search that began before offer it."""
        self._finder.cancel()
        self.change(paused=tuple(other for other in self.state.paused if other is not build))

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
        self._fail(error)
