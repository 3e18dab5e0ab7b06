"""The requests and answers of the trace screen, off the interface thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from explorer.api import Corpus
from explorer.backends.protocol import Backend
from explorer.chart import Chart
from explorer.errors import Cancelled, QueryError
from explorer.export.provenance import with_facts
from explorer.export.records.record import as_cells, column_names
from explorer.export.records.trace import TraceRecord, trace_record
from explorer.export.registry import REPORTS
from explorer.export.tables import save_table_as
from explorer.export.trace_html import Evidence
from explorer.jobs import CancelToken, Progress, Report
from explorer.overlap.copies import WithoutCopies
from explorer.trace.batch import AnswerFile, BatchRow, count_answers, trace_answers
from explorer.trace.in_words import words_for
from explorer.trace.passages import TextPassage, passages_of
from explorer.trace.readings import without_readings
from explorer.trace.selection import Selection, select_words, trace_selection
from explorer.trace.settings import TraceSettings
from explorer.trace.trace import Trace, trace_text


@dataclass(frozen=True)
class TraceRequest:
    """A text to trace; `index`, or `words` where the text is traced in words, may be without some documents."""

    corpus: Corpus
    index: Backend
    text: str
    prompt: str
    settings: TraceSettings
    words: Backend | None = None
    without_self: bool = False


@dataclass(frozen=True, eq=False)
class TraceAnswer:
    """A traced text with its passages, and what was asked."""

    request: TraceRequest
    trace: Trace
    passages: tuple[TextPassage, ...]

    # While the answers of a conversation arrive, the numbers and marks of all of them are drawn at every step.
    @cached_property
    def coverage(self) -> float:
        """The share of the tokens in matches."""
        return self.trace.coverage

    @cached_property
    def memo(self) -> dict[str, Any]:
        """What was made of it, by its name: it never changes, and neither does what is made of it."""
        return {}


def trace(request: TraceRequest, cancel: CancelToken) -> TraceAnswer:
    """Trace a text. Runs off the interface thread.

    Parameters
    ----------
    request
        The text, the index and the settings.
    cancel
        Stops the work.

    Returns
    -------
    TraceAnswer
        The trace, with the request.

    Raises
    ------
    CorpusError
        If the text is empty or the index cannot be read.
    """
    # `index`, not the corpus's own: some documents may be left out of it.
    found = trace_text(request.index, request.text, request.prompt, request.settings, cancel, request.words)
    return TraceAnswer(request, found, passages_of(found))


def trace_several(
    requests: Mapping[int, TraceRequest],
    send: Callable[[Callable[[], dict[int, TraceAnswer]]], None],
    cancel: CancelToken,
) -> dict[int, TraceAnswer]:
    """Trace several texts, one after the other. Runs off the interface thread.

    Parameters
    ----------
    requests
        The texts by their numbers.
    send
        Takes what is done so far.
    cancel
        Stops the work; what is done is kept if the token asks for it.

    Returns
    -------
    dict[int, TraceAnswer]
        The traces by the numbers of their texts. A text without tokens has none.
    """
    found: dict[int, TraceAnswer] = {}
    for number, request in requests.items():
        try:
            cancel.check()
            found[number] = trace(request, cancel)
        except QueryError:
            # A turn of white space cannot be traced; the others are not dropped for it.
            continue
        except Cancelled:
            if not cancel.paused:
                raise
            break
        # A copy, made only when it is sent: the dictionary grows on this thread while the other one draws.
        send(lambda: dict(found))
    return found


def select(request: TraceRequest, text: str, cancel: CancelToken) -> Selection:
    """Look up exactly one part of the text. Runs off the interface thread.

    Parameters
    ----------
    request
        The text, the index and the settings.
    text
        The part.
    cancel
        Stops the work.

    Returns
    -------
    Selection
        Its occurrences and documents.
    """
    if request.words is not None:
        return select_words(request.index, request.words, text, request.text, request.prompt, request.settings, cancel)
    return trace_selection(request.index, text, request.text, request.prompt, request.settings, cancel)


def leave_out(request: TraceRequest, cancel: CancelToken) -> WithoutCopies:
    """Make the index without the documents that contain most of the text. Runs off the interface thread.

    Parameters
    ----------
    request
        The text and the index.
    cancel
        Stops the work.

    Returns
    -------
    WithoutCopies
        The index, and which documents were left out.
    """
    # From the whole index: what was left out for another text is back.
    whole = request.corpus.index
    if request.settings.match == "words":
        whole = words_for(whole, cancel=cancel)
    return without_readings(whole, request.text, request.settings.read, cancel)


def trace_file(
    index: Backend,
    source: AnswerFile,
    settings: TraceSettings,
    send: Callable[[Callable[[], tuple[BatchRow, ...]]], None],
    report: Report,
    cancel: CancelToken,
) -> tuple[BatchRow, ...]:
    """Trace every answer of a file. Runs off the interface thread.

    Parameters
    ----------
    index
        The index.
    source
        The file.
    settings
        The settings of every trace.
    send
        Takes the rows that are done so far.
    report
        Called with the number of answers that are done.
    cancel
        Stops the work; what is done is kept if the token asks for it.

    Returns
    -------
    tuple[BatchRow, ...]
        One row per answer, in the order of the file.
    """
    rows: list[BatchRow] = []
    try:
        # A pass of its own over the file, so that progress is counted in answers, not in bytes.
        total = count_answers(source, cancel)
        for row in trace_answers(index, source, settings, cancel=cancel):
            rows.append(row)
            report(Progress("Tracing answers", len(rows), total, "answers"))
            # A copy for the interface thread, taken at most twice per second.
            send(lambda: tuple(rows))
    except Cancelled:
        if not cancel.paused:
            raise
    return tuple(rows)


def save_report(path: Path, index: Backend, traces: tuple[Trace, ...]) -> None:
    """Write an evidence report.

    Parameters
    ----------
    path
        The file; its ending is that of one of `registry.REPORTS`.
    index
        The index that was searched.
    traces
        The traces.

    Raises
    ------
    QueryError
        If the file has another ending.
    ExportError
        If it cannot be written.
    """
    REPORTS.of_path(path).write(path, Evidence(index, traces))


def save_batch(path: Path, rows: tuple[BatchRow, ...]) -> None:
    """Write the table of a batch.

    Parameters
    ----------
    path
        The file, whose ending decides the format.
    rows
        One row per answer.

    Raises
    ------
    QueryError
        If the ending is unknown.
    ExportError
        If it cannot be written.
    """
    # As the command `trace` writes them, with the texts, which a person who reads the table wants to see.
    columns = column_names(TraceRecord)
    cells = ([*as_cells(trace_record(row), columns), row.text, row.prompt] for row in rows)
    save_table_as(path, (*columns, "text", "prompt"), cells)


def make_charts(corpus: Corpus, found: Trace) -> tuple[Chart, ...]:
    """Make charts of a trace: novelty, and the longest match along the text. Reads the index's fingerprint.

    Parameters
    ----------
    corpus
        The index.
    found
        The trace.

    Returns
    -------
    tuple[Chart, ...]
        The charts.
    """
    name = corpus.index.name
    # A measure that has no chart gives None.
    charts = tuple(chart for chart in (measured.chart(name) for measured in found.measured) if chart is not None)
    return with_facts(charts, corpus.index)
