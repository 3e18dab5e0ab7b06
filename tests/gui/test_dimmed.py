"""Stale answers are seen at 40 % of their strength, stay usable, and come back whole."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFrame, QPushButton, QSplitter, QTableWidget, QVBoxLayout, QWidget

from explorer.gui.style.theme import qcolor
from explorer.gui.widgets.notices.dimmed import SOON_MS, STRENGTH, Dimmer, is_dimmed


@pytest.fixture
def place(qtbot):
    """A widget painted black with a button in it, shown."""
    made = QFrame()
    made.setStyleSheet("QFrame { background: #000000; }")
    made.button = QPushButton("old answer", made)
    column = QVBoxLayout(made)
    column.setContentsMargins(20, 20, 20, 20)
    column.addWidget(made.button)
    made.resize(200, 100)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    return made


def ground(widget: QWidget) -> int:
    return widget.grab().toImage().pixelColor(3, 3).green()


def test_forty_percent_are_left(place):
    dimmer = Dimmer(place, parent=place)
    assert ground(place) == 0
    dimmer.set_stale(True)
    assert ground(place) == pytest.approx((1 - STRENGTH) * qcolor("window").green(), abs=2)
    assert is_dimmed(place) and is_dimmed(place.button)
    dimmer.set_stale(False)
    assert ground(place) == 0
    assert not is_dimmed(place) and not is_dimmed(place.button)


def test_what_is_dimmed_is_covered_after_a_resize_and_by_no_new_child(place, qtbot):
    Dimmer(place, parent=place).set_stale(True)
    place.resize(400, 300)
    late = QFrame(place)
    late.setGeometry(300, 200, 50, 50)
    late.setStyleSheet("background: #000000;")
    late.show()
    picture = place.grab().toImage()
    for x, y in ((390, 290), (320, 220)):
        assert picture.pixelColor(x, y).green() > 100


def test_what_is_dimmed_can_still_be_clicked(place, qtbot):
    clicks = []
    place.button.clicked.connect(lambda: clicks.append(1))
    Dimmer(place, parent=place).set_stale(True)
    at = place.button.mapTo(place.window(), place.button.rect().center())
    assert place.window().childAt(at) is place.button
    qtbot.mouseClick(place.button, Qt.MouseButton.LeftButton)
    assert clicks == [1]


def test_an_answer_that_comes_soon_does_not_flicker(place, qtbot):
    dimmer = Dimmer(place, parent=place)
    dimmer.set_stale(True, at_once=False)
    assert dimmer.stale and not is_dimmed(place)
    dimmer.set_stale(False)
    qtbot.wait(2 * SOON_MS)
    assert not is_dimmed(place)
    dimmer.set_stale(True, at_once=False)
    qtbot.waitUntil(lambda: is_dimmed(place))


def test_a_table_is_dimmed_and_a_splitter_refused(qtbot):
    table, splitter = QTableWidget(100, 3), QSplitter()
    for widget in (table, splitter):
        qtbot.addWidget(widget)
    table.show()
    Dimmer(table, parent=table).set_stale(True)
    table.scrollToBottom()
    assert is_dimmed(table.viewport())
    with pytest.raises(TypeError):
        Dimmer(splitter, parent=QObject(splitter))
    assert splitter.count() == 0
