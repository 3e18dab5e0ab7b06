"""What other people wrote cannot steer the window: no markup, links, shortcuts, reordering or gigantic labels."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QDialog, QLabel, QPlainTextEdit, QTextEdit, QWidget
from views import fill, open_dialogs, screen_views

from explorer import build_index, gui
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.style.untrusted import MOST_SHOWN, caption, plain, tip
from explorer.gui.widgets.texts.plain_text import PlainText

MARKUP = "<img src=x><b>hi</b> <a href='https://x.invalid/'>link</a> &Q \u202egnp.exe\u202c \x1b[31m"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
ESCAPED = re.compile(r"<span style='white-space: pre-wrap'>[^<]*</span>")
GUI = Path(gui.__file__).parent


@given(st.text(alphabet=st.sampled_from("a<&>b\u202e\u2066\x07\n é😀\ud800"), max_size=40))
def test_helpers_take_the_power_and_leave_the_words(text):
    shown = plain(text)
    assert not STEERING.search(shown) and "\ud800" not in shown
    assert [c for c in shown if c in "a<&>b\né😀"] == [c for c in text if c in "a<&>b\né😀"] or "\ud800" in text
    assert not re.search(r"(?<!&)&(?!&)", caption(text).replace("&&", ""))
    assert "<" not in tip(text) or ESCAPED.fullmatch(tip(text))
    assert len(plain(text * 10_000)) < 6 * MOST_SHOWN + 3


@pytest.fixture
def hostile(window, qtbot, tmp_path):
    """A window on an index whose name, paths, texts, fields and values are all hostile."""
    folder = tmp_path / "<b>&Quit<b>"
    folder.mkdir()
    (folder / "<img src=x>&Q\u202etxt.md").write_text(f"the cat {MARKUP} sat on the mat. " * 20)
    rows = [{"text": f"the cat {MARKUP} {n}", "<b>&Q</b>": MARKUP, "huge": "x" * 100_000} for n in range(5)]
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    out = tmp_path / "<i>&Q index</i>\u202e"
    build_index(folder, out, tokenizer="train:400", name=MARKUP)
    window.open(OpenRequest((str(out),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    fill(window, qtbot, text=MARKUP + " the cat", query="the cat")
    return window


def steered(window: QWidget) -> list[str]:
    """Everything in a window by which such a text could do something."""
    found = []
    for widget in (window, *window.findChildren(QWidget)):
        name = f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()}"
        if isinstance(widget, QLabel) and widget.text():
            if widget.textFormat() != Qt.TextFormat.PlainText and "<" in widget.text():
                found.append(f"{name}: rich text {widget.text()[:60]!r}")
            if STEERING.search(widget.text()) or len(widget.text()) > MOST_SHOWN + 10:
                found.append(f"{name}: {widget.text()[:60]!r}")
        if isinstance(widget, QAbstractButton) and re.search(r"(?<!&)(&&)*&Q", widget.text().replace("&Quit", "")):
            found.append(f"{name}: shortcut in {widget.text()[:60]!r}")
        if "<" in widget.toolTip() and not ESCAPED.fullmatch(widget.toolTip()):
            found.append(f"{name}: tool tip {widget.toolTip()[:60]!r}")
        if isinstance(widget, QTextEdit) and widget.objectName() == "":
            written = widget.toHtml()
            found += [f"{name}: HTML of others"] if "<img" in written and "x.invalid" in written else []
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            found += [f"{name}: {text}" for text in steering_cells(widget)]
    for action in window.findChildren(QAction):
        if re.search(r"(?<!&)(&&)*&Q", action.text()) and action.text() != "&Quit":
            found.append(f"action {action.text()[:60]!r}")
    return found + ([f"title {window.windowTitle()!r}"] if STEERING.search(window.windowTitle()) else [])


def steering_cells(view: QAbstractItemView):
    """Tool tips of a view's cells that Qt would take for HTML."""
    model = view.model()
    for row in range(min(20, model.rowCount(QModelIndex()))):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())):
            shown = model.index(row, column).data(Qt.ItemDataRole.ToolTipRole)
            if isinstance(shown, str) and "<" in shown and not ESCAPED.fullmatch(shown):
                yield f"tool tip of a cell {shown[:60]!r}"


