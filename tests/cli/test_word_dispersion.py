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


def test_a_list_without_rows_is_explained(small_index, capsys):
    assert main(["dispersion", str(small_index), "--words", "--min-count", "9999"]) == 0
    assert "No word occurs so often. Try a smaller --min-count." in capsys.readouterr().out
