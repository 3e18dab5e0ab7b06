"""The field for the value of a filter, whose list opens while somebody types and at no other time."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.gui.widgets.value_field import ValueField
from explorer.search.facets import Bar, Facet

YEARS = Facet("year", (Bar("1801", "1801", 3, 2), Bar("1802", "1802", 1, 1)), 4, 4)


@pytest.fixture
def field(qtbot: QtBot) -> ValueField:
    field = ValueField()
    qtbot.addWidget(field)
    field.show()
    field.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    return field


def test_values_that_arrive_while_somebody_types_are_offered(field: ValueField, qtbot: QtBot) -> None:
    qtbot.keyClicks(field, "180")
    assert not field.offers.isVisible()
    field.show_values(YEARS)
    assert field.offers.isVisible() and [label for label, _ in field.offered()] == ["1801", "1802"]


def test_values_that_arrive_after_enter_open_no_list(field: ValueField, qtbot: QtBot) -> None:
    qtbot.keyClicks(field, "1801")
    with qtbot.waitSignal(field.returnPressed):
        QTest.keyClick(field, Qt.Key.Key_Return)
    field.show_values(YEARS)
    assert not field.offers.isVisible()
    qtbot.keyClicks(field, "x")
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    assert field.offers.isVisible(), "typing goes on"
