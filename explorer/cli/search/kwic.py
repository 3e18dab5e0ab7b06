"""kwic and next."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.metadata.values import parse_filter
from explorer.analyses.next_tokens.next_words import next_words
from explorer.analyses.next_tokens.question import SAMPLED, NextTokensQuestion
from explorer.analyses.next_tokens.table import (
    NextFacts,
    NextWordsFacts,
    TokenRecord,
    WordRecord,
    next_facts,
    next_words_facts,
    token_records,
    word_records,
    words_before_facts,
    words_before_records,
)
from explorer.analyses.next_tokens.word_tree import BEFORE_LIMIT, TreeShape, tree_before
from explorer.analyses.search.arrange import Filter, LineSettings, merge_views, parse_sort, usual_sort
from explorer.analyses.search.concordance import ConcordanceRequest, concordance
from explorer.analyses.search.find import QueryOptions, near_filter
from explorer.analyses.search.query import show_token
from explorer.backends.protocol.protocol import NextTokens
from explorer.cli.options import ranges
from explorer.cli.options.common import (
    add_index_arguments,
    add_partial,
    add_remote_argument,
    open_corpus,
    query_argument,
    read_text_argument,
    require_utf8,
)
from explorer.cli.options.queries import (
    LINE_RULES,
    SORTED_LINE_RULES,
    add_query,
    add_query_options,
    find,
    query_options,
    refuse_unjoined,
    report_reading,
)
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import (
    FORMAT_RULES,
    JSON,
    JSONL,
    OUT_FILE,
    TEXT,
    Answer,
    add_format_arguments,
    add_out_argument,
    file_facts,
    format_of,
    names,
    put_answer,
    report_shortened,
)
from explorer.cli.output.saved import JSON_SUFFIX, out_file, suffixes
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import flush, is_terminal, progress_bar, put, put_cells, remark
from explorer.cli.parser import Parser
from explorer.corpus import Corpus
from explorer.corpus.results.search.concordance import LineRows
from explorer.errors import QueryError
from explorer.export.about import ABOUT
from explorer.export.lines import save_lines
from explorer.export.provenance import Facts, line_facts, query_facts
from explorer.export.records.line import LineRecord, LinesFacts, LineTable
from explorer.export.registry import LINES
from explorer.i18n import counted

_TABLE = "tsv"
_PRINTED_LINES = 20
_PRINTED_TOKENS = 20
_PRINTED_LEFT = 60
"""Characters of the left context in plain text."""

# They decide about lines that are printed or written, not about their number.
_OF_LISTED_LINES = (
    "--limit", "--width", "--characters", "--format", "--json", "--fields", "--squash", "--out", "--about", "--sort",
)  # fmt: skip
_TOLD_OF_LINES = frozenset(
    {
        "query", "literal", "match", "ignore_case", "whole_words", "variants", "distance", "exact", "where", "near",
        "not_near", "near_distance", "sample", "collapse", "seed", "sort", "width", "characters", "fields", "squash",
        "limit",
    }
)  # fmt: skip
"""Options of `kwic` that the facts of the query and its lines state, with what became of them."""
RULES = {
    "kwic": (
        *LINE_RULES,
        *(Rule(option, without=("--count",)) for option in _OF_LISTED_LINES),
        *FORMAT_RULES,
        Rule("--about", needs=(OUT_FILE,)),
        # Aligned lines have no columns.
        Rule("--fields", without=("--format text",)),
        # Lines in a file do not tell that others are missing.
        Rule("--partial", without=(OUT_FILE,)),
    ),
    "next": (Rule("--words", without=("--before",)), *FORMAT_RULES),
}
KWIC = Shape("kwic", LineRecord, LinesFacts)
NEXT, NEXT_WORDS = Shape("next", TokenRecord, NextFacts), Shape("next-words", WordRecord, NextWordsFacts)
SHAPES = {"kwic": (KWIC,), "next": (NEXT, NEXT_WORDS)}


def define_kwic(parser: Parser) -> None:
    """Define `kwic`."""
    add_index_arguments(parser)
    add_remote_argument(parser)
    add_partial(parser)
    add_query(parser)
    add_query_options(parser)
    _add_line_options(parser)
    add_filter_options(parser)
    _add_output_options(parser)


def _add_line_options(parser: Parser) -> None:
    """How many lines, how wide, in which order."""
    parser.add_argument(
        "--limit",
        type=ranges.LINES,
        metavar="N",
        help="lines to print; 0 prints all (default 20 as plain text, otherwise all)",
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
        help="right or left (alphabetical), index (order of the index, fastest), random, or up to three of "
        "5L … 5R, M, document, field:NAME (default right, or index where the index cannot sort; more than 1,000,000 "
        "lines stay in index order)",
    )


def add_near_options(parser: Parser) -> None:
    """Which hits, by what is near them."""
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


def add_filter_options(parser: Parser) -> None:
    """Which of the lines."""
    add_near_options(parser)
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
    add_format_arguments(parser, "", "text on a terminal, otherwise tsv", fields=False, out=False)
    parser.add_argument(
        "--fields",
        type=names,
        default=[],
        metavar="LIST",
        help="metadata fields to add as columns (comma-separated); JSON Lines include all fields by default",
    )
    parser.add_argument(
        "--squash",
        action="store_true",
        help="collapse white space, including line breaks, in files and JSON Lines; printed tsv and csv always do",
    )
    # Lines have formats of their own beside those of all records.
    add_out_argument(parser, tuple(dict.fromkeys((*suffixes(), *LINES.suffixes))))
    parser.add_argument(
        "--about",
        choices=ABOUT,
        default="beside",
        help="where to describe an exported file (query, index, seed …). beside: in OUT.about.json (default); "
        "inline: before its lines; none: nowhere. A workbook has a second sheet for this",
    )
    parser.beside_settings("about", "count")


def define_next(parser: Parser) -> None:
    """Define `next`."""
    add_index_arguments(parser)
    add_remote_argument(parser)
    parser.argument("prompt", "PROMPT", 'text to continue; "-" reads standard input')
    group = parser.add_argument_group("next token")
    add_settings(group, NextTokensQuestion, "limit")
    group.add_argument(
        "--top",
        type=ranges.LINES,
        metavar="N",
        help="rows to print; 0 prints all (default 20 in plain text, otherwise all)",
    )
    group.add_argument(
        "--before",
        action="store_true",
        help="list the words before the context instead of those after it; of more than "
        f"{BEFORE_LIMIT:,} occurrences, a random sample is read and counts are estimates",
    )
    add_format_arguments(parser)


def run_kwic(args: argparse.Namespace) -> int:
    """Print KWIC lines, or write them to a file."""
    to_file = _file_of(args)
    query, options = query_argument(args), query_options(args)
    refuse_unjoined(args, options, (query,), SORTED_LINE_RULES)
    corpus = open_corpus(args, subset=False)
    # Before the query is searched for: a filter or an order that is not valid is reported at once. A number of lines
    # needs no order.
    order = LineSettings() if args.count else parse_sort(args.sort or usual_sort(corpus.index))
    view, report = merge_views(order, filters_of(corpus, args, options)), progress_bar()
    found = find(corpus, query, options)
    report_reading(corpus, found, options)
    lines = concordance(corpus.index, ConcordanceRequest(found.parts, found.numbers, view), corpus.columns, report)
    if args.count:
        count = len(lines)
        put_cells(f"≥ {count}" if corpus.index.missing else count, query)
        return FINE
    if lines.arranged.unsorted:
        remark(f"{len(lines):,} lines are too many to sort and stay in index order")
    limit = _limit(args)
    about: Facts = ()
    if to_file is not None:
        asked = (*query_facts(found), *line_facts(view, lines))
        about = (*file_facts(args, corpus.index, but=_TOLD_OF_LINES), *asked)
    fields = tuple(args.fields)
    # A mistyped field would be an empty column.
    for field in fields:
        corpus.columns.require(field)
    # Only these lines are read, although sorting may have looked at all of them.
    numbers = None if limit is None else range(min(limit, len(lines)))
    table = LineTable(lines, args.width, args.characters, fields, about, numbers, args.squash)
    if to_file is not None and to_file.suffix.lower() in LINES.suffixes:
        save_lines(to_file, replace(table, whole=True), report, about=args.about)
        return FINE
    if to_file is not None and to_file.suffix.lower() != JSON_SUFFIX:
        # A format of typed tables.
        LineRows(table, corpus.columns, lambda: about).write(to_file, about=args.about != "none")
        return FINE
    # Now: a part may have been lost after the query was searched for.
    exact = found.exact and lines.arranged.exact and not corpus.index.missing
    facts = LinesFacts(found.query, str(found.parsed), found.parsed.echo, len(lines), exact)
    print_lines(table, args, KWIC, facts, {"limit": limit})
    if limit is not None and _line_format(args) == TEXT:
        report_shortened(args, min(limit, len(lines)), len(lines), "--limit 0", "lines")
    return FINE


def _file_of(args: argparse.Namespace) -> Path | None:
    to_file = out_file(args.out)
    # The object describes its lines itself.
    if "--about" in args.given and to_file is not None and to_file.suffix.lower() == JSON_SUFFIX:
        raise QueryError("--about cannot be used with --out FILE.json.", reason="options-exclude")
    return to_file


def print_lines(
    table: LineTable, args: argparse.Namespace, shape: Shape, facts: object, settings: Mapping[str, Any]
) -> None:
    """Print lines in the format that the arguments name.

    args: The parsed command line, with the options of `add_format_arguments`.
    settings: Settings whose value is another one than was typed.
    """
    default = _line_format(args)
    if default not in (JSON, JSONL) and out_file(args.out) is None:
        # A row is one line here, whatever its texts contain. A format that is named has the columns of its files.
        table = replace(table, squash=True, whole=args.format is not None)
    answer = Answer(shape, table.records(), table.lines.index, facts, settings, columns=table.header, cells=table.cells)
    put_answer(answer, args, _print_aligned, default)


def _print_aligned(records: Iterable[LineRecord]) -> None:
    for record in records:
        # The match is at the same place in each line, as in a concordance on paper.
        left = " ".join(record.left.split())[-_PRINTED_LEFT:]
        right = " ".join(record.right.split())
        put(f"{left:>{_PRINTED_LEFT}} [{record.match.strip()}] {right}")
        flush()


def _limit(args: argparse.Namespace) -> int | None:
    """The number of lines to print; None: all."""
    if args.limit is None:
        return _PRINTED_LINES if _line_format(args) == TEXT and args.out is None else None
    return args.limit or None


def _line_format(args: argparse.Namespace) -> str:
    """The format of lines: aligned on a terminal, and a table for a program that reads them."""
    aligned = is_terminal() and args.out is None and not args.fields
    return format_of(args, TEXT if aligned else _TABLE)


def filters_of(corpus: Corpus, args: argparse.Namespace, options: QueryOptions) -> LineSettings:
    """Filters, sample and merging as the arguments name them, without an order.

    args: The parsed command line, with the options of `add_filter_options`.
    options: How the query is matched, and so are words nearby.
    Raises `QueryError` if a condition is not valid.
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
    prompt = read_text_argument(args, "prompt")
    corpus = open_corpus(args)
    ids = corpus.encode(prompt)
    # What an index elsewhere counts may be a sample, which the answer states.
    limit = SAMPLED if corpus.index.capabilities.missing("next_tokens") else None
    question = question_of(args, NextTokensQuestion, limit=limit)
    if args.before:
        return _run_words_before(corpus, prompt, _context(corpus, ids, question), args)
    if question.words:
        return _run_next_words(corpus, prompt, _context(corpus, ids, question), args)
    if question.n is None:
        result = corpus.infgram_next_tokens(ids, question.limit)
    else:
        result = corpus.next_tokens(_context(corpus, ids, question), question.limit)
    # Other formats than text are for programs and have every token by default. 0 means all in all formats.
    top = _top(args)
    records = token_records(corpus.index, result, top)
    answer = Answer(NEXT, records, corpus.index, next_facts(prompt, result), {"top": top})
    put_answer(answer, args, lambda found: _print_tokens(found, result, corpus, args))
    return FINE


