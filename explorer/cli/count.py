"""count: how often texts occur."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from explorer.api import Corpus
from explorer.cli.codes import FINE
from explorer.cli.common import (
    STDIN,
    add_index_arguments,
    add_json_argument,
    lines_of,
    open_corpus,
    read_query,
    stdin_once,
)
from explorer.cli.parser import Parser, UsageError
from explorer.cli.queries import MATCH_REGEX, QUERY, add_query_options, find, query_options, report_echo
from explorer.cli.queries import RULES as QUERY_RULES
from explorer.cli.rules import Rule
from explorer.cli.terminal import put_cells, put_json, put_json_array, put_json_line
from explorer.errors import QueryError
from explorer.search.find import QueryOptions
from explorer.search.language import Expression, ParsedQuery

_FORMATS = ("text", "jsonl")
_WHOLE = ("--literal", "--queries", MATCH_REGEX)

RULES = {
    "count": (
        *QUERY_RULES,
        Rule("--distance", without=_WHOLE),
        Rule("--exact", without=_WHOLE),
        Rule("--format", without=("--json",)),
    ),
}


@dataclass(frozen=True)
class CountResult:
    """One query of the count command; where not `exact`, `count` is scaled up from `sample_size` hits.

    variants: the spellings of tokens with their counts. echo: as in `ParsedQuery`.
    """

    query: str
    count: int
    per_million: float
    variants: dict[str, int]
    parsed: str
    exact: bool
    sample_size: int
    match: str
    ignore_case: bool
    whole_words: bool
    echo: str


def define_count(parser: Parser) -> None:
    """Define `count`."""
    add_index_arguments(parser)
    parser.argument("query", "QUERY", f'{QUERY}; "-" reads the query from standard input', nargs="*")
    parser.add_argument(
        "--queries",
        metavar="FILE",
        help='count each line of a file (or "-") as a literal text; one line of output per line',
    )
    add_query_options(parser)
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        default="text",
        help="jsonl: one JSON object per query, each on a line (default: text)",
    )
    add_json_argument(parser)


def run_count(args: argparse.Namespace) -> int:
    """Print a count for each query."""
    if args.queries is None and not args.query:
        raise UsageError("The following arguments are required: QUERY or --queries FILE.")
    if args.queries is not None and args.query:
        raise UsageError("QUERY cannot be used with --queries.")
    stdin_once(args.query)
    corpus = open_corpus(args)
    options = query_options(args)
    options = replace(options, literal=options.literal or args.queries is not None)
    results = (_count(corpus, query, options) for query in _queries(args))
    if args.json and len(args.query) == 1:
        put_json(next(results))
    elif args.json:
        put_json_array(results)
    else:
        _print_counts(results, args.format)
    return FINE


def _queries(args: argparse.Namespace) -> Iterator[str]:
    if args.queries is None:
        yield from map(read_query, args.query)
        return
    name = "standard input" if args.queries == STDIN else args.queries
    for number, query in enumerate(lines_of(args.queries), start=1):
        if not query:
            raise QueryError(f"{name}, line {number:,} is empty. A query needs a word or a phrase.")
        yield query


def _print_counts(results: Iterable[CountResult], form: str) -> None:
    for result in results:
        if form == "jsonl":
            put_json_line(result)
        else:
            put_cells(f"{'' if result.exact else '≈'}{result.count}", result.query)


def _count(corpus: Corpus, query: str, options: QueryOptions) -> CountResult:
    how = (options.match, options.ignore_case, options.whole_words)
    if options.literal and not options.variants:
        # The library's count takes blanks too, as a literal text may have nothing else.
        count = corpus.count(query, match=how[0], ignore_case=how[1], whole_words=how[2])
        parsed = ParsedQuery(((Expression(query) if options.match == "regex" else query,),))
        variants = {query: count} if options.match == "tokens" else {}
        per_million = 1e6 * count / max(1, corpus.token_count)
        return CountResult(query, count, per_million, variants, str(parsed), True, count, *how, "")
    found = find(corpus, query, options)
    report_echo(found.parsed)
    phrases = (phrase for clause in found.clauses for phrase in clause.phrases)
    variants = {variant.text: variant.matches.count for phrase in phrases for variant in phrase.variants}
    return CountResult(
        query, found.count, found.per_million, variants, str(found.parsed), found.exact, found.sample_size, *how,
        found.parsed.echo,
    )  # fmt: skip
