"""trace: the parts of a text that occur in the corpus."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from explorer.analyses.trace.as_read import as_read
from explorer.analyses.trace.batch import Answer as BatchAnswer
from explorer.analyses.trace.batch import TracedText, as_row, trace_each
from explorer.analyses.trace.conversation import Piece, answers, parse_conversation
from explorer.analyses.trace.in_words import words_for
from explorer.analyses.trace.pipeline import trace_text
from explorer.analyses.trace.ranking import shown_share
from explorer.analyses.trace.readings import without_readings
from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.trace.summary import summary, verdict
from explorer.analyses.trace.trace import Trace
from explorer.backends.documents.document import document_title
from explorer.backends.protocol.protocol import Backend
from explorer.cli.options import ranges
from explorer.cli.options.common import (
    MOST_PROBLEMS,
    STDIN,
    STDOUT,
    add_index_arguments,
    add_input_arguments,
    add_remote_argument,
    bad_records,
    open_corpus,
    read_text,
    read_text_argument,
    show_problems,
    show_reading,
    stdin_once,
    with_rest,
)
from explorer.cli.options.inputs import input_files, opened_each, texts_of
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.options.rules import Rule, refuse_unused
from explorer.cli.output.codes import FINE, FOUND
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.saved import out_file
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import colors, flush, progress_bar, put, put_as_is, remark
from explorer.cli.parser import Parser
from explorer.core.files.encoding import replace_surrogates
from explorer.core.visible import visible
from explorer.corpus import Corpus
from explorer.documents.inputs.on_bad import Reading
from explorer.documents.inputs.text_input import TextInput, open_input
from explorer.errors import QueryError
from explorer.export.destination import save_text
from explorer.export.records.problem import ProblemRecord
from explorer.export.records.record import column_names
from explorer.export.records.trace import FullTrace, TraceDetails, TraceRecord, full_record, trace_record
from explorer.export.reports.trace_html import trace_facts, trace_html
from explorer.i18n import counted

# Underlined at every level: not every terminal shows colors, and not every reader distinguishes them.
_COLORS = {"high": "\033[1;4;34m", "medium": "\033[4;34m", "low": "\033[4m", "": "\033[4m"}
_RESET = "\033[0m"
# Facts that are known only after the input is opened: its format is detected from the content.
_WORDS = "--match words"
_OF_TOKENS = ("--delimiter", "--abbreviations", "--word-boundaries")
"""What has no meaning for words: they have no delimiters, and are whole."""
_NO_OPTION = ("context", "snippet")
"""Settings of the library only."""
_ONE_TEXT, _RECORDS, _TO_STDOUT = "an input that is one text", "an input of many texts", "--html -"
_OF_MANY_TEXTS = ("--input", "--prompt", "--text-field", "--prompt-field", "--on-bad", "--skip-bad")
RULES = {
    "trace": (
        Rule("--skip-bad", without=("--on-bad",)),
        Rule("--jsonl", without=("--input", "--conversation")),
        *(Rule(option, without=("--conversation",)) for option in _OF_MANY_TEXTS),
        Rule("--prompt", without=("--prompt-field",)),
        # Its fields are named.
        Rule("--full", without=("--fields",)),
        *FORMAT_RULES,
    ),
}
TRACE = Shape("trace", TraceRecord, details=TraceDetails)
SHAPES = {"trace": (TRACE,)}
_INPUT_RULES = (
    *(Rule(option, without=(_WORDS,)) for option in _OF_TOKENS),
    Rule("--html", without=(_RECORDS,)),
    Rule("--prompt", without=(_RECORDS,)),
    Rule("--text-field", without=(_ONE_TEXT,)),
    Rule("--prompt-field", without=(_ONE_TEXT,)),
    Rule("--full", needs=(_RECORDS,)),
    Rule("--format", without=(_TO_STDOUT,)),
    Rule("--json", without=(_TO_STDOUT,)),
    Rule("--fields", without=(_TO_STDOUT,)),
    Rule("--out", without=(_TO_STDOUT,)),
)
_BRIEF = frozenset(column_names(TraceRecord))
_FULL = (*column_names(TraceRecord), *column_names(TraceDetails))
_TEXT_LAYOUT = "\n\t"
_LITTLE = 0.1
"""The share of a text in matches from which it matters that they are of tokens."""
_LINE = 240
"""Characters of the longest passage that are printed."""


def define_trace(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    add_remote_argument(parser)
    parser.argument(
        "file",
        "FILE",
        'text or texts to trace: files, folders, or "-" for standard input (default)',
        nargs="*",
    )
    parser.add_argument(
        "--prompt", default="", metavar="PROMPT", help='prompt that the text answers; "-" reads standard input'
    )
    parser.add_argument("--html", metavar="OUT", help='write a report; "-" writes to standard output')
    _add_settings(parser)
    parser.add_argument(
        "--without-self",
        action="store_true",
        help="exclude documents that contain most of the text word for word",
    )
    _add_input_options(parser)
    parser.add_argument(
        "--fail-over",
        type=ranges.NO_OR_TOKENS,
        metavar="N",
        help="exit with 1 if a match of more than N tokens (or words) is found, with 2 if not everything could be "
        "checked",
    )
    add_format_arguments(parser, "", "text for one text, tsv for many")
    # `--jsonl` is short for a value of `--input`.
    parser.beside_settings("html", "fail_over", "jsonl")


def _add_settings(parser: Parser) -> None:
    group = parser.add_argument_group("spans and documents")
    add_settings(group, TraceSettings, *_NO_OPTION, "delimiters")
    # As typed, so that an empty one means none at all.
    group.add_argument(
        "--delimiter",
        action="append",
        metavar="D",
        help=r"a text that may occur only at the end of a span; repeatable (default: \n and .)",
    )


def _add_input_options(parser: Parser) -> None:
    """What the file contains: one text, a conversation, or many texts."""
    parser.add_argument(
        "--conversation",
        action="store_true",
        help="the file is a conversation: JSON, or turns marked User: and Assistant:",
    )
    add_input_arguments(
        parser, "what to do with lines that cannot be read: stop (default), skip them, or keep them in the table"
    )
    parser.add_argument("--jsonl", action="store_true", help="same as --input jsonl")
    parser.add_argument("--prompt-field", default="", metavar="F", help="field that contains the prompt")
    parser.add_argument(
        "--full",
        action="store_true",
        help="add text, prompt, spans and documents to the records of many texts; a single text has them always",
    )


def settings_from(args: argparse.Namespace) -> TraceSettings:
    """The settings that the arguments name."""
    delimiters = TraceSettings().delimiters
    if args.delimiter is not None:
        # --delimiter '' alone means no delimiter at all.
        delimiters = tuple(_delimiter(text) for text in args.delimiter if text)
    unchanged = {name: getattr(TraceSettings(), name) for name in _NO_OPTION}
    found = question_of(args, TraceSettings, delimiters=delimiters, **unchanged)
    return found.in_words() if args.match == "words" else found


def _known(settings: TraceSettings) -> dict[str, Any]:
    """The settings as they were used: words have no delimiters, and are whole."""
    return {"delimiter": list(settings.delimiters), "word_boundaries": settings.word_boundaries}


def _delimiter(text: str) -> str:
    # A byte that is not UTF-8 arrives as a lone surrogate, which no token contains.
    return replace_surrogates(text).replace("\\n", "\n").replace("\\t", "\t")


def run_trace(args: argparse.Namespace) -> int:
    """Trace a text, a conversation or an input of many texts.

    Returns: The exit code, which with --fail-over reports matches that are too long.
    Raises `QueryError` if options exclude each other, or --fail-over cannot be answered because the text is damaged.
    Raises `CorpusError` if the index or the input cannot be read.
    """
    settings = settings_from(args)
    stdin_once([*(args.file or [STDIN]), args.prompt])
    files = input_files(args.file or [STDIN])
    if args.conversation:
        # Input and options are checked before the index is opened, which may take seconds.
        pieces = _turns(files)
        refuse_unused(_facts(args), _INPUT_RULES)
        longest = _trace_pieces(open_corpus(args), pieces, args, settings)
        return _code(args, longest)
    form, fields = "jsonl" if args.jsonl else args.input, (args.text_field, args.prompt_field)
    if len(files) != 1:
        refuse_unused({*_facts(args), _RECORDS}, _INPUT_RULES)
        # The first is opened before the index: what is not there fails without that wait.
        first = open_input(files[0], form, *fields)
        several = chain([first], opened_each(files[1:], form, *fields))
        return _trace_many(open_corpus(args), _Inputs(", ".join(files), several, fields=fields), args, settings)
    opened = open_input(files[0], form, *fields)
    refuse_unused({*_facts(args), _ONE_TEXT if opened.format == "text" else _RECORDS}, _INPUT_RULES)
    if opened.format == "text":
        show_reading(opened)
        prompt = read_text_argument(args, "prompt")
        piece = Piece("", "".join(found.text for found in opened.texts), prompt)
        longest = _trace_pieces(open_corpus(args), (piece,), args, settings)
        # What could be read is traced and printed, but a missing rest might hold a longer match.
        if args.fail_over is not None and opened.broken:
            raise QueryError("{path} is damaged, so --fail-over has no result.", reason="no-result", path=opened.source)
        return _code(args, longest)
    inputs = _Inputs(opened.source, iter([opened]), opened.size, opened.format, opened.text_field)
    return _trace_many(open_corpus(args), inputs, args, settings)


@dataclass(frozen=True)
class _Inputs:
    """The inputs of many texts: what to call them, and the size, format and field of a single one."""

    name: str
    inputs: Iterator[TextInput]
    size: int = 0
    format: str = ""
    text_field: str = ""
    fields: tuple[str, ...] = ()


def _turns(files: Sequence[str]) -> tuple[Piece, ...]:
    """The answers of conversations; of several files, each with the name of its file."""
    every = [(file, piece) for file in files for piece in answers(parse_conversation(read_text(file)))]
    if len(files) == 1:
        return tuple(piece for _, piece in every)
    return tuple(replace(piece, name=f"{Path(file).name}: {piece.name}".rstrip(": ")) for file, piece in every)


def _facts(args: argparse.Namespace) -> set[str]:
    facts = {*args.given, *([_WORDS] if args.match == "words" else [])}
    # Records that go to a file do not meet the report on standard output.
    return facts | ({_TO_STDOUT} if args.html == STDOUT and out_file(args.out) is None else set())


def _code(args: argparse.Namespace, longest: int) -> int:
    return FOUND if args.fail_over is not None and longest > args.fail_over else FINE


def _trace_pieces(corpus: Corpus, pieces: Sequence[Piece], args: argparse.Namespace, settings: TraceSettings) -> int:
    """Trace one text, or every answer of a conversation; returns the longest match."""
    words = words_for(corpus.index, progress_bar()) if settings.match == "words" else None
    traces = [_trace(corpus, piece, settings, args.without_self, words) for piece in pieces]
    if args.html == STDOUT:
        put(trace_html(corpus.index, traces, args.without_self), keep="\n\t", end="")
    elif args.html:
        save_text(Path(args.html), trace_html(corpus.index, traces, args.without_self))
    # A report is an answer already; records come beside it if something about them is asked for.
    if not args.html or args.json or args.format or args.out or args.fields:
        records = [_full(piece, found) for piece, found in zip(pieces, traces, strict=True)]
        known = {**_known(settings), "full": True}
        stated = trace_facts(traces)
        put_answer(Answer(TRACE, records, corpus.index, None, known, columns=_FULL, stated=stated), args, _print_traces)
    # For --fail-over: one answer with a long match is enough.
    return max(found.novelty.longest_match for found in traces)


def _full(piece: Piece, trace: Trace) -> FullTrace:
    row = as_row(BatchAnswer(0, piece.text, piece.prompt, title=piece.name), trace)
    return FullTrace(trace_record(row), trace)


def _print_traces(records: Iterable[FullTrace]) -> None:
    for found in records:
        # A single text has no name.
        if found.record.title:
            put(f"== {found.record.title}")
        print_trace(found.trace)


def _trace(corpus: Corpus, piece: Piece, settings: TraceSettings, without_self: bool, words: Backend | None) -> Trace:
    if without_self:
        return _trace_without_self(corpus, piece, settings, words)
    found = trace_text(corpus.index, piece.text, piece.prompt, settings, words=words)
    for measured in found.measured:
        if measured.warning:
            remark(measured.warning)
    return found


def _trace_without_self(corpus: Corpus, piece: Piece, settings: TraceSettings, words: Backend | None) -> Trace:
    less = without_readings(words or corpus.index, piece.text, settings.read)
    remark(
        f"Excluded because they contain most of the text: {counted('document', len(less.documents))}. No other "
        f"document that was checked contains more than {shown_share(less.rest):.0%} of it."
    )
    if words is None:
        return trace_text(less.index, piece.text, piece.prompt, settings)
    return trace_text(corpus.index, piece.text, piece.prompt, settings, words=less.index)


def _trace_many(corpus: Corpus, given: _Inputs, args: argparse.Namespace, settings: TraceSettings) -> int:
    """Trace every text of the inputs, and print each row as soon as it is known."""
    reading, seen = Reading(args.on_bad, MOST_PROBLEMS), _Seen()
    traced = trace_each(
        corpus.index,
        texts_of(given.inputs, reading, given.fields),
        given.size,
        settings,
        progress_bar(),
        without_self=args.without_self,
    )
    # Rows are computed one by one, printed and forgotten; only the totals remain.
    full = args.full or not _BRIEF.issuperset(args.fields)
    records = map(full_record if full else _brief, map(seen.watch, traced))
    answer = Answer(
        TRACE,
        records,
        corpus.index,
        settings={
            **_known(settings),
            # What was detected, which is known of a single input.
            **({"input": given.format, "text_field": given.text_field} if given.format else {}),
        },
        problems=lambda: seen.with_bad(reading, given.name),
        columns=_FULL if full else None,
    )
    put_answer(answer, args, _print_rows, "tsv")
    if args.on_bad == "skip":
        show_problems(reading.problems, args.on_bad, reading.bad_count)
    # After the rows, since only then is it known that no line could be read.
    reading.require_texts(given.name)
    unchecked = reading.bad_count + seen.failed
    if args.fail_over is not None and (unchecked or not seen.tokens):
        what = f"{counted('text', unchecked)} could not be checked" if unchecked else "none of the texts has a token"
        raise QueryError(
            "{path}: {what}, so --fail-over has no result.", reason="no-result", path=given.name, what=what
        )
    return _code(args, seen.longest)


@dataclass
class _Seen:
    """Totals of the rows that were printed; failed: texts that were read, but could not be traced."""

    longest: int = 0
    tokens: int = 0
    failed: int = 0
    untraced: int = 0
    problems: list[ProblemRecord] = field(default_factory=list)

    def watch(self, found: TracedText) -> TracedText:
        """Take a text into account, and pass it on."""
        row = found.row
        self.longest = max(self.longest, row.longest_match)
        self.tokens += row.tokens
        # An empty answer counts as checked: nothing in it can come from the corpus.
        self.failed += bool(row.problem and row.text.strip())
        self.untraced += bool(row.problem)
        if row.problem and len(self.problems) < MOST_PROBLEMS:
            self.problems.append(ProblemRecord(row.file, row.line or None, row.problem))
        return found

    def with_bad(self, reading: Reading, name: str) -> tuple[ProblemRecord, ...]:
        """The texts that could not be traced, and those that were not read, in the order of the lines of each input."""
        # A bad line that is kept is a row, too.
        found = dict.fromkeys((*self.problems, *bad_records(reading.problems)))
        files: dict[str | None, int] = {}
        for problem in found:
            files.setdefault(problem.source, len(files))
        ordered = sorted(found, key=lambda problem: (files[problem.source], problem.line or 0))
        return with_rest(ordered, self.untraced + (0 if reading.on_bad == "keep" else reading.bad_count), name)


def _brief(found: TracedText) -> TraceRecord:
    return trace_record(found.row)


def _print_rows(records: Iterable[TraceRecord | FullTrace]) -> None:
    for found in records:
        record = found.record if isinstance(found, FullTrace) else found
        put(f"== line {record.line:,}" if record.line else "==")
        if isinstance(found, FullTrace):
            print_trace(found.trace)
        else:
            # --full prints what is marked in it.
            put(record.problem or _summary(record))
        flush()


def _summary(record: TraceRecord) -> str:
    """A traced text on one line."""
    noun = "word" if record.unit == "words" else "token"
    size = record.word_count if record.unit == "words" else record.token_count
    sizes = (counted(noun, size or 0), counted("span", record.span_count or 0))
    longest = f"longest match {counted(noun, record.longest_match or 0)}"
    best = [record.best_document] if record.best_document else []
    return ", ".join([*sizes, longest, f"coverage {record.coverage or 0:.0%}", *best])


def print_trace(trace: Trace) -> None:
    """The text as it was read, with its spans marked, then spans and documents."""
    trace = as_read(trace)
    put_as_is(marked(trace, colors()) + "\n")
    put("\n" + summary(trace), keep="\n")
    if sentence := verdict(trace):
        put(sentence)
    if trace.unit == "tokens" and len(trace.spans) > 1 and trace.coverage > _LITTLE:
        put("Case, line breaks and punctuation end a match of tokens; --match words ignores them.")
    if trace.longest_passage is not None:
        passage = trace.longest_passage
        text = " ".join(trace.text[passage.start : passage.end].split())
        put(f"longest passage: {trace.units(passage.length)}, {passage.count:,} ×: {short(text)}")
    # Rarest first: `rarity` is a sum of logarithms of relative frequencies, so lower is rarer.
    for span in sorted(trace.spans, key=lambda span: span.rarity)[:10]:
        text = " ".join(trace.text[span.start : span.end].split())
        put(f"  {trace.units(span.token_end - span.token_start):>11}  {span.count:>9,} ×  {text[:80]}")
    put(f"{counted('document', len(trace.documents))}: relevance, share of the text that each contains, BM25")
    for document in trace.documents[:10]:
        figures = f"{document.level:<7}{shown_share(document.share):>5.0%}{document.score:>8.1f}"
        put(f"  {figures}  {document_title(document.metadata, document.number)}")


def short(text: str) -> str:
    """A line of a text; a long one is shortened in the middle."""
    # The beginning and the end identify a passage.
    return text if len(text) <= _LINE else f"{text[: _LINE // 2]} … {text[-_LINE // 2 :]}"


def marked(trace: Trace, color: bool) -> str:
    """Mark the merged spans of a text.

    color: Whether to underline them, as on a terminal; otherwise they are put in brackets.
    Returns: The text, with control characters made visible.
    """
    parts, at = [], 0
    for span in trace.merged:
        before, inside = (_COLORS[span.level], _RESET) if color else ("[", "]")
        parts += [_shown(trace.text[at : span.start]), before, _shown(trace.text[span.start : span.end]), inside]
        at = span.end
    return "".join(parts) + _shown(trace.text[at:])


def _shown(text: str) -> str:
    # A carriage return would be shown as a sign at the end of every line of a Windows file.
    return visible(text.replace("\r\n", "\n"), keep=_TEXT_LAYOUT)
