"""Many answers at once: reads an input of many texts, and makes a table of what each has from the corpus."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from explorer.analyses.trace.in_words import words_for
from explorer.analyses.trace.measures.measure import Unit
from explorer.analyses.trace.pipeline import trace_text
from explorer.analyses.trace.readings import without_readings
from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.trace.trace import Trace
from explorer.backends.documents.document import document_title
from explorer.backends.protocol.protocol import Backend
from explorer.core.files.text_field import look_up
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.documents.inputs.text_input import InputText, open_input
from explorer.errors import QueryError, SourceError
from explorer.i18n import mark, tr

_ROOT = re.compile(r"[.\[]")
"""What comes after the name of a field in a path."""
_ANY_FIELD = "\0"
"""A field that no record has: with it, an input can be opened whatever the names of its fields."""


@dataclass(frozen=True)
class Answer:
    """One text of an input.

    line: Its line or row, counted from 1.
    problem: Why it cannot be traced; "" if it can.
    id: What its record has as `id`; None without one, or if that is not a single value.
    title: What its record has as `title`; "" without one.
    extra: The other fields of its record, without text and prompt.
    file: The name of its input; "" for a text in memory.
    """

    line: int
    text: str
    prompt: str
    problem: str = ""
    id: str | int | float | None = None
    title: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""


@dataclass(frozen=True)
class Figures:
    """What a row has beside its answer, as in `BatchRow`."""

    tokens: int = 0
    spans: int = 0
    longest_match: int = 0
    coverage: float = 0.0
    novelty: float = 0.0
    source: str = ""
    problem: str = ""
    unit: Unit = "tokens"


@dataclass(frozen=True)
class BatchRow:
    """What one answer has from the corpus.

    line: Its line or row, counted from 1.
    longest_match: Tokens, or words, of the longest match.
    coverage: The share of tokens, or words, in matches of at least 5 of them.
    novelty: The mean, over L = 5…11, of the share outside of matches of L tokens or words.
    source: The title of the most relevant document.
    problem: Why it could not be traced; "" if it was.
    unit: Whether its tokens or its words are counted.
    """

    line: int
    text: str
    prompt: str
    tokens: int = 0
    spans: int = 0
    longest_match: int = 0
    coverage: float = 0.0
    novelty: float = 0.0
    source: str = ""
    problem: str = ""
    id: str | int | float | None = None
    title: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    unit: Unit = "tokens"

    @property
    def figures(self) -> Figures:
        """What it has beside its answer."""
        return Figures(**{each.name: getattr(self, each.name) for each in fields(Figures)})


@dataclass(frozen=True)
class TracedText:
    """A text of a batch with its trace.

    trace: Its trace; None if it could not be traced.
    """

    row: BatchRow
    trace: Trace | None


@dataclass(frozen=True)
class AnswerFile:
    """A file of answers.

    fields: The paths of all texts in its first record.
    prompt_field: The field with the prompt; "" for none.
    """

    path: Path
    size: int
    fields: tuple[str, ...]
    text_field: str
    prompt_field: str


def inspect_answers(path: Path) -> AnswerFile:
    """Read the first record of a file of answers.

    Returns: Its fields, and which of them are probably text and prompt. If no field has a known name, the longest text
        is proposed; the window shows the choice.
    """
    try:
        # First with the usual names of fields. If none is there, the input is opened for its fields alone.
        found = open_input(path)
    except QueryError:
        found = open_input(path, text_field=_ANY_FIELD)
    # One record is enough for the choice of fields, however large the file is.
    first = next(found.texts, None)
    if found.format == "text" or first is None or not found.fields:
        read = first is None or first.fields or not first.problem
        reason = tr("it contains no records with a text") if read or first is None else first.problem
        raise SourceError(
            mark("{path} is not a file of answers: {cause}."), reason="not-answers", path=path, cause=reason
        )
    proposed = found.text_field
    if proposed == _ANY_FIELD:
        # A guess that the user sees: answers are longer than names and numbers.
        proposed = max(found.fields, key=lambda name: len(str(look_up(first.fields, name))))
    # One field is never both: each answer would be its own prompt.
    prompt = found.prompt_field if found.prompt_field != proposed else ""
    return AnswerFile(path, found.size, found.fields, proposed, prompt)


def count_answers(source: AnswerFile, cancel: CancelToken | None = None) -> int:
    """Count the answers of a file.

    Returns: The rows that `trace_answers` gives.
    Raises `SourceError` if the file cannot be read.

    Notes
    -----
    Reads the whole file: about 0.4 s per 10 MB of JSON Lines.
    """
    cancel, count = cancel or CancelToken(), 0
    # Read in the same way as to trace, so that bad lines are counted or refused alike.
    for _ in open_input(source.path, text_field=source.text_field, prompt_field=source.prompt_field).texts:
        cancel.check()
        count += 1
    return count


def trace_answers(
    index: Backend,
    source: AnswerFile,
    settings: TraceSettings | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    known: Sequence[Figures] = (),
) -> Iterator[BatchRow]:
    """Trace every answer of a file, one after the other: memory does not grow with their number.

    settings: The settings of every trace; None for the defaults.
    report: Called with the bytes that have been read.
    known: What is known of the first answers, which are not traced again.
    Yields: One row per answer; the row of one that cannot be traced contains the problem.
    Raises `SourceError` if the file cannot be read.
    """
    found = open_input(source.path, text_field=source.text_field, prompt_field=source.prompt_field)
    # `open_input` takes a prompt from a field with a known name; "" means that the user wants none.
    texts = found.texts if source.prompt_field else (replace(text, prompt="") for text in found.texts)
    for figures, text in zip(known, texts, strict=False):
        yield BatchRow(**{**vars(answer_of(text)), **vars(figures)})
    yield from trace_texts(index, texts, found.size, settings, report, cancel)


def trace_texts(
    index: Backend,
    texts: Iterable[InputText],
    size: int = 0,
    settings: TraceSettings | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    without_self: bool = False,
) -> Iterator[BatchRow]:
    """Trace texts as they come.

    texts: The texts, which may be read while they are traced.
    size: Bytes of the input, for the report; 0 if unknown.
    settings: The settings of every trace; None for the defaults.
    report: Called with the bytes that have been read.
    without_self: Whether documents that contain most of a text are left out while it is traced.
    Yields: One row per text; the row of one that cannot be traced contains the problem.
    """
    for found in trace_each(index, texts, size, settings, report, cancel, without_self):
        yield found.row


def trace_each(
    index: Backend,
    texts: Iterable[InputText],
    size: int = 0,
    settings: TraceSettings | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    without_self: bool = False,
    words: Backend | None = None,
) -> Iterator[TracedText]:
    """Trace texts as they come, and keep each trace beside its row.

    words: The words of the index, for settings with `match` "words"; None: they are opened, and made if need be.
    """
    settings = settings or TraceSettings()
    cancel = cancel or CancelToken()
    if settings.match == "words" and words is None:
        # Opened once for all texts.
        words = words_for(index, report, cancel)
    for text in texts:
        cancel.check()
        # Bytes, not answers: their number is not known before the whole file was read.
        report(Progress("Tracing answers", text.done, size, "bytes"))
        yield _traced(_Searched(index, words, without_self), answer_of(text), settings, cancel)


def trace_given(
    context: tuple[Backend, TraceSettings, bool, Backend | None], text: InputText, cancel: CancelToken | None = None
) -> TracedText:
    """Trace one text, here or in another process.

    context: The index, the settings, whether documents that contain most of the text are left out, and the words of the
        index, if the text is traced in words.
    """
    # Here and not above the seam: a process that traces imports no other room, which takes a third of a second.
    index, settings, without_self, words = context
    return next(trace_each(index, [text], settings=settings, cancel=cancel, without_self=without_self, words=words))


def answer_of(text: InputText) -> Answer:
    """Give a text with what its record has besides.

    Returns: The text with the id and title of its record, and with the other fields, which a table of answers keeps.
    """
    id_, title = text.fields.get("id"), text.fields.get("title")
    # A list or an object does not name a text; it stays with the other fields.
    has_id = isinstance(id_, str | int | float) and not isinstance(id_, bool)
    has_title = isinstance(title, str) and title != text.text
    shown = str(title) if has_title else ""
    # The field that the text is from, without its path inside it: the messages of a chat would come with every turn.
    left_out = {_ROOT.split(text.path, maxsplit=1)[0], *(["id"] if has_id else []), *(["title"] if has_title else [])}
    extra = {
        name: value
        for name, value in text.fields.items()
        if name not in left_out and not (text.prompt and value == text.prompt)
    }
    return Answer(text.line, text.text, text.prompt, text.problem, id_ if has_id else None, shown, extra, text.source)


@dataclass(frozen=True)
class _Searched:
    """Where texts are traced: an index, its words if these are looked up, and whether copies of texts are left out."""

    index: Backend
    words: Backend | None
    without_self: bool


def _traced(searched: _Searched, answer: Answer, settings: TraceSettings, cancel: CancelToken) -> TracedText:
    problem = answer.problem
    if not problem:
        try:
            # A text that cannot be traced has a row with the reason; all other errors end the batch.
            trace = trace_one(
                searched.index, answer.text, answer.prompt, settings, searched.without_self, cancel, searched.words
            )
            return TracedText(as_row(answer, trace), trace)
        except QueryError as error:
            # As text: rows become tables and files.
            problem = str(error)
    # A row has the fields of its answer, and what a trace measured: nothing, here.
    return TracedText(BatchRow(**{**vars(answer), "problem": problem}, unit=settings.match), None)


def trace_one(
    index: Backend,
    text: str,
    prompt: str = "",
    settings: TraceSettings | None = None,
    without_self: bool = False,
    cancel: CancelToken | None = None,
    words: Backend | None = None,
) -> Trace:
    """Trace a text, in the whole index or in the index without the text itself.

    settings: The settings; None for the defaults.
    without_self: Whether documents that contain most of the text are left out.
    words: The words of the index, for settings with `match` "words"; None: they are opened, and made if need be.
    Raises `QueryError` if the text contains no tokens, or no words.
    """
    settings = settings or TraceSettings()
    if settings.match == "words":
        words = words or words_for(index, cancel=cancel)
    if without_self:
        # Another index for each text: what is left out for one is there for the others. In words, a copy is one that
        # has the words of the text, however it is broken into lines.
        less = without_readings(index if words is None else words, text, settings.read, cancel).index
        index, words = (less, None) if words is None else (index, less)
    return trace_text(index, text, prompt, settings, cancel, words)


def as_row(answer: Answer, trace: Trace) -> BatchRow:
    """Put a trace into one row.

    Returns: The row; coverage is the share of tokens in matches of five tokens or more.
    """
    # Documents are sorted by relevance, the best first.
    best = trace.documents[0] if trace.documents else None
    return BatchRow(
        **vars(answer),
        tokens=trace.token_count,
        spans=len(trace.spans),
        longest_match=trace.novelty.longest_match,
        coverage=trace.coverage,
        novelty=trace.novelty.index,
        source=document_title(best.metadata, best.number) if best else "",
        unit=trace.unit,
    )
