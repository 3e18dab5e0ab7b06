"""The requests and answers of the trace screen, off the interface thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from explorer.analyses.overlap.copies import WithoutCopies
from explorer.analyses.trace.batch import AnswerFile, BatchRow, count_answers, trace_answers
from explorer.analyses.trace.in_words import words_for
from explorer.analyses.trace.kept_answers import Kept, KeptAnswers
from explorer.analyses.trace.passages import TextPassage, passages_of
from explorer.analyses.trace.pipeline import trace_text
from explorer.analyses.trace.readings import without_readings
from explorer.analyses.trace.selection import Selection, select_words, trace_selection
from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.trace.summary import verdict
from explorer.analyses.trace.trace import Trace
from explorer.backends.protocol.protocol import Backend
from explorer.chart import Chart
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.corpus import Corpus
from explorer.errors import Cancelled, QueryError
from explorer.export.jsonable import to_json
from explorer.export.provenance import Facts, index_facts, setting_facts, with_facts
from explorer.export.records.record import as_cells, column_names
from explorer.export.records.trace import TraceRecord, trace_record
from explorer.export.registry import REPORTS
from explorer.export.reports.trace_html import Evidence, trace_facts
from explorer.export.tables import save_table_as

_TEXTS = ("text", "prompt")
"""Columns of a table of answers after those of the command `trace`."""


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
    """A traced text with its passages, how much of it one document contains, and what was asked."""

    request: TraceRequest
    trace: Trace
    passages: tuple[TextPassage, ...]
    verdict: str = ""

    # While the answers of a conversation arrive, the marks of all of them are drawn at every step.
    @cached_property
    def memo(self) -> dict[str, Any]:
        """What was made of it, by its name: it never changes, and neither does what is made of it."""
        return {}


def trace(request: TraceRequest, cancel: CancelToken) -> TraceAnswer:
    """Trace a text. Runs off the interface thread.

    Raises `CorpusError` if the text is empty or the index cannot be read.
    """
    # `index`, not the corpus's own: some documents may be left out of it.
    found = trace_text(request.index, request.text, request.prompt, request.settings, cancel, request.words)
    return TraceAnswer(request, found, passages_of(found), verdict(found))


def trace_several(
    requests: Mapping[int, TraceRequest],
    send: Callable[[Callable[[], dict[int, TraceAnswer]]], None],
    cancel: CancelToken,
) -> dict[int, TraceAnswer]:
    """Trace several texts, one after the other. Runs off the interface thread.

    send: Takes what is done so far.
    cancel: Stops the work; what is done is kept if the token asks for it.
    Returns: The traces by the numbers of their texts. A text without tokens has none.
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
    """Look up exactly one part of the text. Runs off the interface thread."""
    if request.words is not None:
        return select_words(request.index, request.words, text, request.text, request.prompt, request.settings, cancel)
    return trace_selection(request.index, text, request.text, request.prompt, request.settings, cancel)


def leave_out(request: TraceRequest, cancel: CancelToken) -> WithoutCopies:
    """Make the index without the documents that contain most of the text. Runs off the interface thread."""
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

    send: Takes the rows that are done so far.
    cancel: Stops the work; what is done is kept if the token asks for it.
    Returns: One row per answer, in the order of the file.
    """
    rows: list[BatchRow] = []
    store = KeptAnswers(index, source, settings)
    known = store.read()
    try:
        # A pass of its own over the file, so that progress is counted in answers, not in bytes.
        total = known.total or count_answers(source, cancel)
        with store.writer(Kept(known.figures, total)) as writer:
            for row in trace_answers(index, source, settings, cancel=cancel, known=known.figures):
                rows.append(row)
                if len(rows) > len(known.figures):
                    writer.add(row.figures)
                report(Progress("Tracing answers", len(rows), total, "answers"))
                # A copy for the interface thread, taken at most twice per second.
                send(lambda: tuple(rows))
    except Cancelled:
        if not cancel.paused:
            raise
    return tuple(rows)


def evidence_of(answers: Sequence[TraceAnswer]) -> Evidence:
    """Gather what a report or a figure of traced texts states; the index is the whole one."""
    request = answers[0].request
    return Evidence(request.corpus.index, tuple(answer.trace for answer in answers), request.without_self)


def recall(
    index: Backend | None, source: AnswerFile, settings: TraceSettings, cancel: CancelToken
) -> tuple[tuple[BatchRow, ...], int]:
    """Read the answers of a file that were traced before, and how many it has. Runs off the interface thread.

    index: The index; None: the answers are only counted.
    Returns: Rows from the first answer on, and the number of all answers.
    """
    known = Kept() if index is None else KeptAnswers(index, source, settings).read()
    if index is None or not known.figures:
        return (), known.total or count_answers(source, cancel)
    rows = trace_answers(index, source, settings, cancel=cancel, known=known.figures)
    return tuple(islice(rows, len(known.figures))), known.total


def save_report(path: Path, found: Evidence) -> None:
    """Write an evidence report.

    path: The file; its ending is that of one of `registry.REPORTS`.
    found: The traces, and the index that was searched.
    Raises `QueryError` if the file has another ending.
    Raises `ExportError` if it cannot be written.
    """
    REPORTS.of_path(path).write(path, found)


def save_batch(path: Path, rows: tuple[BatchRow, ...], facts: Facts) -> None:
    """Write the table of a batch.

    path: The file, whose ending decides the format.
    facts: What the rows were computed from, which is written beside them.
    Raises `QueryError` if the ending is unknown.
    Raises `ExportError` if it cannot be written.
    """
    # As the command `trace` writes them, with the texts, which a person who reads the table wants to see.
    columns = (*column_names(TraceRecord), *_TEXTS)
    # Each other field of the records, such as the model, is a column as well: a reader groups by it.
    fields = tuple(dict.fromkeys(name for row in rows for name in row.extra))
    names = tuple(f"extra.{name}" if name in columns else name for name in fields)
    cells = (
        (
            *as_cells(trace_record(row), columns[:-2]),
            row.text,
            row.prompt,
            *(_cell(row.extra.get(name)) for name in fields),
        )
        for row in rows
    )
    save_table_as(path, (*columns, *names), cells, facts)


def _cell(value: Any) -> Any:
    """A field of a record as a cell: values with parts are JSON."""
    return to_json(value, None) if isinstance(value, dict | list) else value


def batch_facts(
    corpus: Corpus, source: AnswerFile, settings: TraceSettings, rows: Sequence[BatchRow], total: int
) -> Facts:
    """State what a table of answers is of; reads the index's fingerprint."""
    return (
        *index_facts(corpus.index),
        ("file", str(source.path)),
        ("field of the text", source.text_field),
        ("field of the prompt", source.prompt_field or "none"),
        ("texts", str(total)),
        ("rows written", str(len(rows))),
        ("tokens or words of the texts", str(sum(row.tokens for row in rows))),
        ("documents that contain most of a text", "not excluded"),
        *setting_facts(vars(settings)),
    )


def make_charts(answer: TraceAnswer) -> tuple[Chart, ...]:
    """Make charts of a trace: novelty, and the longest match along the text. Reads the index's fingerprint."""
    found = evidence_of([answer])
    # A measure that has no chart gives None.
    charts = (measured.chart(found.index.name) for measured in answer.trace.measured)
    facts = (*index_facts(found.index), *trace_facts(found.traces, found.without_self))
    return with_facts((chart for chart in charts if chart is not None), facts)
