"""breakdown and dispersion: what the lines of a query add up to."""

from __future__ import annotations

import argparse

from explorer.api import Corpus
from explorer.cli.codes import FINE
from explorer.cli.common import add_index_arguments, open_corpus, read_query
from explorer.cli.parser import Parser
from explorer.cli.queries import LINE_RULES, add_query, add_query_options, find, query_options, report_echo
from explorer.cli.search import add_filter_options, filters_of
from explorer.cli.terminal import progress_bar, put_rows
from explorer.export.registry import TABLES
from explorer.export.tables import DISPERSION_HEADER, FACET_HEADER, dispersion_rows, facet_rows
from explorer.search.arrange import LineSettings
from explorer.search.concordance import Concordance, ConcordanceRequest, concordance
from explorer.search.facets import count_tokens, dispersion, facet

RULES = {"breakdown": LINE_RULES, "dispersion": LINE_RULES}


def define_breakdown(parser: Parser) -> None:
    """Define `breakdown`."""
    _define(parser)
    parser.add_argument("--by", metavar="FIELD", required=True, help="metadata field whose values are counted")


def define_dispersion(parser: Parser) -> None:
    """Define `dispersion`."""
    _define(parser)


def _define(parser: Parser) -> None:
    add_index_arguments(parser)
    add_query(parser)
    add_query_options(parser)
    add_filter_options(parser)
    parser.add_argument("--format", choices=TABLES.ids, default="tsv", help="output format (default tsv)")


def run_breakdown(args: argparse.Namespace) -> int:
    """Print one row per value: its lines, documents and tokens.

    Parameters
    ----------
    args
        The parsed command line.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    CorpusError
        If the index cannot be opened or the query cannot be answered.
    """
    corpus, lines, filters = _lines(args)
    report = progress_bar()
    found = facet(lines, args.by, corpus.columns, report)
    # With the tokens of each value, so that rates of different values can be compared.
    counted = count_tokens(found, corpus.index, corpus.columns, filters.filters, report)
    put_rows(FACET_HEADER, facet_rows(counted), args.format)
    return FINE


def run_dispersion(args: argparse.Namespace) -> int:
    """Print hits, documents, and Gries's DP.

    Parameters
    ----------
    args
        The parsed command line.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    CorpusError
        If the index cannot be opened or the query cannot be answered.
    """
    put_rows(DISPERSION_HEADER, dispersion_rows(dispersion(_lines(args)[1])), args.format)
    return FINE


def _lines(args: argparse.Namespace) -> tuple[Corpus, Concordance, LineSettings]:
    # The query first: standard input is at hand, and an index may take long to open.
    query, corpus = read_query(args.query), open_corpus(args)
    options = query_options(args)
    # Without an order: no sum depends on it, and sorting takes time.
    view = filters_of(corpus, args, options)
    found = find(corpus, query, options)
    report_echo(found.parsed)
    wanted = ConcordanceRequest(found.parts, found.numbers, view)
    return corpus, concordance(corpus.index, wanted, corpus.columns, progress_bar()), view
