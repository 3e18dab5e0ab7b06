"""Many answers at once: a JSON lines file in, a table of what each has from the corpus out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.corpus.document import document_title
from explorer.corpus.index import Index
from explorer.errors import QueryError, SourceError
from explorer.jobs import CancelToken, Progress, Report, no_report
from explorer.trace.settings import TraceSettings
from explorer.trace.trace import Trace, trace_text
from explorer.words import tr

_MOST_BYTES = 64 << 20
_TEXT_FIELDS = ("text", "answer", "response", "output", "completion", "content")
_PROMPT_FIELDS = ("prompt", "question", "input", "instruction")


@dataclass(frozen=True)
class Answer:
    """One line of the file; `problem`: why it cannot be traced, "" if it can."""

    line: int
    text: str
    prompt: str
    problem: str = ""


@dataclass(frozen=True)
class BatchRow:
    """What one answer has from the corpus.

    longest_match: tokens; coverage: share of tokens in matches of at least 5 tokens; novelty: mean over
    L = 5…11 of the share outside of matches of L; source: title of the most relevant document.
    """

    line: int
    text: str
    prompt: str
    tokens: int
    spans: int
    longest_match: int
    coverage: float
    novelty: float
    source: str
    problem: str = ""


@dataclass(frozen=True)
class AnswerFile:
    """A file of answers: its lines, and which fields hold text and prompt ("" for none)."""

    path: Path
    size: int
    fields: tuple[str, ...]
    text_field: str
    prompt_field: str


def inspect_answers(path: Path) -> AnswerFile:
    """Look at the first line: which fields there are, and which are likely text and prompt."""
    try:
        size = path.stat().st_size
        with open(path, "rb") as file:
            first = next((line for line in iter(lambda: file.readline(_MOST_BYTES), b"") if line.strip()), b"")
        value = json.loads(first.decode("utf-8-sig")) if first else {}
    except OSError as error:
        raise SourceError(
            tr("{path} cannot be read: {strerror}. Check the path.", path=path, strerror=error.strerror)
        ) from error
    except (ValueError, RecursionError) as error:
        raise SourceError(
            tr("{path} is no JSON lines file: its first line is no JSON ({error}).", path=path, error=error)
        ) from error
    if not isinstance(value, dict) or not any(isinstance(part, str) for part in value.values()):
        raise SourceError(tr("{path} has no text: each line must be an object with a field that holds one.", path=path))
    fields = tuple(name for name, part in value.items() if isinstance(part, str))
    text = next((name for name in _TEXT_FIELDS if name in fields), max(fields, key=lambda name: len(value[name])))
    prompt = next((name for name in _PROMPT_FIELDS if name in fields and name != text), "")
    return AnswerFile(path, size, fields, text, prompt)


def read_answers(source: AnswerFile) -> Iterator[tuple[Answer, int]]:
    """The lines, each with the bytes read so far; blank ones are skipped."""
    try:
        with open(source.path, "rb") as file:
            done = 0
            for number, line in enumerate(iter(lambda: file.readline(_MOST_BYTES), b""), start=1):
                done += len(line)
                if line.strip():
                    yield _answer(number, line, source), done
    except OSError as error:
        raise SourceError(
            tr("{path} cannot be read: {strerror}. Check the drive.", path=source.path, strerror=error.strerror)
        ) from error


def _answer(number: int, line: bytes, source: AnswerFile) -> Answer:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return Answer(number, "", "", f"no valid JSON: {error}")
    text = value.get(source.text_field) if isinstance(value, dict) else None
    if not isinstance(text, str):
        return Answer(number, "", "", f"no text in the field “{source.text_field}”")
    prompt = value.get(source.prompt_field) if source.prompt_field else ""
    return Answer(number, text, prompt if isinstance(prompt, str) else "")


def trace_answers(
    index: Index,
    source: AnswerFile,
    settings: TraceSettings | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Iterator[BatchRow]:
    """Trace every answer of a file, one after the other: memory does not grow with their number."""
    settings = settings or TraceSettings()
    cancel = cancel or CancelToken()
    for answer, done in read_answers(source):
        cancel.check()
        report(Progress("Tracing answers", done, source.size, "bytes"))
        yield _row(index, answer, settings, cancel)


def _row(index: Index, answer: Answer, settings: TraceSettings, cancel: CancelToken) -> BatchRow:
    problem = answer.problem
    if not problem:
        try:
            return as_row(answer, trace_text(index, answer.text, answer.prompt, settings, cancel))
        except QueryError as error:
            problem = str(error)
    return BatchRow(answer.line, answer.text, answer.prompt, 0, 0, 0, 0.0, 0.0, "", problem)


def as_row(answer: Answer, trace: Trace) -> BatchRow:
    """A trace in one row."""
    best = trace.documents[0] if trace.documents else None
    return BatchRow(
        line=answer.line,
        text=answer.text,
        prompt=answer.prompt,
        tokens=trace.token_count,
        spans=len(trace.spans),
        longest_match=trace.novelty.longest_match,
        coverage=sum(length >= 5 for length in trace.covering) / trace.token_count,
        novelty=trace.novelty.index,
        source=document_title(best.metadata, best.number) if best else "",
    )
