"""count, kwic and next."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from explorer.cli.common import Commands, add_index_arguments, add_json_argument, open_corpus, print_json
from explorer.corpus.document import document_title
from explorer.errors import QueryError
from explorer.export.tables import CONCORDANCE_HEADER, FORMATS, concordance_rows, write_rows
from explorer.search.concordance import Concordance, ConcordanceLine
from explorer.search.query import VARIANTS, find_phrase, show_token

_PAGE = 1000


@dataclass(frozen=True)
class CountResult:
    """One query of the count command."""

    query: str
    count: int
    per_million: float
    variants: dict[str, int]


def add_commands(commands: Commands) -> None:
    """Define the three commands."""
    count = commands.add_parser("count", help="how often texts occur")
    add_index_arguments(count)
    count.add_argument("query", metavar="QUERY", nargs="+")
    _add_variants(count)
    add_json_argument(count)
    count.set_defaults(run=run_count)

    kwic = commands.add_parser("kwic", help="occurrences in their contexts")
    add_index_arguments(kwic)
    kwic.add_argument("query", metavar="QUERY")
    _add_variants(kwic)
    kwic.add_argument("--limit", type=int, default=20, help="lines to print (default 20; 0: all)")
    kwic.add_argument("--width", type=int, default=10, help="tokens on each side (default 10)")
    kwic.add_argument(
        "--sort", default="right", help="right, left, random, or up to three of 5L … 1R, M, document, field:NAME"
    )
    kwic.add_argument("--seed", type=int, default=0, help="seed of --sort random")
    kwic.add_argument("--format", choices=FORMATS, default="tsv")
    kwic.set_defaults(run=run_kwic)

    following = commands.add_parser("next", help="which tokens follow a text")
    add_index_arguments(following)
    following.add_argument("prompt", metavar="PROMPT")
    following.add_argument("--n", default="inf", help="context and token together: a number, or inf (default)")
    following.add_argument("--top", type=int, default=20, help="tokens to print (default 20)")
    add_json_argument(following)
    following.set_defaults(run=run_next)


def _add_variants(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--variants",
        type=lambda text: [name for name in text.split(",") if name],
        default=[],
        metavar="LIST",
        help=f"spellings to count as well: {', '.join(VARIANTS)} (comma-separated)",
    )


def run_count(args: argparse.Namespace) -> int:
    """Print a count for each query."""
    corpus = open_corpus(args)
    results = []
    for query in args.query:
        phrase = find_phrase(corpus.index, query, args.variants)
        counts = {variant.text: variant.matches.count for variant in phrase.variants}
        results.append(CountResult(query, phrase.count, phrase.per_million, counts))
    if args.json:
        print_json(results[0] if len(results) == 1 else results)
    else:
        for result in results:
            print(f"{result.count}\t{result.query}")
    return 0


def run_kwic(args: argparse.Namespace) -> int:
    """Print KWIC lines."""
    if args.width < 0 or args.limit < 0:
        raise QueryError("--width and --limit must not be negative.")
    corpus = open_corpus(args)
    if not args.query.strip():
        raise QueryError("The query is empty. Type a word or a phrase.")
    found = corpus.concordance(args.query, variants=args.variants, sort=args.sort, seed=args.seed)
    lines = itertools.islice(_lines(found, args.width), args.limit or None)
    titled = ((line, document_title(found.metadata(line), line.document)) for line in lines)
    write_rows(sys.stdout, CONCORDANCE_HEADER, concordance_rows(titled), args.format)
    return 0


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
