"""fgrams: the most frequent n-grams of all lengths together, as arrays for training."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from explorer.analyses.agreement.sources import InputChoice, SourceTexts, read_texts
from explorer.analyses.fgrams.value_types import VALUE_NAMES
from explorer.cli.options import ranges
from explorer.cli.options.common import (
    add_index_arguments,
    add_input_arguments,
    bad_records,
    open_corpus,
    show_problems,
    stdin_once,
)
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, file_facts, put_answer
from explorer.cli.output.saved import check_out
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.corpus.corpus import Corpus
from explorer.corpus.results.model.fgrams import Fgrams
from explorer.export.figure import Paper
from explorer.export.new_folder import check_new_folder
from explorer.export.records.fgrams import FgramCoverageFacts, FgramCoverageRecord, FgramFacts, FgramSizeRecord
from explorer.export.registry import FIGURES
from explorer.i18n import counted

FGRAMS = Shape("fgrams", FgramSizeRecord, FgramFacts)
COVERAGE = Shape("fgram-coverage", FgramCoverageRecord, FgramCoverageFacts)
SHAPES = {"fgrams": (FGRAMS, COVERAGE)}
_OF_TEXTS = ("--sizes", "--plot", "--input", "--text-field", "--on-bad", "--skip-bad")
RULES = {
    "fgrams": (
        *FORMAT_RULES,
        *(Rule(option, needs=("--texts",)) for option in _OF_TEXTS),
        Rule("--skip-bad", without=("--on-bad",)),
    )
}


def define_fgrams(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    group = parser.add_argument_group("f-grams")
    group.add_argument(
        "--max-n", type=ranges.N_OF_FGRAMS, default=5, metavar="K", help="tokens of the longest, 2 to 64 (default 5)"
    )
    group.add_argument("--min-count", type=ranges.TOKENS, default=5, metavar="C", help="their least count (default 5)")
    group.add_argument(
        "--size",
        type=ranges.TOKENS,
        metavar="S",
        help="how many, of all lengths together, and whatever is as frequent as the last of them (default: all)",
    )
    group.add_argument("--out", metavar="DIR", help="write the arrays and meta.json to this new folder")
    group.add_argument(
        "--dimension", type=ranges.TOKENS, default=2048, metavar="D", help="values of an embedding (default 2048)"
    )
    group.add_argument(
        "--value-type", choices=VALUE_NAMES, default="float16", help="type of these values (default float16)"
    )
    _define_texts(parser)
    # --out is a folder of arrays, and the figures are printed beside it.
    parser.beside_settings("out", "plot")
    add_format_arguments(parser, out=False)


def _define_texts(parser: Parser) -> None:
    texts = parser.add_argument_group("coverage")
    texts.add_argument(
        "--texts",
        action="append",
        default=[],
        metavar="FILE",
        help='measure what tables would match of the texts of a file, for each K and size; repeatable; "-": standard '
        "input",
    )
    texts.add_argument(
        "--sizes",
        type=ranges.sizes,
        metavar="S,S",
        help="sizes of the tables (default: powers of ten below the number of f-grams, and all of them)",
    )
    texts.add_argument("--plot", metavar="OUT", help=f"write a figure or its data ({', '.join(FIGURES.suffixes)})")
    add_input_arguments(
        parser, "what to do with lines that cannot be read: stop (default), skip them, or skip and list them"
    )


def run_fgrams(args: argparse.Namespace) -> int:
    """Find the f-grams, write them, and print their figures."""
    if args.plot is not None:
        check_out(Path(args.plot), FIGURES.suffixes)
    stdin_once(args.texts)
    read = None
    if args.texts:
        read = read_texts(args.texts, InputChoice(args.input, args.text_field, None, args.on_bad))
        show_problems(read.problems, args.on_bad)
    if args.out is not None:
        # Before the work, which takes minutes in a large index.
        check_new_folder(Path(args.out))
    corpus = open_corpus(args)
    found = corpus.fgrams(args.max_n, min_count=args.min_count, size=args.size, report=progress_bar())
    if args.out is not None:
        found.write_arrays(args.out)
    if read is not None:
        return _cover(corpus, found, read, args)
    # Records have classes of their own, so that a change of the library changes no schema.
    rows = tuple(FgramSizeRecord(each.n, each.distinct, each.at_least) for each in found.by_n)
    # The decision that a person has to make: how much memory a table of this size takes.
    size = found.embedding_bytes(args.dimension, args.value_type)
    facts = FgramFacts(found.max_n, found.cutoff, len(found), rows, args.dimension, args.value_type, size, args.out)
    put_answer(Answer(FGRAMS, rows, corpus.index, facts), args, lambda _: _print(facts))
    return FINE


def _cover(corpus: Corpus, found: Fgrams, read: SourceTexts, args: argparse.Namespace) -> int:
    """Look the texts up, draw what tables of each K and size would match, and print it."""
    # As token ids, so that the texts are tokenized once.
    texts = [corpus.encode(text) for text in read.texts]
    sizes = ranges.numbers(args.sizes) if args.sizes else _sizes_below(len(found))
    row_bytes = found.embedding_bytes(args.dimension, args.value_type) // max(1, len(found))
    rows = [
        FgramCoverageRecord(
            each.max_n,
            each.size,
            each.cutoff,
            each.kept,
            each.mean_length,
            each.coverage,
            each.kept * row_bytes,
        )
        for each in found.coverage(texts, sizes)
    ]
    facts = FgramCoverageFacts(
        found.max_n,
        found.cutoff,
        len(found),
        len(texts),
        sum(map(len, texts)),
        args.dimension,
        args.value_type,
        args.out,
    )
    if args.plot is not None:
        _plot(corpus, rows, args)
    problems = bad_records(read.problems)
    answer = Answer(COVERAGE, rows, corpus.index, facts, problems=lambda: problems)
    put_answer(answer, args, lambda records: _print_coverage(facts, records))
    return FINE


def _sizes_below(kept: int) -> tuple[int, ...]:
    """Powers of ten from 1,000 below a number, and the number itself."""
    powers = (10**power for power in range(3, 12))
    return (*(size for size in powers if size < kept), max(1, kept))


def _plot(corpus: Corpus, rows: Sequence[FgramCoverageRecord], args: argparse.Namespace) -> None:
    from explorer.cli.output.plots import save_plot
    from explorer.export.fgrams.charts import coverage_chart

    title = f"F-grams of {corpus.index.name}, {args.dimension:,} values as {args.value_type}"
    chart = replace(coverage_chart(title, rows), facts=file_facts(args, corpus.index))
    save_plot(chart, Path(args.plot), Paper())


def _print_coverage(facts: FgramCoverageFacts, rows: Iterable[FgramCoverageRecord]) -> None:
    put(
        f"{counted('token', facts.token_count)} of {counted('text', facts.text_count)}; embeddings of "
        f"{facts.dimension:,} values as {facts.value_type}"
    )
    put(f"{'size':>14} {'K':>3} {'cutoff':>8} {'kept':>14} {'length':>7} {'coverage':>9} {'GB':>12}")
    for row in rows:
        length = "" if row.mean_length is None else f"{row.mean_length:.3f}"
        share = "" if row.coverage is None else f"{row.coverage:.1%}"
        put(
            f"{row.size:>14,} {row.max_n:>3} {row.cutoff:>8,} {row.kept:>14,} {length:>7} {share:>9} "
            f"{row.table_bytes / 1e9:>12,.3f}"
        )
    if facts.out is not None:
        put(f"The arrays are in {facts.out}.")


def _print(facts: FgramFacts) -> None:
    put(f"F-grams of 2 to {facts.max_n} tokens that occur {facts.cutoff:,} times or more: {facts.kept:,}.")
    for each in facts.by_n:
        put(f"  {each.n} tokens: {each.at_least:,} of {each.distinct:,} distinct n-grams")
    put(f"Embeddings of {facts.dimension:,} values as {facts.value_type} would take {facts.table_bytes / 1e9:,.3f} GB.")
    if facts.out is not None:
        put(f"The arrays are in {facts.out}.")
