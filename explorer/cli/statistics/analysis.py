"""The commands that are made from the registry of analyses.

A command finds its two functions by name, as those of other modules: `define_NAME` and `run_NAME`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.analyses.registry import AnalysisRow, derived
from explorer.cli.options.common import add_index_arguments, open_corpus
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, file_facts, put_answer
from explorer.cli.output.record_table import facts_told, put_table
from explorer.cli.output.saved import check_out
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.corpus.analyses import ask
from explorer.export.figure import Paper
from explorer.export.registry import FIGURES

_ROWS = {row.method: row for row in derived()}
SHAPES = {row.name: (Shape(row.name, row.analysis.record, row.analysis.facts),) for row in _ROWS.values()}
RULES = {row.name: FORMAT_RULES for row in _ROWS.values()}


def __getattr__(name: str) -> Callable[..., Any]:
    does, _, method = name.partition("_")
    if does not in _DOES or method not in _ROWS:
        raise AttributeError(name)
    return partial(_DOES[does], _ROWS[method])


def _define(row: AnalysisRow, parser: Parser) -> None:
    add_index_arguments(parser)
    group = parser.add_argument_group(row.title.lower())
    add_settings(group, row.analysis.question)
    if row.analysis.chart is not None:
        group.add_argument("--plot", metavar="OUT", help=f"write a figure or its data ({', '.join(FIGURES.suffixes)})")
        parser.beside_settings("plot")
    add_format_arguments(parser)


def _run(row: AnalysisRow, args: argparse.Namespace) -> int:
    analysis, plot = row.analysis, getattr(args, "plot", None)
    if plot is not None:
        # Before the work, which takes minutes in a large index.
        check_out(Path(plot), FIGURES.suffixes)
    question = question_of(args, analysis.question)
    corpus = open_corpus(args)
    found = ask(corpus.index, analysis, question, progress_bar(), None)
    if plot is not None and (chart := found.chart(f"{row.title} of {corpus.index.name}")) is not None:
        from explorer.cli.output.plots import save_plot

        save_plot(replace(chart, facts=file_facts(args, corpus.index)), Path(plot), Paper())
    rows = tuple(found)

    def text(_: object) -> None:
        put(facts_told(analysis.facts, found.facts))
        put_table(analysis.record, rows)

    put_answer(Answer(SHAPES[row.name][0], rows, corpus.index, found.facts), args, text)
    return FINE


_DOES: dict[str, Callable[..., Any]] = {"define": _define, "run": _run}
