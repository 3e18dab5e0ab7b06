"""The question of spectra: one declaration for the command and for the functions of the library."""

from __future__ import annotations

import inspect

import pytest

from explorer import build_index, ngram_growth, open_index, rank_curve, vocabulary_growth
from explorer.analyses.spectrum.question import SpectrumQuestion
from explorer.cli.commands import COMMANDS, command_parser
from explorer.cli.main import main
from explorer.derive.question import settings_of
from explorer.errors import QueryError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("spectrum")
    build_index([{"text": "a cat sat"}], place / "index", tokenizer="bytes")
    return place / "index"


@pytest.mark.parametrize(
    ("function", "view", "name", "value", "sentence"),
    [
        (ngram_growth, "growth", "max_n", 65, "must be a whole number from 1 to 64, not 65."),
        (ngram_growth, "growth", "sizes", 257, "must be a whole number from 1 to 256, not 257."),
        (ngram_growth, "growth", "min_count", 0, "must be a whole number from 1 to 1,000,000,000,000, not 0."),
        (vocabulary_growth, "vocabulary", "step", 0, "must be a whole number from 1 to 1,000,000,000,000, not 0."),
        (vocabulary_growth, "vocabulary", "shuffle", -1, "must be a whole number from 0 to"),
        (vocabulary_growth, "vocabulary", "unit", "letters", 'must be words or tokens, not "letters".'),
    ],
)
def test_the_library_and_the_command_refuse_a_value_by_one_sentence(
    folder, capsys, function, view, name, value, sentence
):
    with pytest.raises(QueryError) as error:
        function(open_index(folder), **{name: value})
    assert str(error.value).startswith(f"{name} {sentence}")
    option = settings_of(SpectrumQuestion)[name].option
    assert main(["spectrum", str(folder), "--view", view, f"{option}={value}"]) == 2
    assert f"{option} {sentence}" in capsys.readouterr().err


def test_defaults_are_those_of_the_question():
    settings = settings_of(SpectrumQuestion)
    for function, names in ((ngram_growth, ("max_n", "min_count", "sizes")), (vocabulary_growth, ("step", "shuffle"))):
        parameters = inspect.signature(function).parameters
        assert [parameters[name].default for name in names] == [settings[name].default for name in names]
    parameters = inspect.signature(rank_curve).parameters
    assert (parameters["first"].default, parameters["last"].default) == SpectrumQuestion.ranks
    parser = command_parser(next(command for command in COMMANDS if command.name == "spectrum"))
    assert all(parser.has_option(each.option) for each in settings.values())
