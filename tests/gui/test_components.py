"""Every component in both themes, three text sizes and both directions; and the checks that look at them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from layout_checks import clipped, overlapping
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.settings.store import Settings
from explorer.gui.style.surfaces import all_restyled, restyle
from explorer.gui.style.theme import choose_scheme, choose_text_size, scaled
from explorer.gui.widgets.fields.chip import Chip

SCRIPT = Path(__file__).parents[2] / "packaging" / "component_sheet.py"


@pytest.fixture(scope="module")
def sheet_class():
    """The sheet of samples, from the script that takes its pictures."""
    spec = importlib.util.spec_from_file_location("component_sheet", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["component_sheet"] = module
    spec.loader.exec_module(module)
    return module.ComponentSheet


@pytest.fixture
def look(qtbot, tmp_path):
    """look(scheme, points, direction): the application has this look, and its usual one after the test."""
    from explorer.gui.app.app import make_application

    def change(scheme, points, direction):
        settings = Settings(tmp_path / "settings.json")
        settings.set("scheme", scheme)
        settings.set("text_size", points)
        make_application(settings)
        QApplication.setLayoutDirection(direction)
        qtbot.waitUntil(all_restyled)

    yield change
    QApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    choose_scheme("system")
    choose_text_size(0)
    restyle(QApplication.instance())
    qtbot.waitUntil(all_restyled)


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
@pytest.mark.parametrize("points", [10, 14, 20])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_component_has_room(scheme, points, direction, look, sheet_class, qtbot):
    look(scheme, points, direction)
    sheet = sheet_class()
    qtbot.addWidget(sheet)
    sheet.resize(scaled(1200), scaled(1100))
    with qtbot.waitExposed(sheet):
        sheet.show()
    QApplication.sendPostedEvents()
    assert (clipped(sheet), overlapping(sheet)) == ([], [])


# The checks find what they are for.


@pytest.fixture
def window(qtbot):
    """An open window with a layout."""
    made = QWidget()
    qtbot.addWidget(made)
    QVBoxLayout(made)
    made.resize(400, 300)
    return made


def shown(window, qtbot):
    with qtbot.waitExposed(window):
        window.show()
    QApplication.sendPostedEvents()
    return window


def test_a_label_without_room_is_found_unless_its_tip_has_the_text(window, qtbot):
    bad, good = QLabel("words that do not fit"), QLabel("words that do not fit either")
    good.setToolTip(good.text())
    for part in (bad, good):
        part.setFixedWidth(20)
        window.layout().addWidget(part)
    (found,) = clipped(shown(window, qtbot))
    assert "words that do not fit'" in found and "tool tip" in found


def test_a_low_paragraph_is_found(window, qtbot):
    paragraph = QLabel("many words " * 30, wordWrap=True)
    paragraph.setFixedHeight(20)
    window.layout().addWidget(paragraph)
    (found,) = clipped(shown(window, qtbot))
    assert "20 of" in found


def test_small_buttons_boxes_and_titles_are_found(window, qtbot):
    button, box, group = QPushButton("some words"), QComboBox(), QGroupBox("a title with many words")
    box.addItem("a choice with many words")
    for part in (button, box, group):
        part.setFixedWidth(30)
        window.layout().addWidget(part)
    found = " ".join(clipped(shown(window, qtbot)))
    assert all(words in found for words in ("some words", "a choice with many words", "a title with many words"))


def test_narrow_columns_and_tabs_are_found(window, qtbot):
    table, tabs = QTableWidget(1, 2), QTabWidget()
    table.setHorizontalHeaderLabels(["a long title of a column", "b"])
    table.setColumnWidth(0, 25)
    tabs.addTab(QWidget(), "a tab with words")
    tabs.tabBar().setStyleSheet("QTabBar::tab { max-width: 20px; }")
    for part in (table, tabs):
        window.layout().addWidget(part)
    found = " ".join(clipped(shown(window, qtbot)))
    assert "a long title" in found and "a tab with words" in found
    table.horizontalHeaderItem(0).setToolTip("a long title of a column")
    assert "a long title" not in " ".join(clipped(window))


def test_what_a_side_cuts_off_is_found(window, qtbot):
    area, content = QScrollArea(), QWidget()
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    content.resize(900, 50)
    button = QPushButton("far away", content)
    button.move(800, 5)
    area.setWidget(content)
    outside = QPushButton("half outside", window)
    outside.move(380, 200)
    window.layout().addWidget(area)
    found = " ".join(clipped(shown(window, qtbot)))
    assert "far away" in found and "half outside" in found
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    assert "far away" not in " ".join(clipped(window))


def test_siblings_that_cover_each_other_are_found(window, qtbot):
    row = QWidget()
    layout = QHBoxLayout(row)
    for name in ("one", "two"):
        layout.addWidget(QPushButton(name))
    window.layout().addWidget(row)
    assert overlapping(shown(window, qtbot)) == []
    one, two = row.findChildren(QPushButton)
    two.setGeometry(one.geometry().translated(5, 5))
    (found,) = overlapping(window)
    assert "'one'" in found and "'two'" in found
    two.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    assert overlapping(window) == []


def test_an_elided_chip_needs_its_tip(window, qtbot):
    chip = Chip("a chip with many more words than there is room for in a window")
    chip.setFixedWidth(60)
    window.layout().addWidget(chip)
    assert clipped(shown(window, qtbot)) == []
    chip.setToolTip("")
    assert len(clipped(window)) == 1


class Drawn(QWidget):
    """Paints some words; where is the left end and the base line of each."""

    def __init__(self, *words, size=(120, 30)):
        super().__init__()
        self.words = words
        self.setFixedSize(*size)

    def paintEvent(self, event):
        painter = QPainter(self)
        for text, x, y in self.words:
            painter.drawText(x, y, text)
        painter.end()


# The checks read the painting of the program's own classes only.
Drawn.__module__ = "explorer.planted"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([("fits", 10, 20)], None),
        ([("fits", 10, 20), ("and fits", 60, 20)], None),
        ([("fits", 10, 20), ("fits", 10, 20)], None),
        ([("over the edge", 60, 20)], "cut off at a side"),
        ([("too high", 10, 4)], "cut off above or below"),
        ([("one", 10, 20), ("other", 15, 20)], "cover each other"),
    ],
)
def test_painted_words_without_room_are_found(words, told, window, qtbot):
    window.layout().addWidget(Drawn(*words))
    found = clipped(shown(window, qtbot))
    assert [told in text for text in found] == ([True] if told else [])


def test_words_in_cells_are_found_but_not_those_that_scroll(window, qtbot):
    tables = [QTableWidget(1, 2) for _ in range(2)]
    for table, width in zip(tables, (120, 400), strict=True):
        table.horizontalHeader().hide()
        table.verticalHeader().hide()
        table.setColumnWidth(0, width)
        table.setItem(0, 0, QTableWidgetItem("words that have room only in the second table"))
        table.setTextElideMode(Qt.TextElideMode.ElideNone)
        table.setWordWrap(False)
        window.layout().addWidget(table)
    found = clipped(shown(window, qtbot))
    assert len(found) == 1 and "words that have room" in found[0]


def test_a_placeholder_without_room_is_found_unless_its_tip_has_it(window, qtbot):
    bad, good, full = (QLineEdit(placeholderText="a long sentence about what to type") for _ in range(3))
    good.setToolTip(good.placeholderText())
    full.setText("x")
    for field in (bad, good, full):
        field.setFixedWidth(60)
        window.layout().addWidget(field)
    (found,) = clipped(shown(window, qtbot))
    assert "placeholder" in found


def test_what_is_outside_of_the_part_that_it_is_in_is_found(window, qtbot):
    holder, inner = QWidget(), QWidget()
    holder.setFixedSize(100, 40)
    inner.setParent(holder)
    inner.setGeometry(80, 0, 40, 20)
    window.layout().addWidget(holder)
    (found,) = clipped(shown(window, qtbot))
    assert "20 px are outside" in found
