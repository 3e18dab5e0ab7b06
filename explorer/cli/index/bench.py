"""bench: how fast this machine answers from an index."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from explorer.cli.options import ranges
from explorer.cli.options.common import add_index_arguments, open_corpus
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.corpus.bench import BenchRow, measure_index

BENCH = Shape("bench", BenchRow)
SHAPES = {"bench": (BENCH,)}
RULES: dict[str, tuple[Rule, ...]] = {"bench": FORMAT_RULES}
_RATES = {"tokenizing": "tokenize_tokens", "sorting": "sort_tokens"}
"""The rates of `plan` that are measured here."""


def define_bench(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.add_argument(
        "--seed", type=ranges.SEED, default=1, metavar="S", help="draws the queries from the corpus (default 1)"
    )
    parser.add_argument(
        "--rates", metavar="FILE", help="write the rates of this machine to a JSON file, for plan --rates"
    )
    add_format_arguments(parser)


def run_bench(args: argparse.Namespace) -> int:
    """Measure, and print the figures.

    Raises `CorpusError` if the index cannot be opened or read.
    Raises `OSError` if the file of rates cannot be written.
    """
    rows = measure_index(lambda: open_corpus(args), seed=args.seed, report=progress_bar())
    if args.rates:
        _write_rates(Path(args.rates), rows)
    with open_corpus(args) as corpus:
        put_answer(Answer(BENCH, rows, corpus.index), args, lambda _: _print(rows))
    return FINE


def _print(rows: Sequence[BenchRow]) -> None:
    # One unit for all counts: those in memory take microseconds, and the first one from a disk milliseconds.
    for row in rows:
        times, unit = (1000, "µs") if row.unit == "ms" and row.value < 1 else (1, row.unit)
        longest = "" if row.most is None else f"   at most {_figure(times * row.most)} {unit}"
        put(f"{row.name:28} {_figure(times * row.value):>12} {unit}{longest}")


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _write_rates(path: Path, rows: Sequence[BenchRow]) -> None:
    rates = {
        _RATES[row.name]: {
            "value": round(row.value),
            "unit": "tokens per second and core",
            "source": f"measured by corpus-explorer bench on {row.queries:,} tokens",
        }
        for row in rows
        if row.name in _RATES
    }
    path.write_text(json.dumps(rates, indent=2) + "\n", encoding="utf-8")
