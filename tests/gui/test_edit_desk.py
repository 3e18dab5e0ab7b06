"""The Edit menu acts on what has the focus, and states why it cannot."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from searching import listed

from explorer.gui.presenting.requests import Edit
from explorer.gui.widgets.fields.number_box import NumberBox

IDS = {edit: edit.value for edit in Edit}


@pytest.fixture
def edit(opened, qtbot):
    """The menu as it is after it was opened: what can be done, and why the rest cannot."""
    opened.activateWindow()

    def reasons():
        (menu,) = (action.menu() for action in opened.menuBar().actions() if action.text() == "&Edit")
        menu.aboutToShow.emit()
        actions = opened.book.actions
        for kind in Edit:
            action = actions[IDS[kind]]
            # The reason is what the pointer shows on the entry.
            assert action.isEnabled() == (not opened.book.why_not(IDS[kind]))
            assert action.isEnabled() or action.toolTip() == opened.book.why_not(IDS[kind])
        return {kind: opened.book.why_not(IDS[kind]) for kind in Edit}

    return reasons


def do(opened, kind):
    opened.book.actions[IDS[kind]].trigger()


def test_a_field_is_edited(opened, edit, qtbot):
    opened.show_screen("search")
    field = opened.search.query
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    QGuiApplication.clipboard().clear()
    found = edit()
    assert found[Edit.UNDO] == "Nothing to undo here" and found[Edit.COPY] == "Select some text first"
    assert found[Edit.PASTE] == "There is no text on the clipboard" and found[Edit.SELECT_ALL] == "The text is empty"
    qtbot.keyClicks(field, "the cat")
    assert edit()[Edit.UNDO] == "" and edit()[Edit.CUT] == "Select some text first"
    do(opened, Edit.SELECT_ALL)
    assert edit()[Edit.CUT] == "" and field.selectedText() == "the cat"
    do(opened, Edit.CUT)
    assert (field.text(), QGuiApplication.clipboard().text()) == ("", "the cat")
    edit()
    do(opened, Edit.PASTE)
    assert field.text() == "the cat"
    edit()
    do(opened, Edit.UNDO)
    assert field.text() == "" and edit()[Edit.REDO] == ""
    do(opened, Edit.REDO)
    assert field.text() == "the cat"


def test_a_text_that_cannot_be_changed_can_be_copied(opened, edit, qtbot):
    opened.show_screen("search")
    opened.search.search_for("the cat")
    qtbot.waitUntil(lambda: listed(opened.search) == "the cat")
    opened.search.pages.lines.open_line(0)
    qtbot.waitUntil(lambda: opened.panel.part is not None)
    text = opened.panel.text
    text.setFocus()
    qtbot.waitUntil(text.hasFocus)
    found = edit()
    assert found[Edit.PASTE] == found[Edit.UNDO] == "This text cannot be changed" and found[Edit.SELECT_ALL] == ""
    do(opened, Edit.SELECT_ALL)
    assert edit()[Edit.COPY] == ""
    do(opened, Edit.COPY)
    assert "the cat" in QGuiApplication.clipboard().text()


def test_lines_are_copied_and_a_deletion_is_undone(opened, edit, qtbot):
    opened.show_screen("search")
    opened.search.search_for("the cat")
    qtbot.waitUntil(lambda: listed(opened.search) == "the cat")
    table = opened.search.table
    table.setFocus()
    table.go_to(0)
    qtbot.waitUntil(table.hasFocus)
    assert edit()[Edit.COPY] == edit()[Edit.UNDO] == ""
    QGuiApplication.clipboard().clear()
    do(opened, Edit.COPY)
    qtbot.waitUntil(lambda: "cat" in QGuiApplication.clipboard().text())
    state = opened.search.presenter.marks
    qtbot.keyClick(table, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: len(state.state.lines.marked) == 1)
    do(opened, Edit.UNDO)
    qtbot.waitUntil(lambda: len(state.state.lines.marked) == 0)


def test_without_a_text_or_a_table_nothing_can_be_edited(opened, edit, qtbot):
    opened.rail.tiles["search"].setFocus()
    qtbot.waitUntil(opened.rail.tiles["search"].hasFocus)
    assert set(edit().values()) == {"Put the cursor in a text or a table first"}
    for kind in Edit:
        do(opened, kind)


def test_a_number_is_edited(opened, edit, qtbot):
    box = opened.show_screen("statistics").turn_to("words").rule.row("min_count").findChild(NumberBox)
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    assert edit()[Edit.UNDO] == "Nothing to undo here" and edit()[Edit.SELECT_ALL] == ""
    do(opened, Edit.SELECT_ALL)
    qtbot.keyClicks(box, "37")
    assert box.value() == 37 and edit()[Edit.UNDO] == ""
    do(opened, Edit.UNDO)
    assert box.value() == 1 and edit()[Edit.REDO] == ""
    do(opened, Edit.SELECT_ALL)
    edit()
    do(opened, Edit.COPY)
    assert QGuiApplication.clipboard().text() == "1"


def test_the_keys_stay_with_what_has_the_focus(opened, edit, qtbot):
    """Two shortcuts of one key would both do nothing."""
    opened.show_screen("search")
    for kind in Edit:
        action = opened.book.actions[IDS[kind]]
        assert action.shortcutContext() == Qt.ShortcutContext.WidgetShortcut and not action.shortcut().isEmpty()
    field = opened.search.query
    field.setText("the cat")
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    for key in (Qt.Key.Key_A, Qt.Key.Key_C):
        qtbot.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "the cat"


def test_keys_of_the_focus_are_not_for_the_user_to_change(opened):
    fixed = [spec for spec in opened.book.commands if spec.of_focus]
    assert [opened.book.key_of(spec) for spec in fixed] == [spec.key for spec in fixed]
    assert len(fixed) == len(Edit)
    opened.settings.set("shortcuts", {"copy": "Ctrl+J"})
    opened.book.apply_shortcuts()
    assert opened.book.shown_key("copy") == "Ctrl+C"
