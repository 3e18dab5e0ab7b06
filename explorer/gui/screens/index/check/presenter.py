"""Checks the open index. No Qt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from explorer.core.jobs import Kind, Progress
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.index.check.state import CheckState
from explorer.gui.screens.index.work import verify_all
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.building.verify.verify import VerifyReport
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError


class CheckPresenter(Presenter[CheckState]):
    """The check of an index, quick or entry by entry."""

    def __init__(self, services: Services) -> None:
        super().__init__(CheckState())
        self._checker = services.slot("verify", kind=Kind.APART)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Check another index from now on; what was found in the one before is forgotten."""
        # Findings that arrive later would be taken for those of this index.
        self._checker.cancel()
        self.change(corpus=corpus, answer=Answer(), progress=None)

    def choose_deep(self, deep: bool) -> None:
        """Whether the next check is to check every entry."""
        self.change(deep=deep)

    def run(self) -> None:
        """Check in the background."""
        corpus, deep = self.state.corpus, self.state.deep
        if corpus is None or not self.state.can_check:
            return
        report = self._checker.reporter(self._report)
        # An error of the last check would be taken for one of this check.
        self.change(answer=replace(self.state.answer.asked(), error=None), progress=None)
        job = Job(tr("Check of {name}", name=corpus.index.name), self.stop)
        self._checker.run(lambda cancel: verify_all(corpus, deep, report, cancel), self._take, self._fail, job)

    def stop(self) -> None:
        """Stop the check; what the last one found stays."""
        self._checker.cancel()
        self.change(answer=self.state.answer.stopped())

    def _report(self, progress: Progress) -> None:
        self.change(progress=progress)

    def _take(self, reports: tuple[VerifyReport, ...]) -> None:
        self.change(answer=self.state.answer.arrived(reports))

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))
