"""Verifies the open index, and shows what is wrong and what to do."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.api import Corpus
from explorer.checking.verify import Finding, VerifyReport, verify_index
from explorer.gui.cells import Cell
from explorer.gui.hints import told
from explorer.gui.runner import Runner
from explorer.gui.screen import Notice, label
from explorer.gui.text_positions import cell_text
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.i18n import counted, tr, trn
from explorer.jobs import CancelToken, Report


class VerifyView(QWidget):
    """Checks the folders of the open index, quickly or entry by entry."""

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._corpus: Corpus | None = None
        self.deep = QCheckBox(tr("Check every entry, document and line"))
        self.deep.setToolTip(
            tr(
                "Check every pair of neighbors in the suffix array, and that each position occurs exactly once. "
                "Takes a while."
            )
        )
        self.check = QPushButton(tr("Check this index"))
        self.check.setProperty("role", "primary")
        self.message = label("", "muted")
        self.message.setWordWrap(True)
        self.notice = Notice()
        self.job = JobBar()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Findings"), wide=(1,))
        self.table.setWordWrap(True)
        about = label(
            tr(
                "Checks sizes, widths, offsets and metadata, the order of the suffix array at 2,000 positions per "
                "shard, and whether the tokenizer fits. Nothing is changed."
            ),
            "muted",
        )
        about.setWordWrap(True)
        row = QHBoxLayout()
        row.addWidget(self.check)
        row.addWidget(self.deep, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 16, 16, 12)
        layout.setSpacing(10)
        layout.addWidget(label(tr("Check the index"), "heading"))
        layout.addWidget(about)
        layout.addLayout(row)
        for part in (self.job, self.notice, self.message):
            layout.addWidget(part)
        layout.addWidget(self.table, 100)
        layout.addStretch(1)
        self.table.hide()
        self.check.clicked.connect(self.run)
        runner.progressed.connect(self.job.show_progress)
        runner.busy_changed.connect(self._set_busy)
        self.job.cancelled.connect(runner.cancel)
        self.set_corpus(None)

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Check another index."""
        self._corpus = corpus
        self.check.setEnabled(corpus is not None)
        self.message.setText("" if corpus is not None else tr("Open an index first."))
        self.table.hide()

    def _set_busy(self, busy: bool) -> None:
        self.job.set_busy(busy)
        self.check.setEnabled(not busy and self._corpus is not None)

    def run(self) -> None:
        """Check in the background."""
        if self._corpus is None:
            return
        corpus, deep, report = self._corpus, self.deep.isChecked(), self._runner.reporter()
        self.notice.show_text("")
        self._runner.run(lambda cancel: verify_all(corpus, deep, report, cancel), self._show, self.notice.show_error)

    def _show(self, reports: tuple[VerifyReport, ...]) -> None:
        findings = [finding for report in reports for finding in report.findings]
        tokens = sum(report.tokens for report in reports)
        how = tr("every entry was checked") if all(report.deep for report in reports) else tr("positions were sampled")
        if findings:
            self.message.setText(tr("{findings}; {how}.", findings=counted("finding", len(findings)), how=how))
        else:
            self.message.setText(
                trn(
                    "No damage found: {n:,} token; {how}.",
                    "No damage found: {n:,} tokens; {how}.",
                    tokens,
                    how=how,
                )
            )
        self.table.setVisible(bool(findings))
        self.model.show((tr("File"), tr("Problem and remedy")), [_row(finding) for finding in findings])


def _row(finding: Finding) -> tuple[Cell, ...]:
    name = finding.file.replace("\\", "/").rsplit("/", 1)[-1]
    text = told(finding.error)
    return (Cell(cell_text(name), tip=finding.file), Cell(cell_text(text), tip=text))


def verify_all(corpus: Corpus, deep: bool, report: Report, cancel: CancelToken) -> tuple[VerifyReport, ...]:
    """Check every folder of an index. Runs off the interface thread.

    Parameters
    ----------
    corpus
        The index.
    deep
        Whether to check everything.
    report
        Called with the progress.
    cancel
        Stops the check.

    Returns
    -------
    tuple[VerifyReport, ...]
        One report per folder.
    """
    index = corpus.index
    tokenizer = index.tokenizer if index.has_tokenizer else None
    return tuple(verify_index(path, deep, tokenizer, report, cancel) for path in corpus.folders)
