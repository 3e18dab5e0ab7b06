"""Parts of a screen that are made when they are needed, or ahead."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget

from explorer.gui.style.surfaces import apply_stylesheet_to_parts
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.layouts.later import LaterPage, LaterPopover


class Page(QWidget):
    """Some labels, each a part with a style of its own."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        self.labels = [QLabel(f"label {number}") for number in range(3)]
        for each in self.labels:
            column.addWidget(each)


@pytest.fixture
def made() -> list[QWidget]:
    return []


@pytest.fixture
def place(qtbot, made) -> LaterPage[Page]:
    def make() -> Page:
        made.append(Page())
        return made[-1]

    around = QWidget()
    layout = QVBoxLayout(around)
    later = LaterPage(make)
    layout.addWidget(later)
    later.hide()
    qtbot.addWidget(around)
    apply_stylesheet_to_parts(around)
    around.show()
    later.around = around
    return later


def dressed(page: Page) -> list[bool]:
    return [bool(each.styleSheet()) for each in page.labels]


def test_a_page_is_made_when_its_place_is_shown(place, made, qtbot):
    assert made == [] and place.made is None
    place.show()
    assert len(made) == 1
    assert place.made is made[0] is place.page
    assert made[0].isVisible()
    qtbot.waitUntil(lambda: made[0].size() == place.size() and place.height() > 0)


def test_a_page_is_made_and_dressed_ahead_one_part_at_a_time(place, made):
    assert place.prepare_next()
    (page,) = made
    assert place.made is page
    assert dressed(page) == [False, False, False]
    seen = []
    while place.prepare_next():
        # The place is told that a page was put into it, and must not dress all of it at once.
        QApplication.processEvents()
        seen.append(sum(dressed(page)))
        # Nobody sees what is half dressed; in the last step it is put in its place, which is hidden here.
        assert page.isHidden() == (len(seen) < 4)
    assert seen == [1, 2, 3, 3]
    place.show()
    assert page.isVisible()
    assert made == [page]
    assert not place.prepare_next()


def test_a_page_that_was_begun_is_completed_when_it_is_shown(place, made):
    place.prepare_next()
    place.prepare_next()
    place.show()
    assert dressed(made[0]) == [True, True, True]
    assert made[0].isVisible()
    assert len(made) == 1


def test_a_page_that_was_begun_goes_with_its_place(place, made, qtbot):
    place.prepare_next()
    with qtbot.waitSignal(made[0].destroyed):
        place.deleteLater()


def test_a_popover_is_made_once_at_its_first_use(qtbot):
    made: list[Popover] = []

    def make() -> Popover:
        made.append(Popover(button, "Title"))
        made[-1].body.addWidget(QPushButton("In it"))
        return made[-1]

    window = QWidget()
    qtbot.addWidget(window)
    button = QPushButton("Open", window)
    later = LaterPopover(make, button)
    button.clicked.connect(later.open)
    window.resize(400, 300)
    window.show()
    assert made == [] and later.made is None
    assert later.prepare_next()
    assert later.made is made[0]
    assert not made[0].isVisible()
    assert not later.prepare_next()
    button.click()
    assert made[0].isVisible()
    assert len(made) == 1
