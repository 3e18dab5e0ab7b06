"""breakdown and dispersion: what the lines of a query add up to."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from explorer.analyses.breakdown.facets import count_tokens, dispersion, facet
from explorer.analyses.dispersion.question import DispersionQuestion
from explorer.analyses.dispersion.table import DispersionRecord, WordDispersionFacts
from explorer.analyses.search.arrange import LineSettings
from explorer.analyses.search.concordance import Concordance, ConcordanceRequest, concordance
from explorer.analyses.search.find import QueryResult
from explorer.cli.options.common import add_index_arguments, open_corpus, query_argument
from explorer.cli.options.queries import (
    JOINED_LINE_RULES,
    LINE_RULES,
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
    Answer,
    add_format_arguments,
    add_top_argument,
    file_facts,
    put_answer,
    report_shortened,
    settle_top,
)
from explorer.cli.output.saved import check_out
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put, put_cells
from explorer.cli.parser import Parser, UsageError
from explorer.cli.search.kwic import add_filter_options, filters_of
from explorer.corpus import Corpus
from explorer.corpus.results.origin import asked_of
from explorer.corpus.results.statistics.strips import DispersionStrips
from explorer.corpus.statistics.strips import dispersion_strips
from explorer.export.cells import plain_cell
from explorer.export.figure import Paper
from explorer.export.records.record import as_object
from explorer.export.records.spread import (
    BreakdownFacts,
    QueryFacts,
    SpreadRecord,
    ValueRecord,
    breakdown_facts,
    spread_record,
    value_records,
)
from explorer.export.registry import FIGURES

_TABLE = "tsv"
# Parts beyond which Juilland's D and Carroll's D2 are near 1 for most words.
_MANY = 100
_OF_LINES = (
    "--literal", "--match", "--ignore-case", "--whole-words", "--exact", "--variants", "--distance", "--near",
    "--not-near", "--near-distance", "--sample", "--collapse", "--seed",
)  # fmt: skip
RULES = {
    "breakdown": (*LINE_RULES, *FORMAT_RULES),
    "dispersion": (
        *LINE_RULES,
        *FORMAT_RULES,
        Rule("--words", without=_OF_LINES),
        *(Rule(option, needs=("--words",)) for option in ("--by", "--slices", "--top", "--min-count", "--form")),
        *(Rule(option, without=("--form",)) for option in ("--top", "--min-count")),
        Rule("--plot", needs=("--form",)),
        Rule("--by", without=("--slices",)),
    ),
}
BREAKDOWN = Shape("breakdown", ValueRecord, BreakdownFacts)
DISPERSION = Shape("dispersion", SpreadRecord, QueryFacts)
WORDS = Shape("word-dispersion", DispersionRecord, WordDispersionFacts)
SHAPES = {"breakdown": (BREAKDOWN,), "dispersion": (DISPERSION, WORDS)}


def define_breakdown(parser: Parser) -> None:
    """Define `breakdown`."""
    _define(parser)
    parser.add_argument("--by", metavar="FIELD", required=True, help="metadata field whose values are counted")
    add_format_arguments(parser, _TABLE)


def define_dispersion(parser: Parser) -> None:
    """Define `dispersion`."""
    _define(parser, nargs="?")
    group = parser.add_argument_group("words")
    group.add_argument("--words", action="store_true", help="in place of QUERY: one row per word, most frequent first")
    group.add_argument(
        "--form",
        action="append",
        default=[],
        metavar="WORD",
        help="only this word, or several in a row; repeat it to compare words",
    )
    group.add_argument(
        "--plot",
        metavar="OUT",
        help=f"draw where the words of --form are: one line per part ({', '.join(FIGURES.suffixes)})",
    )
    add_settings(group, DispersionQuestion, "top")
    add_top_argument(group)
    parser.beside_settings("plot")
    add_format_arguments(parser)


def _define(parser: Parser, nargs: str | None = None) -> None:
    add_index_arguments(parser)
    add_query(parser, nargs)
    add_query_options(parser)
    add_filter_options(parser)


def run_breakdown(args: argparse.Namespace) -> int:
    """Print one row per value: its lines, documents and tokens.

    Raises `CorpusError` if the index cannot be opened or the query cannot be answered.
    """
    corpus, query, lines, filters = _lines(args)
    report = progress_bar()
    found = facet(lines, args.by, corpus.columns, report)
    # With the tokens of each value, so that rates of different values can be compared.
    counted = count_tokens(found, corpus.index, corpus.columns, filters.filters, report)
    facts = breakdown_facts(query.query, counted)
    put_answer(Answer(BREAKDOWN, value_records(counted), corpus.index, facts), args, _print_values)
    return FINE


def _print_values(records: Iterable[ValueRecord]) -> None:
    for row in records:
        put_cells(row.line_count, f"{row.share:.1%}", row.value)


def run_dispersion(args: argparse.Namespace) -> int:
    """Print hits, documents, and Gries's DP; with --words, the measures of each word.

    Raises `CorpusError` if the index cannot be opened or the query cannot be answered.
    """
    if args.words:
        return _run_words(args)
    if args.query is None:
        raise UsageError("The following arguments are required: QUERY or --words.")
    corpus, query, lines, _ = _lines(args)
    facts = QueryFacts(query.query, str(query.parsed), query.parsed.echo)
    put_answer(Answer(DISPERSION, [spread_record(dispersion(lines))], corpus.index, facts), args, _print_spread)
    return FINE


def _print_spread(records: Iterable[SpreadRecord]) -> None:
    for record in records:
        for name, value in as_object(record).items():
            put_cells(name, plain_cell(value))


def _run_words(args: argparse.Namespace) -> int:
    if args.query is not None:
        raise UsageError("QUERY cannot be used with --words.")
    if args.plot is not None:
        # Before the work, which takes minutes in a large index.
        check_out(Path(args.plot), FIGURES.suffixes)
    settle_top(args)
    corpus = open_corpus(args)
    parts, missing = "slices" if args.slices is not None else args.by or "documents", list[str]()
    if args.form:
        strips = dispersion_strips(corpus, args.form, by=args.by, slices=args.slices, report=progress_bar())
        facts = WordDispersionFacts(parts, strips.parts, strips.total, strips.measures)
        missing = [form for form in strips.forms if form not in {row.form for row in facts.rows}]
        if args.plot is not None:
            _plot(corpus, strips, args)
    else:
        found = corpus.dispersion(**question_of(args, DispersionQuestion).arguments(), report=progress_bar())
        facts = WordDispersionFacts(parts, found.parts, found.total, tuple(found))
    put_answer(Answer(WORDS, facts.rows, corpus.index, facts), args, lambda _: _print_words(facts, missing, args))
    return FINE


def _plot(corpus: Corpus, strips: DispersionStrips, args: argparse.Namespace) -> None:
    from explorer.analyses.dispersion.chart import DRAWN, strip_chart
    from explorer.cli.output.plots import save_plot

    title = f"Dispersion in {corpus.index.name}: {', '.join(strips.forms)}"
    chart = strip_chart(title, strips.forms, strips.strips(DRAWN), strips.met)
    facts = (*file_facts(args, corpus.index), *asked_of(strips))
    save_plot(replace(chart, facts=facts), Path(args.plot), Paper())


def _print_words(facts: WordDispersionFacts, missing: Sequence[str], args: argparse.Namespace) -> None:
    # One part takes the singular.
    parts = facts.parts.removesuffix("s" * (facts.part_count == 1))
    if facts.parts not in ("slices", "documents"):
        parts = f"{'value' if facts.part_count == 1 else 'values'} of {facts.parts}"
    put(f"{facts.total:,} {'word' if facts.total == 1 else 'words'}, over {facts.part_count:,} {parts}")
    for form in missing:
        put(f"{form} does not occur.")
    if missing and not facts.rows:
        return
    if not facts.rows:
        put("No word occurs that often. Try a smaller --min-count." if facts.total else "There are no words.")
        return
    titles = ("DP", "DPnorm", "D_A", "D", "D2", "S")
    put(f"{'count':>11} {'range':>9} " + " ".join(f"{title:>7}" for title in titles) + f" {'ARF':>11}  word")
    for row in facts.rows:
        values = (row.dp, row.dp_norm, row.d_a, row.juilland, row.carroll, row.rosengren)
        cells = " ".join(f"{'-' if value is None else f'{value:.4f}':>7}" for value in values)
        put(f"{row.count:>11,} {row.range:>9,} {cells} {row.arf:>11,.1f}  {row.form}")
    if not args.form and len(facts.rows) == args.top:
        report_shortened(args, len(facts.rows))
    if any(row.count < facts.part_count for row in facts.rows):
        put("A word with fewer hits than there are parts cannot be even: read count and range first.")
    if facts.part_count > _MANY:
        put(f"D and D2 tell little over more than {_MANY} parts.")


def _lines(args: argparse.Namespace) -> tuple[Corpus, QueryResult, Concordance, LineSettings]:
    # The query first: standard input is at hand, and an index may take long to open.
    query, options = query_argument(args), query_options(args)
    refuse_unjoined(args, options, (query,), JOINED_LINE_RULES)
    corpus = open_corpus(args, subset=False)
    # Without an order: no sum depends on it, and sorting takes time.
    view = filters_of(corpus, args, options)
    found = find(corpus, query, options)
    report_reading(corpus, found, options)
    wanted = ConcordanceRequest(found.parts, found.numbers, view)
    return corpus, found, concordance(corpus.index, wanted, corpus.columns, progress_bar()), view
