"""Keys that do the same on every screen."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from explorer.gui.chrome.page_keys import export_result, open_files, turn_page
from explorer.gui.widgets.layouts.page_tabs import PageTabs


def test_tabs_turn_in_a_circle(opened, qtbot):
    search = opened.search
    search.search_for("the cat")
    qtbot.waitUntil(lambda: search.model.rowCount() > 0)
    turn_page(search, 1)
    assert search.tabs.currentIndex() == 1
    turn_page(search, -1)
    turn_page(search, -1)
    assert search.tabs.currentIndex() == search.tabs.count() - 1


def test_disabled_tabs_are_passed_over(opened):
    trace = opened.show_screen("trace")
    trace.tabs.setTabEnabled(1, False)
    turn_page(trace, 1)
    assert trace.tabs.currentIndex() == 2


def test_a_screen_without_tabs_stays_as_it_is(opened):
    screen = opened.show_screen("next_token")
    opened.resize(1440, 900)
    rows, before = screen.findChildren(PageTabs), screen.presenter.state
    assert not any(tabs.isVisibleTo(screen) for tabs in rows)
    chosen, focused = [tabs.currentIndex() for tabs in rows], opened.focusWidget()
    turn_page(screen, 1)
    assert [tabs.currentIndex() for tabs in rows] == chosen
    assert screen.presenter.state is before and opened.focusWidget() is focused


def check_nothing_is_exported_while_there_is_nothing(opened, monkeypatch, id):
    asked = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: asked.append(id) or ("", ""))
    before = {widget for widget in QApplication.topLevelWidgets() if widget.isVisible()}
    export_result(opened.show_screen(id))
    assert not asked
    assert {widget for widget in QApplication.topLevelWidgets() if widget.isVisible()} == before


def test_nothing_is_exported_while_there_is_nothing(opened, monkeypatch):
    for id in ["search", "next_token", "trace", "agreement", "model"]:
        check_nothing_is_exported_while_there_is_nothing(opened, monkeypatch, id)


def test_the_arrow_down_goes_from_the_query_to_its_lines(opened, qtbot):
    search = opened.search
    search.query.setFocus()
    qtbot.keyClick(search.query, Qt.Key.Key_Down)
    # There are no lines yet.
    assert search.pages.lines.table.current_line() == -1
    search.search_for("the cat")
    qtbot.waitUntil(lambda: search.model.rowCount() > 0)
    qtbot.keyClick(search.query, Qt.Key.Key_Down)
    assert search.pages.lines.table.current_line() == 0


def test_files_are_asked_for_where_a_screen_takes_files(opened, monkeypatch):
    asked = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: asked.append("one") or ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: asked.append("several") or ([], ""))
    open_files(opened.show_screen("search"))
    assert asked == []
    open_files(opened.show_screen("trace"))
    open_files(opened.show_screen("agreement"))
    assert asked == ["one", "several"]
