"""dispersion --words: the library's answer, through the command line."""

from __future__ import annotations

import json

import pytest

import explorer
from explorer.cli.main import main


@pytest.mark.parametrize(("options", "asked"), [
    ([], {}),
    (["--by", "path", "--min-count", "1"], {"by": "path", "min_count": 1}),
    (["--slices", "3", "--top", "all", "--min-count", "2"], {"slices": 3, "top": None, "min_count": 2}),
])  # fmt: skip
def test_words_are_measured_as_in_the_library(small_index, capsys, options, asked):
    assert main(["dispersion", str(small_index), "--words", *options, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = explorer.open_index(small_index).dispersion(**asked)
    assert (printed["part_count"], printed["total"]) == (found.parts, found.total)
    assert [row["form"] for row in printed["results"]] == [row.form for row in found] and printed["results"]
    assert [row["dp"] for row in printed["results"]] == [row.dp for row in found]


@pytest.mark.parametrize(("arguments", "wrong"), [
    ([], "The following arguments are required: QUERY or --words."),
    (["the", "--words"], "QUERY cannot be used with --words."),
    (["the", "--slices", "3"], "--slices needs --words."),
    (["--words", "--near", "the"], "--words cannot be used with --near."),
    (["--words", "--slices", "3", "--by", "year"], "--by cannot be used with --slices."),
])  # fmt: skip
def test_what_does_not_fit_is_refused(small_index, capsys, arguments, wrong):
    assert main(["dispersion", str(small_index), *arguments]) == 2
    assert wrong in capsys.readouterr().err


def test_what_occurs_nowhere_has_no_spread(small_index, capsys):
    assert main(["dispersion", str(small_index), "unicorn", "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["results"]
    assert (row["line_count"], row["document_count"], row["dp"]) == (0, 0, None)


@pytest.mark.parametrize(("texts", "told"), [
    (["! ?", "…"], ["0 words, over 0 documents", "There are no words."]),
    (["the"], ["1 word, over 1 document", "No word occurs that often. Try a smaller --min-count."]),
])  # fmt: skip
def test_corpora_of_no_word_and_of_one(texts, told, tmp_path, capsys):
    explorer.build_index([{"text": text} for text in texts], tmp_path / "index", tokenizer="bytes")
    assert main(["dispersion", str(tmp_path / "index"), "--words"]) == 0
    assert capsys.readouterr().out.splitlines() == told


def test_a_list_without_rows_is_explained(small_index, capsys):
    assert main(["dispersion", str(small_index), "--words", "--min-count", "9999"]) == 0
    assert "No word occurs that often. Try a smaller --min-count." in capsys.readouterr().out
