"""Marks, notes, deletions and sets of lines in the window, by keys and by buttons."""

from __future__ import annotations

import csv
import io

import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QFileDialog, QInputDialog
from searching import lines, listed

from explorer.analyses.metadata.values import FieldFilter
from explorer.gui.screens.search.state import View
from explorer.gui.widgets.fields.chip import Chip

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def search(opened, qtbot):
    """Search with the lines of a query, and the keyboard in them."""
    screen = opened.search
    screen.search_for("the")
    qtbot.waitUntil(lambda: listed(screen) == "the" and opened.projects.state.current is not None)
    screen.table.go_to(0)
    screen.table.setFocus()
    return screen


def marks(search):
    return search.presenter.state.marks


def press(qtbot, search, key, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(search.table, key, modifier)


def select(search, *numbers):
    model = search.table.selectionModel()
    model.clearSelection()
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for number in numbers:
        model.select(search.model.index(number, 0), flags)


def test_what_needs_selected_lines_is_gray_without_any(search, qtbot):
    footer = search.pages.lines.marks
    search.table.clearSelection()
    search.table.setCurrentIndex(QModelIndex())
    for button in (footer.delete_button, footer.note_button):
        assert not button.isEnabled() and button.toolTip() == "Select lines first."
    qtbot.mouseClick(search.tools.export, Qt.MouseButton.LeftButton)
    menu = search.tools.export_menu
    qtbot.waitUntil(menu.isVisible)
    shown = [(action.text(), action.isEnabled()) for action in menu.actions()]
    assert shown[:2] == [("Export all lines …", True), ("Export the selected lines …", False)]
    assert menu.toolTipsVisible() and menu.actions()[1].toolTip() == "Select lines first."
    menu.close()
    select(search, 0, 1, 2)
    assert footer.delete_button.isEnabled() and "Ctrl+Z brings them back" in footer.delete_button.toolTip()
    assert footer.note_button.isEnabled()
    qtbot.mouseClick(search.tools.export, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(menu.isVisible)
    assert menu.actions()[1].text() == "Export the 3 selected lines …" and menu.actions()[1].isEnabled()
    menu.close()


def test_lines_are_deleted_from_a_list_until_a_set_is_shown(search, qtbot, monkeypatch):
    footer = search.pages.lines.marks
    assert footer.delete_button.accessibleName() == "Delete from list"
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("Kept", True))
    qtbot.mouseClick(footer.save_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: search.presenter.state.sets.named("Kept") is not None)
    search.presenter.sets.open("Kept")
    qtbot.waitUntil(lambda: footer.delete_button.accessibleName() == "Delete from set")
    search.search_for("cat")
    qtbot.waitUntil(lambda: footer.delete_button.accessibleName() == "Delete from list")


def test_keys_mark_delete_and_undo(search, qtbot):
    footer = search.pages.lines.marks
    total = len(lines(search))
    press(qtbot, search, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: footer.marked.text() == "1 marked")
    assert footer.marked.isVisible() and footer.save_button.accessibleName() == "Save marked as set …"
    select(search, 2, 4)
    press(qtbot, search, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: footer.marked.text() == "3 marked")
    press(qtbot, search, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: len(lines(search)) == total - 2)
    # The keyboard is at the line that took the place of the first one.
    assert search.table.current_line() == 2
    assert search.answer.count.text() == str(total - 2)
    press(qtbot, search, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(lines(search)) == total)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    press(qtbot, search, Qt.Key.Key_Z, both)
    qtbot.waitUntil(lambda: len(lines(search)) == total - 2)


def test_letters_are_text_in_the_query(search, qtbot):
    search.query.setFocus()
    search.query.selectAll()
    qtbot.keyClicks(search.query, "mn")
    assert search.query.text() == "mn"
    assert marks(search).marked == 0


def test_marked_rows_are_filled_and_have_signs(search, qtbot):
    delegate = search.table.delegate
    press(qtbot, search, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: marks(search).marked == 1)
    assert (delegate.fill_of(0), delegate.fill_of(1)) == ("mark_soft", "")
    assert (list(delegate.signs_of(0)), list(delegate.signs_of(1))) == (["flag"], [])
    search.presenter.edits.note([0], "why")
    qtbot.waitUntil(lambda: marks(search).notes == 1)
    assert list(delegate.signs_of(0)) == ["flag", "pencil"]
    assert search.table.grab().toImage().width() > 0


def test_a_note_is_written_in_a_small_editor(search, qtbot):
    press(qtbot, search, Qt.Key.Key_N)
    editor = search.pages.lines.marks.editor
    qtbot.waitUntil(editor.isVisible)
    assert editor.about.text() == "Line 1"
    qtbot.keyClicks(editor.text, "a good one")
    qtbot.keyClick(editor.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: marks(search).notes == 1)
    assert editor.isHidden() and search.window().focusWidget() is search.table
    press(qtbot, search, Qt.Key.Key_N)
    qtbot.waitUntil(editor.isVisible)
    assert editor.text.toPlainText() == "a good one"
    qtbot.mouseClick(editor.cancel, Qt.MouseButton.LeftButton)
    assert editor.isHidden() and marks(search).notes == 1


def test_a_set_is_saved_opened_exported_and_removed(search, qtbot, monkeypatch, tmp_path, opened):
    footer = search.pages.lines.marks
    select(search, 1, 3)
    press(qtbot, search, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: marks(search).marked == 2)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("two", True))
    qtbot.mouseClick(footer.save_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(search.presenter.state.sets.kept) == 1)
    assert opened.isWindowModified()
    row = only_row(footer, qtbot)
    assert (row.name.text(), row.facts.text()) == ("two", f"2 lines · {opened.corpus.index.name}")
    qtbot.mouseClick(row.open, Qt.MouseButton.LeftButton)
    assert footer.sets.isHidden()
    qtbot.waitUntil(lambda: search.answer.count.text() == "2" and not search.busy)
    path = tmp_path / "two.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    qtbot.mouseClick(only_row(footer, qtbot).export, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: path.exists() and not search.busy)
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert [row["mark"] for row in rows] == ["marked", "marked"]
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("pair", True))
    qtbot.mouseClick(only_row(footer, qtbot).rename, Qt.MouseButton.LeftButton)
    assert [kept.name for kept, _ in search.presenter.state.sets.kept] == ["pair"]
    # It stays open, with the new name.
    row = footer.sets.rows[0]
    assert footer.sets.isVisible() and row.name.text() == "pair" and footer.sets.all_lines.isVisible()
    qtbot.keyClick(row.delete, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: marks(search).opened is None and not search.busy)
    assert search.presenter.state.sets.kept == () and footer.sets.isVisible() and footer.sets.none.isVisible()


