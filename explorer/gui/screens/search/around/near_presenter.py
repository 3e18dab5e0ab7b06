"""What the tabs that count around the query do besides: count if the query is another one when they are seen. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.gui.asking.presenter import TablePresenter
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import Request
from explorer.gui.screens.search.around.near_state import NearQuestion, NearState, question_of
from explorer.gui.screens.search.work import LinesAnswer
from explorer.i18n import tr

S = TypeVar("S", bound=NearState[Any, Any])


class NearPresenter(TablePresenter[S]):
    """One tab without its widgets.

    request: Asks for a document to be shown, and reports files.
    """

    name: ClassVar[str]
    """How the names of its slots begin."""
    title: ClassVar[str]
    """What the work is called, to be translated."""

    def __init__(self, state: S, services: Services, request: Callable[[Request], None]) -> None:
        super().__init__(state, services, self.name, request, request)

    @abstractmethod
    def count(self, question: NearQuestion, rule: Any, make: bool, before: Any) -> Callable[[Report, CancelToken], Any]:
        """What counts off the interface thread.

        make: Whether the index of words may be made.
        before: The answer before; None for none.
        """

    def start(self, corpus: Corpus, make: bool) -> None:
        """Count what is asked for."""
        assert self.state.question is not None
        self.ask(make, tr(self.title), self.count(self.state.question, self.state.rule, make, self.state.answer.value))

    def use_lines(self, answer: LinesAnswer | None) -> None:
        """Take another query, around which is counted when the tab is opened; None: there is none."""
        if answer is None:
            self.change(question=None)
            self.use_corpus(None)
            return
        self.asking.cancel()
        self._making = False
        question, before = question_of(answer), self.state.question
        same = before is not None and before.corpus is question.corpus and before.key == question.key
        # Sorting the lines asks for them again, which changes nothing here.
        kept = before if same else question
        stopped = replace(self.state.answer.stopped(), error=None)
        self.change(question=kept, corpus=question.corpus, answer=stopped, error=None)

    def open(self) -> None:
        """Count, unless it is done."""
        # The words may have been made on another screen.
        if not self.state.current or self.state.missing:
            self.run()

    def row_forgotten(self) -> dict[str, Any]:
        """Show no lines, and the order of the answer: a column may have another measure."""
        return {**super().row_forgotten(), "sort": (0, False)}

    def stop(self) -> None:
        """End the count; the last one stays, dimmed."""
        super().stop()
        self.file.cancel()

    def save(self, path: Path) -> None:
        """Write all rows to a file, whose ending decides the format."""
        if (answer := self.state.found) is not None:
            self.file.write(path, tr("Export of {name}", name=path.name), lambda report, cancel: answer.found)

    def restore(self, values: Any) -> None:
        """Count as in a session, which may be anything; missing or invalid values are left unchanged."""
        if isinstance(values, dict):
            super().restore(values)
