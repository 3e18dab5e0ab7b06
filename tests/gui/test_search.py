"""The search screen."""

from __future__ import annotations

import pytest
from marked import marked_runs
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from searching import sort_by_levels

from explorer.analyses.search.arrange import LineSettings, SortLevel
from explorer.analyses.search.concordance import ConcordanceLine
from explorer.gui.screens.search.lines.contexts import fit
from explorer.gui.screens.search.lines.model import LEFT, MATCH, RIGHT, KwicModel
from explorer.gui.screens.search.lines.table import KwicTable
from explorer.gui.screens.search.lines.texts import word_span
from explorer.gui.screens.search.work import PAGE, Layout, Row
from explorer.gui.style.text_positions import Utf16Map, flowing, one_line


def cell(window, row, column):
    return window.search.model.index(row, column).data(Qt.ItemDataRole.AccessibleTextRole)


def test_typing_counts_and_lists(opened, qtbot, small):
    opened.show_screen("search")
    qtbot.keyClicks(opened.search.query, "the cat")
    expected = small.count("the cat", whole_words=True)
    qtbot.waitUntil(lambda: opened.search.count.text() == str(expected))
    qtbot.waitUntil(lambda: opened.search.model.rowCount() == expected)
    assert cell(opened, 0, MATCH) == "the cat"
    assert "per million" in opened.search.answer.details.text()
    choice = opened.search.bar.choice
    choice.matches["tokens"].trigger()
    choice.space.trigger()
    without = small.count("the cat", match="tokens")
    assert without < expected
    qtbot.waitUntil(lambda: opened.search.count.text() == str(without))


def test_variants_of_tokens_are_in_the_menu(opened, qtbot, small):
    choice = opened.search.bar.choice
    assert not choice.space.isVisible() and not choice.case.isVisible()
    choice.matches["tokens"].trigger()
    assert choice.space.isVisible() and choice.case.isVisible() and choice.space.isChecked()
    assert not choice.whole_words.isEnabled() and not choice.ignore_case.isEnabled()
    opened.search.search_for("THE CAT")
    qtbot.waitUntil(lambda: opened.search.count.text() == "0")
    choice.case.trigger()
    variants = ["space", "lower", "upper", "title"]
    expected = small.count("THE CAT", variants, match="tokens")
    assert expected
    qtbot.waitUntil(lambda: opened.search.count.text() == str(expected))


def test_nothing_found_says_why(opened, qtbot):
    opened.search.search_for("zebra")
    qtbot.waitUntil(lambda: opened.search.count.text() == "0")
    qtbot.waitUntil(lambda: opened.search.presenter.state.invitation[0] == "Nothing found")
    assert opened.search.pages.currentWidget() is opened.search.pages.empty


def test_an_emptied_query_shows_the_hint_again(opened, qtbot):
    opened.search.search_for("the")
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 0)
    opened.search.query.clear()
    qtbot.waitUntil(lambda: opened.search.model.rowCount() == 0)
    assert "Search Small" in opened.search.presenter.state.invitation[0]


def settled(search):
    return not search.busy and search.presenter.state.lines.answer.value is not None


def check_sorting(opened, qtbot, small, spec):
    opened.search.search_for("the")
    opened.search.tools.sort_form.orders[spec].click()
    qtbot.waitUntil(lambda: settled(opened.search))
    lines = small.concordance("the", whole_words=True, sort=spec).lines(0, 5)
    for row, line in enumerate(lines):
        # A line break of the text is a space in a line.
        assert cell(opened, row, RIGHT)[:8] == one_line(flowing(line.right).lstrip(" "))[:8]


def test_sorting(opened, qtbot, small):
    for spec in ["right", "left", "M,1R", "document", "random", "index"]:
        check_sorting(opened, qtbot, small, spec)


def test_sorting_by_levels_marks_their_words(opened, qtbot, small):
    search = opened.search
    search.search_for("the")
    qtbot.waitUntil(lambda: settled(search))
    sort_by_levels(search, "1L", "-2R")
    qtbot.waitUntil(lambda: settled(search) and search.table.delegate.look.levels == (-1, 2))
    view = LineSettings(sort=(SortLevel("1L"), SortLevel("2R", True)))
    expected = small.concordance(small.search("the", whole_words=True), view=view).lines(0, 20)
    assert [search.model.row(i).line.offset for i in range(20)] == [line.offset for line in expected[:20]]
    assert search.tools.sort.text().strip() == "1L · 2R"
    # What is marked is what is sorted by.
    left, right = cell(opened, 5, LEFT), cell(opened, 5, RIGHT)
    start, end = word_span(left, -1)
    assert end == len(left.rstrip()) and left[start:end].strip()
    start, end = word_span(right, 2)
    assert 0 < start < end
    search.table.grab()


def test_enter_and_f3_open_documents_at_the_hit(opened, qtbot, small):
    opened.search.search_for("the cat")
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 0)
    opened.search.table.setFocus()
    opened.search.table.selectRow(0)
    qtbot.keyClick(opened.search.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened.panel.part is not None)
    line = small.concordance("the cat", whole_words=True).lines(0, 1)[0]
    assert opened.panel.isVisible()
    assert opened.panel.part.number == line.document
    runs = marked_runs(opened.panel.text)
    assert [text for text, form in runs if form.fontWeight() == 700] == ["the cat"]
    assert len(runs) == opened.panel.part.hits_total
    opened.search.pages.lines.step(1)
    assert opened.search.table.currentIndex().row() == 1
    qtbot.waitUntil(lambda: not opened.panel.busy)
    opened.panel.text.setFocus()
    qtbot.keyClick(opened.panel.text, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not opened.panel.isVisible())


