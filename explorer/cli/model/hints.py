"""hints: what follows the context of each token elsewhere, as arrays for training."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.analyses.hints.question import HintsQuestion
from explorer.analyses.hints.table import HintFacts, HintRecord
from explorer.backends.protocol.protocol import Numbers
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
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.corpus import Corpus
from explorer.corpus.results.model.hints import Hints
from explorer.export.fgrams.hint_files import hint_files
from explorer.i18n import counted

HINTS = Shape("hints", HintRecord, HintFacts)
SHAPES = {"hints": (HINTS,)}
RULES = {"hints": (*FORMAT_RULES, Rule("--skip-bad", without=("--on-bad",)))}


def define_hints(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument(
        "file", "FILE", 'texts, JSON Lines, CSV, Parquet …; "-" reads standard input; none: the whole index', nargs="*"
    )
    add_input_arguments(
        parser, "what to do with lines that cannot be read: stop (default), skip them, or skip and list them"
    )
    parser.add_argument("--group", metavar="FIELD", help="field with the source of each text: a name or a path")
    group = parser.add_argument_group("hints")
    add_settings(group, HintsQuestion)
    group.add_argument(
        "--arrays", metavar="OUT", help="write the hints: a .safetensors file, or a folder of .npy files"
    )
    add_format_arguments(parser)
    parser.beside_settings("arrays")


def run_hints(args: argparse.Namespace) -> int:
    """Make the hints, write them, and print their figures."""
    stdin_once(args.file)
    read = None
    if args.file:
        read = read_texts(args.file, InputChoice(args.input, args.text_field, args.group, args.on_bad))
        show_problems(read.problems, args.on_bad)
    corpus = open_corpus(args)
    made = _of_index(corpus, args) if read is None else _of_texts(corpus, read.texts, args)
    sums = _kept(made, args)
    if args.arrays:
        state_file(args, corpus.index, Path(args.arrays))
    facts = HintFacts(
        int(np.count_nonzero(made.sizes)) if read is None else len(made.sizes),
        *_figures(sums.sum(axis=1)),
        leave_one_out=args.leave_one_out or read is None,
        arrays=args.arrays,
    )
    problems = bad_records(read.problems) if read is not None else []
    # A document of an index that is left out has no tokens.
    rows = (
        HintRecord(number, corpus.index.name if read is None else read.groups[number], *_figures(sums[:, number]))
        for number in range(len(made.sizes))
        if read is not None or made.sizes[number]
    )
    answer = Answer(HINTS, rows, corpus.index, facts, problems=lambda: problems)
    put_answer(answer, args, lambda _: _print(facts))
    return FINE


@dataclass(frozen=True)
class _Made:
    """The tokens of each text, and the hints of the texts in their order, which are made as they are read."""

    sizes: Numbers
    parts: Iterator[tuple[int, Hints]]


def _of_texts(corpus: Corpus, texts: Sequence[str], args: argparse.Namespace) -> _Made:
    # All at once: the files begin with the number of tokens.
    ids = [corpus.encode(text) for text in texts]
    given = question_of(args, HintsQuestion).arguments()
    made = ((number, corpus.hints(each, **given)) for number, each in enumerate(ids))
    return _Made(np.array([len(each) for each in ids], dtype=np.int64), made)


def _of_index(corpus: Corpus, args: argparse.Namespace) -> _Made:
    # Every token of an index is left out anyway.
    given = question_of(args, HintsQuestion).arguments("leave_one_out")
    found = corpus.document_hints(**given, report=progress_bar())
    # Without the separators.
    sizes = np.maximum(corpus.index.documents.sizes() - 1, 0)
    return _Made(sizes, ((part.document or 0, part) for part in found))


def _kept(made: _Made, args: argparse.Namespace) -> Numbers:
    """Write the hints; per text its tokens, those with hints, their samples, and the tokens of their contexts."""
    sums = np.zeros((4, len(made.sizes)), dtype=np.int64)
    total, begin = int(made.sizes.sum()), 0
    # Without --arrays, the figures alone.
    store = hint_files(Path(args.arrays), total, args.samples, len(made.sizes)) if args.arrays else nullcontext()
    with store as arrays:
        if arrays is not None:
            arrays["starts"][1:] = np.cumsum(made.sizes)
        # Parts come in the order of the texts, so the rows of each come after those before it.
        for number, part in made.parts:
            end = begin + len(part)
            if arrays is not None:
                for name in ("tokens", "samples", "lengths", "context_lengths", "counts"):
                    arrays[name][begin:end] = getattr(part, name)
            begin = end
            lengths = part.lengths.astype(np.int64)
            figures = len(part), np.count_nonzero(lengths), int(lengths.sum()), int(part.context_lengths.sum())
            sums[:, number] += np.array(figures, dtype=np.int64)
    return sums


def _figures(sums: Numbers) -> tuple[int, int, int, float | None]:
    tokens, hinted, samples, lengths = sums.tolist()
    return tokens, hinted, samples, lengths / tokens if tokens else None


def _print(facts: HintFacts) -> None:
    put(
        f"{counted('token', facts.token_count)} of {counted('text', facts.text_count)}: "
        f"{facts.hinted:,} have hints, {facts.sample_count:,} samples in all."
    )
    if facts.mean_context_length is not None:
        put(f"Their contexts have {facts.mean_context_length:.2f} tokens in the mean.")
    if facts.arrays is not None:
        put(f"The arrays are in {facts.arrays}.")
