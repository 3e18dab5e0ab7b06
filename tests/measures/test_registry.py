"""One row makes a measure of a text: JSON, the report and the command line show it at once."""

from __future__ import annotations

import json

import pytest

from explorer.analyses.trace.measures.measure import Measure
from explorer.analyses.trace.measures.registry import MEASURES
from explorer.cli.main import main
from explorer.export.jsonable import to_json
from explorer.export.reports.trace_html import trace_html

TEXT = "the cat sat on the mat"


class Vowels(Measure[int]):
    """The file of a trivial measure."""

    id = "vowels"
    label = "Vowels"

    def compute(self, matched):
        return sum(char in "aeiou" for char in matched.text)

    def summary(self, value):
        return f"{value} vowels & no more"


@pytest.fixture
def added(monkeypatch):
    monkeypatch.setattr(MEASURES, "rows", (*MEASURES.rows, Vowels()))


def test_a_new_measure_is_in_json_report_and_command_line(added, small, small_index, tmp_path, capsys):
    trace = small.trace(TEXT)
    expected = sum(TEXT.count(vowel) for vowel in "aeiou")
    assert trace.value_of("vowels") == expected
    assert json.loads(to_json(trace))["vowels"] == expected
    assert f"Vowels: {expected} vowels &amp; no more." in trace_html(small.index, trace)
    (tmp_path / "t.txt").write_text(TEXT, encoding="utf-8")
    assert main(["trace", str(small_index), str(tmp_path / "t.txt")]) == 0
    assert f" · {expected} vowels & no more" in capsys.readouterr().out
    assert main(["trace", str(small_index), str(tmp_path / "t.txt"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["vowels"] == expected


def test_json_keeps_its_names(small):
    found = json.loads(to_json(small.trace(TEXT)))
    assert set(found) == {
        "text", "prompt", "settings", "token_count", "token_ids", "token_starts", "token_ends", "covering", "spans",
        "merged", "documents", "longest_passage", "novelty", "self_match", "times", "reading", "reading_starts",
        "reading_ends",
    }  # fmt: skip
    assert set(found["novelty"]) == {"lengths", "uncovered", "index", "longest_match"}
    assert len(found["covering"]) == len(found["token_ids"]) == found["token_count"]


def test_rows_differ_and_a_missing_one_is_refused(small):
    assert len({row.id for row in MEASURES}) == len(MEASURES.rows) >= 4
    with pytest.raises(KeyError):
        small.trace(TEXT).value_of("nothing")


def test_values_and_names_on_a_trace_are_the_same(small):
    trace = small.trace(TEXT)
    assert trace.coverage == pytest.approx(sum(length >= 5 for length in trace.covering.tolist()) / trace.token_count)
    assert trace.novelty is trace.value_of("novelty")
    assert trace.longest_passage is trace.value_of("longest_passage")
    assert [found.chart("small") is not None for found in trace.measured] == [True, False, True, False]