def test_hit_to_hit_in_the_panel(opened, qtbot):
    opened.search.search_for("dog")
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 3)
    opened.search.presenter.lines.sort_by("document")
    qtbot.waitUntil(lambda: settled(opened.search))
    last = opened.search.model.rowCount() - 1
    opened.search.pages.lines.open_line(last)
    qtbot.waitUntil(lambda: opened.panel.part is not None)
    total = opened.panel.part.hits_total
    assert total > 1
    assert opened.panel.position.text() == f"Hit {total} of {total}"
    qtbot.mouseClick(opened.panel.previous, Qt.MouseButton.LeftButton)
    assert opened.panel.position.text() == f"Hit {total - 1} of {total}"


def test_changing_the_width_fetches_again(opened, qtbot):
    opened.search.search_for("mat")
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 0)
    wide = cell(opened, 0, LEFT)
    opened.search.presenter.lines.choose(unit="words")
    opened.search.presenter.lines.choose(width=1)
    qtbot.waitUntil(lambda: len(cell(opened, 0, LEFT)) < len(wide) and cell(opened, 0, LEFT) != "…")
    assert wide.endswith(cell(opened, 0, LEFT).lstrip())


class Lines:
    """A concordance of any length, to look at what is asked of it."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count


def rows_of(request):
    """Made-up rows for a request."""
    return tuple(
        Row(ConcordanceLine(n, 0, n, 1, f"left {n} ", f"match{n}", f" right {n}"), "title")
        for n in range(request.first, request.last)
    )


def test_only_rows_in_view_are_asked_for(qtbot):
    model = KwicModel()
    model.show(Lines(90_000), Layout())
    asked = []
    model.wanted.connect(asked.append)
    assert model.rowCount() == 90_000
    model.want(50_000, 50_040)
    model.want(50_000, 50_040)
    assert len(asked) == 1
    assert asked[0].first == 50_000 // PAGE * PAGE
    assert asked[0].last - asked[0].first <= 2 * PAGE
    assert model.index(50_000, MATCH).data() == "…"


def test_late_rows_of_another_query_are_dropped(qtbot):
    model = KwicModel()
    asked = []
    model.wanted.connect(asked.append)
    model.show(Lines(100), Layout())
    model.want(0, 10)
    model.show(Lines(50), Layout())
    model.receive(asked[0], rows_of(asked[0]))
    assert model.row(0) is None


@pytest.fixture
def long_table(qtbot):
    """A table on three thousand million lines, answered at once."""
    model = KwicModel()
    table = KwicTable(model)
    model.wanted.connect(lambda request: model.receive(request, rows_of(request)))
    for widget in (table, table.bar):
        qtbot.addWidget(widget)
        widget.resize(900, 400)
        widget.show()
    model.show(Lines(3_000_000_000), Layout())
    return table


def shown_lines(table):
    first, last = table.visible_rows()
    return [table.model().text(row, MATCH) for row in range(first, last)]


def test_any_line_of_thousands_of_millions_is_reached(long_table, qtbot):
    table = long_table
    for line in (0, 2_999_999_999, 1_234_567_890, 99_990, 100_100, 17):
        table.go_to(line)
        assert table.current_line() == line
        qtbot.waitUntil(lambda line=line: f"match{line}" in shown_lines(table))
    qtbot.keyClick(table, Qt.Key.Key_End)
    assert table.current_line() == 2_999_999_999
    qtbot.keyClick(table, Qt.Key.Key_Home)
    assert table.current_line() == 0
    assert table.model().rowCount() <= 100_032


def test_the_bar_reaches_every_part(long_table, qtbot):
    table = long_table
    for share in (0.5, 1.0, 0.001, 0.0):
        table.bar.setValue(int(table.bar.maximum() * share))
        wanted = int(3_000_000_000 * share)
        qtbot.waitUntil(lambda: shown_lines(table) and shown_lines(table)[0] != "…")
        first = int(shown_lines(table)[0].removeprefix("match"))
        assert abs(first - wanted) <= max(50, 3_000_000_000 // table.bar.maximum() * 3)


def test_paging_over_the_end_of_the_window(long_table, qtbot):
    """Qt's model is moved below the table without a jump in what is seen."""
    table = long_table
    table.go_to(99_000)
    base = table.model().base
    before = table.current_line()
    for _ in range(200):
        qtbot.keyClick(table, Qt.Key.Key_PageDown)
        now = table.current_line()
        assert before < now <= before + 60
        before = now
    table.go_to(base + 99_500)
    for _ in range(3000):
        table.verticalScrollBar().setValue(table.verticalScrollBar().value() + 1)
    qtbot.waitUntil(lambda: shown_lines(table)[0] != "…")
    lines = [int(text.removeprefix("match")) for text in shown_lines(table)]
    assert lines == list(range(lines[0], lines[0] + len(lines)))
    assert lines[0] > base + 100_032


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


def test_a_context_is_cut_between_words_at_its_far_end(opened, qtbot):
    opened.show_screen("search")
    qtbot.keyClicks(opened.search.query, "the cat")
    model, table = opened.search.model, opened.search.table
    qtbot.waitUntil(lambda: model.rowCount() > 5 and len(cell(opened, 5, RIGHT)) > 5)
    row = max(range(6), key=lambda row: len(cell(opened, row, RIGHT)))
    context = model.context(model.index(row, RIGHT))
    measure = QFontMetrics(table.font()).horizontalAdvance
    shown, _ = fit(context, [], measure(context.text[:-2]), measure)
    kept = shown.removesuffix("…")
    assert kept != shown and context.text.startswith(kept)
    assert kept[-1:].isspace() or context.text[len(kept)].isspace()
    # The whole context stays with the cell: for assistive technology, and for a wider column.
    assert model.index(row, RIGHT).data() == context.text
    table.grab()
