"""What the tab of personal data does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from explorer.analyses.personal_data.question import PersonalDataQuestion
from explorer.corpus import Corpus
from explorer.gui.asking.presenter import TabPresenter
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import DocumentRequest, Saved
from explorer.gui.screens.curation.personal.state import PersonalState
from explorer.gui.screens.curation.personal.work import MOST_ROWS, run_personal
from explorer.i18n import tr


class PersonalPresenter(TabPresenter[PersonalState]):
    """The tab without its widgets.

    saved: Called with a file that was written.
    """

    def __init__(
        self,
        services: Services,
        show: Callable[[DocumentRequest], None] = lambda request: None,
        saved: Callable[[Saved], None] = lambda request: None,
    ) -> None:
        super().__init__(PersonalState(PersonalDataQuestion(top=MOST_ROWS)), services, "personal", saved)
        self._show = show

    def start(self, corpus: Corpus, make: bool) -> None:
        """Look for what is asked for."""
        rule = self.state.rule
        self.ask(False, tr("Personal data"), lambda report, cancel: run_personal(corpus, rule, report, cancel))

    def row_forgotten(self) -> dict[str, Any]:
        """Mask all rows of another answer."""
        return {"revealed": frozenset[int]()}

    def reveal(self, row: int) -> None:
        """Show one row in full, or mask it again."""
        answer = self.state.found
        if answer is not None and 0 <= row < len(answer.rows):
            self.change(revealed=self.state.revealed ^ {row})

    def open_row(self, row: int) -> None:
        """Open the document of a row at what was found."""
        answer = self.state.answer.current
        if answer is not None and 0 <= row < len(answer.rows):
            found = answer.rows[row]
            self._show(DocumentRequest(found.document, found.token, found.tokens))

    def save(self, path: Path) -> None:
        """Write all findings to a file, masked as they are shown."""
        answer, corpus = self.state.found, self.state.corpus
        if answer is not None and corpus is not None:
            asked = answer.rule.arguments("top")
            self.file.write(
                path,
                tr("Personal data to a file"),
                lambda report, cancel: corpus.personal_data(**asked, top=None, report=report, cancel=cancel),
            )
