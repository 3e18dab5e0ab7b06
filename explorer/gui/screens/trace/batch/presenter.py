"""Traces a file of answers: opens it, traces every answer, sorts, filters and saves the table. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.analyses.trace.batch import AnswerFile, BatchRow, inspect_answers
from explorer.analyses.trace.settings import TraceSettings
from explorer.core.jobs import Kind, Progress
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.presenting.requests import Request, Saved
from explorer.gui.screens.trace.batch.state import COLUMNS, EDGES, BatchState, Order, arranged
from explorer.gui.screens.trace.work import batch_facts, recall, save_batch, trace_file
from explorer.i18n import tr, trn


class BatchPresenter(Presenter[BatchState]):
    """A file of answers.

    ask: Called with the file that was written.
    trace_row: Called with a row whose answer is to be traced by itself.
    """

    def __init__(
        self, services: Services, ask: Callable[[Request], None], trace_row: Callable[[BatchRow], None]
    ) -> None:
        super().__init__(BatchState())
        self._ask, self._trace_row = ask, trace_row
        # A slot keeps only its newest request: saving a table must not end the trace of a file.
        self._opener = services.slot("file of answers")
        self._tracer = services.slot("batch", kind=Kind.APART)
        self._recaller = services.slot("answers traced before", kind=Kind.APART)
        self._writer = services.slot("table of answers", kind=Kind.APART)
        # The fields of a session, until its file is open.
        self._fields: tuple[str, ...] = ()

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Use another index; the table of the previous one is cleared."""
        opening = self.state.path if self.state.source.awaited else None
        self._cancel()
        self.change(corpus=corpus, rows=Answer(), shown=(), used=None, opened=None, length=None)
        if opening is not None:
            # A file does not depend on the index.
            self.open(opening)
        self._recall()

    def use_settings(self, settings: TraceSettings) -> None:
        """Use other settings for the next trace."""
        self.change(settings=settings)
        self._recall()

    def open(self, path: Path) -> None:
        """Read a file's first records, and offer their fields."""
        self.change(path=path, source=self.state.source.asked())
        self._opener.run(
            lambda cancel: inspect_answers(path),
            self._offer,
            lambda error: self.change(source=self.state.source.failed(error)),
        )

    def _offer(self, source: AnswerFile) -> None:
        # The rows of the file that was open before stay, dimmed; what is on its way would be taken for rows of this
        # one.
        self._tracer.cancel()
        text, prompt = self._fields or (source.text_field, source.prompt_field)
        self._fields = ()
        self.change(
            source=self.state.source.arrived(source),
            count=None,
            text_field=text if text in source.fields else source.text_field,
            prompt_field=prompt if prompt in ("", *source.fields) else source.prompt_field,
            rows=Answer(self.state.rows.value),
            used=None,
            progress=None,
            opened=None,
            error=None,
        )
        self._recall()

    def _recall(self) -> None:
        """Show what was traced before of the file, in this index and with these settings, also by an earlier start."""
        state = self.state
        if state.source.value is None or state.used is not None:
            return
        index = None if state.corpus is None else state.corpus.index
        source, settings = state.chosen_source, state.settings
        self._recaller.run(
            lambda cancel: recall(index, source, settings, cancel), lambda found: self._take_recalled(found, settings)
        )

    def _take_recalled(self, recalled: tuple[tuple[BatchRow, ...], int], settings: TraceSettings) -> None:
        rows, total = recalled
        self.change(count=total)
        # Another trace may have begun, or the settings may have changed.
        if rows and self.state.used is None and settings == self.state.settings:
            progress = Progress("Tracing answers", len(rows), total, "answers")
            found, whole = replace(self.state.rows, value=rows), len(rows) >= total
            shown = found.arrived(rows) if whole else found.asked().stopped()
            self._arrange(rows=shown, used=settings, progress=progress)

    def choose_text_field(self, name: str) -> None:
        """Trace the texts of another field."""
        self.change(text_field=name)
        self._recall()

    def choose_prompt_field(self, name: str) -> None:
        """Take the prompts from this field; "" for no prompts."""
        self.change(prompt_field=name)
        self._recall()

    def run(self) -> None:
        """Trace every answer of the file."""
        state = self.state
        if state.source.value is None or state.corpus is None:
            return
        self._recaller.cancel()
        source = state.chosen_source
        # Read here: all of them may change while the file is traced.
        index, settings = state.corpus.index, state.settings
        report, send = (
            self._tracer.reporter(lambda progress: self.change(progress=progress)),
            self._tracer.interim(self._take_some),
        )
        # A file that is traced replaces the reason why another could not be opened.
        opened = state.source.arrived(state.source.value)
        self.change(
            source=opened, rows=state.rows.asked(), used=settings, progress=None, opened=None, length=None, error=None
        )
        job = Job(tr("Trace of {name}", name=source.path.name), self.stop)
        self._tracer.run(
            lambda cancel: trace_file(index, source, settings, send, report, cancel), self._take, self._fail, job
        )

    def _take_some(self, rows: tuple[BatchRow, ...]) -> None:
        self._arrange(rows=replace(self.state.rows, value=rows))

    def _take(self, rows: tuple[BatchRow, ...]) -> None:
        # Fewer than there are: they were stopped.
        # Asked to stop, the work returns what it has, by the same way as when it is done.
        whole = self.state.progress is None or len(rows) >= self.state.progress.total
        found = replace(self.state.rows, value=rows)
        self._arrange(rows=found.arrived(rows) if whole else found.stopped())

    def _fail(self, error: CorpusError) -> None:
        self.change(rows=self.state.rows.failed(error))

    def stop(self) -> None:
        """Stop tracing; the rows that are done stay."""
        self._tracer.end(keep=True)

    def forget(self) -> None:
        """Close the file, and clear the table."""
        self._cancel()
        self.change(
            path=None,
            source=Answer(),
            count=None,
            rows=Answer(),
            shown=(),
            used=None,
            length=None,
            opened=None,
            error=None,
        )

    def _cancel(self) -> None:
        for slot in (self._opener, self._tracer, self._recaller, self._writer):
            slot.cancel()
        self.change(source=self.state.source.stopped(), rows=self.state.rows.stopped())

    def sort(self, column: int) -> None:
        """Sort by a column; the same one again in the other direction, and then in the order of the file."""
        if not 0 <= column < len(COLUMNS):
            return
        first = COLUMNS[column][2]
        order, before = Order(column, first), self.state.order
        if before.column == column:
            order = Order(column, not first) if before.largest_first == first else Order()
        self._arrange(order=order)

    def choose_length(self, number: int | None) -> None:
        """Show only the answers of one bar of the histogram; None, or the same bar again: all of them."""
        if number is not None and (not 0 <= number < len(EDGES) or number == self.state.length):
            number = None
        # An empty bar would show an empty table.
        if number is not None and not self.state.bins[number].count:
            return
        self._arrange(length=number)

    def _arrange(self, **changes: Any) -> None:
        """Change the state, and filter and sort the rows again."""
        rows, order, length = (changes.get(name, getattr(self.state, name)) for name in ("rows", "order", "length"))
        self.change(**changes, shown=arranged(rows.value or (), order, length))

    def open_row(self, number: int) -> None:
        """Trace the answer of one of the rows that are shown."""
        if 0 <= number < len(self.state.shown) and not self.state.shown[number].problem:
            # Kept as a value, not by its place: rows that arrive or another order move it.
            row = self.state.shown[number]
            self._trace_row(row)
            self.change(opened=row)

    def step(self, by: int) -> None:
        """Open the next (1) or the previous (-1) answer; those that could not be traced are passed over."""
        shown, opened = self.state.shown, self.state.opened
        if opened is None or opened not in shown:
            return
        number = shown.index(opened) + by
        while 0 <= number < len(shown) and shown[number].problem:
            number += by
        self.open_row(number)

    def leave_row(self) -> None:
        """The first tab shows another text."""
        self.change(opened=None)

    def save(self, path: Path) -> None:
        """Write the table as it is shown."""
        state, rows = self.state, self.state.shown
        source, corpus, settings = state.source.value, state.corpus, state.used or state.settings
        if source is None or corpus is None:
            return
        read = replace(source, text_field=state.text_field, prompt_field=state.prompt_field)
        total = len(state.rows.value or ())
        sentence = trn("Saved {n:,} row", "Saved {n:,} rows", len(rows))
        self.change(error=None)
        self._writer.run(
            lambda cancel: save_batch(path, rows, batch_facts(corpus, read, settings, rows, total)),
            lambda _: self._ask(Saved(path, sentence)),
            lambda error: self.change(error=error),
            Job(tr("Export of {name}", name=path.name), self._writer.cancel),
        )

    def session(self) -> dict[str, Any]:
        """The file and its fields, as JSON values; its rows are kept elsewhere, each as soon as it is traced."""
        path = "" if self.state.path is None else str(self.state.path.absolute())
        return {"answers": path, "answers_field": self.state.text_field, "answers_prompt": self.state.prompt_field}

    def restore(self, values: dict[str, Any]) -> None:
        """Open the file of a session again; missing or invalid values are left unchanged."""
        path = values.get("answers")
        if isinstance(path, str) and path and "\0" not in path:
            fields = (values.get("answers_field"), values.get("answers_prompt"))
            self._fields = tuple(field if isinstance(field, str) else "" for field in fields)
            self.open(Path(path))
