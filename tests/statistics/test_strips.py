"""Where words are in the parts of a corpus, against words that are cut and counted slowly."""

from __future__ import annotations

import csv
import io
import json
import pickle

import numpy as np
import pytest

from explorer import QueryError, build_index, dispersion_strips, open_index
from explorer.cli.main import main
from explorer.export.drawing.strips import _runs
from explorer.words.rule import WordRule, words_of

ROWS = [
    {"text": "The cat and the dog, of course.", "kind": "b", "title": "First"},
    {"text": "the end", "kind": "a"},
    {"text": "! ?", "kind": "b"},
    {"text": "the dog, The dog; a course of the cat", "kind": "b"},
    {"text": "of course not"},
]
TEXTS = [words_of(row["text"], WordRule()) for row in ROWS]
WORDS = ["the", "dog", "of course"]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strips") / "index"
    build_index(ROWS, folder, tokenizer="bytes", name="Small")
    return folder


@pytest.fixture(scope="module")
def corpus(index):
    return open_index(index)


def slow_parts(kind):
    """Names and words of the parts that have words."""
    if kind == {}:
        return [(str(number), text) for number, text in enumerate(TEXTS) if text]
    run = [word for text in TEXTS for word in text]
    if "slices" in kind:
        bounds = [number * len(run) // kind["slices"] for number in range(kind["slices"] + 1)]
        return [(str(at), run[bounds[at] : bounds[at + 1]]) for at in range(kind["slices"])]
    values = {}
    for row, text in zip(ROWS, TEXTS, strict=True):
        values.setdefault(row.get("kind"), []).extend(text)
    return [(name, text) for name, text in values.items() if text]


@pytest.mark.parametrize("kind", [{}, {"by": "kind"}, {"slices": 2}, {"slices": 5}])
def test_ticks_are_the_words_of_each_part(corpus, kind):
    found = dispersion_strips(corpus, ["the", "dog"], **kind)
    expected = slow_parts(kind)
    assert (found.parts, found.total) == (len(expected), sum(map(len, TEXTS)))
    slow = sorted(
        (len(text), tuple([at / len(text) for at, each in enumerate(text) if each == word] for word in ("the", "dog")))
        for _, text in expected
        if {"the", "dog"} & set(text)
    )
    strips = found.strips()
    assert sorted((strip.words, tuple(map(list, strip.ticks))) for strip in strips) == slow and found.met == len(slow)
    rates = [strip.per_million for strip in strips]
    assert rates == sorted(rates, reverse=True)
    assert [strip.part for strip in found.strips(2, by_rate=False)] == sorted(strip.part for strip in strips)[:2]


@pytest.mark.parametrize("kind", [{}, {"by": "kind"}, {"slices": 4}, {"slices": 1}])
def test_measures_are_those_of_the_list_of_words(corpus, kind):
    listed = {row.form: row for row in corpus.dispersion(top=None, min_count=1, **kind)}
    words = list(listed)
    for first in range(0, len(words), 7):
        for row in dispersion_strips(corpus, words[first : first + 7], **kind).measures:
            for name, value in vars(listed[row.form]).items():
                assert getattr(row, name) == (pytest.approx(value) if isinstance(value, float) else value), name


def test_rows_of_words_count_where_they_begin(corpus):
    found = dispersion_strips(corpus, ["of course", "zebra"], by="kind")
    assert [row.form for row in found.measures] == ["of course"] and found.measures[0].count == 2
    assert found.counts("of course").sum() == 2 and not found.counts("zebra").any()
    assert [(row.form, row.count) for row in found] == [("of course", 1)] * 2 and len(found) == 2
    assert {row.words for row in found} == {3, sum(len(TEXTS[number]) for number in (0, 3))}
    none = dispersion_strips(corpus, ["zebra"])
    assert (none.met, none.measures, none.strips(), len(none)) == (0, (), (), 0)


def test_documents_have_titles_and_numbers(corpus, tmp_path):
    found = dispersion_strips(corpus, ["cat"])
    by_part = {strip.document: strip.title for strip in found.strips()}
    assert set(by_part) == {0, 3} and by_part[0] == "First"
    assert {strip.document for strip in dispersion_strips(corpus, ["cat"], by="kind").strips()} == {None}
    found.write(tmp_path / "cat.csv", about=False)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "cat.csv").read_text(encoding="utf-8-sig"))))
    assert {(row["part"], row["form"], row["count"]) for row in rows} == {("0", "cat", "1"), ("3", "cat", "1")}
    again = pickle.loads(pickle.dumps(found))
    assert list(again) == list(found) and again.strips() == found.strips()


