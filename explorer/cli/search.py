"""count, kwic and next."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from explorer.api import Corpus
from explorer.cli import ranges
from explorer.cli.common import (
    STDIN,
    STDOUT,
    add_index_arguments,
    add_json_argument,
    lines_of,
    open_corpus,
    read_argument,
    stdin_once,
)
from explorer.cli.parser import Parser, UsageError
from explorer.cli.rules import Rule, refuse_unused
from explorer.cli.terminal import progress_bar, put_cells, put_json, put_json_array, put_json_line, put_rows, remark
from explorer.errors import QueryError
from explorer.export.about import ABOUT
from explorer.export.lines import LINE_FORMATS, save_lines
from explorer.export.provenance import Facts, index_facts, query_facts
from explorer.export.records import LineTable, as_object
from explorer.export.tables import FORMATS
from explorer.search.arrange import Filter, View, merge_views, parse_sort
from explorer.search.concordance import concordance
from explorer.search.counts import NextTokens
from explorer.search.find import QueryOptions, QueryResult, find_query, near_filter
from explorer.search.language import ParsedQuery, quoted
from explorer.search.query import VARIANTS, show_token
from explorer.search.values import parse_filter
from explorer.words import counted

_PRINTED_LINES = 20
_PRINTED_TOKENS = 20
_COUNT_FORMATS = ("text", "jsonl")

RULES = {
    "count": (
        Rule("--distance", without=("--literal", "--queries")),
        Rule("--exact", without=("--literal", "--queries")),
        Rule("--format", without=("--json",)),
    ),
    "kwic": (
        Rule("--exact", without=("--literal",)),
        Rule("--distance", needs=("--near", "--not-near"), when="--literal"),
    ),
}
_OUT_FILE = "--out FILE"
_KWIC_FILE_RULES = (
    Rule("--format", without=(_OUT_FILE,)),
    Rule("--about", needs=(_OUT_FILE,)),
)


@dataclass(frozen=True)
class CountResult:
    """One query of the count command; where not `exact`, `count` is scaled up from `sample_size` hits."""

    query: str
    count: int
    per_million: float
    variants: dict[str, int]
    parsed: str
    exact: bool
    sample_size: int


def define_count(parser: Parser) -> None:
    """Define `count`."""
    add_index_arguments(parser)
    parser.argument("query", "QUERY", f'{_QUERY}; "-" reads the text from standard input', nargs="*")
    parser.add_argument(
        "--queries",
        metavar="FILE",
        help='count each line of a file (or "-") as a literal text; one line of output per line',
    )
    _add_query_options(parser)
    parser.add_argument(
        "--format",
        choices=_COUNT_FORMATS,
        default="text",
        help="jsonl: one JSON object per query, each on a line (default: text)",
    )
    add_json_argument(parser)


def define_kwic(parser: Parser) -> None:
    """Define `kwic`."""
    add_index_arguments(parser)
    parser.argument("query", "QUERY", f'{_QUERY}; "-" reads the text from standard input')
    _add_query_options(parser)
    parser.add_argument(
        "--limit", type=ranges.LINES, metavar="N", help="lines to print; 0 prints all (default 20, with --out all)"
    )
    parser.add_argument(
        "--width", type=ranges.CONTEXT_TOKENS, default=10, metavar="N", help="tokens on each side (default 10)"
    )
    parser.add_argument(
        "--sort",
        default="right",
        help="right or left (alphabetical), index (order of the index, fastest), random, or up to three of "
        "5L … 5R, M, document, field:NAME (default right; more than 1,000,000 lines stay in index "
        "order)",
    )
    parser.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="only lines from documents that meet this condition; operators: = != == ~ !~ ^= >= <= > <",
    )
    parser.add_argument(
        "--near", action="append", default=[], metavar="TEXT", help="only lines with this text near the match"
    )
    parser.add_argument(
        "--not-near", action="append", default=[], metavar="TEXT", help="only lines without this text near the match"
    )
    parser.add_argument("--sample", type=ranges.SAMPLE, default=0, metavar="N", help="take a random sample of N lines")
    parser.add_argument(
        "--collapse",
        type=ranges.COLLAPSE_TOKENS,
        default=0,
        metavar="N",
        help="merge lines whose context is identical within N tokens",
    )
    parser.add_argument("--seed", type=ranges.SEED, default=0, metavar="N", help="seed for all random choices")
    parser.add_argument("--format", choices=FORMATS, default="tsv", help="output format (default tsv)")
    parser.add_argument(
        "--fields",
        default="",
        metavar="LIST",
        help="metadata fields to add as columns (comma-separated); JSON Lines include all fields by default",
    )
    parser.add_argument(
        "--squash",
        action="store_true",
        help="collapse white space, including line breaks, in files and JSON Lines; printed tsv and csv always do",
    )
    parser.add_argument(
        "--out", metavar="OUT", help=f'write all lines to a file ({", ".join(LINE_FORMATS)}); "-": standard output'
    )
    parser.add_argument(
        "--about",
        choices=ABOUT,
        default="beside",
        help="where to write the facts about an exported file (query, index, seed …): beside it in "
        "OUT.about.json (default), inline before its lines, or nowhere; a workbook has them on a "
        "second sheet",
    )


def define_next(parser: Parser) -> None:
    """Define `next`."""
    add_index_arguments(parser)
    parser.argument("prompt", "PROMPT", 'text to continue; "-" reads standard input')
    parser.add_argument(
        "--n", type=ranges.context, metavar="N", help="length of context plus token: a number, or inf (default)"
    )
    parser.add_argument(
        "--top", type=ranges.LINES, metavar="N", help="tokens to print; 0 prints all (default 20, with --json all)"
    )
    add_json_argument(parser)


_QUERY = "a phrase, or phrases with AND, OR and NOT"


def _add_query_options(parser: Parser) -> None:
    parser.add_argument(
        "-F",
        "--literal",
        action="store_true",
        help="take the text literally: AND, OR, NOT and quotes have no special meaning",
    )
    parser.add_argument(
        "--variants",
        type=lambda text: [name.strip() for name in text.split(",") if name.strip()],
        default=[],
        metavar="LIST",
        help=f"spellings to include: {', '.join(VARIANTS)} (comma-separated)",
    )
    parser.add_argument(
        "--distance", type=ranges.DISTANCE, default=100, metavar="N", help="tokens that AND may span (default 100)"
    )
    parser.add_argument("--exact", action="store_true", help="check all hits of AND, however many there are")


def _query_options(args: argparse.Namespace) -> QueryOptions:
    seed = getattr(args, "seed", 0)
    return QueryOptions(tuple(args.variants), args.distance, True if args.exact else None, seed)


def run_count(args: argparse.Namespace) -> int:
    """Print a count for each query."""
    if args.queries is None and not args.query:
        raise UsageError("The following arguments are required: QUERY or --queries FILE.")
    if args.queries is not None and args.query:
        raise UsageError("QUERY cannot be used with --queries.")
    stdin_once(args.query)
    corpus = open_corpus(args)
    literal = args.literal or args.queries is not None
    results = (_count(corpus, query, args, literal) for query in _queries(args))
    if args.json and len(args.query) == 1:
        put_json(next(results))
    elif args.json:
        put_json_array(results)
    else:
        _print_counts(results, args.format)
    return 0


def _queries(args: argparse.Namespace) -> Iterator[str]:
    if args.queries is None:
        yield from map(read_argument, args.query)
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


def _count(corpus: Corpus, query: str, args: argparse.Namespace, literal: bool) -> CountResult:
    if literal and not args.variants:
        count = corpus.count(query, match="tokens")
        parsed, per_million = str(ParsedQuery(((query,),))), 1e6 * count / max(1, corpus.token_count)
        return CountResult(query, count, per_million, {query: count}, parsed, True, count)
    found = _find(corpus, query, args, literal)
    counts = {
        variant.text: variant.matches.count
        for clause in found.clauses
        for phrase in clause.phrases
        for variant in phrase.variants
    }
    return CountResult(query, found.count, found.per_million, counts, str(found.parsed), found.exact, found.sample_size)


def _find(corpus: Corpus, query: str, args: argparse.Namespace, literal: bool) -> QueryResult:
    # A text in quotes is literal, whatever words and characters it contains.
    written = quoted(query) if literal else query
    return replace(find_query(corpus.index, written, _query_options(args), progress_bar()), query=query)


def run_kwic(args: argparse.Namespace) -> int:
    """Print KWIC lines, or write them to a file."""
    to_file = args.out is not None and args.out != STDOUT
    refuse_unused({*args.given, *[_OUT_FILE] * to_file}, _KWIC_FILE_RULES)
    query = read_argument(args.query)
    corpus = open_corpus(args)
    view, report = _view(corpus, args), progress_bar()
    found = _find(corpus, query, args, args.literal)
    lines = concordance(
        corpus.index, found.parts, numbers=found.numbers, view=view, columns=corpus.columns, report=report
    )
    if lines.arranged.unsorted:
        remark(f"{len(lines):,} lines are too many to sort and stay in index order")
    limit = _limit(args)
    about: Facts = ()
    if to_file:
        about = (*index_facts(corpus.index), *query_facts(found, _query_options(args), view, lines))
    fields = tuple(name.strip() for name in args.fields.split(",") if name.strip())
    for field in fields:
        corpus.columns.require(field)
    numbers = None if limit is None else range(min(limit, len(lines)))
    table = LineTable(lines, args.width, fields=fields, about=about, numbers=numbers, squash=args.squash)
    if to_file:
        save_lines(Path(args.out), table, report, about=args.about)
    else:
        _print_lines(table, args.format)
    return 0


def _print_lines(table: LineTable, form: str) -> None:
    if form == "jsonl":
        for record in table.records():
            put_json_line(as_object(record))
        return
    # A row is one line here, whatever its texts contain.
    squashed = replace(table, squash=True)
    put_rows(squashed.header, squashed.rows(), form)


def _limit(args: argparse.Namespace) -> int | None:
    """The number of lines to print; None: all."""
    if args.limit is None:
        return _PRINTED_LINES if args.out is None else None
    return args.limit or None


def _view(corpus: Corpus, args: argparse.Namespace) -> View:
    filters: list[Filter] = [parse_filter(text) for text in args.where]
    filters += [near_filter(corpus.index, text, args.distance) for text in args.near]
    filters += [near_filter(corpus.index, text, args.distance, wanted=False) for text in args.not_near]
    rest = View(filters=tuple(filters), sample=args.sample, collapse=args.collapse, seed=args.seed)
    return merge_views(parse_sort(args.sort), rest)


def run_next(args: argparse.Namespace) -> int:
    """Print the distribution of next tokens."""
    prompt = read_argument(args.prompt)
    corpus = open_corpus(args)
    ids = corpus.encode(prompt)
    if args.n is None:
        result = corpus.infgram_next_tokens(ids)
    else:
        result = corpus.next_tokens(ids[len(ids) - min(args.n - 1, len(ids)) :])
    if args.json:
        put_json(_first(result, args.top or len(result.tokens)))
        return 0
    remark(f"context of {counted('token', result.context_length)}, occurs {counted('time', result.context_count)}")
    top = _PRINTED_TOKENS if args.top is None else args.top or None
    rows = zip(result.tokens.tolist(), result.counts.tolist(), result.probabilities.tolist(), strict=True)
    for token, count, probability in itertools.islice(rows, top):
        put_cells(f"{probability:.4f}", count, token, show_token(corpus.index, token))
    return 0


def _first(result: NextTokens, top: int) -> NextTokens:
    return replace(result, tokens=result.tokens[:top], counts=result.counts[:top])
