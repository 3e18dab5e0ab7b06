"""probe: does the corpus complete prompts as expected?"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.analyses.model.making import DEFAULT_METHOD
from explorer.cli.options.common import (
    add_index_arguments,
    add_input_arguments,
    bad_records,
    open_corpus,
    show_problems,
    stdin_once,
    with_rest,
)
from explorer.cli.options.method_options import add_method_arguments, method_rules, model_of, used_settings
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put_cells, remark
from explorer.cli.parser import Parser
from explorer.corpus.results.model.probes import Probes
from explorer.export.records.probe import ProbeFacts, ProbeRecord

PROBE = Shape("probe", ProbeRecord, ProbeFacts)
SHAPES = {"probe": (PROBE,)}
RULES = {"probe": (*FORMAT_RULES, *method_rules(DEFAULT_METHOD), Rule("--skip-bad", without=("--on-bad",)))}


def define_probe(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument(
        "file", "FILE", 'records with a prompt and an ending: JSON Lines, CSV …; "-" reads standard input', nargs="+"
    )
    add_input_arguments(
        parser,
        "what to do with lines that cannot be read: stop (default), skip them, or skip and list them",
        text_field="ending",
    )
    parser.add_argument(
        "--prompt-field", default="prompt", metavar="FIELD", help="field with the prompt (default: prompt)"
    )
    add_method_arguments(parser, DEFAULT_METHOD)
    add_format_arguments(parser)


def run_probe(args: argparse.Namespace) -> int:
    """Complete each prompt, and print how probable its ending is."""
    stdin_once([*args.file, *([args.tune] if args.tune else [])])
    args.settings = used_settings(args)
    choice = InputChoice(args.input, args.text_field, None, args.on_bad, args.prompt_field)
    read = read_texts(args.file, choice)
    show_problems(read.problems, args.on_bad)
    pairs = list(zip(read.prompts, read.texts, strict=True))
    # A blank one is an error with its number, unless bad lines are to be left out.
    asked = pairs if args.on_bad == "fail" else [pair for pair in pairs if all(map(str.strip, pair))]
    if len(asked) < len(pairs):
        remark(f"left out because prompt or ending is blank: {len(pairs) - len(asked):,}")
    corpus = open_corpus(args)
    model = model_of(corpus, args)
    found = model.probe([prompt for prompt, _ in asked], [ending for _, ending in asked], report=progress_bar())
    problems = with_rest(bad_records(read.problems), len(read.problems), ", ".join(args.file))
    answer = Answer(PROBE, found.texts, corpus.index, found.facts(), problems=lambda: problems)
    put_answer(answer, args, lambda records: _print(records, found))
    return FINE


def _print(records: Iterable[ProbeRecord], found: Probes) -> None:
    put_cells("rank", "probability", "count", "prompt", "ending", "most probable")
    for one in records:
        # From 1 for people; JSON counts from 0, as programs do.
        rank = "-" if one.rank is None else one.rank + 1
        put_cells(rank, f"{one.probability:.4g}", one.count, one.prompt, one.ending.strip(), one.best.strip() or "-")
    facts = found.facts()
    remark(
        f"prompts: {facts.probe_count:,}; {facts.accuracy:.1%} completed as expected, {facts.top_5:.1%} within "
        f"the five most probable tokens; mean reciprocal rank {facts.mean_reciprocal_rank:.3f}"
    )