def _top(args: argparse.Namespace) -> int | None:
    """The number of rows to print; None: all."""
    if args.top is None:
        return _PRINTED_TOKENS if format_of(args) == TEXT and args.out is None else None
    return args.top or None


def _print_tokens(records: Iterable[TokenRecord], result: NextTokens, corpus: Corpus, args: argparse.Namespace) -> None:
    shown = 0
    _report_context(args, result.context_length, result.context_count)
    if not result.exact:
        remark(f"≈ estimated from a sample of {counted('occurrence', result.sample_size)}")
    for row in records:
        # Not the text of the record: here a space is a sign that can be seen.
        put_cells(f"{row.probability:.4f}", row.count, row.token, show_token(corpus.index, row.token))
        shown += 1
    report_shortened(args, shown, len(result.tokens), "--top 0", "tokens")


def _report_context(args: argparse.Namespace, length: int, count: int) -> None:
    """Report what the distribution is based on, which may be less than the prompt."""
    what = "longest context found" if args.n is None else "context"
    remark(f"{what}: {counted('token', length)} ({counted('occurrence', count)})")


def _run_next_words(corpus: Corpus, prompt: str, context: NDArray[np.int64], args: argparse.Namespace) -> int:
    index = corpus.index
    found = next_words(index, context)
    facts = next_words_facts(prompt, len(context), index.hits.find(context).count, found)
    top = _top(args)
    answer = Answer(NEXT_WORDS, word_records(found, top), index, facts, {"top": top})
    put_answer(answer, args, lambda records: _print_words(records, facts, args))
    return FINE


