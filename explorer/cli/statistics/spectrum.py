"""spectrum: how many n-grams a corpus has: of every length, by count, and as it grows."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from explorer.analyses.spectrum.curves import RankCurve, VocabularyGrowth
from explorer.analyses.spectrum.question import SpectrumQuestion
from explorer.analyses.spectrum.table import SpectrumFacts, SpectrumRecord
from explorer.chart import Chart
from explorer.cli.options.common import add_index_arguments, open_corpus
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, file_facts, put_answer
from explorer.cli.output.saved import check_out
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.corpus.corpus import Corpus
from explorer.corpus.statistics.curves import rank_curve, vocabulary_growth
from explorer.corpus.statistics.spectra import count_spectra, distinct_ngrams, ngram_growth
from explorer.export.figure import Paper
from explorer.export.registry import FIGURES

SPECTRUM = Shape("spectrum", SpectrumRecord, SpectrumFacts)
SHAPES = {"spectrum": (SPECTRUM,)}
RULES = {
    "spectrum": (
        *FORMAT_RULES,
        Rule("--as-written", without=("--unit tokens",)),
        # Common prefixes are those of whole indexes only.
        *(
            Rule(option, needs=("--view counts", "--view above", "--view vocabulary", "--view zipf"))
            for option in ("--minus", "--where")
        ),
        *(Rule(option, needs=("--view growth",)) for option in ("--min-count", "--sizes")),
        *(Rule(option, needs=("--view vocabulary",)) for option in ("--step", "--shuffle")),
        Rule("--ranks", needs=("--view zipf",)),
        # These are curves of single words or tokens.
        Rule("--max-n", without=("--view vocabulary", "--view zipf")),
    )
}
_AT = {
    "distinct": "occurrences",
    "counts": "count",
    "above": "more than",
    "growth": "size",
    "vocabulary": "size",
    "zipf": "count",
}
_LAWS = {"vocabulary": "Heaps' law: V = {factor:.4g} · N^{exponent:.4f}", "zipf": "Zipf's law: slope {exponent:.4f}"}
# Lines for people; files have all points.
_SHOWN = 25
_LONG = 10**12
"""Numbers from here on have more digits than a reader counts."""


def define_spectrum(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    group = parser.add_argument_group("n-grams")
    add_settings(group, SpectrumQuestion)
    group.add_argument("--plot", metavar="OUT", help=f"write a figure or its data ({', '.join(FIGURES.suffixes)})")
    parser.beside_settings("plot")
    add_format_arguments(parser)


def run_spectrum(args: argparse.Namespace) -> int:
    """Count the n-grams, draw them, and print the figures."""
    if args.plot is not None:
        # Before the work, which takes minutes in a large index.
        check_out(Path(args.plot), FIGURES.suffixes)
    question = question_of(args, SpectrumQuestion)
    corpus = open_corpus(args)
    # What is stated of the index is about the one that was named, not about its words.
    counted = corpus.words(fold=not question.as_written, report=progress_bar()) if question.words else corpus
    facts = SpectrumFacts(question.view, question.unit, None, None, None)
    if question.view in _LAWS:
        return _run_curve(corpus, counted, question, facts, args)
    if question.view == "growth":
        rows, facts = _grown(counted, question), replace(facts, min_count=question.min_count)
    elif question.view == "distinct":
        rows, facts = _distinct(counted, question, facts)
    else:
        rows = _counted(counted, question)
    if args.plot is not None:
        _plot(corpus, rows, args)
    put_answer(Answer(SPECTRUM, rows, corpus.index, facts), args, lambda _: _print(facts, rows))
    return FINE


def _run_curve(
    corpus: Corpus, counted: Corpus, question: SpectrumQuestion, facts: SpectrumFacts, args: argparse.Namespace
) -> int:
    """The curves of a vocabulary, with the law that is fitted to each."""
    curve: VocabularyGrowth | RankCurve
    if question.view == "vocabulary":
        curve = vocabulary_growth(
            counted, "tokens", step=question.step, shuffle=question.shuffle, report=progress_bar()
        )
    else:
        curve = rank_curve(counted, *question.ranks, "tokens", report=progress_bar())
    law = curve.heaps if isinstance(curve, VocabularyGrowth) else curve.law
    if law is not None:
        facts = replace(facts, exponent=law.exponent, factor=law.factor, points=law.points)
    if args.plot is not None:
        _plot_curve(corpus, curve, args)
    rows = list(_points(curve))
    put_answer(Answer(SPECTRUM, rows, corpus.index, facts), args, lambda _: _print(facts, rows))
    return FINE


def _points(curve: VocabularyGrowth | RankCurve) -> Iterator[SpectrumRecord]:
    if isinstance(curve, VocabularyGrowth):
        for size, types in zip(curve.words.tolist(), curve.types.tolist(), strict=True):
            yield SpectrumRecord(1, size, types, None)
        return
    for count, rank in zip(curve.counts.tolist(), curve.ranks.tolist(), strict=True):
        yield SpectrumRecord(1, count, rank, rank / int(curve.ranks[-1]))


def _plot_curve(corpus: Corpus, curve: VocabularyGrowth | RankCurve, args: argparse.Namespace) -> None:
    from explorer.analyses.spectrum.chart import growth_chart, zipf_chart

    name = f"{corpus.index.name}, {args.unit}"
    if isinstance(curve, VocabularyGrowth):
        chart = growth_chart(f"Growth of the vocabulary of {name}", curve, curve.heaps)
    else:
        chart = zipf_chart(f"Frequency by rank of {name}", curve)
    _save(corpus, chart, args)


def _distinct(
    corpus: Corpus, question: SpectrumQuestion, facts: SpectrumFacts
) -> tuple[Sequence[SpectrumRecord], SpectrumFacts]:
    found = distinct_ngrams(corpus, report=progress_bar())
    pairs = zip(found.totals[: question.max_n].tolist(), found.distinct[: question.max_n].tolist(), strict=True)
    rows = [SpectrumRecord(n, total, distinct, distinct / total) for n, (total, distinct) in enumerate(pairs, 1)]
    return rows, replace(facts, all_distinct=found.all_distinct, exact=found.exact)


def _counted(corpus: Corpus, question: SpectrumQuestion) -> Sequence[SpectrumRecord]:
    rows: list[SpectrumRecord] = []
    by_count = question.view == "counts"
    for each in count_spectra(corpus, question.max_n, report=progress_bar()):
        limits = each.counts.tolist() if by_count else _limits(int(each.counts[-1]) if each.types else 0)
        numbers = each.ngrams if by_count else each.above(limits)
        rows += [SpectrumRecord(each.n, at, k, k / each.types) for at, k in zip(limits, numbers.tolist(), strict=True)]
    return rows


def _limits(most: int) -> list[int]:
    """Counts to exceed: 0, and 1, 2 and 5 times powers of ten below the greatest count."""
    powers = [factor * 10**power for power in range(len(str(most))) for factor in (1, 2, 5)]
    return [0, *(limit for limit in powers if limit < most)] if most else []


def _grown(corpus: Corpus, question: SpectrumQuestion) -> Sequence[SpectrumRecord]:
    # Single words are a vocabulary, and grow otherwise: from two on, unless they are all that is asked for.
    first = min(2, question.max_n)
    found = ngram_growth(
        corpus,
        min_n=first,
        max_n=question.max_n,
        min_count=question.min_count,
        sizes=question.sizes,
        report=progress_bar(),
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
    title = f"N-grams of {corpus.index.name}, {args.unit}"
    if args.view == "growth":
        title += f", {args.min_count:,} times or more"
    from explorer.analyses.spectrum.chart import spectrum_chart

    _save(corpus, spectrum_chart(args.view, title, rows), args)


def _save(corpus: Corpus, chart: Chart, args: argparse.Namespace) -> None:
    from explorer.cli.output.plots import save_plot

    save_plot(replace(chart, facts=file_facts(args, corpus.index)), Path(args.plot), Paper())


def _print(facts: SpectrumFacts, rows: Sequence[SpectrumRecord]) -> None:
    if facts.all_distinct is not None:
        about = "" if facts.exact else "at most "
        put(f"n-grams of all lengths: {about}{facts.all_distinct:,} distinct{_readable(facts.all_distinct)}")
    if facts.min_count is not None:
        put(f"n-grams that occur {facts.min_count:,} times or more")
    if facts.exponent is not None:
        law = _LAWS[facts.view].format(exponent=facts.exponent, factor=facts.factor)
        put(f"{law}, fitted to {facts.points:,} points")
    if not rows:
        put("The corpus is shorter than a step." if facts.view == "vocabulary" else f"There are no {facts.unit}.")
        return
    curve = facts.view in _LAWS
    if curve and facts.exponent is None:
        put("There are too few points for a law.")
    names = {"vocabulary": "distinct", "zipf": "rank"}.get(facts.view, "n-grams")
    share = "" if facts.view in ("growth", "vocabulary") else "share"
    put(f"{'n':>3} {_AT[facts.view]:>15} {names:>15} {share:>9}".rstrip())
    shown = rows if not curve or len(rows) <= _SHOWN else [rows[place] for place in _places(len(rows))]
    for row in shown:
        share = "" if row.share is None else f"{row.share:.2%}"
        put(f"{row.n:>3} {row.at:>15,} {row.ngrams:>15,} {share:>9}".rstrip())
    if len(shown) < len(rows):
        put(f"{len(shown)} of {len(rows):,} rows. --out FILE writes all.")


def _readable(number: int) -> str:
    """The size of a number that has too many digits to be read."""
    power = len(str(number)) - 1
    return f" (≈ {number / 10**power:.1f}·10^{power})" if number >= _LONG else ""


def _places(count: int) -> list[int]:
    """Some rows at equal distances, the first and the last among them."""
    return [place * (count - 1) // (_SHOWN - 1) for place in range(_SHOWN)]
