"""keywords: the words that are more frequent, or rarer, than in a reference."""

from __future__ import annotations

import argparse

from explorer.analyses.keywords.keyness import KEYNESS
from explorer.analyses.keywords.question import KeywordsQuestion
from explorer.analyses.keywords.table import KeywordFacts, KeywordRecord
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.cli.options.common import add_index_arguments, open_corpus
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.options.rules import Rule
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
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.corpus import Corpus
from explorer.errors import QueryError
from explorer.i18n import counted

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
    group.add_argument("--against", metavar="FILE.tsv", help="compare with a word list: rank, frequency and word")
    add_settings(group, KeywordsQuestion, "top")
    add_top_argument(group, "most keywords, and most negative keywords")
    add_format_arguments(parser)


def run_keywords(args: argparse.Namespace) -> int:
    """Compare the frequencies of all words, and print the strongest keywords."""
    references = [given for given in (args.reference, args.field, args.against) if given is not None]
    if len(references) != 1:
        raise QueryError("Name one reference: an index, --field or --against.", reason="wrong-argument")
    settle_top(args)
    question, corpus = question_of(args, KeywordsQuestion), open_corpus(args)
    found = corpus.keywords(
        Corpus(BACKENDS.open(IndexRequest((args.reference,)))) if args.reference is not None else args.against,
        where=args.field,
        **question.arguments(),
        report=progress_bar(),
    )
    facts = KeywordFacts(question.unit, found.reference, found.total, found.reference_total, found.tested, tuple(found))
    # Files of tables have no facts of the whole, but what was compared with must be known with each.
    named = ("reference", "total", "reference_total", "tested")
    stated = tuple((name, str(getattr(facts, name))) for name in named)
    answer = Answer(KEYWORDS, facts.rows, corpus.index, facts, stated=stated)
    put_answer(answer, args, lambda _: _print(facts, args))
    return FINE


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
