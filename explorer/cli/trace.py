"""trace: the parts of a text that stand in the corpus."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from explorer.cli.common import Commands, add_index_arguments, add_json_argument, open_corpus, print_json, read_text
from explorer.corpus.document import document_title
from explorer.export.tables import save_text
from explorer.export.trace_html import trace_html
from explorer.trace.settings import WORD_RULES, TraceSettings
from explorer.trace.trace import Trace

_COLOURS = {"high": "\033[1;4;34m", "medium": "\033[4;34m", "low": "\033[4m", "": "\033[4m"}
_RESET = "\033[0m"


def add_command(commands: Commands) -> None:
    """Define the command."""
    defaults = TraceSettings()
    trace = commands.add_parser("trace", help="which parts of a text stand in the corpus")
    add_index_arguments(trace)
    trace.add_argument("file", metavar="FILE", nargs="?", default="-", help="text to trace (default: standard input)")
    trace.add_argument("--prompt", default="", help="what the text is an answer to")
    trace.add_argument("--html", metavar="OUT", help="write a report")
    trace.add_argument("--density", type=float, default=defaults.density, help="spans kept, as a share of tokens")
    trace.add_argument("--min-length", type=int, default=defaults.min_length)
    trace.add_argument("--max-count", type=int, default=defaults.max_count)
    trace.add_argument(
        "--delimiter", action="append", metavar="D", help=r"may only end a span; repeatable (default: \n and .)"
    )
    trace.add_argument("--word-boundaries", choices=WORD_RULES, default=defaults.word_boundaries)
    trace.add_argument("--documents-per-span", type=int, default=defaults.documents_per_span)
    trace.add_argument("--seed", type=int, default=defaults.seed)
    add_json_argument(trace)
    trace.set_defaults(run=run_trace)


def settings_from(args: argparse.Namespace) -> TraceSettings:
    """The settings that the arguments name."""
    delimiters = TraceSettings().delimiters
    if args.delimiter is not None:
        delimiters = tuple(text.replace("\\n", "\n").replace("\\t", "\t") for text in args.delimiter if text)
    return TraceSettings(
        density=args.density,
        min_length=args.min_length,
        max_count=args.max_count,
        delimiters=delimiters,
        word_boundaries=args.word_boundaries,
        documents_per_span=args.documents_per_span,
        seed=args.seed,
    )


def run_trace(args: argparse.Namespace) -> int:
    """Trace a text and print it with its spans marked."""
    settings = settings_from(args)
    corpus = open_corpus(args)
    trace = corpus.trace(read_text(args.file), args.prompt, settings)
    if args.html:
        save_text(Path(args.html), trace_html(corpus.index, trace))
    if args.json:
        print_json(trace)
    elif not args.html:
        print_trace(trace, sys.stdout.isatty())
    return 0


def print_trace(trace: Trace, colour: bool) -> None:
    """The text with its spans marked, then spans and documents."""
    print(marked(trace, colour))
    print(
        f"\n{len(trace.spans)} spans, longest match {trace.novelty.longest_match} tokens, "
        f"novelty {trace.novelty.index:.0%}"
    )
    for span in sorted(trace.spans, key=lambda span: span.rarity)[:10]:
        text = " ".join(trace.text[span.start : span.end].split())
        print(f"  {span.token_end - span.token_start:>4} tokens  {span.count:>9,} ×  {text[:80]}")
    print(f"{len(trace.documents)} documents")
    for document in trace.documents[:10]:
        print(f"  {document.level:<7}{document.score:>7.1f}  {document_title(document.metadata, document.number)}")


def marked(trace: Trace, colour: bool) -> str:
    """The text with merged spans underlined on a terminal, in brackets elsewhere."""
    parts, at = [], 0
    for span in trace.merged:
        before, inside = (_COLOURS[span.level], _RESET) if colour else ("[", "]")
        parts += [trace.text[at : span.start], before, trace.text[span.start : span.end], inside]
        at = span.end
    return "".join(parts) + trace.text[at:]
