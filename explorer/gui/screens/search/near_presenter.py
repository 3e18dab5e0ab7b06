"""What the tabs that count around the query do alike: count when seen, make words, sort, write files. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.found_lines.presenter import LinesPresenter
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.job import Job
from explorer.gui.presenter import Presenter, Services
from explorer.gui.requests import Request
from explorer.gui.rows_file import RowsFile
from explorer.gui.screens.search.near_state import NearQuestion, NearState, question_of
from explorer.gui.screens.search.work import LinesAnswer
from explorer.i18n import tr
from explorer.jobs import CancelToken, Kind, Report

_DEBOUNCE_MS = 400

S = TypeVar("S", bound=NearState[Any, Any])


class NearPresenter(Presenter[S]):
    """One tab without its widgets.

    request: Asks for a document to be shown, and reports files.
    """

    id: ClassVar[str]
    """How the names of its slots begin."""
    title: ClassVar[str]
    """What the work is called, to be translated."""
    reads: ClassVar[bool] = False
    """Whether the lines of a row are shown without being asked for."""

    def __init__(self, state: S, services: Services, request: Callable[[Request], None]) -> None:
        super().__init__(state)
        # Minutes, where the words are made.
        self._counter = services.slot(self.id, kind=Kind.APART)
        self._file = RowsFile(services.slot(f"{self.id} file", kind=Kind.APART), request, self.fail_beside)
        self.lines = LinesPresenter(services, f"{self.id} lines", request, request, self.fail_beside)
        self._typing = services.delay(_DEBOUNCE_MS, self.open)
        self._making = False

    @abstractmethod
    def count(self, question: NearQuestion, rule: Any, make: bool, before: Any) -> Callable[[Report, CancelToken], Any]:
        """What counts off the interface thread.

        make: Whether the index of words may be made.
        before: The answer before; None for none.
        """

    @abstractmethod
    def lines_of(self, row: int) -> LinesOf:
        """What finds the lines of a row."""

    def use_lines(self, answer: LinesAnswer | None) -> None:
        """Take another query, around which is counted when the tab is opened; None: there is none."""
        self._counter.cancel()
        self._making = False
        if answer is None:
            self.lines.clear()
            self.change(question=None, answer=Answer[Any](), row=-1, error=None)
            return
        question, before = question_of(answer), self.state.question
        same = before is not None and before.corpus is question.corpus and before.key == question.key
        # Sorting the lines asks for them again, which changes nothing here.
        kept = before if same else question
        self.change(question=kept, answer=replace(self.state.answer.stopped(), error=None), error=None)

    def open(self) -> None:
        """Count, unless it is done."""
        # The words may have been made on another screen.
        if (not self.state.current or self.state.missing) and not self._making:
            self.run()

    def set(self, **values: Any) -> None:
        """Change how is counted, by the names in the rule."""
        changed = replace(self.state.rule, **values)
        if changed != self.state.rule:
            self.change(rule=changed)
            # The wheel turns a number through many values: only the last one is asked about.
            self._typing.start()

    def make_words(self) -> None:
        """Make the index of words, then count."""
        self.run(make=True)

    def run(self, make: bool = False) -> None:
        """Count what is asked for.

        make: Whether the index of words may be made.
        """
        self._typing.stop()
        question = self.state.question
        if question is None:
            return
        self._making = make
        count = self.count(question, self.state.rule, make, self.state.answer.value)
        self.change(answer=self.state.answer.asked(), error=None)
        report = self._counter.reporter()
        self._counter.run(
            lambda cancel: count(report, cancel), self._arrived, self._failed, Job(tr(self.title), self.stop)
        )

    def _arrived(self, answer: Any) -> None:
        self._making = False
        self.lines.clear()
        self.change(answer=self.state.answer.arrived(answer), row=-1, sort=(0, False), reading=self.reads)
        # What was chosen while the words were made.
        if not self.state.current:
            self.run()

    def _failed(self, error: CorpusError) -> None:
        self._making = False
        self.change(answer=self.state.answer.failed(error))

    def stop(self) -> None:
        """End the count; the last one stays, dimmed."""
        self._counter.cancel()
        self._file.cancel()
        self._making = False
        self.change(answer=self.state.answer.stopped())

    def choose(self, row: int) -> None:
        """Choose a row by its place in the answer."""
        answer = self.state.listed
        if answer is not None and 0 <= row < len(answer.rows) and row != self.state.row:
            self.change(row=row)
            if self.state.reading:
                self._read()

    def choose_shown(self, place: int) -> None:
        """Choose a row by its place in the table."""
        if 0 <= place < len(self.state.order):
            self.choose(self.state.order[place])

    def sort(self, column: int) -> None:
        """Sort the table by a column; the same one once more turns it around.

        column: The number of the column, from 0.
        """
        now, down = self.state.sort
        # Numbers from the greatest on, ranks and forms from the first on.
        self.change(sort=(column, not down if column == now else column > 1))

    def read(self, reading: bool = True) -> None:
        """Show the lines of the chosen row beside the table, or no longer."""
        self.change(reading=reading)
        if reading:
            self._read()

    def _read(self) -> None:
        if self.state.chosen:
            self.lines.read(self.lines_of(self.state.row))

    def fail_beside(self, error: CorpusError) -> None:
        """Show why something failed that leaves the table as it is."""
        self.change(error=error)

    def save(self, path: Path) -> None:
        """Write all rows to a file, whose ending decides the format."""
        answer = self.state.listed
        if answer is not None:
            self._file.write(path, tr("Export of {name}", name=path.name), lambda report, cancel: answer.found)

    def restore(self, values: Any) -> None:
        """Take settings of a session, which may be anything; missing or invalid values are left unchanged."""
        if isinstance(values, dict):
            self.change(rule=self.state.rule.restored(values))
