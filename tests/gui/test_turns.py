"""Work that would hold the event loop is not done, done once, or done in turns of its own."""

from __future__ import annotations

import gc
import threading
from types import SimpleNamespace

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from explorer.gui.app.app import leave_to_itself
from explorer.gui.chrome.stage import Pages
from explorer.gui.screens.index.about.fact_rows import FactRows
from explorer.gui.screens.index.about.tiles import Tiles
from explorer.gui.screens.index.about.view import AboutView
from explorer.gui.screens.index.build.progress_view import ProgressView
from explorer.gui.screens.index.screen import IndexScreen
from explorer.gui.screens.screen import Screen, label, offer
from explorer.gui.screens.search.filters.chips import FilterForm
from explorer.gui.screens.search.lines.sort_form import SortForm
from explorer.gui.style import icons
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import apply_stylesheet_to_parts, parts_below, style_next_part, styled_parts
from explorer.gui.threads.runner import Runner, close_all
from explorer.gui.threads.turns import in_turn


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


def test_pages_of_the_index_screen_are_made_ahead_in_small_steps(qtbot):
    screen = IndexScreen()
    qtbot.addWidget(screen)
    pages = screen.pages
    steps, counts = 0, []
    while pages.prepare_next():
        steps += 1
        counts.append(pages.count())
    # Each becomes a page when all its parts have their style; until then nothing on the screen is without.
    assert sorted(set(counts)) == [1, 2, 3, 4]
    assert steps > 3 * 3
    assert not pages.prepare_next()
    styled = len(styled_parts)
    assert isinstance(pages.about, AboutView) and isinstance(pages.progress, ProgressView)
    assert len(styled_parts) == styled


def test_a_page_that_is_asked_for_while_it_is_made_ahead_is_that_page(qtbot):
    screen = IndexScreen()
    qtbot.addWidget(screen)
    assert screen.prepare_next() and screen.prepare_next()
    page = screen.pages.about
    assert screen.pages.indexOf(page) == 1 and screen.pages.about is page
    parts = parts_below(page)
    assert parts and all(part.styleSheet() for part in parts)


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


class Parts(Screen):
    """A screen with three parts."""

    def __init__(self):
        super().__init__()
        column = QVBoxLayout(self)
        for name in "abc":
            column.addWidget(QPushButton(name))


def test_a_screen_made_ahead_gets_the_sheet_of_one_part_per_step(qtbot):
    screen = Parts()
    qtbot.addWidget(screen)
    styled = []
    while style_next_part(screen):
        styled.append([bool(button.styleSheet()) for button in screen.findChildren(QPushButton)])
    assert styled == [[True, False, False], [True, True, False], [True, True, True]]
    # What is added later is styled when it is shown, and what was styled is not styled again.
    before = len(styled_parts)
    apply_stylesheet_to_parts(screen)
    assert len(styled_parts) == before
    late = QPushButton("d")
    screen.layout().addWidget(late)
    screen.show()
    qtbot.waitUntil(lambda: bool(late.styleSheet()))


def test_what_is_asked_for_before_all_its_parts_are_styled_is_styled_at_once(qtbot):
    screen = Parts()
    qtbot.addWidget(screen)
    assert style_next_part(screen)
    apply_stylesheet_to_parts(screen)
    assert all(button.styleSheet() for button in screen.findChildren(QPushButton))


def test_what_lives_as_long_as_the_window_is_left_out_of_the_search_for_garbage_once(qtbot, monkeypatch):
    """Even counting what is left out visits all of it."""
    frozen = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(True))
    window = QWidget()
    qtbot.addWidget(window)
    window.screens = SimpleNamespace(complete=False)
    leave_to_itself(window)
    (timer,) = window.findChildren(QTimer)
    timer.timeout.emit()
    assert frozen == [] and timer.isActive()
    window.screens.complete = True
    timer.timeout.emit()
    assert frozen == [True] and not timer.isActive()


def test_an_icon_is_read_once_for_all_colors(qtbot, monkeypatch):
    read = []
    usual = icons.resource_text
    monkeypatch.setattr(icons, "resource_text", lambda name: read.append(name) or usual(name))
    for color in ("accent", "text", "warn", "ok"):
        icon("index", color).pixmap(16, 16)
    assert len(read) <= 1


def test_closed_forms_are_not_drawn_again_when_nothing_they_show_has_changed(opened, monkeypatch):
    search, drawn = opened.search, []
    made = [search.answer.filters.form, search.tools.sort_form]
    for kind in (FilterForm, SortForm):
        monkeypatch.setattr(kind, "draw", lambda self, state, before: drawn.append(type(self)))
    state = search.presenter.state
    for part in (search.answer, search.tools):
        part.draw(state, state)
    assert drawn == []
    for part in (search.answer, search.tools):
        part.draw(state, None)
    assert drawn == [type(form) for form in made] == [FilterForm, SortForm]
