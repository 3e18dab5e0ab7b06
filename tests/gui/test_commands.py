"""The table of commands: menus, palette, help, log, windows, session."""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox

from explorer.errors import CorpusError
from explorer.gui import app
from explorer.gui.actions import ACTIONS, clashes, plain
from explorer.gui.bugs import LogDialog, log_path, start_log
from explorer.gui.guide import ABOUT, START
from explorer.gui.opening import IndexWatch, OpenRequest, request_of
from explorer.gui.palette import Command, matching
from explorer.gui.screens.registry import SCREENS
from explorer.gui.settings import Settings
from explorer.resources import resource_path


def test_every_command_is_in_a_menu_and_explained(opened):
    shown = {action.text() for menu in opened.menuBar().actions() for action in menu.menu().actions()}
    for spec in ACTIONS:
        assert spec.text in shown and spec.help
        if spec.name != "recent":
            assert spec.name in opened.book.actions
    assert clashes({spec.name: spec.key for spec in ACTIONS}) == set()


def test_the_palette_runs_a_command(opened, qtbot):
    qtbot.keyClick(opened, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    palette = opened.findChild(type(opened.open_palette()))
    assert palette is not None
    qtbot.keyClicks(palette.field, "agree")
    assert palette._shown[0].name == "Agreement"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert opened.current_screen() is opened.agreement


def test_the_palette_moves_by_keyboard_and_knows_recent_indexes(opened, qtbot, small_index):
    palette = opened.open_palette()
    assert any(command.hint == str(small_index.resolve()) for command in palette._shown)
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    qtbot.keyClick(palette.field, Qt.Key.Key_PageDown)
    assert palette.list.currentRow() == 9
    qtbot.keyClicks(palette.field, "no such command")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not opened.findChildren(type(palette)) or not palette.isVisible())


def test_what_is_typed_finds_by_words():
    commands = [
        Command(name, hint, lambda: None)
        for name, hint in (("Open index", "Ctrl+O"), ("Next token", ""), ("Index", ""))
    ]
    assert [c.name for c in matching(commands, "ind")] == ["Index", "Open index"]
    assert [c.name for c in matching(commands, "INDEX open")] == ["Open index"]
    assert len(matching(commands, "")) == 3


@pytest.mark.parametrize("screen", SCREENS, ids=lambda spec: spec.id)
def test_f1_opens_the_page_of_the_screen(opened, screen):
    opened.show_screen(screen.id)
    dialog = opened.open_help()
    assert dialog.pages.currentItem().text() == screen.page.title
    assert screen.title in dialog.text.toPlainText()
    dialog.close()


def test_the_guides_links_and_pictures_are_there():
    import re

    pages = (START, *(spec.page for spec in SCREENS), ABOUT)
    names = [page.name for page in pages]
    for page in pages:
        for picture, target in re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", page.read()):
            assert resource_path(f"guide/{target}").is_file() if picture else target in names, (page.name, target)


def test_a_second_window_has_an_index_of_its_own(opened, qtbot, byte_index):
    before = set(app._windows)
    opened.book.actions["new_window"].trigger()
    (second,) = set(app._windows) - before
    qtbot.addWidget(second)
    second.open(OpenRequest((str(byte_index),)))
    qtbot.waitUntil(lambda: second.corpus is not None)
    assert second.corpus.index.local.token_width == 1 != opened.corpus.index.local.token_width
    second.close()
    assert second not in app._windows and opened.corpus is not None


def test_the_session_is_restored(opened, qtbot, small_index):
    opened.show_screen("search")
    opened.search.search_for("the cat")
    opened.trace.trace_text("the cat sat on the mat", "a prompt")
    opened.next_token.prompt.setPlainText("the dog")
    opened.agreement.inputs.n.setValue(3)
    opened.agreement.analyze_text("the cat saw the dog")
    opened.show_screen("trace")
    opened.close()
    again = app.show_window(app.Startup(restore=True), Settings(opened.settings.path))
    qtbot.addWidget(again)
    qtbot.waitUntil(lambda: again.corpus is not None and again.search._found is not None)
    assert again.current_screen() is again.trace
    assert again.search.query.text() == "the cat"
    assert (again.trace.editor.text(), again.trace.prompt.text()) == ("the cat sat on the mat", "a prompt")
    assert again.next_token.prompt.toPlainText() == "the dog"
    qtbot.waitUntil(lambda: again.agreement.presenter.state.answer.value is not None)
    assert again.agreement.presenter.state.answer.value.figure.n == 3
    again.close()


def test_a_killed_window_loses_nothing_that_was_typed(opened, qtbot):
    opened.trace.trace_text("a text that matters")
    opened.search.search_for("the cat")
    opened.session._timer.setInterval(10)
    path = opened.settings.path
    qtbot.waitUntil(lambda: path.exists() and "a text that matters" in path.read_text())
    # As another start would find it, without the end of this one.
    again = app.show_window(app.Startup(restore=True), Settings(path))
    qtbot.waitUntil(lambda: again.corpus is not None and again.trace.editor.text() == "a text that matters")
    assert again.search.query.text() == "the cat"
    again.close()


