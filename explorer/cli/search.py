"""count, kwic and next."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.api import Corpus
from explorer.cli.common import Commands, add_index_arguments, add_json_argument, open_corpus, print_json, progress_bar
from explorer.corpus.document import document_title
from explorer.errors import QueryError
from explorer.export.lines import LINE_FORMATS, LineTable, save_lines
from explorer.export.provenance import index_facts, query_facts
from explorer.export.tables import CONCORDANCE_HEADER, FORMATS, concordance_rows, write_rows
from explorer.search.arrange import Filter, View, merge_views, parse_sort
from explorer.search.concordance import Concordance, ConcordanceLine, concordance
from explorer.search.find import QueryOptions, find_query, near_filter
from explorer.search.query import VARIANTS, show_token
from explorer.search.values import parse_filter

_PAGE = 1000


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


def add_commands(commands: Commands) -> None:
    """Define the three commands."""
    count = commands.add_parser("count", help="how often texts occur")
    add_index_arguments(count)
    count.add_argument("query", metavar="QUERY", nargs="+", help="a phrase, or phrases with AND, OR and NOT")
    _add_query_options(count)
    add_json_argument(count)
    count.set_defaults(run=run_count)

    kwic = commands.add_parser("kwic", help="occurrences in their contexts")
    add_index_arguments(kwic)
    kwic.add_argument("query", metavar="QUERY", help="a phrase, or phrases with AND, OR and NOT")
    _add_query_options(kwic)
    kwic.add_argument("--limit", type=int, default=20, help="lines to print (default 20; 0: all)")
    kwic.add_argument("--width", type=int, default=10, help="tokens on each side (default 10)")
    kwic.add_argument(
        "--sort",
        default="right",
        help="right or left (alphabetical), index (order of the index, fastest), random, or up to three of 5L … 5R, "
        "M, document, field:NAME (default right; over 1,000,000 lines stay in index order)",
    )
    kwic.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="only such documents; also != == ~ !~ ^= >= <= > <",
    )
    kwic.add_argument("--near", action="append", default=[], metavar="TEXT", help="only with this text near the match")
    kwic.add_argument("--not-near", action="append", default=[], metavar="TEXT", help="only without it")
    kwic.add_argument("--sample", type=int, default=0, metavar="N", help="N lines drawn at random")
    kwic.add_argument("--collapse", type=int, default=0, metavar="N", help="join lines alike within N tokens")
    kwic.add_argument("--seed", type=int, default=0, help="seed of whatever is random")
    kwic.add_argument("--format", choices=FORMATS, default="tsv")
    kwic.add_argument("--fields", default="", metavar="LIST", help="metadata fields as further columns, with --out")
    kwic.add_argument("--out", type=Path, metavar="FILE", help=f"write all lines to a file ({', '.join(LINE_FORMATS)})")
    kwic.set_defaults(run=run_kwic)

    following = commands.add_parser("next", help="which tokens follow a text")
    add_index_arguments(following)
    following.add_argument("prompt", metavar="PROMPT")
    following.add_argument("--n", default="inf", help="context and token together: a number, or inf (default)")
    following.add_argument("--top", type=int, default=20, help="tokens to print (default 20)")
    add_json_argument(following)
    following.set_defaults(run=run_next)


def _add_query_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--variants",
        type=lambda text: [name for name in text.split(",") if name],
        default=[],
        metavar="LIST",
        help=f"spellings to count as well: {', '.join(VARIANTS)} (comma-separated)",
    )
    parser.add_argument("--distance", type=int, default=100, help="tokens that AND may span (default 100)")
    parser.add_argument("--exact", action="store_true", help="walk all hits of AND, however many there are")


def _query_options(args: argparse.Namespace) -> QueryOptions:
    seed = getattr(args, "seed", 0)
    return QueryOptions(tuple(args.variants), args.distance, True if args.exact else None, seed)


def run_count(args: argparse.Namespace) -> int:
    """Print a count for each query."""
    corpus = open_corpus(args)
    results = [_count(corpus, query, args) for query in args.query]
    if args.json:
        print_json(results[0] if len(results) == 1 else results)
    else:
        for result in results:
            print(f"{'' if result.exact else '≈'}{result.count}\t{result.query}")
    return 0


def _count(corpus: Corpus, query: str, args: argparse.Namespace) -> CountResult:
    found = find_query(corpus.index, query, _query_options(args), progress_bar())
    counts = {
        variant.text: variant.matches.count
        for clause in found.clauses
        for phrase in clause.phrases
        for variant in phrase.variants
    }
    return CountResult(query, found.count, found.per_million, counts, str(found.parsed), found.exact, found.sample_size)


def run_kwic(args: argparse.Namespace) -> int:
    """Print KWIC lines, or write them to a file."""
    if min(args.width, args.limit, args.sample, args.collapse) < 0:
        raise QueryError("--width, --limit, --sample and --collapse must not be negative.")
    corpus = open_corpus(args)
    options, view = _query_options(args), _view(corpus, args)
    report = progress_bar()
    found = find_query(corpus.index, args.query, options, report)
    lines = concordance(
        corpus.index, found.parts, numbers=found.numbers, view=view, columns=corpus.columns, report=report
    )
    if lines.arranged.unsorted:
        print(f"# {len(lines):,} lines are too many to sort: they are in the order of the index", file=sys.stderr)
    if args.out is not None:
        about = (*index_facts(corpus.index), *query_facts(found, options, view, lines))
        fields = tuple(name.strip() for name in args.fields.split(",") if name.strip())
        save_lines(args.out, LineTable(lines, args.width, fields=fields, about=about), report)
        return 0
    shown = itertools.islice(_lines(lines, args.width), args.limit or None)
    titled = ((line, document_title(lines.metadata(line), line.document)) for line in shown)
    write_rows(sys.stdout, CONCORDANCE_HEADER, concordance_rows(titled), args.format)
    return 0


def _view(corpus: Corpus, args: argparse.Namespace) -> View:
    filters: list[Filter] = [parse_filter(text) for text in args.where]
    filters += [near_filter(corpus.index, text, args.distance) for text in args.near]
    filters += [near_filter(corpus.index, text, args.distance, wanted=False) for text in args.not_near]
    rest = View(filters=tuple(filters), sample=args.sample, collapse=args.collapse, seed=args.seed)
    return merge_views(parse_sort(args.sort), rest)


def _lines(found: Concordance, width: int) -> Iterator[ConcordanceLine]:
    for first in range(0, len(found), _PAGE):
        yield from found.lines(first, first + _PAGE, width)


def run_next(args: argparse.Namespace) -> int:
    """Print the distribution of next tokens."""
    corpus = open_corpus(args)
    ids = corpus.encode(args.prompt)
    result = (
        corpus.infgram_next_tokens(ids)
        if args.n == "inf"
        else corpus.next_tokens(ids[len(ids) - _context(args.n, len(ids)) :])
    )
    if args.json:
        print_json(result)
        return 0
    print(f"# context of {result.context_length} tokens, occurs {result.context_count:,} times", file=sys.stderr)
    rows = zip(result.tokens.tolist(), result.counts.tolist(), result.probabilities.tolist(), strict=True)
    for token, count, probability in itertools.islice(rows, args.top):
        print(f"{probability:.4f}\t{count}\t{token}\t{show_token(corpus.index, token)}")
    return 0


def _context(n: str, available: int) -> int:
    if not n.isdecimal() or int(n) < 1:
        raise QueryError(f'--n must be a whole number from 1, or inf, not "{n}".')
    return min(int(n) - 1, available)
