"""Ctrl+Z takes the last choice back in every list of Statistics, Curation, Next token and the comparison of queries."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLineEdit

from explorer import open_index
from explorer.gui.presenting.requests import Edit
from explorer.gui.widgets.fields.number_box import DecimalBox, NumberBox
from explorer.gui.widgets.tables.plain_table import PlainTable

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


# Each changes something as a person does, and names where the focus is when it is undone.


def type_filter(page, qtbot):
    qtbot.keyClicks(page.rule.row("contains").findChild(QLineEdit), "cat")
    return page.list.table


def raise_number(page, qtbot):
    box = page.bar.row("min_d_a").findChild(DecimalBox)
    qtbot.keyClick(focused(box, qtbot), Qt.Key.Key_Up)
    # Nothing was typed in it: the key is the tab's.
    return box


def shuffle_documents(page, qtbot):
    qtbot.keyClick(focused(page.bar.row("shuffle").findChild(NumberBox), qtbot), Qt.Key.Key_Up)
    return page.table


def type_words(page, qtbot):
    qtbot.keyClicks(page.bar.text, "cat")
    return page.table


def filter_repeats(page, qtbot):
    qtbot.keyClicks(page.list.filter, "ca")
    return page.list.table


def compare_tokens(page, qtbot):
    [segments] = page.bar.form.widgets("unit")
    qtbot.mouseClick(segments.button(1), Qt.MouseButton.LeftButton)
    return segments.button(1)


def leave_a_kind_out(page, qtbot):
    box = next(each for each in page.bar.findChildren(QCheckBox) if each.text() == "IP addresses")
    qtbot.keyClick(focused(box, qtbot), Qt.Key.Key_Space)
    return page.table


def choose_format(page, qtbot):
    qtbot.keyClick(focused(page.bar.format, qtbot), Qt.Key.Key_Down)
    return page.bar.format


TABS = [
    ("statistics", "words", type_filter),
    ("statistics", "keywords", raise_number),
    ("statistics", "growth", shuffle_documents),
    ("statistics", "dispersion", type_words),
    ("curation", "duplicates", filter_repeats),
    ("curation", "contamination", compare_tokens),
    ("curation", "personal", leave_a_kind_out),
    ("curation", "export", choose_format),
]


@pytest.fixture
def with_words(opened, small_index, tmp_path, monkeypatch):
    """The window, with an index whose words are made."""
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    open_index(small_index).words()
    opened.activateWindow()
    return opened


def menu(window, edit):
    """What the Edit menu tells when it is opened: "" if the entry can be chosen."""
    (found,) = (action.menu() for action in window.menuBar().actions() if action.text() == "&Edit")
    found.aboutToShow.emit()
    assert window.book.actions[edit.value].isEnabled() == (not window.book.why_not(edit.value))
    return window.book.why_not(edit.value)


def focused(widget, qtbot):
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)
    return widget


def shown(page):
    """What a tab asks for, keeps and shows."""
    tables = [table.model() for table in page.findChildren(PlainTable)]
    cells = [[model.index(row, 1).data() for row in range(model.rowCount())] for model in tables]
    fields = [field.text() for field in page.findChildren(QLineEdit)]
    return page.presenter.state.rule, fields, json.dumps(page.session()), page.headline.text, cells


def check_a_choice_of_a_tab_is_undone_and_redone(with_words, qtbot, name, tab, act):
    screen = with_words.show_screen(name)
    page = screen.turn_to(tab)
    qtbot.waitUntil(lambda: not screen.busy)
    start = shown(page)
    where = act(page, qtbot)
    qtbot.waitUntil(lambda: page.presenter.choices.can_undo and not screen.busy)
    changed = shown(page)
    assert changed[:2] != start[:2]
    focused(where, qtbot)
    assert menu(with_words, Edit.UNDO) == "" and menu(with_words, Edit.REDO) == "Nothing to redo here"
    qtbot.keyClick(where, Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: not screen.busy)
    assert shown(page) == start
    assert menu(with_words, Edit.UNDO) == "Nothing to undo here" and menu(with_words, Edit.REDO) == ""
    qtbot.keyClick(where, Qt.Key.Key_Z, CTRL | SHIFT)
    qtbot.waitUntil(lambda: not screen.busy)
    assert shown(page) == changed
    assert menu(with_words, Edit.REDO) == "Nothing to redo here"
    with_words.book.actions[Edit.UNDO.value].trigger()
    qtbot.waitUntil(lambda: not screen.busy)
    assert shown(page) == start


def test_a_choice_of_a_tab_is_undone_and_redone(with_words, qtbot):
    for name, tab, act in TABS:
        check_a_choice_of_a_tab_is_undone_and_redone(with_words, qtbot, name, tab, act)


def test_a_removed_query_is_compared_again(opened, qtbot):
    opened.activateWindow()
    search = opened.show_screen("search")
    search.tabs.setCurrentIndex(3)
    view, queries = search.pages.compare, ("the cat", "the dog")
    for query in queries:
        qtbot.keyClicks(focused(view.add_field, qtbot), query)
        qtbot.keyClick(view.add_field, Qt.Key.Key_Return)
    comparison = search.presenter.comparison
    qtbot.waitUntil(lambda: view.model.rowCount() == 2 and not search.busy)
    table = focused(view.table, qtbot)
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: view.model.rowCount() == 1)
    assert menu(opened, Edit.UNDO) == ""
    qtbot.keyClick(table, Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: view.model.rowCount() == 2 and not search.busy)
    assert comparison.state.queries == comparison.state.answer.current.found.queries == queries
    assert search.session()["compared"] == list(queries)
    qtbot.keyClick(table, Qt.Key.Key_Z, CTRL | SHIFT)
    qtbot.waitUntil(lambda: view.model.rowCount() == 1)
    assert comparison.state.queries == queries[1:]


def test_a_field_undoes_its_own_text_and_a_number_what_was_typed(with_words, qtbot):
    screen = with_words.show_screen("statistics")
    page = screen.turn_to("words")
    qtbot.waitUntil(lambda: not screen.busy)
    field, box = page.rule.row("contains").findChild(QLineEdit), page.rule.row("min_count").findChild(NumberBox)
    qtbot.keyClick(focused(box, qtbot), Qt.Key.Key_Up)
    qtbot.keyClicks(focused(field, qtbot), "ca")
    qtbot.keyClick(field, Qt.Key.Key_Z, CTRL)
    # Of the field alone: the number is the tab's.
    assert field.text() == "" and page.presenter.state.rule.min_count == 2
    assert menu(with_words, Edit.UNDO) == "Nothing to undo here" and menu(with_words, Edit.REDO) == ""
    focused(box, qtbot).selectAll()
    qtbot.keyClicks(box, "37")
    assert page.presenter.state.rule.min_count == 37 and menu(with_words, Edit.UNDO) == ""
    qtbot.keyClick(box, Qt.Key.Key_Z, CTRL)
    assert page.presenter.state.rule.min_count == box.value() == 2
    assert menu(with_words, Edit.REDO) == ""
    with_words.book.actions[Edit.REDO.value].trigger()
    assert page.presenter.state.rule.min_count == box.value() == 37
