"""Writes what is left of a corpus, or an index of what goes, to a new folder. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from explorer.core.jobs import CancelToken, Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.export.cuts.cuts import CutExport
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import Saved
from explorer.gui.screens.curation.export.work import ExportAnswer, write_cuts
from explorer.i18n import numeral, tr, trn


class CutWriter:
    """Writes one folder at a time.

    saved: Called with a folder that was written.
    failed: Called with why it could not be.
    """

    def __init__(
        self, services: Services, saved: Callable[[Saved], None], failed: Callable[[CorpusError], None]
    ) -> None:
        self.slot = services.slot("export folder", kind=Kind.APART)
        self._saved, self._failed = saved, failed

    def write(self, corpus: Corpus, answer: ExportAnswer, folder: Path) -> None:
        """Write the texts without what goes.

        folder: The new folder; it appears when it is complete.
        """
        report = self.slot.reporter()
        self.slot.run(
            lambda cancel: write_cuts(corpus, answer, folder, report, cancel),
            lambda made: self._saved(Saved(folder, _told(made))),
            self._failed,
            Job(tr("Export of texts"), self.slot.cancel),
        )

    def write_index(self, corpus: Corpus, answer: ExportAnswer, folder: Path) -> None:
        """Write an index of the documents that go, which another index can subtract."""
        report = self.slot.reporter()

        def work(cancel: CancelToken) -> int:
            corpus.removal_index(answer.ranges, folder, report=report, cancel=cancel)
            return answer.counts.documents_emptied

        def done(count: int) -> None:
            told = trn("Wrote an index of {n:,} document", "Wrote an index of {n:,} documents", count)
            self._saved(Saved(folder, told))

        self.slot.run(work, done, self._failed, Job(tr("Removal index"), self.slot.cancel))


def _told(made: CutExport) -> str:
    counts = made.counts
    told = trn("Wrote {n:,} document", "Wrote {n:,} documents", counts.documents - counts.documents_dropped)
    if made.format == "ranges":
        return trn("Wrote {n:,} range of tokens", "Wrote {n:,} ranges of tokens", counts.ranges)
    if counts.documents_dropped:
        told = tr("{told}, dropped {dropped}", told=told, dropped=numeral(counts.documents_dropped))
    if counts.from_tokens:
        spelled = trn(
            "{n:,} is spelled by its tokens, since its source is gone or has changed",
            "{n:,} are spelled by their tokens, since their source is gone or has changed",
            counts.from_tokens,
        )
        told = f"{told}; {spelled}"
    return told
