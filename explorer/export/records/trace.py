"""What one text has from the corpus, as a record: in a line, or with its spans and documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from explorer.analyses.overlap.self_match import SelfMatch
from explorer.analyses.overlap.verbatim import Passage
from explorer.analyses.trace.batch import BatchRow, TracedText
from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.measures.longest_passage import LongestPassage
from explorer.analyses.trace.occurrences import Snippet
from explorer.analyses.trace.trace import MergedSpan, Span, Trace
from explorer.backends.documents.document import document_title
from explorer.backends.metadata import flat_metadata
from explorer.export.records.record import column_names
from explorer.text.reading import ReadingText
from explorer.text.reading.value import StyledRun

Integers = tuple[int, ...]


@dataclass(frozen=True)
class TraceRecord:
    """What one text has from the corpus.

    Attributes
    ----------
    line
        Its line or row, from 1 as in an editor; None for a single text.
    id
        What its record has as `id`; None without one.
    title
        Which text it is, such as an answer of a conversation, or what its record has as `title`; None without one.
    unit
        What is looked up and counted: "tokens", or "words" with `--match words`.
    token_count
        Its tokens; None if it was not traced, or in words.
    word_count
        Its words; None if it was not traced, or in tokens.
    span_count
        The spans that occur in the corpus; None if it was not traced.
    longest_match
        Tokens, or words, of the longest match; None if it was not traced.
    coverage
        The share of tokens, or words, in matches of five or more, 0 to 1; None if it was not traced.
    novelty
        The mean, over L = 5 to 11, of the share of tokens, or words, outside of matches of L of them; None if it was
        not traced.
    best_document
        The title of the most relevant document; None without one.
    extra
        The other fields of its record, without text and prompt.
    problem
        Why it was not traced; "" if it was.
    source
        The name of the file that it is from; None for a text in memory.
    """

    line: int | None
    id: str | int | float | None
    title: str | None
    unit: str
    token_count: int | None
    word_count: int | None
    span_count: int | None
    longest_match: int | None
    coverage: float | None
    novelty: float | None
    best_document: str | None
    extra: dict[str, Any]
    problem: str
    source: str | None


@dataclass(frozen=True)
class SnippetRecord:
    """Text of a document around one occurrence.

    Attributes
    ----------
    text
        The text.
    match_start
        The first character of the match in it.
    match_end
        One past its last character.
    offset
        The token of the document at which the match begins, from 0.
    span
        The number of the span; -1 for another passage.
    token_count
        Tokens of the match.
    """

    text: str
    match_start: int
    match_end: int
    offset: int
    span: int
    token_count: int


@dataclass(frozen=True)
class DocumentRecord:
    """A document that shares spans with a text.

    Attributes
    ----------
    number
        The number of the document, from 0.
    title
        Its title.
    score
        BM25 of the words around its first occurrence.
    relevance
        0 to 1, on the scale of the settings.
    level
        "high", "medium" or "low".
    spans
        Numbers of the spans that it contains.
    snippets
        Occurrences with their contexts.
    metadata
        Its metadata.
    share
        The share of the text's characters in `passages`, 0 to 1.
    stretch
        The same for the best 100 consecutive words of the text.
    passages
        The parts of the text that it contains word for word, each of five words or more.
    longest
        The longest of them in the document, or the longest span.
    """

    number: int
    title: str
    score: float
    relevance: float
    level: str
    spans: Integers
    snippets: tuple[SnippetRecord, ...]
    metadata: dict[str, Any]
    share: float
    stretch: float
    passages: tuple[Passage, ...]
    longest: SnippetRecord


@dataclass(frozen=True)
class LengthShare:
    """The share of tokens outside of matches of a length or more.

    Attributes
    ----------
    length
        The length in tokens.
    uncovered
        The share, 0 to 1.
    """

    length: int
    uncovered: float


@dataclass(frozen=True)
class ReadingRecord:
    """A text as a person reads it, without the marks of Markdown.

    Attributes
    ----------
    text
        The text as it is read.
    mode
        How it was read: "markdown", or "mixed" (some lines as they are written).
    pieces
        Its parts: first character and end in the reading text, first character and end in the source.
    runs
        Its headings, bold words, code and so on.
    written
        With the mode "mixed", the parts of the reading text that are read as they are written.
    """

    text: str
    mode: str
    pieces: tuple[Integers, ...]
    runs: tuple[StyledRun, ...]
    written: tuple[Integers, ...]


@dataclass(frozen=True)
class TraceDetails:
    """What `--full` adds to a traced text, and what a single text always has.

    With the `unit` "words", all tokens of the text that are named here are its words. Tokens of documents are those of
    the index in any case.

    Attributes
    ----------
    text
        The text.
    prompt
        What it answers; "" for nothing.
    token_ids
        The ids of its tokens.
    token_starts
        The first character of each token.
    token_ends
        One past the last character of each token.
    spans
        The parts that occur in the corpus, by start.
    merged
        Runs of overlapping spans.
    documents
        The documents that share spans with it, most relevant first.
    longest_passage
        The longest match; None if no token occurs.
    covering
        For each token, the length of the longest match that contains it.
    novelties
        The share of tokens outside of matches, by the length of the matches.
    self_match
        The match that is most of the text; None if there is none.
    reading
        What was traced in place of `text`: the text without the marks of Markdown; None if it was traced as written.
    reading_starts
        The first character of each token in the reading text; None without one.
    reading_ends
        One past the last character of each token there.
    """

    text: str
    prompt: str
    token_ids: Integers
    token_starts: Integers
    token_ends: Integers
    spans: tuple[Span, ...]
    merged: tuple[MergedSpan, ...]
    documents: tuple[DocumentRecord, ...]
    longest_passage: LongestPassage | None
    covering: Integers
    novelties: tuple[LengthShare, ...]
    self_match: SelfMatch | None
    reading: ReadingRecord | None
    reading_starts: Integers | None
    reading_ends: Integers | None


@dataclass(frozen=True)
class FullTrace:
    """A traced text with all of its details.

    Attributes
    ----------
    record
        Its record.
    trace
        Its trace.
    """

    record: TraceRecord
    trace: Trace

    def json_fields(self) -> dict[str, Any]:
        """The fields of the record, then those of `TraceDetails`, then those of measures that were added."""
        record = {name: getattr(self.record, name) for name in column_names(TraceRecord)}
        details = dict(_details(self.trace))
        # A measure that the record or the details have already is not repeated in another form.
        added = {
            name: value
            for measured in self.trace.measured
            for name, value in measured.fields.items()
            if name not in record and name not in details
        }
        return {**record, **details, **added}


def trace_record(row: BatchRow) -> TraceRecord:
    """Give a traced text as a record.

    Parameters
    ----------
    row
        The text with its measures.

    Returns
    -------
    TraceRecord
        The record; what is not known of a text that could not be traced is None.
    """
    done = not row.problem
    return TraceRecord(
        line=row.line or None,
        id=row.id,
        title=row.title or None,
        unit=row.unit,
        token_count=row.tokens if done and row.unit == "tokens" else None,
        word_count=row.tokens if done and row.unit == "words" else None,
        span_count=row.spans if done else None,
        longest_match=row.longest_match if done else None,
        coverage=row.coverage if done else None,
        novelty=row.novelty if done else None,
        best_document=row.source or None,
        extra=dict(row.extra),
        problem=row.problem,
        source=row.file or None,
    )


def full_record(found: TracedText) -> TraceRecord | FullTrace:
    """A traced text with its details; one that could not be traced has none."""
    record = trace_record(found.row)
    return record if found.trace is None else FullTrace(record, found.trace)


def _details(trace: Trace) -> Iterator[tuple[str, Any]]:
    novelty = trace.novelty
    for field in fields(TraceDetails):
        if field.name == "documents":
            yield field.name, tuple(map(_document, trace.documents))
        elif field.name == "novelties":
            pairs = zip(novelty.lengths, novelty.uncovered, strict=True)
            yield field.name, tuple(LengthShare(length, share) for length, share in pairs)
        elif field.name == "reading":
            yield field.name, None if trace.reading is None else _reading(trace.reading)
        else:
            yield field.name, getattr(trace, field.name)


def _reading(found: ReadingText) -> ReadingRecord:
    return ReadingRecord(found.text, found.mode, tuple(map(tuple, found.pieces.tolist())), found.runs, found.written)


def _document(found: TraceDocument) -> DocumentRecord:
    return DocumentRecord(
        number=found.number,
        title=document_title(found.metadata, found.number),
        score=found.score,
        relevance=found.relevance,
        level=found.level,
        spans=found.spans,
        snippets=tuple(map(_snippet, found.snippets)),
        metadata=flat_metadata(found.metadata),
        share=found.share,
        stretch=found.stretch,
        passages=found.passages,
        longest=_snippet(found.longest),
    )


def _snippet(found: Snippet) -> SnippetRecord:
    return SnippetRecord(found.text, found.match_start, found.match_end, found.offset, found.span, found.tokens)
