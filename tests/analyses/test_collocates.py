"""The question of collocates: one declaration, the same on every surface."""

from __future__ import annotations

import inspect
from dataclasses import replace

import pytest

from explorer import Corpus, build_index, open_index
from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.cli.commands import COMMANDS, command_parser
from explorer.cli.main import main
from explorer.derive import question
from explorer.derive.kinds import Whole
from explorer.derive.question import settings_of
from explorer.errors import QueryError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("collocates")
    build_index([{"text": "a cat sat"}, {"text": "a cat ran"}], place / "index", tokenizer="bytes")
    return place


def test_defaults_of_the_library_and_of_the_command_are_those_of_the_question():
    parameters = inspect.signature(Corpus.collocates).parameters
    parser = command_parser(next(command for command in COMMANDS if command.name == "collocates"))
    for name, each in settings_of(CollocatesQuestion).items():
        if name != "sort":
            assert parameters[name].default == each.default
        assert parser.has_option(each.option)
        described = next(action for action in parser.words if each.option in action.option_strings)
        assert described.help.startswith(each.help)


@pytest.mark.parametrize(
    ("name", "value", "typed", "sentence"),
    [
        ("min_count", 0, "0", "must be a whole number from 1 to 1,000,000,000,000, not 0."),
        ("min_documents", "x", "x", 'must be a whole number from 1 to 1,000,000,000,000, not "x".'),
        ("window", (5, 2_000), "5,2000", "must be two whole numbers from 0 to 1,000, such as 5,5, not (5, 2000)."),
        ("within", "page", "page", 'must be document, sentence or line, not "page".'),
        ("unit", "Words", "Words", 'must be words or tokens, not "Words".'),
    ],
)
def test_the_library_and_the_command_refuse_a_value_by_one_sentence(folder, capsys, name, value, typed, sentence):
    with pytest.raises(QueryError) as error:
        open_index(folder / "index").collocates("cat", **{name: value})
    assert str(error.value) == f"{name} {sentence}"
    option = settings_of(CollocatesQuestion)[name].option
    assert main(["collocates", str(folder / "index"), "cat", option, typed]) == 2
    assert f"{option} {sentence} Run " in capsys.readouterr().err


def test_settings_in_conflict_have_one_sentence(folder, capsys):
    with pytest.raises(QueryError) as error:
        open_index(folder / "index").collocates("cat", window=(0, 0))
    assert main(["collocates", str(folder / "index"), "cat", "--window", "0,0"]) == 2
    assert str(error.value) == "A window needs a token on the left or on the right."
    assert str(error.value) in capsys.readouterr().err


def test_another_limit_is_in_force_everywhere(folder, capsys, monkeypatch):
    name, sentence = "min_documents", "must be a whole number from 2 to 9, not 10."
    changed = {**settings_of(CollocatesQuestion)}
    changed[name] = replace(changed[name], kind=Whole(2, 9), default=2)
    monkeypatch.setitem(question._KNOWN, CollocatesQuestion, changed)
    with pytest.raises(QueryError) as error:
        open_index(folder / "index").collocates("cat", min_documents=10)
    assert str(error.value) == f"{name} {sentence}"
    assert main(["collocates", str(folder / "index"), "cat", "--min-documents", "10"]) == 2
    assert f"--min-documents {sentence}" in capsys.readouterr().err
    made = CollocatesQuestion(min_documents=2)
    assert made.restored({name: 10}) == made and made.restored({name: 9}).min_documents == 9
