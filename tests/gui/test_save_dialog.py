"""The dialogs of saving offer what the registry of export formats has."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMenu

from explorer.export.registry import COPIES, LINES, TABLES, Exporter
from explorer.gui.chrome import folders
from explorer.gui.chrome.save_dialog import ask_where, file_filter
from explorer.gui.screens.search.export_presenter import TableToSave


@pytest.fixture
def asked(monkeypatch):
    """What the dialog was asked for; `answer` is what the person does."""
    calls = []

    def ask(parent, title, name, filters):
        calls.append((title, name, filters))
        return ask.answer

    ask.answer = ("", "")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    return calls, ask


def test_filters_come_from_the_rows():
    assert file_filter(LINES) == "CSV (*.csv);;TSV (*.tsv);;JSON Lines (*.jsonl);;Workbook (*.xlsx)"


def test_a_name_without_an_ending_gets_that_of_the_filter(qapp, asked, tmp_path, monkeypatch):
    calls, ask = asked
    monkeypatch.setattr(folders, "_last", [str(tmp_path)])
    assert ask_where(None, "Title", "lines", LINES) is None
    assert calls == [("Title", str(tmp_path / "lines.csv"), file_filter(LINES))]
    for chosen, ending in (("Workbook (*.xlsx)", ".xlsx"), ("", ".csv")):
        ask.answer = (str(tmp_path / "a"), chosen)
        assert ask_where(None, "Title", "lines", LINES) == tmp_path / f"a{ending}"
    ask.answer = (str(tmp_path / "a.b"), "Workbook (*.xlsx)")
    assert ask_where(None, "Title", "lines", LINES) == tmp_path / "a.b"


def test_the_window_offers_and_writes_a_new_format(opened, qtbot, asked, tmp_path, monkeypatch):
    def write(path, table, how):
        path.write_text("".join(f"{record.match}\n" for record in table.records()), encoding="utf-8")

    monkeypatch.setattr(LINES, "rows", (*LINES.rows, Exporter("matches", ".txt", "Matches", write)))
    monkeypatch.setattr(COPIES, "rows", (*COPIES.rows, Exporter("count", "", "Count", lambda table: f"{len(table)}")))
    search = opened.search
    search.search_for("cat")
    qtbot.waitUntil(lambda: search.model.rowCount() > 2)
    calls, ask = asked
    ask.answer = (str(tmp_path / "a"), "Matches (*.txt)")
    search.actions_of_lines.ask_export((0, 1))
    assert calls[0][2].endswith(";;Matches (*.txt)")
    qtbot.waitUntil((tmp_path / "a.txt.about.json").exists)
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "cat\ncat\n"
    menu = QMenu()
    search.actions_of_lines.fill_copy_menu(menu, lambda: (0, 1))
    assert [action.text() for action in menu.actions()][-1] == "Copy as Count"


def test_an_unknown_ending_is_refused_and_not_written_as_csv(opened, qtbot, asked, tmp_path):
    _, ask = asked
    ask.answer = (str(tmp_path / "a.gif"), "")
    opened.search.actions_of_lines.ask_table(TableToSave("Export", "a", ("x",), lambda: [(1,)]))
    qtbot.waitUntil(lambda: opened.search.presenter.state.error is not None)
    assert ".csv, .tsv, .jsonl" in str(opened.search.presenter.state.error) and list(tmp_path.glob("a*")) == []
    assert file_filter(TABLES).startswith("CSV")


def test_a_dialog_begins_where_the_last_file_was_saved(qapp, asked, tmp_path, monkeypatch):
    """Not where the program was started from; a folder that was chosen in the settings comes first."""
    monkeypatch.setattr(folders, "_last", [""])
    monkeypatch.setattr(folders, "_chosen", [""])
    monkeypatch.chdir(tmp_path)
    assert Path(folders.begin_in("a.csv")).parent not in (Path(), tmp_path) and Path(folders.begin_in()).is_dir()
    calls, ask = asked
    ask.answer = (str(tmp_path / "deep" / "a.csv"), "")
    ask_where(None, "Title", "lines", LINES)
    ask_where(None, "Title", "lines", LINES)
    assert calls[1][1] == str(tmp_path / "deep" / "lines.csv")
    folders.choose_folder(str(tmp_path / "own"))
    assert folders.begin_in("a.csv") == str(tmp_path / "own" / "a.csv")
