"""What an index leaves behind in memory once another is open in its place: nothing."""

from __future__ import annotations

import gc
import weakref

import pytest
from monkey import Monkey
from PySide6.QtWidgets import QDialog

from explorer.gui.presenting.requests import OpenRequest

pytestmark = pytest.mark.usefixtures("all_screens")


def open_another(window, qtbot, path):
    for dialog in window.findChildren(QDialog):
        dialog.reject()
    before = window.corpus
    window.open(OpenRequest((str(path),)))
    qtbot.waitUntil(lambda: window.corpus is not None and window.corpus is not before)


def assert_gone(qtbot, reference):
    """Work that was cancelled may hold it until the work has ended."""

    def gone():
        gc.collect()
        assert reference() is None, [type(holder) for holder in gc.get_referrers(reference())]

    qtbot.waitUntil(gone, timeout=60_000)


def test_a_word_tree_lets_its_index_go(opened, qtbot, byte_index):
    opened.show_screen("next_token")
    screen = opened.next_token
    screen.bar.prompt.setPlainText("the cat sat on the")
    qtbot.waitUntil(lambda: screen.tree.view.drawing is not None)
    screen.bar.prompt.setPlainText("")
    first = weakref.ref(opened.corpus.index)
    open_another(opened, qtbot, byte_index)
    assert screen.tree.view.drawing is None
    assert_gone(qtbot, first)


@pytest.mark.parametrize("seed", [20, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in (21, 22))])
def test_random_use_lets_its_index_go(opened, qtbot, byte_index, dialogs, tmp_path, seed):
    first = weakref.ref(opened.corpus.index)
    Monkey(opened, seed, tmp_path, byte_index).act(80)
    open_another(opened, qtbot, byte_index)
    assert_gone(qtbot, first)