def test_a_window_without_an_index_does_not_replace_the_last_session(window, settings, qtbot):
    settings.set("session", {"paths": ["/somewhere"], "screens": {}})
    window.session._timer.setInterval(10)
    qtbot.wait(100)
    assert settings.get("session")["paths"] == ["/somewhere"]


def test_very_long_texts_are_not_kept(opened, qtbot):
    opened.agreement.analyze_text("the cat " * 260_000)
    opened.trace.trace_text("the cat sat")
    opened.close()
    assert opened.settings.path.stat().st_size < 20_000
    kept = opened.settings.get("session")["screens"]
    assert "text" not in kept["agreement"] and kept["trace"]["text"] == "the cat sat"


def test_nothing_is_restored_unasked(opened, qtbot):
    opened.settings.set("restore", False)
    opened.search.search_for("secret words")
    opened.close()
    assert "secret" not in opened.settings.path.read_text()
    again = app.show_window(app.Startup(restore=True), Settings(opened.settings.path))
    qtbot.addWidget(again)
    assert not again.opener.busy
    again.close()


@pytest.mark.parametrize("session", [{}, {"paths": "x"}, {"paths": []}, {"paths": ["/no/such/folder"]}, {"paths": [3]}])
def test_sessions_that_cannot_be(session):
    assert request_of(session) is None


def test_files_that_change_while_open_are_said(window, qtbot, small_index, tmp_path):
    import shutil

    folder = tmp_path / "copy"
    shutil.copytree(small_index, folder)
    window.open(OpenRequest((str(folder),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    table = folder / "table.0"
    written = table.stat().st_mtime_ns
    table.write_bytes(table.read_bytes())
    # A second later, whatever the clock of the file system.
    os.utime(table, ns=(written + 10**9, written + 10**9))
    qtbot.waitUntil(lambda: "Changed on disk" in window.index_label.text())
    assert "was changed or replaced" in window.search.notice.text()
    # The window goes on: another index opens.
    window.open(OpenRequest((str(small_index),)))
    qtbot.waitUntil(lambda: "Changed" not in window.index_label.text())


def test_what_was_noticed_of_the_index_before_is_not_said_of_this_one(qtbot, small, monkeypatch):
    asked, go, told = threading.Event(), threading.Event(), []

    def slow_check(corpus):
        asked.set()
        go.wait(120)
        return CorpusError("gone")

    monkeypatch.setattr("explorer.gui.opening.check_files", slow_check)
    parent = QObject()
    watch = IndexWatch(parent)
    watch.changed.connect(told.append)
    watch.watch(small)
    watch._look()
    assert asked.wait(120)
    watch.watch(None)
    go.set()
    # Whatever it had to say was sent when its lane has closed.
    watch.runner.close(120)
    qtbot.wait(20)
    assert told == []


def test_bugs_come_one_at_a_time(opened, qtbot, tmp_path):
    for number in range(30):
        opened.report_bug(f"Traceback {number}")
    boxes = opened.findChildren(QMessageBox)
    assert len(boxes) == 1
    assert "29 more errors followed" in boxes[0].informativeText()
    assert "Traceback 0" in boxes[0].detailedText()
    boxes[0].close()
    qtbot.waitUntil(lambda: opened.bugs.box is None)
    opened.report_bug("Traceback 0")
    assert opened.bugs.box is None
    opened.report_bug("Traceback other")
    opened.bugs.box.close()


def test_errors_are_kept_in_the_log(opened, qtbot, tmp_path):
    start_log(tmp_path)
    logger = logging.getLogger("explorer")
    try:
        opened.report_bug("Traceback: kept")
        opened.bugs.box.close()
        assert "Traceback: kept" in log_path(tmp_path).read_text()
        dialog = LogDialog(log_path(tmp_path), opened)
        assert "Traceback: kept" in dialog.text.toPlainText()
        dialog.close()
    finally:
        for handler in [
            h for h in logger.handlers if hasattr(h, "baseFilename") and Path(h.baseFilename).parent == tmp_path
        ]:
            logger.removeHandler(handler)
            handler.close()
    assert "No errors so far" in LogDialog(tmp_path / "none", opened).text.toPlainText()


def test_names_without_marks():
    assert plain("&Open index …") == "Open index"


def test_nothing_goes_over_the_network(opened, qtbot, monkeypatch):
    """With sockets that refuse to be made, all screens answer as before; Qt's network module is not even there."""
    import socket
    import sys

    def refuse(*_, **__):
        raise AssertionError("something asked for a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    opened.search.search_for("the cat")
    opened.trace.trace_text("the cat sat on the mat")
    opened.next_token.prompt.setPlainText("the cat")
    opened.agreement.analyze_text("the cat sat")
    opened.open_help().close()
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 0 and opened.trace._trace is not None)
    qtbot.waitUntil(
        lambda: opened.agreement.presenter.state.answer.value is not None and opened.next_token.model.rowCount() > 0
    )
    assert not [
        name for name in sys.modules if name.startswith(("PySide6.QtNetwork", "urllib3", "requests", "huggingface_hub"))
    ]