def only_row(footer, qtbot):
    """The only saved set, in the pop-over."""
    qtbot.mouseClick(footer.sets_button, Qt.MouseButton.LeftButton)
    assert footer.sets.isVisible() and len(footer.sets.rows) == 1
    return footer.sets.rows[0]


def test_all_lines_are_shown_again(search, qtbot):
    footer, all_lines = search.pages.lines.marks, search.count.text()
    search.presenter.edits.toggle_mark([1])
    qtbot.waitUntil(lambda: marks(search).marked == 1)
    qtbot.mouseClick(footer.sets_button, Qt.MouseButton.LeftButton)
    assert footer.sets.none.isVisible() and not footer.sets.all_lines.isVisible()
    footer.sets.close()
    search.presenter.sets.save("one")
    search.presenter.sets.open("one")
    qtbot.waitUntil(lambda: search.count.text() == "1" and not search.busy)
    qtbot.mouseClick(footer.sets_button, Qt.MouseButton.LeftButton)
    assert not footer.sets.none.isVisible()
    qtbot.mouseClick(footer.sets.all_lines, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: search.count.text() == all_lines and not search.busy)
    assert footer.sets.isHidden()


def test_exported_lines_have_marks_and_notes(search, qtbot, tmp_path):
    search.presenter.edits.toggle_mark([1])
    search.presenter.edits.note([2], "why")
    qtbot.waitUntil(lambda: marks(search).facts == ("1 marked", "1 note"))
    path = tmp_path / "lines.csv"
    search.exporter.export(path, None)
    qtbot.waitUntil(lambda: path.exists() and not search.busy)
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert [(row["mark"], row["note"]) for row in rows[:4]] == [("", ""), ("marked", ""), ("", "why"), ("", "")]
    for _ in range(2):
        search.presenter.marks.undo()
    search.exporter.export(path, None)
    qtbot.waitUntil(lambda: "mark" not in path.read_text(encoding="utf-8").splitlines()[0] and not search.busy)


def test_sets_are_in_the_menu_of_earlier_queries(search, qtbot):
    search.presenter.sets.save("all of them")
    qtbot.waitUntil(lambda: len(search.presenter.state.sets.kept) == 1)
    menu = search.bar.history.menu()
    menu.aboutToShow.emit()
    assert any(action.text().startswith("all of them") for action in menu.actions())


@pytest.mark.parametrize("view", [View.BREAKDOWN, View.DISPERSION, View.COLLOCATES, View.CLUSTERS])
def test_a_filter_is_undone_by_keys_in_every_view_of_the_lines(search, qtbot, view):
    presenter = search.presenter
    whole = search.count.text()
    presenter.show_view(view)
    presenter.filters.add(FieldFilter("path", "~", "one"))
    qtbot.waitUntil(lambda: search.count.text() != whole and not search.busy)
    # A chip, and what is in front: all lines of a view end in the same undo.
    chip = next(part for part in search.findChildren(Chip) if part.isVisible())
    for part in (search.pages.currentWidget().findChildren(QAbstractItemView)[0], chip):
        qtbot.keyClick(part, Qt.Key.Key_Z, CONTROL)
        qtbot.waitUntil(lambda: search.count.text() == whole and not search.busy)
        presenter.marks.redo()
        qtbot.waitUntil(lambda: search.count.text() != whole and not search.busy)
        assert len(presenter.state.filters.filters) == 1
    # Where other queries are shown, nothing of the lines is undone unseen.
    presenter.show_view(View.COMPARE)
    qtbot.keyClick(search.pages.compare, Qt.Key.Key_Z, CONTROL)
    assert len(presenter.state.filters.filters) == 1
