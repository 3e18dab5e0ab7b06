"""collocates: the words near a query, and how strongly it attracts them."""

from __future__ import annotations

import argparse
import math

from explorer.cli import ranges
from explorer.cli.around import AROUND_RULES, add_around_query, asked_query, hits_told, why_none_of_text
from explorer.cli.codes import FINE
from explorer.cli.common import add_index_arguments, add_stop_list, open_corpus, query_argument, stop_words, why_no_hits
from explorer.cli.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.parser import Parser
from explorer.cli.shapes import Shape
from explorer.cli.terminal import progress_bar, put
from explorer.export.records.collocates import CollocateFacts, CollocateRecord
from explorer.statistics.association import ASSOCIATIONS
from explorer.statistics.text_ends import WITHIN

COLLOCATES = Shape("collocates", CollocateRecord, CollocateFacts)
SHAPES = {"collocates": (COLLOCATES,)}
RULES = {"collocates": (*AROUND_RULES, *FORMAT_RULES)}


def define_collocates(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    add_around_query(parser)
    group = parser.add_argument_group("collocates")
    group.add_argument(
        "--window", type=ranges.window, default="5,5", metavar="L,R", help="words left and right (default 5,5)"
    )
    group.add_argument(
        "--within", choices=WITHIN, default="document", help="what a window does not reach beyond (default document)"
    )
    group.add_argument(
        "--min-count", type=ranges.TOKENS, default=5, metavar="C", help="their least count in the windows (default 5)"
    )
    group.add_argument(
        "--min-documents", type=ranges.TOKENS, default=1, metavar="D", help="least documents in which one is near"
    )
    add_stop_list(group, "words that are not listed")
    group.add_argument(
        "--details", action="store_true", help="count documents, pairs as AntConc does, and places in the window"
    )
    group.add_argument(
        "--unit", choices=("words", "tokens"), default="words", help="what is counted: words, in lower case, or tokens"
    )
    told = f"the measure to sort by (default logdice): {', '.join(ASSOCIATIONS)}"
    group.add_argument("--sort", choices=tuple(ASSOCIATIONS), default="logdice", metavar="MEASURE", help=told)
    group.add_argument(
        "--top", type=ranges.number_or_all, metavar="K", help="most rows (default: all that occur often enough)"
    )
    add_format_arguments(parser)


def run_collocates(args: argparse.Namespace) -> int:
    """Count the words near the query, and print the most attracted ones."""
    query = query_argument(args)
    corpus = open_corpus(args, subset=False)
    found = corpus.collocates(
        asked_query(corpus, query, args),
        ranges.sides(args.window),
        args.min_count,
        args.unit,
        within=args.within,
        min_documents=args.min_documents,
        stop=stop_words(args.stop),
        details=args.details,
        where=args.where or (),
        report=progress_bar(),
    )
    rows = tuple(sorted(found, key=lambda row: _descending(getattr(row, args.sort)))[: args.top])
    facts = CollocateFacts(
        args.unit, found.node_count, found.window_tokens, found.total, found.window_slots, found.hits_left_out, rows
    )
    put_answer(Answer(COLLOCATES, rows, corpus.index, facts), args, lambda _: _print(facts, args.sort))
    return FINE


def _descending(value: float | None) -> float:
    """A key by which the largest come first, and what is unknown last."""
    return math.inf if value is None else -value


def _print(facts: CollocateFacts, measure: str) -> None:
    hits = hits_told(facts.node_count, facts.hits_left_out)
    put(f"{hits}; {facts.unit}: {facts.window_tokens:,} in windows, {facts.total:,} outside the hits")
    if not facts.rows:
        put(why_none_of_text(facts.node_count, facts.hits_left_out) or _why_none(facts))
        return
    label = ASSOCIATIONS[measure].label
    more = facts.window_slots is not None
    head = f"{'documents':>10} {'pairs':>10} " if more else ""
    put(f"{label:>12} {'observed':>10} {'expected':>12} {'count':>11} {head} {facts.unit}")
    for row in facts.rows:
        value = getattr(row, measure)
        shown = "unknown" if value is None else f"{value:,.4f}"
        details = f"{row.documents:>10,} {row.pairs:>10,} " if more else ""
        counts = f"{row.observed:>10,} {row.expected:>12,.2f} {row.count:>11,}"
        put(f"{shown:>12} {counts} {details} {row.form or ''}")


def _why_none(facts: CollocateFacts) -> str:
    """Why the list is empty."""
    if why := why_no_hits(facts.node_count, facts.node_count + facts.total, facts.unit):
        return why
    if not facts.window_tokens:
        return f"There are no other {facts.unit} in the windows. Try a wider --window."
    return "No row meets the conditions. Try a smaller --min-count."