def test_no_view_of_a_hostile_index_is_steered(hostile, qtbot):
    wrong = []
    for view in [*screen_views(hostile), *open_dialogs(hostile, qtbot)]:
        shown = view.show()
        wrong += [f"{view.name}: {text}" for text in steered(shown)]
    hostile.book.submenus["recent"].aboutToShow.emit()
    wrong += steered(hostile)
    for dialog in hostile.findChildren(QDialog):
        dialog.close()
    assert "\n".join(dict.fromkeys(wrong)) == ""


def test_what_is_copied_and_dragged_is_plain_text(hostile, qtbot):
    trace, texts = (
        hostile.trace.text.editor,
        (hostile.panel.text, hostile.trace.text.editor, hostile.agreement.halves.text.text),
    )
    assert trace.toPlainText()
    for text in texts:
        text.selectAll()
        assert text.createMimeDataFromSelection().formats() == ["text/plain"]
        text.copy()
        assert QGuiApplication.clipboard().mimeData().formats() == ["text/plain"]
        assert QGuiApplication.clipboard().text().strip() != ""


def test_pasted_markup_is_text_and_is_shown_from_its_beginning(qtbot):
    edit = PlainText()
    qtbot.addWidget(edit)
    edit.resize(200, 100)
    edit.show()
    data = QMimeData()
    data.setText("<b>first</b>\n" + "line\n" * 500 + "last")
    data.setHtml("<b>other</b><img src='https://x.invalid/a.png'>")
    edit.insertFromMimeData(data)
    assert edit.toPlainText() == data.text()
    assert edit.textCursor().position() == 0 and edit.verticalScrollBar().value() == 0
    edit.moveCursor(edit.textCursor().MoveOperation.End)
    more = QMimeData()
    more.setText(" and more")
    edit.insertFromMimeData(more)
    assert edit.toPlainText().endswith("last and more") and edit.textCursor().atEnd()


def test_labels_and_texts_are_made_of_the_classes_that_are_safe():
    """QLabel and QPlainTextEdit are used as they are nowhere but in the modules that tame them."""
    tamed = {"QLabel": "style/untrusted.py", "QPlainTextEdit": "widgets/texts/plain_text.py"}
    found = []
    for path in sorted(GUI.rglob("*.py")):
        here = path.relative_to(GUI).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.func] if isinstance(node, ast.Call) else node.bases if isinstance(node, ast.ClassDef) else []
            found += [f"{here}:{node.lineno}" for name in names if tamed.get(ast.unparse(name), here) != here]
    assert found == []
    assert issubclass(PlainText, QPlainTextEdit)


def test_tool_tips_with_somebodys_text_go_through_the_helper():
    """A tip is a sentence of ours without fields, or made by `tip`; a Label makes it itself.

    `usual` is a tip that the same part had before.
    """
    ours = {"text", "name", "hint", "with_key", "usual", '""'}
    labels = {"says", "read_as", "index_label", "title", "super()"}
    found = []
    for path in sorted(GUI.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)) or not node.args:
                continue
            if node.func.attr == "setToolTip":
                given = node.args[-1]
                label = ast.unparse(node.func.value).split(".")[-1] in labels
            elif ast.unparse(node.func) == "QToolTip.showText":
                given, label = node.args[1], False
                given = given.body if isinstance(given, ast.IfExp) else given
            else:
                continue
            called = ast.unparse(given.func) if isinstance(given, ast.Call) else ast.unparse(given)
            fields = given.keywords if isinstance(given, ast.Call) else []
            # A constant of the program is no text of others.
            plain_sentence = called == "tr" and all(ast.unparse(field.value).isupper() for field in fields)
            if not (label or plain_sentence or called == "tip" or called in ours):
                found.append(f"{path.relative_to(GUI)}:{node.lineno}: {ast.unparse(given)}")
    assert found == []
