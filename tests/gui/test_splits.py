"""Borders between panes stay where they were moved to, across runs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from explorer.gui.app.app import make_application, show_window
from explorer.gui.app.startup import Startup
from explorer.gui.chrome.splits import keep_document
from explorer.gui.chrome.stage import Stage
from explorer.gui.settings.store import Settings
from explorer.gui.widgets.layouts.splitter import Splitter


def grip_of(splitter):
    return splitter.handle(1)


def shares(splitter):
    sizes = splitter.sizes()
    return [size / sum(sizes) for size in sizes]


def test_a_border_of_a_screen_stays(opened, qtbot):
    opened.resize(1600, 1000)
    opened.show_screen("next_token")
    opened.next_token.bar.prompt.setPlainText("the")
    lists = opened.next_token.lists
    qtbot.waitUntil(lambda: lists.isVisible() and all(lists.sizes()) and not opened.next_token.busy)
    before = shares(lists)
    for _ in range(4):
        qtbot.keyClick(grip_of(lists), Qt.Key.Key_Right)
    moved = shares(lists)
    assert moved[0] > before[0] + 0.01
    names = [name for name in opened.settings.get("splits") if name.startswith("next_token")]
    assert len(names) == 1
    stored = opened.settings.get("splits")[names[0]]
    assert stored == pytest.approx(moved, abs=0.001)
    # Another splitter that gets these shares divides its room in the same way.
    other = Splitter()
    qtbot.addWidget(other)
    for _ in range(2):
        other.addWidget(QWidget())
    other.use_shares(stored)
    other.resize(800, 100)
    other.show()
    qtbot.waitUntil(lambda: shares(other) == pytest.approx(stored, abs=0.02))


def test_the_width_of_the_document_stays(opened, qtbot):
    opened.resize(1600, 1000)
    opened.show_screen("search")
    opened.stage.toggle_panel()
    qtbot.waitUntil(lambda: not opened.stage.over and abs(opened.panel.width() - 352) < 12)
    for _ in range(3):
        qtbot.keyClick(grip_of(opened.stage.splitter), Qt.Key.Key_Left)
    assert opened.stage.panel_width > 352
    opened.settings.flush()
    again = Settings(opened.settings.path)
    make_application(again)
    other = show_window(Startup(), again)
    assert other.stage.panel_width == opened.stage.panel_width
    other.close()


@pytest.mark.parametrize("odd", ["x", [1, 2], [-1], [True], [[1]], None, {"a": 1}])
def test_what_somebody_wrote_into_the_file_is_ignored(odd, qtbot, settings):
    settings.set("splits", {"document": odd})
    stage = Stage(lambda panel: None)
    qtbot.addWidget(stage)
    keep_document(stage, settings)
    assert stage.panel_width == 352


def test_a_splitter_that_turns_keeps_its_frame_in_sight(qtbot):
    splitter = Splitter(Qt.Orientation.Vertical)
    qtbot.addWidget(splitter)
    splitter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert splitter.contentsMargins().right() == 0
    splitter.setOrientation(Qt.Orientation.Horizontal)
    assert splitter.contentsMargins().right() == 1
    splitter.setOrientation(Qt.Orientation.Vertical)
    assert splitter.contentsMargins().right() == 0
