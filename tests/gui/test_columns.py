"""The columns of the lines: chosen, moved, resized, sorted by, and remembered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from searching import listed

from explorer.analyses.search.arrange import SortLevel
from explorer.analyses.search.concordance import ConcordanceLine
from explorer.gui.screens.search.lines.column_layout import (
    CONTEXTS,
    DOCUMENT,
    FIXED,
    LEFT,
    MATCH,
    NUMBER,
    POSITION,
    RIGHT,
    ColumnLayout,
    Room,
    field_key,
    read_layout,
    share_out,
)
from explorer.gui.screens.search.lines.sorting import SortOrder, header_preset, order_label, sorted_column
from explorer.gui.screens.search.work import words_around


def test_columns_are_shown_moved_and_resized():
    layout = ColumnLayout()
    assert layout.shown == (NUMBER, LEFT, MATCH, RIGHT, DOCUMENT)
    layout = layout.showing("field:year", True).showing(DOCUMENT, False).showing(MATCH, False)
    assert layout.shown == (NUMBER, LEFT, MATCH, RIGHT, "field:year")
    assert layout.stepped("field:year", -1).shown[-2:] == ("field:year", RIGHT)
    assert layout.stepped("field:year", 1) == layout and layout.stepped("nonsense", 1) == layout
    assert layout.moved("field:year", 0).shown[0] == "field:year"
    wide = layout.resized({MATCH: 20.0, LEFT: 0.1})
    assert dict(wide.widths) == {MATCH: 20.0, LEFT: 2.0}
    assert wide.fitted(MATCH).widths == ((LEFT, 2.0),)
    # A field's column goes with its place, and a field that another index lacks goes with its column.
    assert layout.moved("field:year", 0).within(()).shown == (NUMBER, LEFT, MATCH, RIGHT)


KEYS = st.sampled_from([*FIXED, field_key("a"), field_key("b")])


@given(
    st.lists(KEYS, unique=True),
    st.lists(st.sampled_from(FIXED), unique=True),
    st.dictionaries(KEYS, st.floats(2, 60)),
    st.integers(200, 4000),
)
def test_the_columns_fill_the_table_and_the_contexts_stay(order, hidden, widths, width):
    layout = ColumnLayout(("a", "b"), tuple(key for key in hidden if key != MATCH), tuple(order)).resized(widths)
    natural = {NUMBER: 50, MATCH: 120, DOCUMENT: 150, POSITION: 60, field_key("a"): 80, field_key("b"): 300}
    sizes = share_out(Room(width, 13.0), layout, natural)
    assert list(sizes) == [key for key in layout.shown if key in sizes]
    assert {key for key in layout.shown if key in (*CONTEXTS, MATCH)} <= set(sizes)
    assert all(size > 0 for size in sizes.values())
    # The match is never dragged to nothing.
    assert sizes[MATCH] >= min(52, 120)
    # Nothing is left over; where contexts have less than they need, the table scrolls.
    least = sum(78 for key in layout.shown if key in CONTEXTS)
    others = sum(size for key, size in sizes.items() if key not in CONTEXTS)
    if others + least <= width:
        assert sum(sizes.values()) == width


def test_metadata_goes_first_where_there_is_no_room():
    layout = ColumnLayout(("a", "b"))
    natural = {NUMBER: 50, MATCH: 120, DOCUMENT: 150, field_key("a"): 80, field_key("b"): 80}
    shown = [tuple(share_out(Room(width, 13.0), layout, natural)) for width in (1100, 900, 700, 500)]
    assert [len(keys) for keys in shown] == [7, 6, 4, 4]
    assert shown[-1] == (NUMBER, LEFT, MATCH, RIGHT)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_a_damaged_session_gives_some_layout(found):
    for value in (found, {"fields": found, "hidden": found, "order": found, "widths": found}):
        made = read_layout(value)
        assert made is None or MATCH in made.shown
    kept = ColumnLayout(("a",), (NUMBER,), (RIGHT, LEFT), ((LEFT, 12.5),))
    assert read_layout(kept.as_json()) == kept


def test_an_order_is_reversed_by_choosing_it_again():
    order = SortOrder()
    assert order.by("right").settings.sort == tuple(SortLevel(key, True) for key in ("1R", "2R", "3R"))
    assert order.by("right").by("right") == order
    assert order.by("left").descending is False and order.by("index").by("index").descending is False
    year = order.by("field:a,b")
    assert year.settings.sort == (SortLevel("field:a,b"),) and sorted_column(year, False) == ("field:a,b", False)
    assert year.within(("a,b",)) == year and year.within(("c",)).preset == "right"


@pytest.mark.parametrize(
    ("preset", "right_to_left", "column"),
    [("right", False, RIGHT), ("right", True, LEFT), ("left", True, RIGHT), ("M,1R", False, MATCH),
     ("index", True, NUMBER), ("document", False, DOCUMENT), ("field:x", False, "field:x"), ("random", False, "")],
)  # fmt: skip
def test_the_header_shows_the_order(preset, right_to_left, column):
    order = SortOrder(preset)
    assert sorted_column(order, right_to_left) == (column, False)
    if column:
        assert header_preset(column, right_to_left) == preset
    assert header_preset(POSITION, right_to_left) == ""


def test_orders_are_named_by_their_words():
    assert order_label(SortOrder(), False) == "Right context"
    assert order_label(SortOrder(), True) == "Following context"
    assert order_label(SortOrder("left"), True) == "Preceding context"
    assert order_label(SortOrder("index"), False) == "Index order"
    levels = (SortLevel("1L"), SortLevel("M"), SortLevel("field:year"))
    assert order_label(SortOrder("", levels), False) == "1L · Match · year"


def test_a_context_of_words_ends_with_a_word():
    line = ConcordanceLine(0, 0, 9, 1, "one two, three four ", "five", " six, seven 八九十")
    cut = words_around(line, 2)
    assert (cut.left, cut.right) == ("three four ", " six, seven")
    assert words_around(line, 3).right == " six, seven 八" and words_around(line, 9) == line


@pytest.fixture
def search(opened, qtbot):
    opened.show_screen("search")
    opened.search.search_for("the")
    qtbot.waitUntil(lambda: listed(opened.search) == "the")
    return opened.search


def sorted_by(search):
    return search.presenter.state.lines.sorted_by


def click(search, qtbot, key):
    header = search.table.header
    logical = search.model.keys().index(key)
    x = header.sectionViewportPosition(logical) + header.sectionSize(logical) // 2
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, header.height() // 2))


def test_a_click_on_a_header_sorts_and_another_reverses(search, qtbot):
    assert sorted_by(search) == (RIGHT, False)
    for key, descending in ((RIGHT, True), (LEFT, False), (DOCUMENT, False), (DOCUMENT, True), (NUMBER, False)):
        click(search, qtbot, key)
        qtbot.waitUntil(lambda: not search.busy)
        assert sorted_by(search) == (key, descending)
    documents = [search.model.row(row).line.document for row in range(10)]
    click(search, qtbot, DOCUMENT)
    qtbot.waitUntil(lambda: not search.busy)
    assert [search.model.row(row).line.document for row in range(10)] != documents


def test_words_of_a_width_are_read_as_words(search, qtbot, small):
    search.presenter.lines.choose(unit="words")
    search.presenter.lines.choose(width=3)
    qtbot.waitUntil(lambda: not search.busy and search.model.row(9) is not None)
    wide = small.concordance("the", whole_words=True).lines(0, 60, 100)
    by_place = {(line.document, line.offset): line for line in wide}
    for number in range(10):
        line = search.model.row(number).line
        words = by_place[line.document, line.offset].right.split()
        assert line.right.split()[:2] == words[:2] and len(line.right.split()) <= 3


def test_a_header_is_used_with_the_keyboard(search, qtbot):
    header, presenter = search.table.header, search.presenter
    header.setFocus()
    both = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier
    qtbot.keyClick(header, Qt.Key.Key_Right)
    qtbot.keyClick(header, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not search.busy)
    assert sorted_by(search) == (LEFT, False)
    qtbot.keyClick(header, Qt.Key.Key_Right, both)
    assert presenter.state.columns.layout.shown[:3] == (NUMBER, MATCH, LEFT)
    width = search.table.columnWidth(search.model.keys().index(LEFT))
    qtbot.keyClick(header, Qt.Key.Key_Up, both)
    assert search.table.columnWidth(search.model.keys().index(LEFT)) > width
    asked = []
    header.menu_wanted.disconnect()
    header.menu_wanted.connect(lambda key, _: asked.append(key))
    qtbot.keyClick(header, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    assert asked == [LEFT]


def test_an_edge_is_dragged_between_two_columns(search, qtbot):
    header = search.table.header
    document, right = (search.model.keys().index(key) for key in (DOCUMENT, RIGHT))
    before = header.sectionSize(document), header.sectionSize(right)
    edge = QPoint(header.sectionViewportPosition(document) - 1, header.height() // 2)
    qtbot.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=edge)
    for step in (10, 30, 50):
        qtbot.mouseMove(header.viewport(), edge - QPoint(step, 0))
    qtbot.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=edge - QPoint(50, 0))
    after = header.sectionSize(document), header.sectionSize(right)
    assert sum(after) == pytest.approx(sum(before), abs=6)
    assert after[0] > before[0] and DOCUMENT in dict(search.presenter.state.columns.layout.widths)


def test_a_column_is_not_dragged_to_nothing(search, qtbot):
    header = search.table.header
    match, right = (search.model.keys().index(key) for key in (MATCH, RIGHT))
    for logical, towards in ((right, -600), (match, 900)):
        edge = QPoint(header.sectionViewportPosition(logical) - 1, header.height() // 2)
        qtbot.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=edge)
        for share in (0.1, 0.5, 1):
            qtbot.mouseMove(header.viewport(), edge + QPoint(round(share * towards), 0))
        qtbot.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=edge + QPoint(towards, 0))
        named = header.fontMetrics().horizontalAdvance("Match")
        assert header.sectionSize(match) > named


def test_columns_are_remembered_for_their_index(search, qtbot, opened):
    search.presenter.columns.show(DOCUMENT, False)
    search.presenter.columns.resize({MATCH: 20.0})
    kept = search.session()
    search.presenter.columns.reset()
    assert DOCUMENT in search.presenter.state.columns.layout.shown
    search.restore_session(kept)
    layout = search.presenter.state.columns.layout
    assert DOCUMENT not in layout.shown and dict(layout.widths) == {MATCH: 20.0}
    # Another index has its own.
    search.presenter.columns.use_corpus(None)
    assert search.presenter.state.columns.layout == ColumnLayout()
    search.presenter.columns.use_corpus(opened.corpus)
    assert search.presenter.state.columns.layout == layout
    # A project that was moved has the same index in another folder.
    search.presenter.columns.reset()
    search.restore_session({**kept, "columns": {}})
    assert search.presenter.state.columns.layout == layout
