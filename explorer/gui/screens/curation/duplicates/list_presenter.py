"""What the list of passages does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from explorer.analyses.repeats.question import RepeatsQuestion
from explorer.analyses.repeats.table import RepeatRecord
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.found_lines.presenter import LinesPresenter
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.choices import Choices
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.curation.duplicates.list_state import RepeatsState
from explorer.gui.screens.curation.duplicates.work import lines_of, run_list, tokens_of


class RepeatsPresenter(Presenter[RepeatsState]):
    """Lists passages, and shows the lines of one.

    lines: Gets the row whose lines are shown.
    failed: Called with why something failed.
    choices: Those of the tab, of which the filter is one.
    """

    def __init__(
        self,
        services: Services,
        lines: LinesPresenter,
        failed: Callable[[CorpusError], None],
        choices: Choices[Any],
    ) -> None:
        super().__init__(RepeatsState())
        self.listing, self.reading = services.slot("duplicates passages"), services.slot("duplicates kept")
        self._lines, self._told, self._choices = lines, failed, choices

    def use_corpus(self, corpus: Corpus | None) -> None:
        """List nothing of another index until it is asked."""
        self.listing.cancel()
        self.reading.cancel()
        self.change(corpus=corpus, listed=Answer(), row=-1)

    def ask(self, question: RepeatsQuestion, runs: bool) -> None:
        """List what repeats, unless it is listed already; `runs` shows the stretches."""
        corpus, known = self.state.corpus, self.state.listed.current
        if runs != self.state.runs:
            self.change(runs=runs, row=self._forget_row())
        if corpus is None or (known is not None and known.question == question):
            return
        self.change(listed=self.state.listed.asked())
        report = self.listing.reporter()
        self.listing.run(
            lambda cancel: run_list(corpus, question, report, cancel),
            lambda found: self.change(listed=self.state.listed.arrived(found), row=self._forget_row()),
            self._failed,
        )

    def _forget_row(self) -> int:
        self._lines.clear()
        return -1

    def _failed(self, error: CorpusError) -> None:
        self.change(listed=self.state.listed.failed(error))
        self._told(error)

    def look_for(self, text: str) -> None:
        """Show only rows with a text."""
        with self._choices.step("filter"):
            self.change(filter=text)

    def choose(self, place: int) -> None:
        """Show the lines of the row at a place of the table."""
        places = self.state.places
        if 0 <= place < len(places) and places[place] != self.state.row:
            self.change(row=places[place])
            row, listed = self.state.chosen, self.state.listed.value
            assert self.state.corpus is not None and row is not None
            self._lines.read(lines_of(self.state.corpus, row, None if listed is None else listed.found))

    def read_chosen(self, take: Callable[[tuple[int, ...]], None]) -> None:
        """Read the tokens of the chosen passage, if one is."""
        corpus, row = self.state.corpus, self.state.chosen
        if corpus is not None and isinstance(row, RepeatRecord):
            self.reading.run(lambda cancel: tuple(tokens_of(corpus, row).tolist()), take, self._told)
