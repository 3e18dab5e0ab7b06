"""diversity: how varied the vocabulary of a corpus, of its documents, or of groups of them is."""

from __future__ import annotations

import argparse

from explorer.analyses.diversity.question import DiversityQuestion
from explorer.analyses.diversity.table import DiversityFacts, DiversityRecord
from explorer.cli.options.common import add_index_arguments, open_corpus
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser

DIVERSITY = Shape("diversity", DiversityRecord, DiversityFacts)
SHAPES = {"diversity": (DIVERSITY,)}
RULES = {"diversity": (*FORMAT_RULES, Rule("--by", without=("--per-document",)))}
_COLUMNS = ("ttr", "mattr", "mtld", "hdd", "hapax_share", "yule", "herdan")


def define_diversity(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    group = parser.add_argument_group("groups")
    add_settings(group, DiversityQuestion)
    add_format_arguments(parser)


def run_diversity(args: argparse.Namespace) -> int:
    """Measure the vocabulary of each group."""
    question = question_of(args, DiversityQuestion)
    corpus = open_corpus(args)
    found = corpus.diversity(**question.arguments(), report=progress_bar())
    facts = DiversityFacts("document" if question.per_document else question.by, question.window, tuple(found))
    put_answer(Answer(DIVERSITY, facts.rows, corpus.index, facts), args, lambda _: _print(facts))
    return FINE


def _print(facts: DiversityFacts) -> None:
    titles = ("TTR", "MATTR", "MTLD", "HD-D", "hapaxes", "Yule's K", "C")
    put(f"{'words':>13} {'types':>11} " + " ".join(f"{title:>9}" for title in titles) + "  group")
    for row in facts.rows:
        values = (getattr(row, name) for name in _COLUMNS)
        cells = " ".join(f"{'too short' if value is None else f'{value:.4f}':>9}" for value in values)
        put(f"{row.words:>13,} {row.types:>11,} {cells}  {'whole corpus' if row.group is None else row.group}")
