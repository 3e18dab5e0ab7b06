"""Rows of texts, traced one after the other or in several processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from explorer.analyses.search.limits import whole_number
from explorer.analyses.trace.batch import TracedText, answer_of, trace_given
from explorer.analyses.trace.in_words import words_for
from explorer.analyses.trace.settings import TraceSettings
from explorer.backends.protocol.protocol import Backend
from explorer.core.files.text_field import text_at
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.core.jobs.crew import in_processes
from explorer.corpus.inputs import as_json
from explorer.documents.inputs.text_input import InputText
from explorer.errors import CorpusError, QueryError
from explorer.i18n import mark, tr

OnBad = Literal["raise", "skip", "keep"]
"""What happens to a row that cannot be traced: an error, nothing, or a row with the problem."""
ON_BAD: tuple[OnBad, ...] = get_args(OnBad)


@dataclass(frozen=True)
class Tracing:
    """How rows are traced.

    Attributes
    ----------
    index
        The index.
    text_field
        The field with the text, a name or a path.
    prompt_field
        The field with the prompt; None for none.
    settings
        The settings of every trace.
    on_bad
        What happens to a row that cannot be traced.
    workers
        Processes, from 1; with 1, none is started.
    without_self
        Whether documents that contain most of a text are left out while it is traced.
    report
        Called with the rows that are done.
    cancel
        Checked before each row.

    Raises
    ------
    QueryError
        If `on_bad` is unknown, or `workers` is not a whole number from 1 on.
    """

    index: Backend
    text_field: str
    prompt_field: str | None
    settings: TraceSettings
    on_bad: OnBad
    workers: int
    without_self: bool
    report: Report
    cancel: CancelToken

    def __post_init__(self) -> None:
        object.__setattr__(self, "workers", whole_number(self.workers, "workers", 1))
        if self.on_bad not in ON_BAD:
            raise QueryError(
                mark('on_bad must be one of {choices}, not "{given}".'),
                reason="bad-setting",
                choices=", ".join(ON_BAD),
                given=str(self.on_bad),
            )

    def traced(self, rows: Iterable[Any]) -> Iterator[TracedText]:
        """Trace rows as they come.

        Parameters
        ----------
        rows
            Texts, or mappings with a text.

        Yields
        ------
        TracedText
            One per row, in their order; without those that are skipped.

        Raises
        ------
        QueryError
            For a row that cannot be traced, unless it is skipped or kept, and if the rows themselves fail.
        Cancelled
            If it was cancelled.
        """
        total = len(rows) if isinstance(rows, Sized) else 0
        for number, (text, found) in enumerate(self._each(self._texts(rows))):
            self.report(Progress("Tracing answers", number, total, "texts"))
            if not found.row.problem or self.on_bad == "keep":
                answer = answer_of(text)
                extra = as_json(answer.extra)
                yield replace(found, row=replace(found.row, id=answer.id, title=answer.title, extra=extra))
            elif self.on_bad == "raise":
                raise QueryError(
                    mark("Row {item:,}, counted from 0, cannot be traced: {cause}"),
                    reason="bad-line",
                    option="on_bad",
                    item=number,
                    cause=found.row.problem,
                )

    def _each(self, texts: Iterator[InputText]) -> Iterator[tuple[InputText, TracedText]]:
        """Each text with its trace."""
        # Opened once for all rows.
        in_words = self.settings.match == "words"
        words = words_for(self.index, self.report, self.cancel) if in_words else None
        context = (self.index, self.settings, self.without_self, words)
        if self.workers == 1:
            for text in texts:
                self.cancel.check()
                yield text, trace_given(context, replace(text, fields={}), self.cancel)
            return
        sent: list[InputText] = []

        def sending() -> Iterator[InputText]:
            for text in texts:
                sent.append(text)
                # The other fields stay here: they may be large, or have no pickle.
                yield replace(text, fields={})

        for found in in_processes(trace_given, context, sending(), self.workers, self.cancel):
            yield sent.pop(0), found

    def _texts(self, rows: Iterable[Any]) -> Iterator[InputText]:
        """The texts of the rows; raises QueryError where the rows themselves fail."""
        number, given = 0, iter(rows)
        while True:
            try:
                row = next(given)
            except StopIteration:
                return
            except CorpusError:
                raise
            except Exception as error:
                raise QueryError(
                    mark("Row {item:,}, counted from 0, could not be read: {cause}"),
                    reason="rows-failed",
                    item=number,
                    cause=f"{type(error).__name__}: {error}",
                ) from error
            yield self._text(number, row)
            number += 1

    def _text(self, number: int, row: Any) -> InputText:
        if isinstance(row, str):
            return InputText("", number + 1, row)
        if not isinstance(row, Mapping):
            problem = tr("it is neither a text nor a mapping, but {kind}", kind=type(row).__name__)
            return InputText("", number + 1, "", problem=problem)
        fields = {str(name): value for name, value in row.items()}
        try:
            text = text_at(fields, self.text_field)
            prompt = "" if self.prompt_field is None else text_at(fields, self.prompt_field)
        except ValueError as error:
            return InputText("", number + 1, "", path=self.text_field, fields=fields, problem=str(error))
        return InputText("", number + 1, text, prompt, self.text_field, fields)
