"""trace: the parts of a text that stand in the corpus."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from explorer.api import Corpus
from explorer.cli import ranges
from explorer.cli.codes import FINE, FOUND
from explorer.cli.common import add_index_arguments, add_json_argument, open_corpus, read_text
from explorer.cli.parser import Parser
from explorer.cli.rules import Rule
from explorer.cli.terminal import colours, progress_bar, put, put_as_is, put_json, put_rows, remark
from explorer.corpus.document import document_title
from explorer.corpus.without import without_documents
from explorer.export.destination import save_text
from explorer.export.tables import BATCH_HEADER, FORMATS, batch_rows
from explorer.export.trace_html import trace_html
from explorer.trace.batch import inspect_answers, trace_answers
from explorer.trace.conversation import Piece, answers, parse_conversation
from explorer.trace.settings import WORD_RULES, TraceSettings
from explorer.trace.trace import Trace, trace_text
from explorer.visible import visible

_COLOURS = {"high": "\033[1;4;34m", "medium": "\033[4;34m", "low": "\033[4m", "": "\033[4m"}
_RESET = "\033[0m"


RULES = {
    "trace": (
        Rule("--html", without=("--jsonl",)),
        Rule("--conversation", without=("--jsonl",)),
        Rule("--without-self", without=("--jsonl",)),
        Rule("--prompt", without=("--jsonl", "--conversation")),
        Rule("--text-field", needs=("--jsonl",)),
        Rule("--prompt-field", needs=("--jsonl",)),
        Rule("--format", needs=("--jsonl",), without=("--json",)),
    ),
}
_TEXT_LAYOUT = "\n\t"


def define_trace(trace: Parser) -> None:
    """Define the command."""
    defaults = TraceSettings()
    add_index_arguments(trace)
    trace.argument("file", "FILE", 'text to trace; "-": standard input (default)', nargs="?", default="-")
    trace.add_argument("--prompt", default="", help="what the text is an answer to")
    trace.add_argument("--html", metavar="OUT", help="write a report")
    trace.add_argument(
        "--density", type=ranges.SHARE, default=defaults.density, help="spans kept, as a share of tokens"
    )
    trace.add_argument("--min-length", type=ranges.TOKENS, metavar="N", default=defaults.min_length)
    trace.add_argument("--max-count", type=ranges.TOKENS, metavar="N", default=defaults.max_count)
    trace.add_argument(
        "--delimiter", action="append", metavar="D", help=r"may only end a span; repeatable (default: \n and .)"
    )
    trace.add_argument(
        "--abbreviations", action="store_true", help="no span ends at the full stop of an initial or abbreviation"
    )
    trace.add_argument("--word-boundaries", choices=WORD_RULES, default=defaults.word_boundaries)
    trace.add_argument("--documents-per-span", type=ranges.DOCUMENTS, metavar="N", default=defaults.documents_per_span)
    trace.add_argument("--seed", type=ranges.SEED, metavar="N", default=defaults.seed)
    trace.add_argument(
        "--without-self",
        action="store_true",
        help="where the text itself stands in the corpus, leave its documents out",
    )
    trace.add_argument(
        "--conversation", action="store_true", help="the file holds turns: JSON, or marked User: and Assistant:"
    )
    trace.add_argument("--jsonl", action="store_true", help="the file holds an answer a line; prints a table")
    trace.add_argument("--text-field", default="", help="with --jsonl: the field that holds the answer")
    trace.add_argument("--prompt-field", default="", help="with --jsonl: the field that holds the prompt")
    trace.add_argument("--format", choices=FORMATS, default="tsv", help="with --jsonl: format of the table")
    trace.add_argument(
        "--fail-over",
        type=ranges.NO_OR_TOKENS,
        metavar="N",
        help="exit with 1 where a match of more than N tokens was found",
    )
    add_json_argument(trace)


def settings_from(args: argparse.Namespace) -> TraceSettings:
    """The settings that the arguments name."""
    delimiters = TraceSettings().delimiters
    if args.delimiter is not None:
        delimiters = tuple(text.replace("\\n", "\n").replace("\\t", "\t") for text in args.delimiter if text)
    return TraceSettings(
        density=args.density,
        min_length=args.min_length,
        max_count=args.max_count,
        abbreviations=args.abbreviations,
        delimiters=delimiters,
        word_boundaries=args.word_boundaries,
        documents_per_span=args.documents_per_span,
        seed=args.seed,
    )


def run_trace(args: argparse.Namespace) -> int:
    """Trace a text, a conversation or a file of answers, and print it with its spans marked."""
    settings = settings_from(args)
    corpus = open_corpus(args)
    work = _trace_lines if args.jsonl else _trace_pieces
    longest = work(corpus, args, settings)
    return FOUND if args.fail_over is not None and longest > args.fail_over else FINE


def _trace_pieces(corpus: Corpus, args: argparse.Namespace, settings: TraceSettings) -> int:
    """Trace one text, or every answer of a conversation; returns the longest match."""
    text = read_text(args.file)
    pieces = answers(parse_conversation(text)) if args.conversation else (Piece("", text, args.prompt),)
    traces = [_trace(corpus, piece, settings, args.without_self) for piece in pieces]
    if args.html:
        save_text(Path(args.html), trace_html(corpus.index, traces))
    if args.json:
        put_json(traces if args.conversation else traces[0])
    elif not args.html:
        for piece, found in zip(pieces, traces, strict=True):
            if args.conversation:
                put(f"== {piece.name}")
            print_trace(found)
    return max(found.novelty.longest_match for found in traces)


def _trace(corpus: Corpus, piece: Piece, settings: TraceSettings, without_self: bool) -> Trace:
    found = corpus.trace(piece.text, piece.prompt, settings)
    if found.self_match is None:
        return found
    number = len(found.self_match.documents)
    remark(
        f"The text itself stands in the corpus: {found.self_match.share:.0%} of it is one match, in {number} "
        f"document{'' if number == 1 else 's'}."
    )
    if not without_self:
        return found
    return trace_text(without_documents(corpus.index, found.self_match.documents), piece.text, piece.prompt, settings)


def _trace_lines(corpus: Corpus, args: argparse.Namespace, settings: TraceSettings) -> int:
    source = inspect_answers(Path(args.file))
    source = replace(
        source,
        text_field=args.text_field or source.text_field,
        prompt_field=args.prompt_field or source.prompt_field,
    )
    rows = list(trace_answers(corpus.index, source, settings, progress_bar()))
    if args.json:
        put_json(rows)
    else:
        put_rows(BATCH_HEADER, batch_rows(rows), args.format)
    return max((row.longest_match for row in rows), default=0)


def print_trace(trace: Trace) -> None:
    """The text with its spans marked, then spans and documents."""
    put_as_is(marked(trace, colours()) + "\n")
    put(
        f"\n{len(trace.spans)} spans, longest match {trace.novelty.longest_match} tokens, "
        f"novelty {trace.novelty.index:.0%}",
        keep="\n",
    )
    for span in sorted(trace.spans, key=lambda span: span.rarity)[:10]:
        text = " ".join(trace.text[span.start : span.end].split())
        put(f"  {span.token_end - span.token_start:>4} tokens  {span.count:>9,} ×  {text[:80]}")
    put(f"{len(trace.documents)} documents")
    for document in trace.documents[:10]:
        put(f"  {document.level:<7}{document.score:>7.1f}  {document_title(document.metadata, document.number)}")


def marked(trace: Trace, colour: bool) -> str:
    """The text with merged spans underlined on a terminal, in brackets elsewhere."""
    parts, at = [], 0
    for span in trace.merged:
        before, inside = (_COLOURS[span.level], _RESET) if colour else ("[", "]")
        parts += [_shown(trace.text[at : span.start]), before, _shown(trace.text[span.start : span.end]), inside]
        at = span.end
    return "".join(parts) + _shown(trace.text[at:])


def _shown(text: str) -> str:
    return visible(text.replace("\r\n", "\n"), keep=_TEXT_LAYOUT)
