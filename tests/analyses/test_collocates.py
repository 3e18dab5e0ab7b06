"""The question of collocates: one declaration, the same on every surface."""

from __future__ import annotations

import shlex
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO

import pytest

from explorer import build_index, open_index
from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.cli.commands import read_command_line
from explorer.cli.main import main
from explorer.cli.options.question_options import question_of
from explorer.derive import question
from explorer.derive.kinds import Whole, WordFile
from explorer.derive.question import settings_of
from explorer.errors import QueryError
from explorer.recipes import Source, collocates_recipe


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("collocates")
    build_index([{"text": "a cat sat"}, {"text": "a cat ran"}], place / "index", tokenizer="bytes")
    return place


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


def test_code_has_the_settings_that_differ_from_the_defaults():
    assert collocates_recipe(Source(("index",)), "cat", (), CollocatesQuestion()).python.splitlines()[2:] == [
        "corpus = explorer.open_index('index')",
        "found = corpus.collocates('cat')",
        "print(found.node_count, found.window_tokens, found.total)",
        "for row in found:",
        "    print(row.form, row.observed, row.count, row.expected, row.logdice)",
    ]
    made = collocates_recipe(Source(("index",)), "cat", (), CollocatesQuestion(window=(0, 3), unit="tokens", sort="mi"))
    assert "found = corpus.collocates('cat', window=(0, 3), unit='tokens')" in made.python
    assert "for row in found.sorted_by('mi'):" in made.python
    assert made.commands == ("corpus-explorer collocates --window=0,3 --unit=tokens --sort=mi index cat\n",)


def test_code_counts_as_the_question_does(folder, tmp_path):
    (tmp_path / "stop.txt").write_text("sat\n", encoding="utf-8")
    asked = CollocatesQuestion(
        window=(1, 2), within="line", min_count=1, stop=WordFile(str(tmp_path / "stop.txt")), details=True, sort="mi3"
    )
    made = collocates_recipe(Source((str(folder / "index"),)), "cat", (), asked)
    with redirect_stdout(StringIO()) as shown:
        exec(made.python, {})
    counts = {line.split()[0]: int(line.split()[1]) for line in shown.getvalue().splitlines()[1:]}
    assert counts == {"a": 2, "ran": 1}
    args = read_command_line(shlex.split(made.commands[0])[1:])
    assert question_of(args, CollocatesQuestion) == replace(asked, stop=("sat",))
