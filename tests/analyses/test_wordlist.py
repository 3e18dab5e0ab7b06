"""The question of word lists: one declaration, the same on every surface."""

from __future__ import annotations

import shlex
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO

import pytest

from explorer import build_index, open_index
from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.cli.commands import read_command_line
from explorer.cli.main import main
from explorer.cli.options.question_options import question_of
from explorer.derive.kinds import WordFile
from explorer.derive.question import settings_of
from explorer.errors import QueryError
from explorer.recipes import Source, wordlist_recipe


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("wordlist")
    build_index([{"text": "A cat sat. a cat"}, {"text": "a dog sat"}], place / "index", tokenizer="bytes")
    return place


@pytest.mark.parametrize(
    ("given", "typed", "sentence"),
    [
        ({"max_n": 65}, ("--n", "65"), "{max_n} must be a whole number from 1 to 64, not 65."),
        ({"min_n": 4, "max_n": 3}, ("--min-n", "4", "--n", "3"), "{min_n} must be a whole number from 1 to 3, not 4."),
        ({"min_count": 0}, ("--min-count", "0"), "{min_count} must be a whole number from 1 to 1,000,000,000,000"),
        ({"contains": ""}, ("--contains", ""), "{contains} must not be empty."),
        ({"contains": "a", "begins_with": "a"}, ("--contains", "a", "--begins-with", "a"), "List the n-grams that"),
        ({"contains": "a a", "n": 1}, ("--contains", "a a"), "2 tokens do not fit into n-grams of length 1."),
        ({"begins_with": "…"}, ("--begins-with", "…"), "“…” has no word."),
    ],
)  # fmt: skip
def test_the_library_and_the_command_refuse_values_by_one_sentence(folder, capsys, given, typed, sentence):
    names = {name: name for name in settings_of(WordlistQuestion)}
    with pytest.raises(QueryError) as error:
        open_index(folder / "index").words().ngrams(**given)
    assert str(error.value).startswith(sentence.format(**names))
    assert main(["wordlist", str(folder / "index"), *typed]) == 2
    options = {name: each.option for name, each in settings_of(WordlistQuestion).items()}
    assert sentence.format(**options) in capsys.readouterr().err


def test_a_phrase_is_a_text_or_token_ids():
    assert WordlistQuestion(contains=[1, 2]).contains == (1, 2)
    assert WordlistQuestion(contains=[1, 2]).facts[-1] == ("contains", "1 2")
    with pytest.raises(QueryError, match=r"contains must be a text or token ids, not 1\.5"):
        WordlistQuestion(contains=1.5)
    # A window has no field for ids.
    assert WordlistQuestion().restored({"contains": [1, 2]}) == WordlistQuestion()


@pytest.mark.parametrize(
    "asked",
    [
        WordlistQuestion(max_n=2, min_count=2),
        WordlistQuestion(max_n=2, min_n=1, contains="CAT", as_written=False),
        WordlistQuestion(as_written=True, top=2),
        WordlistQuestion(unit="tokens", max_n=3, begins_with="ca"),
    ],
)
def test_code_and_command_list_what_the_question_asks_for(folder, asked):
    made = wordlist_recipe(Source((str(folder / "index"),)), asked)
    with redirect_stdout(StringIO()) as shown:
        exec(made.python, {})
    with redirect_stdout(StringIO()) as printed:
        assert main([*shlex.split(made.commands[0])[1:], "--format", "csv", "--fields", "count,documents,form"]) == 0
    rows = [tuple(line.split(" ", 2)) for line in shown.getvalue().splitlines() if not line.startswith("NgramFacts")]
    # Of the command as it follows from the question.
    assert rows == [tuple(line.split(",")) for line in printed.getvalue().splitlines()[1:]] != []


def test_a_command_has_the_question_it_was_made_of(tmp_path):
    (tmp_path / "stop.txt").write_text("sat\n", encoding="utf-8")
    asked = WordlistQuestion(
        max_n=3, min_n=2, min_documents=2, stop=WordFile(str(tmp_path / "stop.txt")), contains="-a"
    )
    args = read_command_line(shlex.split(wordlist_recipe(Source(("index",)), asked).commands[0])[1:])
    assert question_of(args, WordlistQuestion) == replace(asked, stop=("sat",))
