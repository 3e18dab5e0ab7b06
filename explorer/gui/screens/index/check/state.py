"""What the page that checks an index shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.cells import Cell
from explorer.gui.presenting.hints import told
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import counted, tr

if TYPE_CHECKING:
    from explorer.building.verify.verify import Finding, VerifyReport
    from explorer.core.jobs import Progress
    from explorer.corpus import Corpus


@dataclass(frozen=True, eq=False)
class CheckState:
    """The open index, and what its check found.

    deep: Whether the next check is to check every entry.
    answer: The reports of the last check, one per folder.
    progress: How far the running check is; None before its first report.
    """

    corpus: Corpus | None = None
    deep: bool = False
    answer: Answer[tuple[VerifyReport, ...]] = field(default_factory=Answer)
    progress: Progress | None = None

    @property
    def why_not(self) -> str:
        """Why the open index cannot be checked; "" if it can, or if none is open."""
        if self.corpus is None or self.corpus.index.local is not None:
            return ""
        return tr("Only files on this machine can be checked.")

    @property
    def can_check(self) -> bool:
        """Whether a check can start."""
        return self.corpus is not None and not self.why_not and not self.answer.awaited

    @property
    def sound(self) -> bool:
        """Whether the last check found nothing wrong."""
        # `current` here, unlike below: findings of an earlier check stay, dimmed, but they do not prove an index sound.
        return self.answer.current is not None and not self.findings

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that is wrong, folder by folder."""
        return tuple(finding for report in self.answer.value or () for finding in report.findings)

    @property
    def notice(self) -> str:
        """Why the last check failed; "" if it did not."""
        return "" if self.answer.error is None else told(self.answer.error)

    @property
    def message(self) -> str:
        """What the last check found, in a sentence."""
        if self.corpus is None:
            return tr("Open an index first.")
        if self.answer.value is None:
            return self.why_not
        reports = self.answer.value
        if not sum(each.places for each in reports):
            # It could not be opened.
            return counted("finding", len(self.findings))
        if all(report.deep for report in reports):
            how = tr("all {positions} checked", positions=counted("position", sum(each.places for each in reports)))
        else:
            how = tr("{positions} sampled", positions=counted("position", sum(each.places for each in reports)))
        if self.findings:
            return tr("{findings} ({how})", findings=counted("finding", len(self.findings)), how=how)
        return tr("No damage found ({how})", how=how)

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The findings as cells: the file, and the problem with its remedy."""
        return tuple(map(_row, self.findings))


def _row(finding: Finding) -> tuple[Cell, ...]:
    name = finding.file.replace("\\", "/").rsplit("/", 1)[-1]
    text = told(finding.error)
    return (Cell(cell_text(name), tip=finding.file), Cell(cell_text(text), tip=text))
