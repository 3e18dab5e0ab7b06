"""Opening, errors, themes, closing."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox, QPlainTextEdit, QPushButton
from searching import sort_by_levels

from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.screens.registry import SCREENS
from explorer.gui.style.icons import icon
from explorer.gui.style.theme import DARK, LIGHT, colors, is_dark

WORKING_FILES = (
    "index/guard.py", "index/shard.py", "backends/longest.py", "tokens/tokenizer.py",
    "tokens/decode.py",
)  # fmt: skip
"""Where the engine or a tokenizer is asked."""


def test_an_index_opens_and_is_named(opened, small):
    assert opened.current_screen() is opened.search
    assert f"{small.token_count:,} tokens" in opened.index_label.text()
    assert "Small" in opened.windowTitle()
    assert opened.settings.recents.paths()[0].endswith("small")


def test_what_is_no_index_is_said(window, qtbot, tmp_path):
    window.open(OpenRequest((str(tmp_path),)))
    qtbot.waitUntil(lambda: window.index.notice.isVisible())
    assert "is not an infini-gram index" in window.index.notice.text() and not window.index.unchecked.isVisible()
    assert window.current_screen() is window.index
    assert window.index_label.text() == "No index is open"


def test_an_index_without_a_tokenizer_asks_for_it(window, qtbot, small_index, tmp_path):
    import shutil

    folder = tmp_path / "bare"
    shutil.copytree(small_index, folder)
    (folder / "tokenizer.json").unlink()
    (folder / "index.json").unlink()
    window.open(OpenRequest((str(folder),)))
    qtbot.waitUntil(lambda: window.index.notice.isVisible())
    assert "Choose the tokenizer" in window.index.notice.text()
    cover, reason = window.stage.unreadable, []
    for spec in SCREENS:
        screen = window.show_screen(spec.id)
        assert screen.isVisible() is not cover.isVisible()
        reason += [spec.id] * cover.isVisible()
    assert reason == ["search", "next_token", "trace", "agreement", "model", "statistics", "curation"]
    window.show_screen("search")
    qtbot.waitUntil(lambda: window.focusWidget() is cover.choose)
    # What is asked meanwhile is asked nobody, and no error is shown twice.
    window.search.search_for("the cat")
    assert not window.search.busy and window.search.presenter.state.query.found is None
    window.open(OpenRequest((str(folder),), tokenizer=str(small_index / "tokenizer.json")))
    qtbot.waitUntil(lambda: window.corpus is not None and window.corpus.index.has_tokenizer)
    assert not window.index.notice.isVisible()
    assert not cover.isVisible() and window.search.isVisible()
    qtbot.waitUntil(lambda: window.search.presenter.state.query.found is not None)


def check_screens_by_keyboard(opened, qtbot, spec):
    key = QKeySequence(spec.key)[0].key()
    qtbot.keyClick(opened, key, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: opened.current_screen() is opened.screens[spec.id])


def test_screens_by_keyboard(opened, qtbot):
    for spec in SCREENS:
        check_screens_by_keyboard(opened, qtbot, spec)


def test_dropping_an_index_opens_it_and_dropping_texts_offers_a_build(window, qtbot, small_index, text_folder):
    def drop(path):
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path))])
        none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, mime, *none))

    drop(small_index)
    qtbot.waitUntil(lambda: window.corpus is not None and window.current_screen() is window.search)
    drop(text_folder)
    qtbot.waitUntil(lambda: window.current_screen() is window.index)
    assert window.index.pages.prepare.sources.list.item(0).text() == str(text_folder)


def test_the_scheme_can_be_chosen_and_is_kept(opened):
    for scheme, dark in (("dark", True), ("light", False)):
        opened.set_scheme(scheme)
        assert is_dark() == dark
        assert colors() is (DARK if dark else LIGHT)
        assert opened.settings.scheme() == scheme
        assert QApplication.palette().window().color().name() == colors().window
    opened.set_scheme("system")


def test_models_are_sound(opened, qtbot):
    models = [opened.search.model, opened.next_token.next.model, opened.trace.text.evidence.documents.model]
    plain = [opened.search.pages.fields.model, opened.search.pages.spread.model, opened.search.pages.compare.model]
    testers = [QAbstractItemModelTester(m, QAbstractItemModelTester.FailureReportingMode.Fatal) for m in plain]
    testers += [QAbstractItemModelTester(m, QAbstractItemModelTester.FailureReportingMode.Fatal) for m in models]
    opened.search.search_for("the")
    opened.next_token.bar.prompt.setPlainText("the")
    opened.trace.presenter.trace_text("the cat sat on the mat")
    qtbot.waitUntil(lambda: all(model.rowCount() for model in models))
    for query in ("the", "cat", "zebra"):
        opened.search.presenter.comparison.add(query)
    for view in (1, 2, 3):
        opened.search.presenter.show_view(view)
        qtbot.waitUntil(lambda: not opened.search.busy)
    assert all(model.rowCount() for model in plain)
    opened.search.search_for("")
    opened.next_token.bar.prompt.setPlainText("")
    qtbot.waitUntil(lambda: not opened.search.model.rowCount() and not opened.next_token.next.model.rowCount())
    assert len(testers) == 6


def test_a_bug_is_reported_once_with_its_trace(opened, qtbot):
    def broken(token):
        raise ZeroDivisionError("a bug")

    opened.search.lanes.slot("broken").run(broken, lambda result: None)
    qtbot.waitUntil(lambda: bool(opened.findChildren(QMessageBox)))
    (box,) = opened.findChildren(QMessageBox)
    assert "ZeroDivisionError: a bug" in box.detailedText()
    box.close()


def test_closing_in_the_middle_of_a_job_does_not_wait_for_its_end(opened, qtbot):
    """One job looks at its cancel token, another is stuck in a call that never does."""
    release, began, ended = threading.Event(), [], []

    def obedient(token):
        began.append("obedient")
        while not token.cancelled:
            release.wait(0.005)
        ended.append("obedient")

    def stuck(token):
        began.append("stuck")
        release.wait(120)
        ended.append("stuck")

    opened.search.lanes.slot("obedient").run(obedient, lambda result: None)
    opened.trace.lanes.slot("stuck").run(stuck, lambda result: None)
    # What still waits for a thread when the window closes never begins.
    qtbot.waitUntil(lambda: len(began) == 2)
    opened.close()
    assert not opened.isVisible() and "stuck" not in ended
    qtbot.waitUntil(lambda: ended == ["obedient"])
    release.set()


def test_the_interface_thread_only_shows(opened, qtbot):
    """Typing, searching, scrolling, tracing, analysing: whatever asks the engine or a tokenizer runs elsewhere."""
    called = set()

    def note(frame, event, arg):
        # For this thread only; every other has a profile function of its own, or none.
        if event == "call" and frame.f_code.co_filename.endswith(WORKING_FILES):
            called.add(f"{frame.f_code.co_filename}: {frame.f_code.co_name}")

    sys.setprofile(note)
    try:
        for text in ("t", "th", "the", "the cat"):
            opened.search.query.setText(text)
            qtbot.wait(30)
        qtbot.waitUntil(lambda: opened.search.model.rowCount() > 0)
        opened.search.pages.lines.open_line(0)
        sort_by_levels(opened.search, "1L")
        opened.search.table.go_to(opened.search.model.total - 1)
        opened.search.presenter.show_view(2)
        opened.trace.presenter.trace_text("the cat sat on the mat. " * 50)
        qtbot.waitUntil(lambda: opened.trace.text.evidence.documents.model.rowCount() > 0)
        opened.agreement.analyze_text("the dog saw the cat " * 100)
        qtbot.waitUntil(lambda: opened.agreement.presenter.state.answer.value is not None)
    finally:
        sys.setprofile(None)
    assert called == set()


def test_the_look_for_work_on_the_interface_thread_sees_it(opened):
    """The test above could fail."""
    called = set()

    def note(frame, event, arg):
        if event == "call" and frame.f_code.co_filename.endswith(WORKING_FILES):
            called.add(Path(frame.f_code.co_filename).name)

    sys.setprofile(note)
    try:
        opened.corpus.count("the")
        opened.corpus.document(0)
    finally:
        sys.setprofile(None)
    assert called >= {"guard.py", "shard.py", "tokenizer.py"}


def test_references_to_constants_are_kept(opened, qtbot):
    """PySide6 6.12.0 lost references to None at every call on Python 3.11, until the program crashed."""
    before = sys.getrefcount(None)
    for _ in range(3000):
        opened.search.model.headerData(99, Qt.Orientation.Horizontal)
        opened.search.answer.cuts.update()
    assert sys.getrefcount(None) > before - 1000


def test_an_icon_without_room_is_nothing(qapp):
    """Found by random use: Qt warns of a painter on an empty picture, which fails this test."""
    assert icon("search").pixmap(QSize(0, 0)).isNull() and icon("search").pixmap(QSize(16, 0)).isNull()
    assert not icon("search").pixmap(QSize(16, 16)).isNull()


LONG = ("x" * 3_000, "def add(a, b):\n    return a + b\n" * 40, "field:" + "y" * 3_000 + '"')


def check_no_text_stretches_the_window(opened, qtbot, name):
    """Whatever is put into a field comes back in sentences, names and cells: cut there, to one line."""
    for other in (*opened.screens, name):
        opened.show_screen(other)
    before = opened.minimumSizeHint()
    screen = opened.screens[name]
    tabs = [b for b in screen.findChildren(QPushButton) if b.isVisible() and b.property("role") == "tab"] or [None]
    for tab in tabs:
        if tab is not None:
            tab.click()
        for text in LONG:
            for field in screen.findChildren(QLineEdit):
                if field.isVisible() and field.isEnabled() and not field.isReadOnly():
                    field.setText(text)
                    qtbot.keyClick(field, Qt.Key.Key_Return)
            for editor in screen.findChildren(QPlainTextEdit):
                if editor.isVisible() and not editor.isReadOnly():
                    editor.setPlainText(text)
            qtbot.wait(150)
            qtbot.waitUntil(lambda: not any(runner.busy for runner in screen.lanes.all()))
            qtbot.wait(50)
            after = opened.minimumSizeHint()
            # Two or three more lines of text have room in any window.
            assert after.height() <= before.height() + 60 and after.width() <= before.width() + 60, (tab, text[:20])


def test_no_text_stretches_the_window(opened, qtbot):
    for name in ["index", "search", "next_token", "trace", "agreement", "model"]:
        check_no_text_stretches_the_window(opened, qtbot, name)
