"""What collocates and clusters share: the query as words, or any query whose hits are taken as they are."""

from __future__ import annotations

import argparse

from explorer.analyses.search.concordance import ConcordanceRequest, concordance
from explorer.cli.options.queries import (
    JOINED_LINE_RULES,
    LINE_RULES,
    add_query_options,
    find,
    query_options,
    refuse_unjoined,
    report_reading,
)
from explorer.cli.options.rules import Rule
from explorer.cli.output.terminal import progress_bar
from explorer.cli.parser import Parser
from explorer.cli.search.kwic import add_near_options, filters_of
from explorer.corpus import Corpus
from explorer.corpus.statistics.around import AnyQuery
from explorer.i18n import counted

_OF_TEXT = (
    "--literal", "--ignore-case", "--whole-words", "--variants", "--distance", "--node", "--near", "--not-near",
    "--near-distance",
)  # fmt: skip
AROUND_RULES = (
    *(Rule(option, needs=("--match",)) for option in _OF_TEXT),
    *LINE_RULES,
)
"""Rules of the commands that count around a query."""


def add_around_query(parser: Parser) -> None:
    """Define the query, and how it is found."""
    parser.add_argument(
        "query",
        metavar="QUERY",
        help='words, in any case; with --match a text, or texts joined by AND, OR and NOT; "-": standard input',
    )
    add_query_options(parser, usual=None)
    add_near_options(parser)
    # What `filters_of` also asks for. A sample would make other counts.
    parser.set_defaults(sample=0, collapse=0, seed=0)


def asked_query(corpus: Corpus, query: str, args: argparse.Namespace) -> AnyQuery:
    """Find what is counted around.

    args: The parsed command line, with the options of `add_around_query`.
    Returns: The words as they are, or without any order the lines of the hits that are found as --match asks.
    Raises `QueryError` if the query or a condition cannot be read.
    """
    if args.match is None:
        return query
    options = query_options(args)
    refuse_unjoined(args, options, (query,), JOINED_LINE_RULES)
    view = filters_of(corpus, args, options)
    found = find(corpus, query, options)
    report_reading(corpus, found, options)
    wanted = ConcordanceRequest(found.parts, found.numbers, view)
    return concordance(corpus.index, wanted, corpus.columns, progress_bar())


def hits_told(node_count: int, left_out: int | None) -> str:
    """Write how many hits there are.

    left_out: Those in which no word begins; None for a query of words.
    """
    hits = counted("hit", node_count)
    return f"{hits} ({left_out:,} more left out, since no word begins in them)" if left_out else hits


def why_none_of_text(node_count: int, left_out: int | None) -> str:
    """Write why a query with --match has no hits; "" for one of words, or if it has some."""
    if node_count or left_out is None:
        return ""
    return "No word begins in the hits. Count around them with --unit tokens." if left_out else "The query has no hits."
