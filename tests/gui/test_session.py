"""What was open and typed comes back at the next start."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence

from explorer.gui.app import app
from explorer.gui.app.startup import Startup
from explorer.gui.index.opening import request_of
from explorer.gui.settings.store import Settings


def test_the_session_is_restored(opened, qtbot, small_index):
    opened.show_screen("search")
    opened.search.search_for("the cat")
    opened.trace.presenter.trace_text("the cat sat on the mat", "a prompt")
    opened.next_token.bar.prompt.setPlainText("the dog")
    opened.agreement.sampling.form.widgets("max_n")[0].setValue(3)
    opened.agreement.analyze_text("the cat saw the dog")
    opened.show_screen("trace")
    qtbot.waitUntil(lambda: opened.search.count.text() != "")
    count = opened.search.count.text()
    opened.close()
    again = app.show_window(Startup(restore=True), Settings(opened.settings.path))
    qtbot.addWidget(again)
    qtbot.waitUntil(lambda: again.corpus is not None and again.search.count.text() == count)
    assert again.current_screen() is again.trace
    assert again.search.query.text() == "the cat"
    assert (again.trace.text.editor.text(), again.trace.text.prompt_line.field.text()) == (
        "the cat sat on the mat",
        "a prompt",
    )
    assert again.next_token.bar.prompt.toPlainText() == "the dog"
    qtbot.waitUntil(lambda: again.agreement.presenter.state.answer.value is not None)
    assert again.agreement.presenter.state.answer.value.figure.n == 3
    again.close()


def test_a_killed_window_loses_nothing_that_was_typed(opened, qtbot):
    opened.trace.presenter.trace_text("a text that matters")
    opened.search.search_for("the cat")
    opened.session.keep_changes()
    path = opened.settings.path
    qtbot.waitUntil(lambda: path.exists() and "a text that matters" in path.read_text())
    # As another start would find it, without the end of this one.
    again = app.show_window(Startup(restore=True), Settings(path))
    qtbot.waitUntil(lambda: again.corpus is not None and again.trace.text.editor.text() == "a text that matters")
    assert again.search.query.text() == "the cat"
    again.close()


@pytest.mark.parametrize("same", [True, False])
def test_a_start_that_names_the_same_index_keeps_what_was_typed(opened, qtbot, small_index, byte_index, same):
    """Naming the index gave an empty window, which then replaced the session."""
    opened.trace.presenter.trace_text("a text that matters")
    opened.session.keep_changes()
    path = opened.settings.path
    qtbot.waitUntil(lambda: path.exists() and "a text that matters" in path.read_text())
    named = Startup(paths=(str(small_index if same else byte_index),), restore=True)
    again = app.show_window(named, Settings(path))
    qtbot.waitUntil(lambda: again.corpus is not None and not again.preload.wanted)
    again.show_screen("trace")
    assert again.trace.text.editor.text() == ("a text that matters" if same else "")
    again.close()


def test_a_window_without_an_index_does_not_replace_the_last_session(window, settings, qtbot):
    settings.set("session", {"paths": ["/somewhere"], "screens": {}})
    window.session.keep_changes()
    assert settings.get("session")["paths"] == ["/somewhere"]


def test_very_long_texts_are_not_kept(opened, qtbot):
    opened.agreement.analyze_text("the cat " * 260_000)
    opened.trace.presenter.trace_text("the cat sat")
    opened.close()
    assert opened.settings.path.stat().st_size < 20_000
    kept = opened.settings.get("session")["screens"]
    assert "text" not in kept["agreement"] and kept["trace"]["text"] == "the cat sat"


def test_nothing_is_restored_unasked(opened, qtbot):
    opened.settings.set("restore", False)
    opened.search.search_for("secret words")
    opened.close()
    assert "secret" not in opened.settings.path.read_text()
    again = app.show_window(Startup(restore=True), Settings(opened.settings.path))
    qtbot.addWidget(again)
    assert not again.indexes.state.opening
    again.close()


@pytest.mark.parametrize("session", [{}, {"paths": "x"}, {"paths": []}, {"paths": ["/no/such/folder"]}, {"paths": [3]}])
def test_sessions_that_cannot_be(session):
    assert request_of(session) is None


def test_a_session_of_an_earlier_version_is_restored(qtbot, settings, small_index):
    """The file is as a window wrote it when screens were stored by their titles, but for the place of the index."""
    written = Path(__file__).with_name("settings_of_version_2.json").read_text(encoding="utf-8")
    settings.path.write_text(written.replace("INDEX", small_index.as_posix()), encoding="utf-8")
    stored = Settings(settings.path)
    app.make_application(stored)
    again = app.show_window(Startup(restore=True), stored)
    qtbot.waitUntil(lambda: again.corpus is not None)
    assert again.current_screen() is again.next_token
    assert again.next_token.bar.prompt.toPlainText() == "the dog"
    assert again.search.query.text() == "the cat"
    assert (again.trace.text.editor.text(), again.trace.text.prompt_line.field.text()) == (
        "the cat sat on the mat",
        "a prompt",
    )
    assert again.agreement.sampling.form.widgets("max_n")[0].value() == 3
    keys = {id: again.book.actions[id].shortcut() for id in ("next_token", "trace", "open", "search")}
    assert keys == {
        "next_token": QKeySequence("Ctrl+Alt+N"),
        "trace": QKeySequence(""),
        "open": QKeySequence("Ctrl+Alt+O"),
        "search": QKeySequence("Ctrl+1"),
    }
    again.appearance.change("scheme", "system")
    again.appearance.change("text_size", 0)
    again.close()
