"""Traces a file of answers: opens it, traces every answer, sorts and saves the table. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.job import Job
from explorer.gui.presenter import Presenter, Services
from explorer.gui.screens.trace.batch_state import ORDERS, BatchState, Saved, in_order
from explorer.gui.screens.trace.work import save_batch, trace_file
from explorer.i18n import tr
from explorer.jobs import Kind, Progress
from explorer.trace.batch import AnswerFile, BatchRow, inspect_answers
from explorer.trace.settings import TraceSettings


class BatchPresenter(Presenter[BatchState]):
    """A file of answers.

    Parameters
    ----------
    services
        Slots.
    trace_row
        Called with a row whose answer is to be traced by itself.
    """

    def __init__(self, services: Services, trace_row: Callable[[BatchRow], None]) -> None:
        super().__init__(BatchState())
        self._trace_row = trace_row
        # A slot keeps only its newest request: saving a table must not end the trace of a file.
        self._opener = services.slot("file of answers")
        self._tracer = services.slot("batch", kind=Kind.APART)
        self._writer = services.slot("table of answers", kind=Kind.APART)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Use another index; the table of the previous one is cleared."""
        opening = self.state.path if self.state.source.awaited else None
        self.stop()
        self.change(corpus=corpus, rows=Answer(), shown=(), saved=Answer())
        if opening is not None:
            # A file does not depend on the index.
            self.open(opening)

    def use_settings(self, settings: TraceSettings) -> None:
        """Use these settings for the next trace."""
        self.change(settings=settings)

    def open(self, path: Path) -> None:
        """Read a file's first records, and offer their fields."""
        self.change(path=path, source=self.state.source.asked())
        self._opener.run(lambda cancel: inspect_answers(path), self._offer, self._fail_opening)

    def _offer(self, source: AnswerFile) -> None:
        # The rows of the file that was open before stay, dimmed; what is on its way would be taken for rows of this
        # one.
        self._tracer.cancel()
        self.change(
            source=self.state.source.arrived(source),
            text_field=source.text_field,
            prompt_field=source.prompt_field,
            rows=Answer(self.state.rows.value),
            saved=Answer(),
            progress=None,
        )

    def _fail_opening(self, error: CorpusError) -> None:
        self.change(source=self.state.source.failed(error))

    def choose_text_field(self, name: str) -> None:
        """Trace the texts of this field."""
        self.change(text_field=name)

    def choose_prompt_field(self, name: str) -> None:
        """Take the prompts from this field; "" for no prompts."""
        self.change(prompt_field=name)

    def run(self) -> None:
        """Trace every answer of the file."""
        state = self.state
        if state.source.value is None or state.corpus is None:
            return
        source = replace(state.source.value, text_field=state.text_field, prompt_field=state.prompt_field)
        # Read here: all of them may change while the file is traced.
        index, settings, report = state.corpus.index, state.settings, self._tracer.reporter(self._report)
        # A file that is traced replaces the reason why another could not be opened.
        opened = state.source.arrived(state.source.value)
        self.change(source=opened, rows=state.rows.asked(), saved=Answer(), progress=None)
        job = Job(tr("Trace of {name}", name=source.path.name), self.stop)
        self._tracer.run(
            lambda cancel: trace_file(index, source, settings, report, cancel), self._take, self._fail, job
        )

    def _report(self, progress: Progress) -> None:
        self.change(progress=progress)

    def _take(self, rows: tuple[BatchRow, ...]) -> None:
        self.change(rows=self.state.rows.arrived(rows), shown=in_order(rows, self.state.order))

    def _fail(self, error: CorpusError) -> None:
        self.change(rows=self.state.rows.failed(error))

    def stop(self) -> None:
        """Stop what runs. The table that is there stays."""
        for slot in (self._opener, self._tracer, self._writer):
            slot.cancel()
        state = self.state
        self.change(source=state.source.stopped(), rows=state.rows.stopped(), saved=state.saved.stopped())

    def sort(self, order: int) -> None:
        """Show the rows in another order, the place of one in `ORDERS`."""
        if 0 <= order < len(ORDERS) and order != self.state.order:
            self.change(order=order, shown=in_order(self.state.shown, order), saved=Answer())

    def open_row(self, number: int) -> None:
        """Trace the answer of one of the rows that are shown."""
        if 0 <= number < len(self.state.shown):
            self._trace_row(self.state.shown[number])

    def save(self, path: Path) -> None:
        """Write the table as it is shown."""
        # In the order that is shown.
        rows = self.state.shown
        self.change(saved=self.state.saved.asked())
        self._writer.run(
            lambda cancel: save_batch(path, rows),
            lambda _: self._note(Saved(path, len(rows))),
            self._fail_saving,
            Job(tr("Export of {name}", name=path.name), self.stop),
        )

    def _note(self, saved: Saved) -> None:
        self.change(saved=self.state.saved.arrived(saved))

    def _fail_saving(self, error: CorpusError) -> None:
        self.change(saved=self.state.saved.failed(error))
