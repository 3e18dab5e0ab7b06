"""Exported lines, read back."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from explorer import build_index, open_index
from explorer.analyses.metadata.values import parse_filter
from explorer.analyses.search.arrange import LineSettings
from explorer.analyses.search.find import QueryOptions, find_query
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CorpusError, QueryError
from explorer.export.about import about_path
from explorer.export.formats import workbook
from explorer.export.lines import copy_text, save_lines
from explorer.export.provenance import index_facts, line_facts, query_facts
from explorer.export.records.line import LineTable
from explorer.export.registry import COPIES, LINES


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    texts = ["=1+1 cat | a\tb\nnext", "日本語 cat 😀\x01", "the cat", "+cat"]
    with open(folder / "t.jsonl", "w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            record = {"text": text, "year": 2000.0 + number, "list": [number], "yes": number % 2 == 0}
            record |= {"gap": [float("nan"), 1.5, float("inf"), 10**400][number]} | (
                {} if number else {"title": "\n=2+2"}
            )
            file.write(json.dumps(record) + "\n")
    build_index(folder / "t.jsonl", folder / "out", tokenizer="bytes")
    return open_index(folder / "out")


@pytest.fixture
def table(corpus):
    found = corpus.search("cat")
    lines = corpus.concordance(found, sort="document")
    about = (*index_facts(corpus.index), *query_facts(found), *line_facts(LineSettings(seed=7), lines))
    return LineTable(lines, 30, fields=("year", "list", "yes", "gap"), about=about)


def expected(table):
    return [(x.left, x.match, x.right) for x in table.lines.lines(0, 100, 30)]


def read_facts(path):
    return json.loads(about_path(path).read_text(encoding="utf-8"))


def read_separated(path, delimiter):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_separated(table, tmp_path, form, delimiter):
    path = tmp_path / f"lines.{form}"
    save_lines(path, table)
    rows = read_separated(path, delimiter)
    assert tuple(rows[0]) == table.header
    assert [int(row["number"]) for row in rows] == list(range(len(table)))
    assert [row["match"] for row in rows] == ["cat"] * len(table)
    assert rows[0]["left"] == "'=1+1 "
    assert rows[0]["right"] == " | a\tb\nnext"
    assert [row["year"] for row in rows] == ["2000", "2001", "2002", "2003"]
    assert [(row["yes"], row["gap"], row["list"]) for row in rows[:2]] == [("true", "", "[0]"), ("false", "1.5", "[1]")]
    assert [row["start"] for row in rows] == ["5", "4", "4", "1"] and rows[0]["end"] == "8"
    facts = read_facts(path)
    assert facts["query"] == "cat" and facts["seed"] == "7"
    assert facts["index fingerprint"] == table.lines.index.fingerprint != ""
    assert sorted(os.listdir(tmp_path)) == [f"lines.{form}", f"lines.{form}.about.json"]


def strict(text):
    def refuse(name):
        raise ValueError(name)

    return json.loads(text, parse_constant=refuse)


def test_json_lines(table, tmp_path):
    path = tmp_path / "lines.jsonl"
    save_lines(path, table)
    rows = [strict(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(row["left"], row["match"], row["right"]) for row in rows] == expected(table)
    assert [row["number"] for row in rows] == [0, 1, 2, 3]
    assert [row["metadata"]["list"] for row in rows] == [[0], [1], [2], [3]]
    assert [row["metadata"]["yes"] for row in rows] == [True, False, True, False]
    assert [row["metadata"]["gap"] for row in rows] == [None, 1.5, None, 10**400]
    assert rows[0]["path"].endswith("t.jsonl") and set(rows[0]["metadata"]) == set(table.fields)
    assert read_facts(path)["lines"] == "4"


def test_all_fields_where_none_is_named(table, tmp_path):
    save_lines(tmp_path / "a.jsonl", LineTable(table.lines, 5))
    row = strict((tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert set(row["metadata"]) == {"linenum", "year", "list", "yes", "gap", "title"}


def test_other_programs_read_them(table, tmp_path):
    pyarrow_csv, pyarrow_json = pytest.importorskip("pyarrow.csv"), pytest.importorskip("pyarrow.json")
    save_lines(tmp_path / "a.csv", table)
    save_lines(tmp_path / "a.jsonl", replace(table, fields=("year", "list")))
    lines = pyarrow_csv.ParseOptions(newlines_in_values=True)
    for found in (
        pyarrow_csv.read_csv(tmp_path / "a.csv", parse_options=lines),
        pyarrow_json.read_json(tmp_path / "a.jsonl"),
    ):
        assert found.column("number").to_pylist() == [0, 1, 2, 3]
        assert found.column("match").to_pylist() == ["cat"] * 4
        assert found.column("right")[0].as_py() == " | a\tb\nnext"


def test_a_workbook(table, tmp_path):
    path = tmp_path / "lines.xlsx"
    save_lines(path, table)
    book = openpyxl.load_workbook(path)
    rows = [dict(zip(table.header, row, strict=True)) for row in list(book["Lines"].values)[1:]]
    assert [row["match"] for row in rows] == ["cat"] * len(table)
    assert rows[0]["left"] == "=1+1 " and book["Lines"]["G2"].data_type == "s"
    assert rows[1]["right"] == " 😀 " and rows[0]["right"] == " | a\tb\nnext"
    assert [row["gap"] for row in rows] == [None, 1.5, "Infinity", str(10**400)]
    assert [row["year"] for row in rows] == [2000, 2001, 2002, 2003]
    assert dict(book["About"].values)["query"] == "cat"
    assert os.listdir(tmp_path) == ["lines.xlsx"]


@pytest.mark.parametrize("form", LINES.ids)
def test_chosen_lines_only(table, tmp_path, form):
    chosen = LineTable(table.lines, 5, numbers=[2, 0])
    save_lines(tmp_path / f"a.{form}", chosen)
    assert [row[0] for row in chosen.rows()] == [2, 0]


@pytest.mark.parametrize("form", LINES.ids)
def test_facts_elsewhere(table, tmp_path, form):
    for about in ("inline", "none"):
        save_lines(tmp_path / f"{about}.{form}", table, about=about)
    assert len(os.listdir(tmp_path)) == 2
    if form == "xlsx":
        assert [openpyxl.load_workbook(tmp_path / f"{a}.xlsx").sheetnames for a in ("inline", "none")] == [
            ["Lines", "About"],
            ["Lines"],
        ]
        return
    inline, none = ((tmp_path / f"{a}.{form}").read_text(encoding="utf-8") for a in ("inline", "none"))
    assert inline.endswith(none) and "fingerprint" in inline and "fingerprint" not in none
    first = inline.splitlines()[0]
    assert strict(first)["about"]["seed"] == "7" if form == "jsonl" else first.startswith("# program: Corpus Explorer")
    with pytest.raises(QueryError, match="beside, inline, none"):
        save_lines(tmp_path / f"x.{form}", table, about="elsewhere")


def test_nothing_lies_beside_a_stream(table, tmp_path):
    (tmp_path / "x.csv").symlink_to("/dev/null")
    save_lines(tmp_path / "x.csv", table)
    assert os.listdir(tmp_path) == ["x.csv"]


def test_facts_of_one_name(corpus, tmp_path):
    view = LineSettings(filters=(parse_filter("year>=2000"), parse_filter("year<2003")))
    found = corpus.search("cat")
    lines = corpus.concordance(found, view=view)
    about = (*query_facts(found), *line_facts(view, lines))
    save_lines(tmp_path / "a.jsonl", LineTable(lines, 5, about=about))
    assert read_facts(tmp_path / "a.jsonl")["filter"] == ["year is at least 2000", "year is less than 2003"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (QueryOptions(match="tokens"), {"match": "tokens", "variants": "none"}),
        (QueryOptions(match="text"), {"match": "text", "ignore case": "no", "whole words": "no"}),
        (QueryOptions(match="regex", ignore_case=True), {"match": "regex", "ignore case": "yes", "whole words": "no"}),
    ],
)
def test_facts_name_the_match(corpus, options, said):
    found = find_query(corpus.index, "the AND cat OR next", options)
    facts = dict(query_facts(found))
    assert {name: facts[name] for name in said} == said
    both = ["{0}the{0}", "{0}cat{0}", "{0}next{0}"]
    both = [name.format("/" if options.match == "regex" else '"') for name in both]
    assert facts["read as"] == "({} AND {}) OR {}".format(*both)
    assert ("variants" in facts) == (options.match == "tokens") and facts["distance"] == "100 tokens"


def test_squashed(table, tmp_path):
    squashed = replace(table, squash=True)
    for form in ("csv", "jsonl"):
        save_lines(tmp_path / f"a.{form}", squashed)
    assert read_separated(tmp_path / "a.csv", ",")[0]["right"] == " | a b next"
    assert strict((tmp_path / "a.jsonl").read_text().splitlines()[0])["right"] == " | a b next"


def test_a_field_named_as_a_column(corpus, tmp_path):
    table = LineTable(corpus.concordance("cat", sort="document"), 5, fields=("title", "year"))
    assert len(set(table.header)) == len(table.header)
    save_lines(tmp_path / "a.csv", table)
    assert [row["metadata.title"] for row in read_separated(tmp_path / "a.csv", ",")] == ["'\n=2+2", "", "", ""]


def test_copies(table):
    few = LineTable(table.lines, 30, fields=("year",), numbers=[0, 2])
    copies = {form: copy_text(few, form) for form in COPIES.ids}
    assert [row["match"] for row in json.loads(copies["json"])] == ["cat", "cat"]
    assert [line.split("\t")[7] for line in copies["tsv"].splitlines()] == ["match", "cat", "cat"]
    markdown = copies["markdown"].splitlines()
    assert len(markdown) == 4 and r"\|" in markdown[2]
    assert len({line.replace(r"\|", "").count("|") for line in markdown}) == 1
    assert copies["tsv"].splitlines()[1].split("\t")[6] == "'=1+1 "
    assert [line.index("[cat]") for line in copies["text"].splitlines()] == [len("=1+1 ") + 1] * 2


def test_nothing_is_left_behind(table, tmp_path):
    token = CancelToken()
    token.cancel()
    for form in LINES.ids:
        with pytest.raises(Cancelled):
            save_lines(tmp_path / f"x.{form}", table, cancel=token)
        with pytest.raises(CorpusError, match="cannot be written"):
            save_lines(tmp_path / "none" / f"x.{form}", table)
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_full_disk_is_said(table, tmp_path, form):
    (tmp_path / f"x.{form}").symlink_to("/dev/full")
    with pytest.raises(CorpusError, match="No space left"):
        save_lines(tmp_path / f"x.{form}", table)
    assert os.listdir(tmp_path) == [f"x.{form}"]


def test_what_cannot_be_written(table, tmp_path, monkeypatch):
    with pytest.raises(QueryError, match=r"\.csv, \.tsv, \.jsonl, \.xlsx"):
        save_lines(tmp_path / "x.pdf", table)
    monkeypatch.setattr(workbook, "ROWS", 3)
    with pytest.raises(QueryError, match="workbook holds 2 lines"):
        save_lines(tmp_path / "x.xlsx", table)


def test_a_text_longer_than_a_cell_is_an_error(tmp_path):
    build_index([{"text": "cat " + "x" * 40_000}], tmp_path / "long", tokenizer="bytes")
    table = LineTable(open_index(tmp_path / "long").concordance("cat"), 50_000)
    with pytest.raises(
        QueryError, match=r"Row 1, column “right” has a text of 40,001 characters, and a cell"
    ) as raised:
        save_lines(tmp_path / "a.xlsx", table)
    assert raised.value.reason == "long-cell" and not (tmp_path / "a.xlsx").exists()
    save_lines(tmp_path / "a.csv", table)
    assert read_separated(tmp_path / "a.csv", ",")[0]["right"] == " " + "x" * 40_000


def test_a_long_fact_takes_several_rows(table, tmp_path):
    stop = ", ".join(f"word{n}" for n in range(5_000))
    save_lines(tmp_path / "a.xlsx", replace(table, about=(("left out", stop), ("query", "cat"))))
    rows = [*openpyxl.load_workbook(tmp_path / "a.xlsx")["About"].iter_rows(values_only=True)]
    assert "".join(value for name, value in rows if name == "left out") == stop
    assert ("query", "cat") in rows
