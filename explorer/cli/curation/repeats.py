"""repeats: the passages that occur more than once, and stretches that repeat themselves."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from explorer.analyses.repeats.question import RepeatsQuestion
from explorer.analyses.repeats.table import RepeatFacts, RepeatRecord, RunRecord
from explorer.cli.options.common import WHOLE_RULES, add_index_arguments, open_corpus
from explorer.cli.options.question_options import add_settings, question_of
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

REPEATS = Shape("repeats", RepeatRecord, RepeatFacts)
SHAPES = {"repeats": (REPEATS,)}
RULES = {"repeats": (*WHOLE_RULES, *FORMAT_RULES)}
_WIDTH = 80
"""Characters of a passage that are printed for people."""
_RUNS = 20
"""Runs that are printed for people."""


def define_repeats(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser, parts=False)
    group = parser.add_argument_group("repeats")
    add_settings(group, RepeatsQuestion, "top")
    add_top_argument(group)
    add_format_arguments(parser)


def run_repeats(args: argparse.Namespace) -> int:
    """List what repeats."""
    settle_top(args)
    corpus, question = open_corpus(args), question_of(args, RepeatsQuestion)
    found = corpus.repeats(**question.arguments(), report=progress_bar())
    rows = tuple(found)
    facts = RepeatFacts(question.length, found.total, found.overlapping, rows, found.runs)
    put_answer(Answer(REPEATS, rows, corpus.index, facts), args, lambda _: _print(facts, args))
    return FINE


def _print(facts: RepeatFacts, args: argparse.Namespace) -> None:
    if not facts.total:
        put(f"No passage of {facts.length:,} tokens or more occurs twice.")
        return
    own = facts.total - facts.overlapping
    passages = "1 repeated passage" if own == 1 else f"{own:,} repeated passages"
    put(f"{passages} of {facts.length:,} tokens or more")
    if facts.rows:
        put(f"{'copies':>9} {'documents':>10} {'tokens':>8} {'saved':>11}  passage")
    for row in facts.rows:
        put(f"{row.count:>9,} {row.documents:>10,} {row.tokens:>8,} {row.tokens_saved:>11,}  {_short(row.text)}")
    report_shortened(args, len(facts.rows), own)
    _print_runs(facts.runs, facts.overlapping)


def _print_runs(runs: Sequence[RunRecord], overlapping: int) -> None:
    if not runs:
        return
    put("")
    nested = "1 nested passage" if overlapping == 1 else f"{overlapping:,} nested passages"
    put(f"{len(runs):,} self-repeating {'run' if len(runs) == 1 else 'runs'} ({nested} not listed)")
    put(f"{'times':>9} {'document':>10} {'tokens':>8} {'at token':>11}  what is repeated")
    for run in runs[:_RUNS]:
        put(f"{run.times:>9,.1f} {run.document:>10} {run.tokens:>8,} {run.offset:>11,}  {_short(run.text)}")
    if len(runs) > _RUNS:
        put(f"… and {len(runs) - _RUNS:,} more; --json lists all")


def _short(text: str | None) -> str:
    """One line of a passage: its ends tell more than its beginning."""
    line = " ".join((text or "").split())
    half = _WIDTH // 2
    return line if len(line) <= _WIDTH else f"{line[:half]} … {line[-half:]}"
