"""Writes reports of what is traced. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from explorer.errors import CorpusError
from explorer.gui.presenting.presenter import Slot
from explorer.gui.presenting.requests import Request, Saved
from explorer.gui.screens.trace.work import TraceAnswer, evidence_of, save_report
from explorer.i18n import tr


class ReportWriter:
    """Writes one report at a time.

    ask: Called with the file that was written.
    fail: Called with the reason why it was not.
    """

    def __init__(self, slot: Slot, ask: Callable[[Request], None], fail: Callable[[CorpusError], None]) -> None:
        self._slot, self._ask, self._fail = slot, ask, fail

    def save(self, path: Path, answers: Sequence[TraceAnswer]) -> None:
        """Write what is traced, and how that was made.

        path: The file, whose ending decides the format.
        answers: The traces, all in one index; without any, nothing is written.
        """
        if answers:
            # Of the trace that is shown, even if another text is being traced.
            found = evidence_of(answers)
            saved = Saved(path, tr("Saved the report"))
            self._slot.run(lambda cancel: save_report(path, found), lambda _: self._ask(saved), self._fail)

    def cancel(self) -> None:
        """Forget the report that is being written."""
        self._slot.cancel()


def why_no_report(answers: Sequence[TraceAnswer], is_file: bool) -> str:
    """Give the reason why no report can be written.

    is_file: Whether the tab of a file of answers is shown.
    Returns: The reason; "" if one can be written.
    """
    if is_file:
        return tr("A file of answers is exported as a table. Open one of its answers for a report.")
    return "" if answers else tr("Nothing is traced yet.")
