"""kwic and next."""

from __future__ import annotations

import argparse
import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.api import Corpus
from explorer.backends.protocol import NextTokens
from explorer.cli import ranges
from explorer.cli.codes import FINE
from explorer.cli.common import (
    STDOUT,
    add_index_arguments,
    add_json_argument,
    open_corpus,
    read_argument,
    read_query,
    require_utf8,
)
from explorer.cli.parser import Parser
from explorer.cli.queries import LINE_RULES, add_query, add_query_options, find, query_options, report_echo
from explorer.cli.rules import Rule, refuse_unused
from explorer.cli.terminal import progress_bar, put_cells, put_json, put_json_line, put_rows, remark
from explorer.errors import QueryError
from explorer.export.about import ABOUT
from explorer.export.lines import save_lines
from explorer.export.provenance import Facts, index_facts, query_facts
from explorer.export.records.line import LineTable, as_object
from explorer.export.registry import LINES, TABLES
from explorer.i18n import counted
from explorer.search.arrange import Filter, LineSettings, merge_views, parse_sort
from explorer.search.concordance import ConcordanceRequest, concordance
from explorer.search.find import QueryOptions, near_filter
from explorer.search.next_words import WordKind, next_words
from explorer.search.query import show_token
from explorer.search.values import parse_filter
from explorer.search.word_tree import BEFORE_LIMIT, TreeShape, tree_before

_PRINTED_LINES = 20
_PRINTED_TOKENS = 20

# They decide about lines that are printed or written, not about their number.
_OF_LISTED_LINES = (
    "--limit", "--width", "--characters", "--format", "--fields", "--squash", "--out", "--about", "--sort",
)  # fmt: skip
RULES = {
    "kwic": (
        *LINE_RULES,
        *(Rule(option, without=("--count",)) for option in _OF_LISTED_LINES),
    ),
}
# A fact, not an option: `--out -` is printed like any other list and follows the rules of printing.
_OUT_FILE = "--out FILE"
_KWIC_FILE_RULES = (
    Rule("--format", without=(_OUT_FILE,)),
    Rule("--about", needs=(_OUT_FILE,)),
)


def define_kwic(parser: Parser) -> None:
    """Define `kwic`."""
    add_index_arguments(parser)
    add_query(parser)
    add_query_options(parser)
    _add_line_options(parser)
    add_filter_options(parser)
    _add_output_options(parser)


def _add_line_options(parser: Parser) -> None:
    """How many lines, how wide, in which order."""
    parser.add_argument(
        "--limit", type=ranges.LINES, metavar="N", help="lines to print; 0 prints all (default 20, or all with --out)"
    )
    parser.add_argument(
        "--width",
        type=ranges.CONTEXT_TOKENS,
        default=10,
        metavar="N",
        help="tokens of context on each side (default 10)",
    )
    parser.add_argument("--characters", action="store_true", help="count --width in characters")
    parser.add_argument("--count", action="store_true", help="print the number of lines only")
    parser.add_argument(
        "--sort",
        default="right",
        help="right or left (alphabetical), index (order of the index, fastest), random, or up to three of "
        "5L … 5R, M, document, field:NAME (default right; more than 1,000,000 lines stay in index "
        "order)",
    )


def add_filter_options(parser: Parser) -> None:
    """Which of the lines."""
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
    parser.add_argument(
        "--near-distance",
        type=ranges.DISTANCE,
        metavar="N",
        help="maximum distance in tokens of --near and --not-near (default: as --distance)",
    )
    parser.add_argument("--sample", type=ranges.SAMPLE, default=0, metavar="N", help="list a random sample of N lines")
    parser.add_argument(
        "--collapse",
        type=ranges.COLLAPSE_TOKENS,
        default=0,
        metavar="N",
        help="merge lines whose context is identical within N tokens",
    )
    parser.add_argument("--seed", type=ranges.SEED, default=0, metavar="N", help="seed for all random choices")


def _add_output_options(parser: Parser) -> None:
    """Where the lines go, and what they contain."""
    parser.add_argument("--format", choices=TABLES.ids, default="tsv", help="output format (default tsv)")
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
        "--out", metavar="OUT", help=f'write all lines to a file ({", ".join(LINES.ids)}); "-": standard output'
    )
    parser.add_argument(
        "--about",
        choices=ABOUT,
        default="beside",
        help="where to describe an exported file (query, index, seed …). beside: in OUT.about.json (default); "
        "inline: before its lines; none: nowhere. A workbook has a second sheet for this",
    )


