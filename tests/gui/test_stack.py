"""A page that comes to the front is drawn once."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QSplitter, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.gui.widgets.layouts.scroll_areas import TallArea
from explorer.gui.widgets.layouts.stack import LowStack, Stack


class _Counted(QWidget):
    """Counts how often it is drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(50, 50)
        self.drawn = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.drawn += 1


def _page(widget: QWidget, area: Callable[[QWidget], QScrollArea]) -> QWidget:
    """A page with a widget in an area that scrolls, whose contents hide what is below them."""
    inside = QWidget()
    QVBoxLayout(inside).addWidget(widget)
    page = QWidget()
    QVBoxLayout(page).addWidget(area(inside))
    return page


def _scrolled(inside: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidget(inside)
    return area


def test_a_page_is_drawn_once_when_it_is_shown(qtbot: QtBot) -> None:
    window, stack = QWidget(), Stack()
    qtbot.addWidget(window)
    counted = [_Counted(), _Counted(), _Counted()]
    for number, widget in enumerate(counted):
        stack.addWidget(_page(widget, TallArea if number else _scrolled))
    # As in the program: the stack itself hides what is below it, too.
    layout = QVBoxLayout(window)
    layout.addWidget(TallArea(stack))
    window.show()
    qtbot.waitUntil(lambda: counted[0].drawn > 0)
    for number in (1, 2, 0, 2, 1):
        before = [widget.drawn for widget in counted]
        stack.setCurrentIndex(number)
        qtbot.waitUntil(lambda: counted[number].drawn > before[number])  # noqa: B023 - ends before the next turn
        assert [widget.drawn - old for widget, old in zip(counted, before, strict=True)] == [
            int(each == number) for each in range(3)
        ]


def test_the_page_in_front_is_the_chosen_one(qtbot: QtBot) -> None:
    stack = Stack()
    qtbot.addWidget(stack)
    pages = [QWidget(), QWidget()]
    for page in pages:
        stack.addWidget(page)
    stack.resize(200, 100)
    stack.show()
    for page in (pages[1], pages[0], pages[1]):
        stack.setCurrentWidget(page)
        assert stack.childAt(5, 5) is page
        assert [each.isVisible() for each in pages] == [each is page for each in pages]


def test_a_page_that_is_hidden_takes_no_room(qtbot: QtBot) -> None:
    low, high = QSplitter(), QSplitter(Qt.Orientation.Vertical)
    low.addWidget(QLabel("An invitation"))
    part = QLabel("An answer")
    part.setMinimumHeight(2000)
    high.addWidget(part)
    stack, inside, wraps = LowStack(), QWidget(), QLabel("A long sentence. " * 20, wordWrap=True)
    for page in (low, high):
        stack.addWidget(page)
    column = QVBoxLayout(inside)
    # Rows that wrap, as on every page: only with one of them Qt asks for heights at a width.
    column.addWidget(wraps)
    column.addWidget(stack, 1)
    area = TallArea(inside)
    qtbot.addWidget(area)
    area.resize(300, 400)
    with qtbot.waitExposed(area):
        area.show()
    for number, fits in ((0, True), (1, False), (0, True)):
        stack.setCurrentIndex(number)
        qtbot.waitUntil(lambda fits=fits: (inside.height() <= area.viewport().height()) is fits)
