"""The search screen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from explorer.gui.screens.search.model import LEFT, MATCH, PAGE, RIGHT, KwicModel
from explorer.gui.text_positions import Utf16Map, one_line


def cell(window, row, column):
    return window.search.model.index(row, column).data()


def test_typing_counts_and_lists(opened, qtbot, small):
    opened.show_screen("Search")
    qtbot.keyClicks(opened.search.query, "the cat")
    expected = small.count("the cat", ["space"])
    qtbot.waitUntil(lambda: opened.search.count.text() == str(expected))
    assert opened.search.model.rowCount() == expected
    assert cell(opened, 0, MATCH) == "the cat"
    assert "per million" in opened.search.details.text()
    opened.search.space.setChecked(False)
    without = small.count("the cat")
    assert without < expected
    qtbot.waitUntil(lambda: opened.search.count.text() == str(without))


def test_variants_by_the_box(opened, qtbot, small):
    opened.search.search_for("THE CAT")
    qtbot.waitUntil(lambda: opened.search.count.text() == "0")
    opened.search.case.setChecked(True)
    qtbot.waitUntil(lambda: opened.search.count.text() == str(small.count("the cat", ["space"])))


def test_nothing_found_says_why(opened, qtbot):
    opened.search.search_for("zebra")
    qtbot.waitUntil(lambda: opened.search.count.text() == "0")
    assert opened.search.stack.currentWidget() is opened.search.empty
    assert opened.search.empty._title.text() == "Nothing found"


def test_an_emptied_query_shows_the_hint_again(opened, qtbot):
    opened.search.search_for("the")
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 0)
    opened.search.query.clear()
    qtbot.waitUntil(lambda: opened.search.model.rowCount() == 0)
    assert "Search Small" in opened.search.empty._title.text()


@pytest.mark.parametrize("sort", range(4))
def test_sorting(opened, qtbot, small, sort):
    opened.search.search_for("the")
    opened.search.sort.setCurrentIndex(sort)
    qtbot.waitUntil(lambda: not opened.search._searcher.busy)
    lines = small.concordance("the", variants=["space"], sort=opened.search.sort.currentData()).lines(0, 5)
    for row, line in enumerate(lines):
        assert cell(opened, row, RIGHT)[:8] == one_line(line.right.lstrip(" "))[:8]


def test_enter_and_f3_open_documents_at_the_hit(opened, qtbot, small):
    opened.search.search_for("the cat")
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 0)
    opened.search.table.setFocus()
    opened.search.table.selectRow(0)
    qtbot.keyClick(opened.search.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened.panel._part is not None)
    line = small.concordance("the cat", variants=["space"]).lines(0, 1)[0]
    assert opened.panel.isVisible()
    assert opened.panel._part.number == line.document
    chosen = [s for s in opened.panel.text.extraSelections() if s.format.fontWeight() == 700]
    assert [s.cursor.selectedText() for s in chosen] == ["the cat"]
    assert len(opened.panel.text.extraSelections()) == opened.panel._part.hits_total
    opened.search.step(1)
    assert opened.search.table.currentIndex().row() == 1
    qtbot.waitUntil(lambda: not opened.panel._reader.busy)
    opened.panel.text.setFocus()
    qtbot.keyClick(opened.panel.text, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not opened.panel.isVisible())


def test_hit_to_hit_in_the_panel(opened, qtbot):
    opened.search.search_for("dog")
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 3)
    opened.search.sort.setCurrentIndex(2)
    qtbot.waitUntil(lambda: not opened.search._searcher.busy)
    last = opened.search.model.rowCount() - 1
    opened.search.open_row(last)
    qtbot.waitUntil(lambda: opened.panel._part is not None)
    total = opened.panel._part.hits_total
    assert total > 1
    assert opened.panel.position.text() == f"hit {total} of {total}"
    qtbot.mouseClick(opened.panel.previous, Qt.MouseButton.LeftButton)
    assert opened.panel.position.text() == f"hit {total - 1} of {total}"


def test_changing_the_width_fetches_again(opened, qtbot):
    opened.search.search_for("mat")
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 0)
    wide = cell(opened, 0, LEFT)
    opened.search.width_box.setValue(1)
    qtbot.waitUntil(lambda: len(cell(opened, 0, LEFT)) < len(wide) and cell(opened, 0, LEFT) != "…")
    assert wide.endswith(cell(opened, 0, LEFT).lstrip())


class Lines:
    """A concordance of any length, to look at what is asked of it."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count


def test_only_rows_in_view_are_asked_for(qtbot):
    model = KwicModel()
    model.show(Lines(1_500_000))
    asked = []
    model.wanted.connect(asked.append)
    assert model.rowCount() == 1_500_000
    model.want(1_000_000, 1_000_040)
    model.want(1_000_000, 1_000_040)
    assert len(asked) == 1
    assert asked[0].first == 1_000_000 // PAGE * PAGE
    assert asked[0].last - asked[0].first <= 2 * PAGE
    assert model.index(1_000_000, MATCH).data() == "…"


def test_late_rows_of_another_query_are_dropped(qtbot):
    model = KwicModel()
    asked = []
    model.wanted.connect(asked.append)
    model.show(Lines(100))
    model.want(0, 10)
    model.show(Lines(50))
    model.receive(asked[0], ("not", "rows"))
    assert model.row(0) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", "a ⏎ b"),
        ("  a  b ", " a b "),
        ("a\tb\x00", "a b␀"),
        ("\r\n", " ⏎ "),
        ("日本語 😀", "日本語 😀"),
        ("", ""),
    ],
)
def test_cells_are_one_line(text, shown):
    assert one_line(text) == shown


def test_positions_beyond_the_basic_plane():
    positions = Utf16Map("a😀b")
    assert [positions.to_qt(i) for i in range(4)] == [0, 1, 3, 4]
    assert Utf16Map("abc").to_qt(2) == 2
