"""Runs of a text in formats of their own."""

from __future__ import annotations

import pytest
from marked import marked_runs
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit

from explorer.gui.screens.trace.documents.choice import Mark
from explorer.gui.screens.trace.text.editor import TraceEditor
from explorer.gui.style.text_positions import CELL, Utf16Map, cell_text
from explorer.gui.widgets.texts.marked_text import mark_runs

RED, BLUE = QColor(255, 0, 0), QColor(0, 0, 255)


def on(color):
    form = QTextCharFormat()
    form.setBackground(color)
    return form


@pytest.fixture
def edit(qtbot):
    edit = QPlainTextEdit("one two\nthree 😀 four\n\nfive")
    qtbot.addWidget(edit)
    edit.resize(300, 200)
    with qtbot.waitExposed(edit):
        edit.show()
    return edit


def shown(edit):
    return [(text, form.background().color()) for text, form in marked_runs(edit)]


def test_a_run_over_several_paragraphs(edit):
    text = edit.toPlainText()
    positions = Utf16Map(text)
    start, end = positions.to_qt(text.index("two")), positions.to_qt(text.index(" four"))
    mark_runs(edit, [(start, end, on(RED)), (end, end, on(BLUE))])
    assert shown(edit) == [("two", RED), ("three 😀", RED)]
    mark_runs(edit, [(0, 3, on(BLUE))])
    assert shown(edit) == [("one", BLUE)]
    mark_runs(edit, ())
    assert shown(edit) == []


def test_positions_in_texts_with_windows_line_ends(edit):
    text = "a\r\nb\rc 😀\r\n\r\nd\n\re"
    edit.setPlainText(text)
    units, positions = edit.document().toRawText().encode("utf-16-le"), Utf16Map(text)
    for place in (text.index(character) for character in "abcde😀"):
        start = positions.to_qt(place)
        assert units[2 * start :].decode("utf-16-le").startswith(text[place])
        assert positions.from_qt(start) == place
    assert positions.to_qt(len(text)) == edit.document().characterCount() - 1
    assert positions.from_qt(1) == 1 == text.index("\r\n")


def painted(edit, color):
    """How many pixels have a colour."""
    image = edit.viewport().grab().toImage()
    return sum(image.pixelColor(x, y) == color for y in range(image.height()) for x in range(image.width()))


def test_marks_are_seen_and_change_nothing_else(edit, qtbot):
    changed = []
    edit.textChanged.connect(lambda: changed.append(1))
    assert painted(edit, RED) == 0
    mark_runs(edit, [(0, 3, on(RED))])
    one = painted(edit, RED)
    mark_runs(edit, [(0, 7, on(RED))])
    assert painted(edit, RED) > 2 * one > 0
    mark_runs(edit, [(0, 7, on(RED)), (0, 7, on(BLUE))])
    assert painted(edit, RED) == 0 < painted(edit, BLUE)
    assert not changed
    assert not edit.document().isUndoAvailable()


def test_the_view_stays_where_it_is(edit):
    edit.setPlainText("\n".join(f"line {number} of many" for number in range(400)))
    edit.verticalScrollBar().setValue(200)
    mark_runs(edit, [(at, at + 4, on(RED)) for at in range(0, 4000, 40)])
    assert edit.verticalScrollBar().value() == 200


def test_marks_move_as_the_text_is_edited(qtbot):
    editor = TraceEditor()
    qtbot.addWidget(editor)
    editor.setPlainText("the cat sat\non the mat")
    editor.show_marks((Mark(4, 7, "high", str), Mark(12, 14, "low", str)), editor.text())
    assert [text for text, _ in editor.marks.parts()] == ["cat", "on"]
    qtbot.keyClicks(editor, "now ")
    assert [text for text, _ in editor.marks.parts()] == ["cat", "on"]
    # A paragraph cut within a mark, and joined again.
    for _ in range(5):
        qtbot.keyClick(editor, Qt.Key.Key_Right)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text() == "now the c\nat sat\non the mat"
    assert [text for text, _ in editor.marks.parts()] == ["c\nat", "on"]
    qtbot.keyClick(editor, Qt.Key.Key_Backspace)
    assert [text for text, _ in editor.marks.parts()] == ["cat", "on"]
    qtbot.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    editor.show_marks((), editor.text())
    assert editor.marks.parts() == ()


def test_cells_are_cut_at_their_far_end():
    long = "a" + "b" * 2 * CELL + "c"
    assert cell_text("a\nb") == "a ⏎ b"
    assert cell_text(long) == "a" + "b" * (CELL - 1) + "…"
    assert cell_text(long, ending=True) == "…" + "b" * (CELL - 1) + "c"
