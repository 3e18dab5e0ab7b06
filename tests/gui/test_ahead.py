"""A page that is made ahead: how much of it is made and styled per turn."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from explorer.gui.screens.index.screen import IndexScreen
from explorer.gui.screens.model.screen import ModelScreen
from explorer.gui.style.surfaces import styled_parts
from explorer.gui.threads.ahead import Ahead

_PARTS = 4


class Page(QWidget):
    """Labels, each a part with a style of its own."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        for number in range(_PARTS):
            column.addWidget(QLabel(str(number)))


def styled(page: QWidget) -> int:
    return sum(bool(each.styleSheet()) for each in page.findChildren(QLabel))


@pytest.fixture
def place(qtbot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


def test_each_step_makes_the_page_or_styles_one_part(place):
    ahead = Ahead(Page, place)
    assert ahead.begun is None
    counts = []
    while ahead.step():
        assert ahead.begun is not None and ahead.begun.isHidden()
        counts.append(styled(ahead.begun))
    assert counts == list(range(_PARTS + 1))
    assert ahead.complete() is ahead.begun


def test_a_page_that_is_asked_for_halfway_has_all_its_styles(place):
    ahead = Ahead(Page, place)
    assert ahead.step() and ahead.step()
    begun = ahead.begun
    assert ahead.complete() is begun and styled(ahead.complete()) == _PARTS


def test_a_page_that_was_not_made_ahead_gets_its_styles_with_its_place(place):
    page = Ahead(Page, place).complete()
    assert page.parent() is place and page.isHidden() and styled(page) == 0


def test_a_page_goes_with_its_place_if_that_is_deleted_first(qtbot):
    place = QWidget()
    ahead = Ahead(Page, place)
    ahead.step()
    assert ahead.begun is not None
    with qtbot.waitSignal(ahead.begun.destroyed):
        place.deleteLater()


@pytest.mark.parametrize("kind", [IndexScreen, ModelScreen])
def test_a_screen_makes_its_pages_a_part_per_step(kind, qtbot):
    screen = kind()
    qtbot.addWidget(screen)
    made = len(screen.findChildren(QWidget))
    together: list[int] = []
    before = len(styled_parts)
    while screen.prepare_next():
        widgets, now = len(screen.findChildren(QWidget)), len(styled_parts)
        # What makes no widgets only styles; a page that is made may hold pop-overs, which style themselves.
        if widgets == made:
            together.append(now - before)
        made, before = widgets, now
    assert len(together) > 3
    assert max(together) == 1
