"""The question of keywords: invalid values have one sentence, and code compares as the question does."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest

from explorer import build_index, open_index
from explorer.analyses.keywords.question import KeywordsQuestion
from explorer.cli.commands import read_command_line
from explorer.cli.main import main
from explorer.cli.options.question_options import question_of
from explorer.derive.kinds import WordFile
from explorer.derive.question import settings_of
from explorer.errors import QueryError
from explorer.recipes import Source, keywords_recipe


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("keywords") / "index"
    build_index([{"text": "a cat sat", "kind": "cat"}, {"text": "a dog ran", "kind": "dog"}], place, tokenizer="bytes")
    return place


@pytest.mark.parametrize(
    ("name", "value", "typed", "sentence"),
    [
        ("min_count", 0, "0", "must be a whole number from 1 to 1,000,000,000,000, not 0."),
        ("min_d_a", 1.5, "1.5", "must be a number from 0 to 1, not 1.5."),
        ("min_d_a", float("nan"), "nan", "must be a number from 0 to 1, not"),
        ("k", 0, "0", "must be a number above 0 and at most 1e+06, not 0"),
        ("correction", "sidak", "sidak", 'must be holm, bonferroni or fdr, not "sidak".'),
        ("measure", "mi", "mi", "must be g2, g2_two_terms, bic, log_ratio, percent_difference, odds_ratio or simple_"),
    ],
)
def test_the_library_and_the_command_refuse_a_value_by_one_sentence(folder, capsys, name, value, typed, sentence):
    with pytest.raises(QueryError) as error:
        open_index(folder).keywords({"the": 1}, **{name: value})
    assert str(error.value).startswith(f"{name} {sentence}")
    option = settings_of(KeywordsQuestion)[name].option
    assert main(["keywords", str(folder), "--field", "kind=cat", option, typed]) == 2
    assert f"{option} {sentence}" in capsys.readouterr().err


def test_code_compares_as_the_question_does(folder, tmp_path):
    (tmp_path / "stop.txt").write_text("sat\n", encoding="utf-8")
    asked = KeywordsQuestion(
        measure="bic",
        min_count=1,
        min_d_a=0.5,
        stop=WordFile(str(tmp_path / "stop.txt")),
        correction=None,
        k=2.5,
        top=9,
    )
    made = keywords_recipe(Source((str(folder),)), asked, where="kind=cat")
    names = {}
    exec(made.python, names)
    assert [row.form for row in names["found"] if row.positive] == ["cat", "a"]
    assert names["found"][0].p_corrected is None
    args = read_command_line(shlex.split(made.commands[0])[1:])
    assert args.field == "kind=cat" and question_of(args, KeywordsQuestion) == replace(asked, stop=("sat",))


def test_sessions_of_0_2_had_0_for_any_spread():
    assert KeywordsQuestion(min_d_a=0.3).restored({"min_d_a": 0.0, "measure": "bic"}) == KeywordsQuestion(measure="bic")