def test_a_subset_has_its_own_parts(corpus):
    found = dispersion_strips(corpus.subset("kind=b"), ["the"])
    assert (found.parts, [strip.document for strip in found.strips(by_rate=False)]) == (2, [0, 3])


@pytest.mark.parametrize(
    ("words", "options", "told"),
    [
        ([], {}, "1 to 7"),
        (["a"] * 8, {}, "1 to 7"),
        (["! ?"], {}, "has no word"),
        (["the"], {"by": "kind", "slices": 2}, "not both"),
        (["the"], {"slices": 10**6}, "fewer words"),
        (["the"], {"by": "color"}, "color"),
    ],
)
def test_what_makes_no_sense_is_refused(corpus, words, options, told):
    with pytest.raises(QueryError, match=told):
        dispersion_strips(corpus, words, **options)


def test_a_word_with_too_many_hits_is_refused(corpus, monkeypatch):
    monkeypatch.setattr("explorer.analyses.dispersion.strips.MOST_HITS", 2)
    with pytest.raises(QueryError, match="at most 2 hits"):
        dispersion_strips(corpus, ["the"])


def test_the_command_measures_some_words_and_draws_them(index, corpus, tmp_path, capsys):
    words = [option for word in WORDS for option in ("--form", word)]
    command = ["dispersion", str(index), "--words", *words]
    assert main([*command, "--json", "--plot", str(tmp_path / "strips.svg")]) == 0
    printed = json.loads(capsys.readouterr().out)
    rows = dispersion_strips(corpus, WORDS).measures
    assert [(row["form"], row["d_a"]) for row in printed["rows"]] == [(row.form, row.d_a) for row in rows]
    drawn = (tmp_path / "strips.svg").read_text(encoding="utf-8")
    assert all(word in drawn for word in ("First", "of course", "Small"))
    assert main([*command, "--by", "kind", "--plot", str(tmp_path / "strips.csv")]) == 0
    assert "D and D2 tell little" not in capsys.readouterr().out
    data = list(csv.reader(io.StringIO((tmp_path / "strips.csv").read_text(encoding="utf-8-sig"))))
    header = data.index(["part", "words", "form", "count", "per_million"])
    assert {row[2] for row in data[header + 1 :] if len(row) == 5} == set(WORDS)
    assert main(["dispersion", str(index), "--words", "--form", "zebra", "--form", "cat"]) == 0
    shown = capsys.readouterr().out
    assert "zebra does not occur." in shown and "read count and range first" in shown


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--words", "--plot", "x.svg"], "--plot needs --form"),
        (["the", "--form", "cat"], "--form needs --words"),
        (["--words", "--form", "cat", "--top", "3"], "--top cannot be used with --form"),
        (["--words", "--form", "cat", "--plot", "x.abc"], ".abc"),
        (["--words", "--form", "??"], "has no word"),
    ],
)
def test_options_without_effect_are_refused(index, options, told, capsys):
    assert main(["dispersion", str(index), *options]) == 2
    assert told in capsys.readouterr().err


def test_ticks_that_touch_are_drawn_as_one():
    assert list(_runs((0.0, 0.01, 0.5, 0.999), 10)) == [(0, 0), (5, 5), (9, 9)]
    assert list(_runs((0.15, 0.25, 0.35, 0.7), 10)) == [(1, 3), (7, 7)]
    assert list(_runs((), 10)) == []
    assert list(_runs(tuple(np.linspace(0, 0.9999, 5000).tolist()), 100)) == [(0, 99)]
