"""One row makes an export format: the library and the command line know it at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from explorer.cli.main import main
from explorer.errors import QueryError
from explorer.export.formats import figure_csv
from explorer.export.lines import copy_text, save_lines
from explorer.export.records.line import LineTable
from explorer.export.registry import COPIES, FIGURES, GENERATED, LINES, REPORTS, TABLES, Exporter
from explorer.export.tables import save_table_as

KINDS = {
    "lines": LINES,
    "tables": TABLES,
    "figures": FIGURES,
    "reports": REPORTS,
    "copies": COPIES,
    "generated": GENERATED,
}


def write_matches(path, table, how):
    """The file of a trivial format of lines: one match per line."""
    path.write_text("".join(f"{record.match}\n" for record in table.records()), encoding="utf-8")


def write_bars(file, header, rows):
    """The file of a trivial format of tables: cells between bars."""
    for row in [header, *rows]:
        file.write("|".join(map(str, row)) + "\n")


@pytest.fixture
def added(monkeypatch):
    """One row for each kind; what it is called, and which function writes it."""
    monkeypatch.setattr(LINES, "rows", (*LINES.rows, Exporter("matches", ".txt", "Matches", write_matches)))
    monkeypatch.setattr(TABLES, "rows", (*TABLES.rows, Exporter("bars", ".bars", "Bars", write_bars)))
    monkeypatch.setattr(FIGURES, "rows", (*FIGURES.rows, Exporter("dat", ".dat", "Data", figure_csv.write)))
    monkeypatch.setattr(COPIES, "rows", (*COPIES.rows, Exporter("count", "", "Count", lambda table: f"{len(table)}")))


def help_of(command, capsys):
    assert main([command, "--help"]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_the_command_line_offers_a_new_format(added, capsys):
    assert "{text,csv,tsv,jsonl,bars,json}" in help_of("kwic", capsys)
    assert ".xlsx, .json, .txt)" in help_of("kwic", capsys)
    assert "{text,csv,tsv,jsonl,bars,json}" in help_of("trace", capsys)
    assert ".png, .svg, .pdf, .csv, .json, .dat" in help_of("agree", capsys)


@pytest.mark.qt
def test_the_command_line_writes_a_new_format(added, small_index, tmp_path, capsys):
    index = str(small_index)
    assert main(["kwic", index, "cat", "--limit", "2", "--format", "bars"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("number|document|") and len(printed) == 3
    assert main(["kwic", index, "cat", "--limit", "3", "--out", str(tmp_path / "a.txt"), "--about", "none"]) == 0
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "cat\n" * 3
    (tmp_path / "t.txt").write_text("the cat sat on the mat", encoding="utf-8")
    assert main(["agree", index, str(tmp_path / "t.txt"), "--plot", str(tmp_path / "a.dat")]) == 0
    assert (tmp_path / "a.dat").read_text(encoding="utf-8").startswith("group,panel,effective_n")


def test_the_library_writes_a_new_format(added, small, tmp_path):
    table = LineTable(small.concordance("cat"), 5, numbers=(0, 1))
    save_lines(tmp_path / "a.txt", table, about="none")
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "cat\ncat\n"
    assert copy_text(table, "count") == "2"
    save_table_as(tmp_path / "a.bars", ("a", "b"), [(1, 2)], ())
    assert (tmp_path / "a.bars").read_text(encoding="utf-8") == "a|b\n1|2\n"


@pytest.mark.parametrize("kind", KINDS)
def test_rows_differ_and_unknown_formats_are_refused(kind):
    formats = KINDS[kind]
    assert len(set(formats.ids)) == len(formats.ids) == len(formats.rows)
    with pytest.raises(QueryError, match=" as ") as refused:
        formats.named("gif")
    assert all(name in str(refused.value) for name in (formats.ids if kind == "copies" else formats.suffixes))
    if kind != "copies":
        assert len(set(formats.suffixes)) == len(formats.rows)
        for form in formats:
            assert formats.of_path(Path("a" + form.suffix.upper())) is form
        with pytest.raises(QueryError, match="gif"):
            formats.of_path(Path("a.gif"))


def test_a_row_cannot_be_changed():
    with pytest.raises(AttributeError):
        LINES.rows[0].suffix = ".x"
    assert replace(LINES.rows[0], suffix=".x") != LINES.rows[0]