def _context(corpus: Corpus, ids: NDArray[np.int64], question: NextTokensQuestion) -> NDArray[np.int64]:
    """The end of a prompt that is used: the longest that occurs, or as many tokens as were asked for."""
    return ids[len(ids) - question.length(ids, corpus.index.counts) :]


def _run_words_before(corpus: Corpus, prompt: str, context: NDArray[np.int64], args: argparse.Namespace) -> int:
    if not len(context):
        raise QueryError("No words are before an empty context.", reason="empty-query")
    # By default as many as for the words after a context.
    top = _top(args)
    # One depth only: the tree of the window opens each word again.
    tree = tree_before(corpus.index, context, TreeShape((BEFORE_LIMIT if top is None else top,)))
    facts = words_before_facts(prompt, len(context), tree)
    answer = Answer(NEXT_WORDS, words_before_records(tree), corpus.index, facts, {"top": top})
    put_answer(answer, args, lambda records: _print_words(records, facts, args))
    return FINE


def _print_words(records: Iterable[WordRecord], facts: NextWordsFacts, args: argparse.Namespace) -> None:
    shown = 0
    _report_context(args, facts.context_length, facts.context_count)
    if not facts.exact:
        # After a context, the most frequent branches are read; before it, a sample is.
        means = ": counts are lower bounds, and words may be missing"
        if args.before:
            means = " at random: counts are estimates"
        remark(f"read {facts.sample_size:,} of {facts.total_count:,} places{means}")
    for word in records:
        # Quoted, since a word may be a comma; what is not a text has its name.
        shown += 1
        name = f"<{word.kind}>{word.text}" if word.kind in ("begin", "end", "token") else repr(word.insert)
        put_cells(f"{word.probability:.4f}", word.count, name)
    if shown == _top(args):
        report_shortened(args, shown, more="--top 0", what="words")
