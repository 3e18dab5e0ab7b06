"""clusters: the n-grams that contain a query, with exact counts and numbers of documents."""

from __future__ import annotations

import argparse

from explorer.analyses.clusters.question import ClustersQuestion
from explorer.analyses.clusters.table import ClusterFacts, ClusterRecord
from explorer.cli.options.around import AROUND_RULES, add_around_query, asked_query, hits_told, why_none_of_text
from explorer.cli.options.common import add_index_arguments, open_corpus, query_argument, why_no_hits
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import (
    FORMAT_RULES,
    Answer,
    add_format_arguments,
    add_top_argument,
    put_answer,
    report_shortened,
    settle_top,
)
from explorer.cli.output.record_table import put_table
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser

CLUSTERS = Shape("clusters", ClusterRecord, ClusterFacts)
SHAPES = {"clusters": (CLUSTERS,)}
RULES = {"clusters": (*AROUND_RULES, *FORMAT_RULES)}


def define_clusters(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    add_around_query(parser)
    group = parser.add_argument_group("clusters")
    add_settings(group, ClustersQuestion)
    add_top_argument(group)
    add_format_arguments(parser)


def run_clusters(args: argparse.Namespace) -> int:
    """Count the n-grams that contain the query, and print the most frequent ones."""
    settle_top(args)
    query, question = query_argument(args), question_of(args, ClustersQuestion)
    corpus = open_corpus(args, subset=False)
    around, where = asked_query(corpus, query, args), args.where or ()
    found = corpus.clusters(around, **question.arguments(), top=args.top, where=where, report=progress_bar())
    rows = tuple(found)
    counts = (found.node_count, found.total, found.types, found.tokens, found.hits_left_out)
    facts = ClusterFacts(question.unit, question.side, *counts, rows)
    put_answer(Answer(CLUSTERS, rows, corpus.index, facts), args, lambda _: _print(facts, args))
    return FINE


def _print(facts: ClusterFacts, args: argparse.Namespace) -> None:
    hits = hits_told(facts.node_count, facts.hits_left_out)
    put(f"{hits}; clusters of {facts.unit}: {facts.types:,} distinct, {facts.total:,} in all")
    if not facts.rows:
        put(why_none_of_text(facts.node_count, facts.hits_left_out) or _why_none(facts))
        return
    put_table(ClusterRecord, facts.rows, ("count", "per_million", "documents", "size", "form"))
    if len(facts.rows) == args.top:
        report_shortened(args, len(facts.rows))


def _why_none(facts: ClusterFacts) -> str:
    """Why the list is empty."""
    if why := why_no_hits(facts.node_count, facts.tokens, facts.unit):
        return why
    if not facts.types:
        return "No document is long enough around the query. Try a smaller --size, or another --side."
    return "No row meets the conditions. Try a smaller --min-count or --min-documents."