def define_next(parser: Parser) -> None:
    """Define `next`."""
    add_index_arguments(parser)
    parser.argument("prompt", "PROMPT", 'text to continue; "-" reads standard input')
    parser.add_argument(
        "--n",
        type=ranges.context,
        metavar="N",
        help="length of the context plus the next token: a number, or inf (default)",
    )
    parser.add_argument(
        "--top", type=ranges.LINES, metavar="N", help="rows to print; 0 prints all (default 20, or all with --json)"
    )
    parser.add_argument(
        "--words",
        action="store_true",
        help="list whole words, whatever tokens they consist of; after part of a word, the rest of it",
    )
    parser.add_argument(
        "--before",
        action="store_true",
        help="list the words before the context instead of those after it; of more than "
        f"{BEFORE_LIMIT:,} occurrences, a random sample is read and counts are estimates",
    )
    add_json_argument(parser)


def run_kwic(args: argparse.Namespace) -> int:
    """Print KWIC lines, or write them to a file."""
    to_file = args.out is not None and args.out != STDOUT
    refuse_unused({*args.given, *[_OUT_FILE] * to_file}, _KWIC_FILE_RULES)
    query = read_query(args.query)
    corpus = open_corpus(args)
    options = query_options(args)
    # Before the query is searched for: a filter or an order that is not valid is reported at once. A number of lines
    # needs no order.
    order = LineSettings() if args.count else parse_sort(args.sort)
    view, report = merge_views(order, filters_of(corpus, args, options)), progress_bar()
    found = find(corpus, query, options)
    report_echo(found.parsed)
    lines = concordance(corpus.index, ConcordanceRequest(found.parts, found.numbers, view), corpus.columns, report)
    if args.count:
        put_cells(len(lines), query)
        return FINE
    if lines.arranged.unsorted:
        remark(f"{len(lines):,} lines are too many to sort and stay in index order")
    limit = _limit(args)
    about: Facts = ()
    if to_file:
        about = (*index_facts(corpus.index), *query_facts(found, options, view, lines))
    fields = tuple(name.strip() for name in args.fields.split(",") if name.strip())
    # A mistyped field would be an empty column.
    for field in fields:
        corpus.columns.require(field)
    # Only these lines are read, although sorting may have looked at all of them.
    numbers = None if limit is None else range(min(limit, len(lines)))
    table = LineTable(lines, args.width, args.characters, fields, about, numbers, args.squash)
    if to_file:
        save_lines(Path(args.out), table, report, about=args.about)
    else:
        print_lines(table, args.format)
    return FINE


def print_lines(table: LineTable, form: str) -> None:
    """Print lines as a table or as JSON Lines.

    Parameters
    ----------
    table
        The lines.
    form
        An id of `TABLES`.
    """
    if TABLES.named(form).is_json:
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


def filters_of(corpus: Corpus, args: argparse.Namespace, options: QueryOptions) -> LineSettings:
    """Filters, sample and merging as the arguments name them, without an order.

    Parameters
    ----------
    corpus
        The opened index.
    args
        The parsed command line, with the options of `add_filter_options`.
    options
        How the query is matched, and so are words nearby.

    Returns
    -------
    LineSettings
        The view.

    Raises
    ------
    QueryError
        If a condition is not valid.
    """
    # Tokens are found with and without a space before them, whatever the variants of the query are.
    near = replace(options, variants=())
    filters: list[Filter] = [parse_filter(text) for text in args.where]
    distance = args.distance if args.near_distance is None else args.near_distance
    filters += [near_filter(corpus.index, require_utf8(text), distance, True, near) for text in args.near]
    filters += [near_filter(corpus.index, require_utf8(text), distance, False, near) for text in args.not_near]
    # The seed decides a random order as well as the sample.
    return LineSettings(filters=tuple(filters), sample=args.sample, collapse=args.collapse, seed=args.seed)


