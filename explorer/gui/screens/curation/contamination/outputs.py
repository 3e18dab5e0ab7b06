"""What leaves the tab of contamination: names of items, and documents to cut. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.export.provenance import Facts
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import ExportCuts, Saved
from explorer.gui.screens.curation.contamination.work import BenchAnswer, run_removal, write_ids
from explorer.i18n import tr, trn


class BenchOutputs:
    """Writes one file, and looks for one set of documents, at a time.

    saved: Called with a file that was written.
    failed: Called with why something failed.
    """

    def __init__(
        self,
        services: Services,
        saved: Callable[[Saved], None],
        hand_over: Callable[[ExportCuts], None],
        failed: Callable[[CorpusError], None],
    ) -> None:
        self._writing = services.slot("contamination ids", kind=Kind.APART)
        self.removing = services.slot("contamination removal", kind=Kind.APART)
        self._saved, self._hand_over, self._failed = saved, hand_over, failed

    def save_ids(self, ids: Sequence[str], path: Path, facts: Callable[[], Facts]) -> None:
        """Write the names of some items, one per line."""
        self._writing.run(
            lambda cancel: write_ids(ids, path, facts),
            lambda count: self._saved(Saved(path, trn("Saved {n:,} item", "Saved {n:,} items", count))),
            self._failed,
        )

    def remove(self, corpus: Corpus, answer: BenchAnswer) -> None:
        """Find the documents that the benchmarks make up, and hand them to the export."""
        report = self.removing.reporter()
        self.removing.run(
            lambda cancel: run_removal(corpus, answer.rule, report, cancel),
            self._hand_over,
            self._failed,
            Job(tr("Documents to remove"), self.removing.cancel),
        )
