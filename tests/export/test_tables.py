"""Exported files, read back."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest

from explorer.export.cells import guard_formula
from explorer.export.destination import ExportError, replacing, save_text
from explorer.export.jsonable import to_json
from explorer.export.reports.trace_html import trace_html
from explorer.export.tables import table_text


def test_formulas_become_text():
    assert guard_formula("=1+1") == "'=1+1"
    assert guard_formula("@x") == "'@x"
    assert guard_formula("a=1") == "a=1"
    assert guard_formula(-3) == -3


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_tables_read_back(form, delimiter):
    rows = [(1, 'a "b", c', "d\te\nf"), (2, "=x", "ü")]
    text = table_text(("n", "p", "q"), rows, form)
    found = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    assert found == [["n", "p", "q"], ["1", 'a "b", c', "d\te\nf"], ["2", "'=x", "ü"]]


def test_json_lines_read_back():
    text = table_text(("n", "t"), [(np.int64(1), "=x"), (float("nan"), "y")], "jsonl")
    assert [json.loads(line) for line in text.splitlines()] == [{"n": 1, "t": "=x"}, {"n": None, "t": "y"}]


def test_results_as_json(small):
    trace = json.loads(to_json(small.trace("the cat sat on the mat")))
    assert trace["text"] == "the cat sat on the mat"
    assert {"start", "end", "token_start", "token_end", "count", "documents"} <= set(trace["spans"][0])
    assert json.loads(to_json(small.prob([399, 399, 399], 1)))["probability"] is None


def test_files_are_whole_or_not_there(tmp_path):
    save_text(tmp_path / "a.txt", "x")
    with pytest.raises(RuntimeError), replacing(tmp_path / "a.txt") as partial:
        partial.write_text("half")
        raise RuntimeError
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "x"
    with pytest.raises(ExportError, match="cannot be written"):
        save_text(tmp_path / "none" / "a.txt", "x")


def test_the_report_escapes_what_it_is_given(small):
    trace = small.trace("the cat <script>alert(1)</script> & the dog", "<b>prompt</b>")
    page = trace_html(small.index, trace)
    assert "<script>" not in page
    assert "<b>prompt" not in page
    assert "&lt;script&gt;" in page
    assert "&lt;b&gt;prompt&lt;/b&gt;" in page
    assert page.count("<mark class=") >= len(trace.merged)


@pytest.mark.parametrize("count", [3, 30_000])
def test_long_json_is_on_one_line_and_the_same_otherwise(count):
    bins = [{"n": number, "share": math.nan if number == 1 else 0.5} for number in range(count)]
    text = to_json({"bins": bins, "name": "é"})
    assert json.loads(text) == {
        "bins": [{"n": number, "share": None if number == 1 else 0.5} for number in range(count)],
        "name": "é",
    }
    assert ("\n" in text) == (count == 3)