def run_next(args: argparse.Namespace) -> int:
    """Print the distribution of next tokens."""
    prompt = read_argument(args.prompt)
    corpus = open_corpus(args)
    ids = corpus.encode(prompt)
    if args.before:
        return _print_words_before(corpus, ids, args)
    if args.words:
        return _print_next_words(corpus, ids, args)
    if args.n is None:
        result = corpus.infgram_next_tokens(ids)
    else:
        # n counts the next token: of an n-gram, n - 1 tokens are the context. A shorter prompt is used as it is.
        result = corpus.next_tokens(ids[len(ids) - min(args.n - 1, len(ids)) :])
    if args.json:
        # JSON is for programs and has every token by default; a screen shows the first ones. 0 means all in both.
        put_json(_first(result, args.top or len(result.tokens)))
        return FINE
    remark(f"context of {counted('token', result.context_length)}, occurs {counted('time', result.context_count)}")
    top = _PRINTED_TOKENS if args.top is None else args.top or None
    rows = zip(result.tokens.tolist(), result.counts.tolist(), result.probabilities.tolist(), strict=True)
    for token, count, probability in itertools.islice(rows, top):
        put_cells(f"{probability:.4f}", count, token, show_token(corpus.index, token))
    return FINE


def _print_next_words(corpus: Corpus, ids: NDArray[np.int64], args: argparse.Namespace) -> int:
    index, context = corpus.index, _context(corpus, ids, args)
    found = next_words(index, context)
    occurs = index.hits.find(context).count
    if args.json:
        words = [
            {"text": word.text, "kind": word.kind.value, "insert": word.insert, "count": word.count}
            for word in found.words[: args.top or None]
        ]
        facts = {"context_length": len(context), "context_count": occurs, "total": found.total, "exact": found.exact}
        put_json({**facts, "distinct": len(found.words), "words": words})
        return FINE
    remark(f"context of {counted('token', len(context))}, occurs {counted('time', occurs)}")
    if not found.exact:
        remark(f"read {found.counted:,} of {found.total:,} places: counts are lower bounds, and words may be missing")
    top = _PRINTED_TOKENS if args.top is None else args.top or None
    for word in found.words[:top]:
        # Quoted, since a word may be a comma; what is not a text has its name.
        shown = f"<{word.kind.value}>{word.text}" if word.kind.value in ("end", "token") else repr(word.insert)
        put_cells(f"{word.count / max(1, found.total):.4f}", word.count, shown)
    return FINE


def _context(corpus: Corpus, ids: NDArray[np.int64], args: argparse.Namespace) -> NDArray[np.int64]:
    """The end of a prompt that is used: the longest that occurs, or as many tokens as were asked for."""
    length = corpus.index.counts.longest_suffix(ids) if args.n is None else min(args.n - 1, len(ids))
    return ids[len(ids) - length :]


def _print_words_before(corpus: Corpus, ids: NDArray[np.int64], args: argparse.Namespace) -> int:
    context = _context(corpus, ids, args)
    if not len(context):
        raise QueryError("No words are before an empty context.", reason="empty-query")
    # By default as many as for the words after a context, on a screen and as JSON.
    top = (None if args.json else _PRINTED_TOKENS) if args.top is None else args.top or None
    # One depth only: the tree of the window opens each word again.
    tree = tree_before(corpus.index, context, TreeShape((BEFORE_LIMIT if top is None else top,)))
    # The kind of both is "end" in a tree, which is drawn on one side; in a list it would be misread.
    kinds = ["begin" if node.kind is WordKind.END else node.kind.value for node in tree.branches]
    if args.json:
        words = [
            {"text": node.text, "kind": kind, "insert": node.joined, "count": node.count}
            for node, kind in zip(tree.branches, kinds, strict=True)
        ]
        facts = {"context_length": len(context), "context_count": tree.total, "total": tree.total, "exact": tree.exact}
        put_json({**facts, "looked_at": tree.looked_at, "distinct": tree.different, "words": words})
        return FINE
    remark(f"context of {counted('token', len(context))}, occurs {counted('time', tree.total)}")
    if not tree.exact:
        remark(f"read {tree.looked_at:,} of {tree.total:,} places at random: counts are estimates")
    for node, kind in zip(tree.branches, kinds, strict=True):
        shown = f"<{kind}>{node.text}" if kind in ("begin", "token") else repr(node.joined)
        put_cells(f"{node.share:.4f}", node.count, shown)
    return FINE


def _first(result: NextTokens, top: int) -> NextTokens:
    return replace(result, tokens=result.tokens[:top], counts=result.counts[:top])
