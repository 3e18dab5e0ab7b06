"""Work that would hold the event loop is not done, done once, or done in turns of its own."""

from __future__ import annotations

import threading

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from explorer.gui.runner import Runner, close_all
from explorer.gui.screen import label, offer
from explorer.gui.screens.index.about_view import AboutView
from explorer.gui.screens.index.fact_rows import FactRows
from explorer.gui.screens.index.prepare_view import PrepareView
from explorer.gui.screens.index.progress_view import ProgressView
from explorer.gui.screens.index.screen import IndexScreen
from explorer.gui.screens.index.tiles import Tiles
from explorer.gui.stage import Pages
from explorer.gui.turns import in_turn


class Seen(QObject):
    """Counts the events of a kind that an object gets."""

    def __init__(self, watched, kind):
        super().__init__(watched)
        self.count, self._kind = 0, kind
        watched.installEventFilter(self)

    def eventFilter(self, watched, event):
        self.count += event.type() == self._kind
        return False


def test_a_paragraph_is_laid_out_once_for_each_width(qtbot, monkeypatch):
    measured = []
    usual = QLabel.heightForWidth
    monkeypatch.setattr(
        QLabel, "heightForWidth", lambda self, width: measured.append(width) or usual(self, width), raising=True
    )
    shown = label("word " * 40)
    qtbot.addWidget(shown)
    shown.setWordWrap(True)
    narrow, wide = shown.heightForWidth(100), shown.heightForWidth(400)
    assert narrow > wide
    assert [shown.heightForWidth(100), shown.heightForWidth(400)] == [narrow, wide]
    assert measured == [100, 400]
    shown.setText("word " * 80)
    assert shown.heightForWidth(400) > wide
    font = shown.font()
    font.setPointSize(2 * font.pointSize())
    before = shown.heightForWidth(100)
    shown.setFont(font)
    assert shown.heightForWidth(100) > before
    shown.setWordWrap(False)
    assert shown.heightForWidth(100) < narrow


class Page(QWidget):
    """A page that notes that its height was asked for."""

    def __init__(self, asked):
        super().__init__()
        self._asked = asked

    def heightForWidth(self, width):
        self._asked.append(self)
        return 7


def test_hidden_screens_are_not_measured(qtbot):
    asked = []
    pages = Pages()
    qtbot.addWidget(pages)
    assert pages.heightForWidth(300) == -1
    first, second = Page(asked), Page(asked)
    pages.addWidget(first)
    pages.addWidget(second)
    asked.clear()
    assert pages.heightForWidth(300) == 7
    assert asked == [first]
    pages.setCurrentWidget(second)
    asked.clear()
    assert pages.heightForWidth(300) == 7
    assert asked == [second]


def test_what_is_offered_as_before_is_left_alone(qtbot):
    button = QPushButton("Go")
    qtbot.addWidget(button)
    button.setToolTip("Goes there")
    seen = Seen(button, QEvent.Type.ToolTipChange)
    offer(button, "")
    assert seen.count == 0
    offer(button, "No road")
    offer(button, "No road")
    assert seen.count == 1 and button.toolTip() == "No road"
    offer(button, "")
    offer(button, "")
    assert seen.count == 2 and button.toolTip() == "Goes there"


def test_answers_that_arrive_together_are_drawn_in_a_turn_each(qtbot):
    """Between two of them, the event loop does what else is waiting."""
    order = []
    for name in "abc":
        in_turn(lambda name=name: order.append(name))
    QTimer.singleShot(0, lambda: order.append("user"))
    assert order == ["a"]
    qtbot.waitUntil(lambda: len(order) == 4)
    assert [name for name in order if name != "user"] == ["a", "b", "c"] and order.index("user") < 3
    # When all had their turn, the next one is called at once again.
    qtbot.waitUntil(lambda: called_at_once(in_turn))


def called_at_once(turn):
    calls = []
    turn(lambda: calls.append(1))
    return bool(calls)


def test_a_failing_answer_does_not_keep_the_others_waiting(qtbot):
    order = []

    def fail():
        raise ValueError("a failing answer")

    in_turn(lambda: order.append("first"))
    in_turn(fail)
    in_turn(lambda: order.append("last"))
    with qtbot.captureExceptions() as faults:
        qtbot.waitUntil(lambda: order == ["first", "last"])
    assert [str(fault[1]) for fault in faults] == ["a failing answer"]


def test_an_answer_whose_turn_comes_after_a_newer_request_is_dropped(qtbot):
    runner, taken = Runner("turns"), []
    release = threading.Event()
    in_turn(lambda: None)
    runner.run(lambda _: release.wait(10) and "old", taken.append)
    release.set()
    runner.run(lambda _: "new", taken.append)
    qtbot.waitUntil(lambda: not runner.busy)
    assert taken == ["new"]
    close_all([runner])


def test_pages_of_the_index_screen_are_made_one_per_turn(qtbot):
    pages = IndexScreen()
    qtbot.addWidget(pages)
    kinds = (AboutView, PrepareView, ProgressView)
    made = []
    while pages.prepare_next():
        made.append(sum(len(pages.findChildren(kind)) for kind in kinds))
    # Each is made in one step and gets its styles in another.
    assert made == [1, 1, 2, 2, 3, 3]
    assert not pages.prepare_next()


def test_another_index_writes_into_the_same_labels(qtbot):
    rows, tiles = FactRows(), Tiles()
    for part in (rows, tiles):
        qtbot.addWidget(part)
    rows.show_rows([("Shards", "1"), ("Order", "forward")])
    tiles.show_tiles([("Tokens", "1"), ("Documents", "2")])
    labels = rows.findChildren(QLabel) + tiles.findChildren(QLabel)
    rows.show_rows([("Shards", "3")])
    tiles.show_tiles([("Tokens", "7")])
    assert rows.texts() == (("Shards", "3"),) and tiles.texts() == (("Tokens", "7"),)
    rows.show_rows([("Shards", "3"), ("Order", "reversed")])
    tiles.show_tiles([("Tokens", "7"), ("Documents", "9")])
    assert rows.texts() == (("Shards", "3"), ("Order", "reversed"))
    assert rows.findChildren(QLabel) + tiles.findChildren(QLabel) == labels
