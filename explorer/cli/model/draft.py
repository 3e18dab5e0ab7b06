"""draft: would drafts from this corpus make a model write faster?"""

from __future__ import annotations

import argparse
from pathlib import Path

from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.analyses.drafts.question import DraftsQuestion
from explorer.analyses.drafts.table import DraftFacts, DraftRecord
from explorer.analyses.model.lookup_cache import lookup_cache
from explorer.cli.options.common import (
    add_index_arguments,
    add_input_arguments,
    bad_records,
    open_corpus,
    show_problems,
    stdin_once,
)
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer, state_file
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put, put_cells
from explorer.cli.parser import Parser
from explorer.corpus import Corpus
from explorer.corpus.results.model.drafts import DraftBench
from explorer.export.destination import replacing

DRAFT = Shape("draft", DraftRecord, DraftFacts)
SHAPES = {"draft": (DRAFT,)}
RULES = {"draft": (*FORMAT_RULES, Rule("--skip-bad", without=("--on-bad",)))}


def define_draft(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument("file", "FILE", 'answers of the model, one per line or file; "-" reads standard input', nargs="+")
    add_input_arguments(
        parser, "what to do with lines that cannot be read: stop (default), skip them, or skip and list them"
    )
    parser.add_argument("--group", metavar="FIELD", help="field with the source of each text: a name or a path")
    group = parser.add_argument_group("drafts")
    add_settings(group, DraftsQuestion)
    group.add_argument("--cache", metavar="OUT", help="write llama.cpp's static lookup cache of the corpus")
    add_format_arguments(parser)
    parser.beside_settings("cache")


def run_draft(args: argparse.Namespace) -> int:
    """Write the answers with drafts, and print what they save."""
    stdin_once(args.file)
    question = question_of(args, DraftsQuestion)
    read = read_texts(args.file, InputChoice(args.input, args.text_field, args.group, args.on_bad))
    show_problems(read.problems, args.on_bad)
    corpus = open_corpus(args)
    found = corpus.draft_bench(
        read.texts, sources=read.groups, **question.arguments("draft_cost"), report=progress_bar()
    )
    cached = _write_cache(corpus, Path(args.cache)) if args.cache else (None, None)
    problems = bad_records(read.problems)
    if args.cache:
        state_file(args, corpus.index, Path(args.cache))
    facts = found.facts(question.draft_cost, *cached)
    answer = Answer(DRAFT, found.texts, corpus.index, facts, problems=lambda: problems)
    put_answer(answer, args, lambda _: _print(found, facts))
    return FINE


def _write_cache(corpus: Corpus, path: Path) -> tuple[int, int]:
    """Write the cache; how many pairs and followers it has."""
    pairs = followers = 0
    with replacing(path) as partial, partial.open("wb") as file:
        for more_pairs, more_followers, data in lookup_cache(corpus.index, progress_bar()):
            pairs, followers = pairs + more_pairs, followers + more_followers
            file.write(data)
    return pairs, followers


def _print(found: DraftBench, facts: DraftFacts) -> None:
    put_cells("source", "tokens", "steps", "tokens/step", "accepted")
    for row in found.sources:
        rate = "-" if row.accept_rate is None else f"{row.accept_rate:.1%}"
        per_step = "-" if row.tokens_per_step is None else f"{row.tokens_per_step:.3f}"
        put_cells(row.source, row.token_count, row.steps, per_step, rate)
    if facts.tokens_per_step is not None and facts.speed_up is not None:
        less = 1 - 1 / facts.tokens_per_step
        put(f"{facts.tokens_per_step:.2f} tokens per step: at most {less:.0%} fewer calls of the model.")
        verdict = "Drafts from this corpus would not help." if facts.speed_up <= 1 else "An estimate of the speed-up:"
        put(f"{verdict} ≈ {facts.speed_up:.2f} × with a draft at the cost given by --draft-cost.")
    if facts.cached_pairs is not None:
        put(f"cache: {facts.cached_pairs:,} pairs of tokens, {facts.cached_followers:,} followers")
