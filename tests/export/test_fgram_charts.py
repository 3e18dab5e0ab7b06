"""The chart of f-grams: what it draws by K and by size, and the files that the command writes."""

from __future__ import annotations

import csv
import json

import pytest

from explorer import build_index
from explorer.cli.main import main
from explorer.export.fgrams.charts import HEADER, coverage_chart
from explorer.export.records.fgrams import FgramCoverageRecord

ROWS = [
    FgramCoverageRecord(max_n, size, 9, size + max_n, 1 + max_n / 8, max_n / 10, 10**6 * (size + max_n))
    for size in (10, 200)
    for max_n in (2, 3, 4)
]


def test_lines_are_sizes_and_bars_gigabytes():
    chart = coverage_chart("a title", ROWS)
    (length, coverage), (by_size,) = chart.rows
    assert [dots.name for dots in length.dots] == ["size 10", "size 200"]
    assert [(point.x, point.y) for point in length.dots[1].points] == [(2, 1.25), (3, 1.375), (4, 1.5)]
    assert [point.y for point in coverage.dots[0].points] == [0.2, 0.3, 0.4]
    # At the right, the largest size by K, and the longest K by size.
    assert [point.y for point in length.bars[0].points] == pytest.approx([0.202, 0.203, 0.204])
    assert [point.y for point in by_size.bars[0].points] == pytest.approx([0.014, 0.204])
    assert length.bars[0].right and length.right is not None and length.right.high > 0.204
    assert (by_size.dots[0].name, [tick for _, tick in by_size.x.ticks]) == ("K = 4", ["10", "200"])
    assert length.left.low == 1 and length.left.high >= 1.5
    assert chart.header == HEADER and chart.data[0] == (2, 10, 9, 12, 1.25, 0.2, 12_000_000)


def test_what_is_unknown_is_not_drawn():
    unknown = [FgramCoverageRecord(2, 1, 5, 0, None, None, 0)]
    (length, coverage), _ = coverage_chart("", unknown).rows
    assert length.dots[0].points == coverage.dots[0].points == ()


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An index of one repeated token, and a text beside it."""
    home = tmp_path_factory.mktemp("fgram-chart")
    build_index([{"text": "a" * 40}], home / "index", tokenizer="bytes")
    (home / "text.txt").write_text("aaaaab")
    return home


def test_one_repeated_token_has_one_fgram_of_each_length(home, capsys):
    asked = ["fgrams", str(home / "index"), "--min-count", "1", "--max-n", "4", "--texts", str(home / "text.txt")]
    plot = home / "plot.csv"
    assert main([*asked, "--plot", str(plot), "--value-type", "int8", "--dimension", "12", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["kept"], found["text_count"], found["token_count"], found["value_type"]) == (3, 1, 6, "int8")
    # Of six tokens, the second to fifth end an f-gram; the cut-off of K = 4 is the count of the last, 40 - 4 + 1.
    last = found["results"][-1]
    assert last == {
        "max_n": 4, "size": 3, "cutoff": 1, "kept": 3, "mean_length": pytest.approx((1 + 2 + 3 + 4 + 4 + 1) / 6),
        "coverage": pytest.approx(4 / 6), "table_bytes": 3 * 16,
    }  # fmt: skip
    rows = list(csv.DictReader(line for line in plot.read_text().splitlines() if not line.startswith("#")))
    assert [row["max_n"] for row in rows] == ["2", "3", "4"]


def test_options_of_texts_need_texts(home, capsys):
    for option, value in (("--sizes", "3"), ("--plot", "a.svg"), ("--input", "text")):
        assert main(["fgrams", str(home / "index"), option, value]) == 2
        assert f"{option} needs --texts" in capsys.readouterr().err
    assert main(["fgrams", str(home / "index"), "--texts", str(home / "text.txt"), "--sizes", "3,0"]) == 2
    assert "from 1 to" in capsys.readouterr().err
