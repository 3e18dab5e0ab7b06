"""What the tabs of the Statistics screen do alike: ask when they are seen, make words, stop, write files. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from explorer.chart import Chart
from explorer.core.jobs import CancelToken, Kind, Report
from explorer.corpus import Corpus
from explorer.derive.question import Question
from explorer.errors import CorpusError, QueryError
from explorer.gui.asking.asker import Asker
from explorer.gui.asking.choices import TabChoices
from explorer.gui.asking.rows_file import RowsFile
from explorer.gui.asking.state import TabState
from explorer.gui.asking.table import TableState
from explorer.gui.found_lines.presenter import LinesPresenter
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import DocumentRequest, Saved

S = TypeVar("S", bound=TabState[Any, Any])
T = TypeVar("T", bound=TableState[Any, Any])


class TabPresenter(Asker[S]):
    """One tab without its widgets.

    id: How the names of its slots begin.
    saved: Called with a file that was written.
    """

    LIMITS: ClassVar[Mapping[str, tuple[int, int]]] = {}
    """The ranges of the numbers of the rule."""
    ASKED: ClassVar[tuple[str, ...]] = ("rule",)
    """The fields of the state that decide about the answer; the user chooses them, and can undo it."""

    def __init__(self, state: S, services: Services, id: str, saved: Callable[[Saved], None]) -> None:
        super().__init__(state, services, f"{id} list")
        self.id = id
        self.file = RowsFile(services.slot(f"{id} file", kind=Kind.APART), saved, self.fail_beside)
        # While the words are made: another question has to wait, or their index would begin again.
        self._making = False
        self.choices = TabChoices(services, self, self.ASKED, self.run)
        # An answer costs a walk over the whole index: not while nobody sees it.
        self._seen, self._due = False, False

    @abstractmethod
    def start(self, corpus: Corpus, make: bool) -> None:
        """Ask what is to be asked.

        make: Whether the index of words may be made.
        """

    @abstractmethod
    def save(self, path: Path) -> None:
        """Write all rows to a file."""

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figures; None if there is nothing to draw."""
        return None

    def set(self, **values: Any) -> None:
        """Change what is asked for, by the names in the tab's rule."""
        try:
            changed = replace(self.state.rule, **values)
        except QueryError as error:
            self.fail_beside(error)
            return
        if changed != self.state.rule:
            with self.choices.step(" ".join(values)):
                self.change(rule=changed)
            self.typing.start()

    def session(self) -> dict[str, Any]:
        """What is asked for, as JSON values."""
        rule = self.state.rule
        return rule.session if isinstance(rule, Question) else asdict(rule)

    def fits(self, name: str, value: Any) -> bool:
        """Whether a value can be restored."""
        low, high = self.LIMITS.get(name, (value, value))
        return bool(low <= value <= high)

    def restore(self, values: dict[str, Any]) -> None:
        """Ask for the same again; missing or invalid values are left unchanged."""
        rule = self.state.rule
        self.change(rule=rule.restored(values) if isinstance(rule, Question) else self._restored(values))
        self.choices.forget()
        self.run_if_seen()

    def _restored(self, values: dict[str, Any]) -> Any:
        # A truth value would pass for a number.
        found = {
            name: values[name]
            for name, usual in asdict(self.state.rule).items()
            if type(values.get(name)) is type(usual) and self.fits(name, values[name])
        }
        return replace(self.state.rule, **found)

    def row_forgotten(self) -> dict[str, Any]:
        """Forget the chosen row of another answer; the changes of the state."""
        return {}

    def appear(self, seen: bool) -> None:
        """Ask what was not asked while nobody looked.

        seen: Whether the tab came to the front; otherwise it left it.
        """
        self._seen = seen
        # The words may have been made in another tab.
        if seen and (self._due or self.state.missing):
            self.run()

    def run_if_seen(self) -> None:
        """Ask now, or when the tab comes to the front."""
        self._due = True
        if self._seen:
            self.run()

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Ask the same of another index."""
        self.asking.cancel()
        self._making = False
        # Fields, passages and marks are those of one index.
        self.choices.forget()
        self.change(corpus=corpus, answer=Answer(), error=None, **self.row_forgotten())
        self.run_if_seen()

    def run(self, make: bool = False) -> None:
        """Ask now, unless words are being made; what is asked for then is asked for afterwards.

        make: Whether the index of words may be made.
        """
        self.typing.stop()
        if self.state.corpus is not None and not self._making:
            self._due = False
            self.start(self.state.corpus, make)

    def stop(self) -> None:
        """End the work; the last answer stays dimmed."""
        self._making = False
        super().stop()

    def ask(self, make: bool, title: str, answer: Callable[[Report, CancelToken], Any]) -> None:
        """Have a question answered in the background.

        make: Whether the index of words may be made.
        """
        self._making = make
        self.put(title, answer)

    def _arrived(self, answer: Any) -> None:
        self._making = False
        self.change(answer=self.state.answer.arrived(answer), **self.row_forgotten())
        # What was chosen while the words were made.
        if not self.state.current:
            self.run()

    def _failed(self, error: CorpusError) -> None:
        self._making = False
        super()._failed(error)


class TablePresenter(TabPresenter[T]):
    """A tab with a table, whose columns sort, and with the lines of the chosen row."""

    def __init__(
        self,
        state: T,
        services: Services,
        id: str,
        show: Callable[[DocumentRequest], None] = lambda request: None,
        saved: Callable[[Saved], None] = lambda request: None,
    ) -> None:
        super().__init__(state, services, id, saved)
        self.lines = LinesPresenter(services, f"{id} lines", show, saved, self.fail_beside)

    @abstractmethod
    def lines_of(self, row: int) -> LinesOf | None:
        """What finds the lines of a row of the answer; None if rows have no lines."""

    def sort(self, column: int) -> None:
        """Sort the rows by a column; the same one once more turns them around."""
        self.change(sort=self.state.sorted_by(column))

    def choose(self, row: int) -> None:
        """Choose a row by its place in the answer."""
        if 0 <= row < len(self.state.rows) and row != self.state.row:
            self.change(row=row, error=None)
            if self.state.reading:
                self.read()

    def choose_shown(self, place: int) -> None:
        """Choose a row by its place in the table."""
        if 0 <= place < len(self.state.order):
            self.choose(self.state.order[place])

    def read(self, reading: bool = True) -> None:
        """Show the lines of the chosen row, or no longer."""
        if reading != self.state.reading:
            self.change(reading=reading)
        if reading and self.state.chosen and (found := self.lines_of(self.state.row)) is not None:
            self.lines.read(found)

    def row_forgotten(self) -> dict[str, Any]:
        """Show no lines until a row is chosen."""
        self.lines.clear()
        return {"row": -1}
