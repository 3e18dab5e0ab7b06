"""Every question: the library, its reference and the command have its settings, defaults and help."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from explorer import Corpus
from explorer.analyses.clusters.question import ClustersQuestion
from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.analyses.dispersion.question import DispersionQuestion
from explorer.analyses.diversity.question import DiversityQuestion
from explorer.analyses.hints.question import HintsQuestion
from explorer.analyses.keywords.question import KeywordsQuestion
from explorer.analyses.next_tokens.question import NextTokensQuestion
from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.cli.commands import COMMANDS, command_parser
from explorer.derive.question import Question, settings_of


@dataclass(frozen=True)
class Surfaces:
    """Where the settings of a question are.

    call: The function of the library.
    not_in_call, not_in_command: Settings that it does not take, and options that the command defines by itself.
    """

    question: type[Question]
    call: Callable[..., Any]
    command: str
    not_in_call: tuple[str, ...] = ()
    not_in_command: tuple[str, ...] = ()


SURFACES = (
    Surfaces(ClustersQuestion, Corpus.clusters, "clusters"),
    Surfaces(CollocatesQuestion, Corpus.collocates, "collocates", ("sort",)),
    Surfaces(DispersionQuestion, Corpus.dispersion, "dispersion", (), ("top",)),
    Surfaces(DiversityQuestion, Corpus.diversity, "diversity"),
    Surfaces(HintsQuestion, Corpus.hints, "hints"),
    Surfaces(KeywordsQuestion, Corpus.keywords, "keywords", (), ("top",)),
    Surfaces(NextTokensQuestion, Corpus.next_tokens, "next", ("n", "words"), ("limit",)),
    Surfaces(WordlistQuestion, Corpus.ngrams, "wordlist", ("unit", "as_written", "min_n", "max_n"), ("top",)),
)


@pytest.fixture(params=SURFACES, ids=lambda each: each.question.__name__)
def surfaces(request):
    return request.param


def test_defaults_of_the_library_are_those_of_the_question(surfaces):
    parameters = inspect.signature(surfaces.call).parameters
    for name, each in settings_of(surfaces.question).items():
        if name not in surfaces.not_in_call:
            assert parameters[name].default == each.default, name


def test_the_reference_has_the_help_of_the_declarations(surfaces):
    lines = inspect.getdoc(surfaces.call).splitlines()
    for name, each in settings_of(surfaces.question).items():
        if name not in surfaces.not_in_call:
            place = lines.index(name) + 1
            text = " ".join(line.strip() for line in lines[place : place + 4])
            assert text.startswith(each.help[:1].upper() + each.help[1:]), name


def test_the_command_has_the_help_of_the_declarations(surfaces):
    parser = command_parser(next(command for command in COMMANDS if command.name == surfaces.command))
    for name, each in settings_of(surfaces.question).items():
        if name not in surfaces.not_in_command:
            described = next(action for action in parser.words if each.option in action.option_strings)
            assert described.help.startswith(each.help), name
