"""spectrum: how many n-grams a corpus has: of every length, by count, and as it grows."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from explorer.api.corpus import Corpus
from explorer.api.spectra import count_spectra, distinct_ngrams, ngram_growth
from explorer.cli import ranges
from explorer.cli.codes import FINE
from explorer.cli.common import add_index_arguments, open_corpus
from explorer.cli.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.parser import Parser
from explorer.cli.rules import Rule
from explorer.cli.saved import check_out
from explorer.cli.shapes import Shape
from explorer.cli.terminal import progress_bar, put
from explorer.export.figure import Paper
from explorer.export.provenance import index_facts
from explorer.export.records.spectrum import SpectrumFacts, SpectrumRecord
from explorer.export.registry import FIGURES

SPECTRUM = Shape("spectrum", SpectrumRecord, SpectrumFacts)
SHAPES = {"spectrum": (SPECTRUM,)}
RULES = {
    "spectrum": (
        *FORMAT_RULES,
        Rule("--as-written", without=("--unit tokens",)),
        # Common prefixes are those of whole indexes only.
        *(Rule(option, needs=("--view counts", "--view above")) for option in ("--minus", "--where")),
        Rule("--min-count", needs=("--view growth",)),
        Rule("--sizes", needs=("--view growth",)),
    )
}
_VIEWS = ("distinct", "counts", "above", "growth")
_AT = {"distinct": "occurrences", "counts": "count", "above": "more than", "growth": "size"}


def define_spectrum(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    group = parser.add_argument_group("n-grams")
    group.add_argument(
        "--view",
        choices=_VIEWS,
        default="distinct",
        help="distinct n-grams of each n (default), how many have each count, how many occur more often than a count, "
        "or how many there are as the corpus grows",
    )
    group.add_argument(
        "--unit",
        choices=("words", "tokens"),
        default="words",
        help="words, in lower case, or tokens",
    )
    group.add_argument("--as-written", action="store_true", help="count Word and word as two words")
    group.add_argument("--max-n", type=ranges.N_OF_LIST, default=6, metavar="N", help="longest (default 6)")
    group.add_argument(
        "--min-count",
        type=ranges.TOKENS,
        default=5,
        metavar="C",
        help="least count as it grows (default 5)",
    )
    group.add_argument("--sizes", type=ranges.SIZES, default=12, metavar="S", help="sizes of the corpus (default 12)")
    group.add_argument("--plot", metavar="OUT", help=f"write a figure or its data ({', '.join(FIGURES.suffixes)})")
    parser.beside_settings("plot")
    add_format_arguments(parser)


def run_spectrum(args: argparse.Namespace) -> int:
    """Count the n-grams, draw them, and print the figures."""
    if args.plot is not None:
        # Before the work, which takes minutes in a large index.
        check_out(Path(args.plot), FIGURES.suffixes)
    corpus = open_corpus(args)
    # What is stated of the index is about the one that was named, not about its words.
    counted = corpus.words(fold=not args.as_written, report=progress_bar()) if args.unit == "words" else corpus
    facts = SpectrumFacts(args.view, args.unit, None, None, None)
    if args.view == "growth":
        rows, facts = _grown(counted, args), replace(facts, min_count=args.min_count)
    elif args.view == "distinct":
        rows, facts = _distinct(counted, args, facts)
    else:
        rows = _counted(counted, args)
    if args.plot is not None:
        _plot(corpus, rows, args)
    put_answer(Answer(SPECTRUM, rows, corpus.index, facts), args, lambda _: _print(facts, rows))
    return FINE


def _distinct(
    corpus: Corpus, args: argparse.Namespace, facts: SpectrumFacts
) -> tuple[Sequence[SpectrumRecord], SpectrumFacts]:
    found = distinct_ngrams(corpus, report=progress_bar())
    pairs = zip(found.totals[: args.max_n].tolist(), found.distinct[: args.max_n].tolist(), strict=True)
    rows = [SpectrumRecord(n, total, distinct, distinct / total) for n, (total, distinct) in enumerate(pairs, 1)]
    return rows, replace(facts, all_distinct=found.all_distinct, exact=found.exact)


def _counted(corpus: Corpus, args: argparse.Namespace) -> Sequence[SpectrumRecord]:
    rows: list[SpectrumRecord] = []
    for each in count_spectra(corpus, args.max_n, report=progress_bar()):
        limits = each.counts.tolist() if args.view == "counts" else _limits(int(each.counts[-1]) if each.types else 0)
        numbers = each.ngrams if args.view == "counts" else each.above(limits)
        rows += [SpectrumRecord(each.n, at, k, k / each.types) for at, k in zip(limits, numbers.tolist(), strict=True)]
    return rows


def _limits(most: int) -> list[int]:
    """Counts to exceed: 0, and 1, 2 and 5 times powers of ten below the greatest count."""
    powers = [factor * 10**power for power in range(len(str(most))) for factor in (1, 2, 5)]
    return [0, *(limit for limit in powers if limit < most)] if most else []


def _grown(corpus: Corpus, args: argparse.Namespace) -> Sequence[SpectrumRecord]:
    # Single words are a vocabulary, and grow otherwise: from two on, unless they are all that is asked for.
    first = min(2, args.max_n)
    found = ngram_growth(
        corpus, min_n=first, max_n=args.max_n, min_count=args.min_count, sizes=args.sizes, report=progress_bar()
    )
    sizes = found.tokens.tolist()
    if not sizes or not sizes[-1]:
        return []
    return [
        SpectrumRecord(n, size, number, None)
        for n, numbers in enumerate(found.ngrams.tolist(), first)
        for size, number in zip(sizes, numbers, strict=True)
    ]


def _plot(corpus: Corpus, rows: Sequence[SpectrumRecord], args: argparse.Namespace) -> None:
    from explorer.cli.plots import save_plot
    from explorer.export.spectrum_charts import spectrum_chart

    title = f"N-grams of {corpus.index.name}, {args.unit}"
    if args.view == "growth":
        title += f", {args.min_count:,} times or more"
    chart = replace(spectrum_chart(args.view, title, rows), facts=index_facts(corpus.index))
    save_plot(chart, Path(args.plot), Paper())


def _print(facts: SpectrumFacts, rows: Sequence[SpectrumRecord]) -> None:
    if facts.all_distinct is not None:
        about = "" if facts.exact else "at most "
        put(f"n-grams of all lengths: {about}{facts.all_distinct:,} distinct")
    if facts.min_count is not None:
        put(f"n-grams that occur {facts.min_count:,} times or more")
    if not rows:
        put(f"There are no {facts.unit}.")
        return
    put(f"{'n':>3} {_AT[facts.view]:>15} {'n-grams':>15} {'' if facts.view == 'growth' else 'share':>9}".rstrip())
    for row in rows:
        share = "" if row.share is None else f"{row.share:.2%}"
        put(f"{row.n:>3} {row.at:>15,} {row.ngrams:>15,} {share:>9}".rstrip())
