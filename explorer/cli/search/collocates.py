"""collocates: the words near a query, and how strongly it attracts them."""

from __future__ import annotations

import argparse

from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.analyses.collocates.table import CollocateFacts, CollocateRecord
from explorer.cli.options import ranges
from explorer.cli.options.around import AROUND_RULES, add_around_query, asked_query, hits_told, why_none_of_text
from explorer.cli.options.common import add_index_arguments, open_corpus, query_argument, why_no_hits
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.record_table import put_table
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser

COLLOCATES = Shape("collocates", CollocateRecord, CollocateFacts)
SHAPES = {"collocates": (COLLOCATES,)}
RULES = {"collocates": (*AROUND_RULES, *FORMAT_RULES)}


def define_collocates(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    add_around_query(parser)
    group = parser.add_argument_group("collocates")
    add_settings(group, CollocatesQuestion)
    group.add_argument("--top", type=ranges.number_or_all, metavar="K", help="maximum number of rows (default all)")
    add_format_arguments(parser)


def run_collocates(args: argparse.Namespace) -> int:
    """Count the words near the query, and print the most attracted ones."""
    query, question = query_argument(args), question_of(args, CollocatesQuestion)
    corpus = open_corpus(args, subset=False)
    around = asked_query(corpus, query, args)
    found = corpus.collocates(around, **question.arguments("sort"), where=args.where or (), report=progress_bar())
    rows = tuple(found.sorted_by(question.sort))[: args.top]
    facts = CollocateFacts(
        question.unit, found.node_count, found.window_tokens, found.total, found.window_slots, found.hits_left_out, rows
    )
    put_answer(Answer(COLLOCATES, rows, corpus.index, facts), args, lambda _: _print(facts, args.sort))
    return FINE


def _print(facts: CollocateFacts, measure: str) -> None:
    hits = hits_told(facts.node_count, facts.hits_left_out)
    put(f"{hits}; {facts.unit}: {facts.window_tokens:,} in windows, {facts.total:,} outside the hits")
    if not facts.rows:
        put(why_none_of_text(facts.node_count, facts.hits_left_out) or _why_none(facts))
        return
    counted = ("documents", "pairs") if facts.window_slots is not None else ()
    put_table(CollocateRecord, facts.rows, (measure, "observed", "expected", "count", *counted, "form"))


def _why_none(facts: CollocateFacts) -> str:
    """Why the list is empty."""
    if why := why_no_hits(facts.node_count, facts.node_count + facts.total, facts.unit):
        return why
    if not facts.window_tokens:
        return f"There are no other {facts.unit} in the windows. Try a wider --window."
    return "No row meets the conditions. Try a smaller --min-count."
