"""Texts whose words never end: they are laid out at once, and break where the line ends."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextCursor, QTextOption

from explorer.gui.widgets.texts.plain_text import PlainText

WORD = "x" * 200_000
USUAL, ANYWHERE = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere, QTextOption.WrapMode.WrapAnywhere


@pytest.fixture
def shown(qtbot):
    edit = PlainText()
    qtbot.addWidget(edit)
    edit.resize(300, 200)
    edit.show()
    return edit


def paste(edit, text):
    data = QMimeData()
    data.setText(text)
    edit.insertFromMimeData(data)


def lines(edit):
    return edit.document().firstBlock().layout().lineCount()


@pytest.mark.parametrize("put", [PlainText.setPlainText, paste])
def test_a_word_without_end_breaks_anywhere(shown, put):
    put(shown, f"a {WORD} b")
    assert shown.wordWrapMode() == ANYWHERE and lines(shown) > 1_000
    assert shown.toPlainText() == f"a {WORD} b"
    shown.selectAll()
    put(shown, "some words " * 300)
    assert shown.wordWrapMode() == USUAL and lines(shown) > 50


def test_it_stays_so_while_the_word_is_there(shown):
    shown.setPlainText(WORD)
    shown.moveCursor(QTextCursor.MoveOperation.End)
    paste(shown, " and some words")
    assert shown.wordWrapMode() == ANYWHERE
    shown.setPlainText("one two")
    shown.moveCursor(QTextCursor.MoveOperation.End)
    paste(shown, WORD)
    assert shown.wordWrapMode() == ANYWHERE
