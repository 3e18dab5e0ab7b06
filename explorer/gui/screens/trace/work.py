"""The requests and answers of the trace screen, off the interface thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.api import Corpus
from explorer.backends.protocol import Backend
from explorer.chart import Chart
from explorer.export.provenance import with_facts
from explorer.export.registry import REPORTS
from explorer.export.tables import BATCH_HEADER, batch_rows, save_table_as
from explorer.export.trace_html import Evidence
from explorer.jobs import CancelToken, Report
from explorer.overlap.copies import WithoutCopies, without_text
from explorer.reading import read_text
from explorer.trace.batch import AnswerFile, BatchRow, trace_answers
from explorer.trace.selection import Selection, trace_selection
from explorer.trace.settings import TraceSettings
from explorer.trace.trace import Trace, trace_text


@dataclass(frozen=True)
class TraceRequest:
    """A text to trace; `index` may be without some documents."""

    corpus: Corpus
    index: Backend
    text: str
    prompt: str
    settings: TraceSettings


@dataclass(frozen=True, eq=False)
class TraceAnswer:
    """A traced text, and what was asked."""

    request: TraceRequest
    trace: Trace


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
    found = trace_text(request.index, request.text, request.prompt, request.settings, cancel)
    return TraceAnswer(request, found)


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
    return without_text(request.corpus.index, read_text(request.text, request.settings.read).text, cancel)


def trace_file(
    index: Backend, source: AnswerFile, settings: TraceSettings, report: Report, cancel: CancelToken
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
    report
        Called with the progress.
    cancel
        Stops the work.

    Returns
    -------
    tuple[BatchRow, ...]
        One row per answer.
    """
    # All of them, since the table sorts its rows.
    return tuple(trace_answers(index, source, settings, report, cancel))


def save_report(path: Path, index: Backend, found: Trace) -> None:
    """Write an evidence report.

    Parameters
    ----------
    path
        The file; its ending is that of one of `registry.REPORTS`.
    index
        The index that was searched.
    found
        The trace.

    Raises
    ------
    QueryError
        If the file has another ending.
    ExportError
        If it cannot be written.
    """
    REPORTS.of_path(path).write(path, Evidence(index, (found,)))


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
    save_table_as(path, BATCH_HEADER, batch_rows(rows))


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
