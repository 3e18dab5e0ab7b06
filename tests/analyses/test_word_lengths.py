"""Word lengths: counted by hand, on every surface."""

from __future__ import annotations

import inspect
import json
from collections import Counter

import pytest

from explorer import Corpus, build_index, open_index
from explorer.analyses.registry import row_of
from explorer.cli.main import main
from explorer.derive.question import settings_of
from explorer.errors import QueryError

TEXTS = ["The cat saw cafe\u0301s.", "A cat and a caf\u00e9: I saw the cat!"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("lengths") / "index"
    build_index([{"text": text, "part": str(at)} for at, text in enumerate(TEXTS)], place, tokenizer="bytes")
    return place


@pytest.fixture(scope="module")
def corpus(folder):
    with open_index(folder) as corpus:
        yield corpus


def test_words_are_counted_by_their_characters_as_readers_see_them(corpus):
    words = Counter(["the", "cat", "saw", "cafés", "a", "cat", "and", "a", "café", "i", "saw", "the", "cat"])
    found = corpus.word_lengths(examples=2)
    assert [(row.length, row.word_count, row.type_count) for row in found] == [
        (1, 3, 2),
        (3, 8, 4),
        (4, 1, 1),
        (5, 1, 1),
    ]
    assert [row.examples for row in found][:2] == [("a", "i"), ("cat", "saw")]
    assert sum(row.share for row in found) == pytest.approx(1)
    assert (found.facts.word_count, found.facts.type_count) == (words.total(), len(words)) == (13, 8)
    assert found.facts.mean_length == pytest.approx(sum(len(word) * count for word, count in words.items()) / 13)


def test_rare_words_are_left_out(corpus):
    found = corpus.word_lengths(min_count=2, examples=0)
    assert [(row.length, row.word_count, row.examples) for row in found] == [(1, 2, ()), (3, 7, ())]
    none = corpus.word_lengths(min_count=4)
    assert list(none) == [] and none.facts.mean_length is None and none.chart("").data == ()


def test_a_subset_has_its_own_lengths(corpus):
    assert corpus.subset("part=0").word_lengths().facts.word_count == 4


def test_the_signature_and_the_reference_are_those_of_the_declarations():
    analysis, parameters = row_of("word-lengths").analysis, inspect.signature(Corpus.word_lengths).parameters
    text = inspect.getdoc(Corpus.word_lengths)
    for name, each in settings_of(analysis.question).items():
        assert parameters[name].default == each.default and parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert f"{name}\n    {each.help[:1].upper()}{each.help[1:]}." in text
    assert "- length: Characters as readers see them: a letter with its accents is one." in text
    with pytest.raises(TypeError, match="unexpected keyword argument 'least'"):
        Corpus.word_lengths(None, least=3)


def test_the_library_and_the_command_refuse_a_value_by_one_sentence(corpus, folder, capsys):
    sentence = "must be a whole number from 0 to 100, not 101."
    with pytest.raises(QueryError) as error:
        corpus.word_lengths(examples=101)
    assert str(error.value) == f"examples {sentence}"
    assert main(["word-lengths", str(folder), "--examples", "101"]) == 2
    assert f"--examples {sentence}" in capsys.readouterr().err


def test_the_command_prints_the_rows_of_the_library(corpus, folder, capsys):
    assert main(["word-lengths", str(folder), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = corpus.word_lengths()
    assert printed["results"] == [{**vars(row), "examples": list(row.examples)} for row in found]
    assert printed["mean_length"] == found.facts.mean_length
    assert main(["word-lengths", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("words: 13; different words: 8; mean length: ")
    assert lines[1].split() == ["length", "word", "count", "share", "type", "count", "examples"]
    assert lines[3].split() == ["3", "8", "61.54%", "4", "cat,", "saw,", "the"]
    assert main(["word-lengths", str(folder), "--min-count", "9"]) == 0
    assert "No row meets the conditions." in capsys.readouterr().out


def test_a_saved_file_and_a_figure_state_what_was_computed(corpus, tmp_path):
    found = corpus.word_lengths(min_count=2)
    found.write(tmp_path / "lengths.csv")
    about = json.loads((tmp_path / "lengths.csv.about.json").read_text(encoding="utf-8"))
    assert about["index fingerprint"] == corpus.index.fingerprint
    assert (about["unit"], about["least count"], about["examples"], about["word count"]) == ("words", "2", "3", "9")
    chart = found.chart("Word lengths")
    assert dict(chart.facts)["least count"] == "2" and chart.data == ((1, 2, 2 / 9, 1), (3, 7, 7 / 9, 3))
