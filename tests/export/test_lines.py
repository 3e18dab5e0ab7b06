"""Exported lines, read back."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import openpyxl
import pytest

from explorer import build_index, open_index
from explorer.errors import Cancelled, CorpusError, QueryError
from explorer.export import lines as lines_module
from explorer.export.lines import COPY_FORMATS, LINE_FORMATS, LineTable, copy_text, save_lines
from explorer.export.provenance import index_facts, query_facts
from explorer.jobs import CancelToken
from explorer.search.arrange import View
from explorer.search.find import QueryOptions


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    texts = ["=1+1 cat | a\tb\nnext", "日本語 cat 😀\x01", "the cat", "+cat"]
    with open(folder / "t.jsonl", "w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            file.write(json.dumps({"text": text, "year": 2000 + number, "list": [number]}) + "\n")
    build_index(folder / "t.jsonl", folder / "out", tokenizer="bytes")
    return open_index(folder / "out")


@pytest.fixture
def table(corpus):
    found = corpus.search("cat")
    lines = corpus.concordance(found, sort="document")
    about = (*index_facts(corpus.index), *query_facts(found, QueryOptions(), View(seed=7), lines))
    return LineTable(lines, 30, fields=("year", "list"), about=about)


def expected(table):
    return [(x.left, x.match, x.right) for x in table.lines.lines(0, 100, 30)]


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_separated(table, tmp_path, form, delimiter):
    path = tmp_path / f"lines.{form}"
    save_lines(path, table)
    text = path.read_text(encoding="utf-8").splitlines()
    about = dict(line[2:].split(": ", 1) for line in text if line.startswith("# "))
    assert about["query"] == "cat" and about["seed"] == "7"
    assert len(about["index fingerprint"]) == 32
    rows = list(csv.reader([line for line in text if not line.startswith("# ")], delimiter=delimiter))
    assert tuple(rows[0]) == table.header
    assert len(rows) == 1 + len(table)
    assert [row[2] for row in rows[1:]] == ["cat"] * len(table)
    assert rows[1][1] == "'=1+1 "
    assert rows[1][3] == " | a b next"
    assert [row[8] for row in rows[1:]] == ["2000", "2001", "2002", "2003"]


def test_json_lines(table, tmp_path):
    path = tmp_path / "lines.jsonl"
    save_lines(path, table)
    about, *rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert about["about"]["query"] == "cat"
    assert [(row["left"], row["match"], row["right"]) for row in rows] == expected(table)
    assert rows[1]["list"] == "[1]"


def test_a_workbook(table, tmp_path):
    path = tmp_path / "lines.xlsx"
    save_lines(path, table)
    book = openpyxl.load_workbook(path)
    rows = list(book["Lines"].values)
    assert rows[0] == table.header
    assert [row[2] for row in rows[1:]] == ["cat"] * len(table)
    assert rows[1][1] == "=1+1 " and book["Lines"]["B2"].data_type == "s"
    assert rows[2][3] == " 😀 "
    assert dict(book["About"].values)["query"] == "cat"


@pytest.mark.parametrize("form", LINE_FORMATS)
def test_chosen_lines_only(table, tmp_path, form):
    chosen = LineTable(table.lines, 5, numbers=[2, 0])
    save_lines(tmp_path / f"a.{form}", chosen)
    assert [row[0] for row in chosen.rows()] == [3, 1]


def test_copies(table):
    few = LineTable(table.lines, 30, fields=("year",), numbers=[0, 2])
    copies = {form: copy_text(few, form) for form in COPY_FORMATS}
    assert [row["match"] for row in json.loads(copies["json"])] == ["cat", "cat"]
    assert [line.split("\t")[2] for line in copies["tsv"].splitlines()] == ["match", "cat", "cat"]
    markdown = copies["markdown"].splitlines()
    assert len(markdown) == 4 and r"\|" in markdown[2]
    assert len({line.replace(r"\|", "").count("|") for line in markdown}) == 1
    assert [line.index("[cat]") for line in copies["text"].splitlines()] == [len("=1+1 ") + 1] * 2


def test_nothing_is_left_behind(table, tmp_path):
    token = CancelToken()
    token.cancel()
    for form in LINE_FORMATS:
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
    with pytest.raises(QueryError, match="csv, tsv, jsonl, xlsx"):
        save_lines(tmp_path / "x.pdf", table)
    monkeypatch.setattr(lines_module, "_XLSX_ROWS", 3)
    with pytest.raises(QueryError, match="workbook holds 2 lines"):
        save_lines(tmp_path / "x.xlsx", table)
