"""Headers that the keyboard reaches."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QTableView

from explorer.gui.widgets.tables.keyed_header import KeyedHeader


@pytest.fixture
def table(qtbot, qapp):
    made = QTableView()
    qtbot.addWidget(made)
    model = QStandardItemModel(made)
    for row in (("b", "1"), ("a", "2"), ("c", "0")):
        model.appendRow([QStandardItem(cell) for cell in row])
    made.setModel(model)
    KeyedHeader(made)
    return made


def column(table, number):
    return [table.model().index(row, number).data() for row in range(3)]


def test_enter_sorts_by_the_column_that_arrows_chose(table, qtbot):
    table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
    table.setSortingEnabled(True)
    header = table.horizontalHeader()
    qtbot.keyClick(header, Qt.Key.Key_Right)
    qtbot.keyClick(header, Qt.Key.Key_Return)
    assert column(table, 1) == ["0", "1", "2"]
    qtbot.keyClick(header, Qt.Key.Key_Space)
    assert column(table, 1) == ["2", "1", "0"]
    # The first column is where the arrows end.
    for _ in range(3):
        qtbot.keyClick(header, Qt.Key.Key_Left)
    qtbot.keyClick(header, Qt.Key.Key_Return)
    assert column(table, 0) == ["a", "b", "c"]


def test_without_sorting_it_only_tells_the_column(table, qtbot):
    told = []
    table.horizontalHeader().sectionClicked.connect(told.append)
    qtbot.keyClick(table.horizontalHeader(), Qt.Key.Key_Return)
    assert told == [0] and column(table, 0) == ["b", "a", "c"]
