"""keywords: the words that are more frequent, or rarer, than in a reference."""

from __future__ import annotations

import argparse

from explorer.analyses.keywords.compute import CORRECTIONS
from explorer.analyses.keywords.table import KeywordFacts, KeywordRecord
from explorer.api import Corpus
from explorer.api.results.keywords import Keywords
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.cli import ranges
from explorer.cli.codes import FINE
from explorer.cli.common import add_index_arguments, add_stop_list, open_corpus, stop_words
from explorer.cli.envelope import (
    FORMAT_RULES,
    Answer,
    add_format_arguments,
    add_top_argument,
    put_answer,
    report_shortened,
    settle_top,
)
from explorer.cli.parser import Parser
from explorer.cli.rules import Rule
from explorer.cli.shapes import Shape
from explorer.cli.terminal import progress_bar, put
from explorer.errors import QueryError
from explorer.i18n import counted
from explorer.statistics.keyness import KEYNESS

KEYWORDS = Shape("keywords", KeywordRecord, KeywordFacts)
SHAPES = {"keywords": (KEYWORDS,)}
RULES = {
    "keywords": (
        *FORMAT_RULES,
        Rule("--field", without=("--against",)),
        Rule("--exclude-missing", needs=("--field",)),
        Rule("--against", without=("--unit tokens",)),
    )
}


def define_keywords(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument("reference", "REFERENCE", "index to compare with", nargs="?")
    group = parser.add_argument_group("keywords")
    group.add_argument("--field", metavar="NAME=VALUE", help="compare the documents that meet this with the rest")
    group.add_argument(
        "--exclude-missing", action="store_true", help="with --field: exclude documents without a value of it"
    )
    group.add_argument("--against", metavar="FILE.tsv", help="compare with a word list: rank, frequency and word")
    group.add_argument(
        "--unit", choices=("words", "tokens"), default="words", help="what is counted: words, in lower case, or tokens"
    )
    group.add_argument(
        "--sort",
        choices=tuple(KEYNESS),
        default="g2",
        # A list of all in braces is longer than a line of a manual page.
        metavar="MEASURE",
        help=f"the measure to sort by (default g2): {', '.join(KEYNESS)}",
    )
    group.add_argument(
        "--min-count", type=ranges.TOKENS, default=5, metavar="C", help="the least count in either (default 5)"
    )
    group.add_argument(
        "--min-documents", type=ranges.TOKENS, default=1, metavar="D",
        help="the least documents of the side where a word is more frequent (default 1)",
    )  # fmt: skip
    group.add_argument(
        "--min-d-a", type=ranges.real(0, 1), metavar="D", help="the least D_A over the documents of that side, 0 to 1"
    )
    add_stop_list(group, "words that are not listed")
    group.add_argument("--details", action="store_true", help="measure D_A, the spread over documents, of each row")
    add_top_argument(group, "most keywords, and most negative keywords")
    group.add_argument(
        "--correction", choices=(*CORRECTIONS, "none"), default="holm", help="correction of p for many tests"
    )
    group.add_argument(
        "--k", type=ranges.real(0, 1e6, above=True), default=1.0, metavar="K", help="constant of simple maths"
    )
    add_format_arguments(parser)


def run_keywords(args: argparse.Namespace) -> int:
    """Compare the frequencies of all words, and print the strongest keywords."""
    references = [given for given in (args.reference, args.field, args.against) if given is not None]
    if len(references) != 1:
        raise QueryError("Name one reference: an index, --field or --against.", reason="wrong-argument")
    settle_top(args)
    corpus = open_corpus(args)
    found = corpus.keywords(
        Corpus(BACKENDS.open(IndexRequest((args.reference,)))) if args.reference is not None else args.against,
        where=args.field,
        unit=args.unit,
        measure=args.sort,
        min_count=args.min_count,
        min_documents=args.min_documents,
        min_d_a=args.min_d_a,
        stop=stop_words(args.stop),
        details=args.details,
        exclude_missing=args.exclude_missing,
        top=args.top,
        correction=None if args.correction == "none" else args.correction,
        k=args.k,
        report=progress_bar(),
    )
    facts = _facts(found, args.unit)
    # Files of tables have no facts of the whole, but what was compared with must be known with each.
    named = ("reference", "total", "reference_total", "tested")
    stated = tuple((name, str(getattr(facts, name))) for name in named)
    answer = Answer(KEYWORDS, facts.rows, corpus.index, facts, stated=stated)
    put_answer(answer, args, lambda _: _print(facts, args))
    return FINE


def _facts(found: Keywords, unit: str) -> KeywordFacts:
    return KeywordFacts(unit, found.reference, found.total, found.reference_total, found.tested, tuple(found))


def _print(facts: KeywordFacts, args: argparse.Namespace) -> None:
    measure, spread = args.sort, args.details or args.min_d_a is not None
    total = counted(facts.unit.removesuffix("s"), facts.total)
    tested = f"{counted(facts.unit.removesuffix('s'), facts.tested)} tested"
    part = "" if args.field is None else f" where {args.field}"
    put(f"{total}{part}, against {facts.reference_total:,} of {facts.reference}; {tested}")
    head = f" {'D_A':>9} {'reference':>9}" if spread else ""
    for title, positive in (("keywords", True), ("negative keywords", False)):
        rows = [row for row in facts.rows if row.positive is positive]
        if not facts.tested:
            put("No word occurs that often. Try a smaller --min-count.")
            return
        if not rows:
            put(f"No {title}.")
            continue
        put(f"{KEYNESS[measure].label:>16} {'count':>11} {'reference':>11} {'documents':>10}{head}  {title}")
        for row in rows:
            value = getattr(row, measure)
            shown = _told(value)
            more = f" {_told(row.d_a):>9} {_told(row.reference_d_a):>9}" if spread else ""
            put(f"{shown:>16} {row.count:>11,} {row.reference_count:>11,} {row.documents:>10,}{more}  {row.form or ''}")
        if len(rows) == args.top:
            report_shortened(args, len(rows))


def _told(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.4f}"
