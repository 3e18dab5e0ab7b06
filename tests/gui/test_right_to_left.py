"""Texts that run right to left, alone and among others, in a real window."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QStyle, QStyleOptionViewItem
from searching import listed

from explorer import build_index
from explorer.analyses.search.nearby import Mark
from explorer.gui.chrome.dialog import message_box
from explorer.gui.presenting.cells import Cell
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.screens.search.lines.contexts import Context, fit
from explorer.gui.screens.search.lines.model import LEFT, MATCH, RIGHT
from explorer.gui.style.direction import in_its_order, isolated, isolated_phrases, reads_right_to_left
from explorer.gui.style.untrusted import Label
from explorer.gui.widgets.notices.headline import Headline
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable

ARABIC = "لكل شخص الحق في حرية الرأي والتعبير ويشمل هذا الحق حرية اعتناق الآراء دون أي تدخل"
HEBREW = "לכל אדם הזכות לחופש הדעה והביטוי"
LATIN = "Everyone has the right to freedom of opinion"
MIXED = "the word الحق means right"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("rtl")
    with open(path / "t.jsonl", "w", encoding="utf-8") as file:
        for text in (ARABIC, HEBREW, LATIN, MIXED):
            file.write(json.dumps({"text": text, "title": f"{text[:12]} 41"}) + "\n")
    build_index(path / "t.jsonl", path / "out", tokenizer="train:500")
    return path / "out"


@pytest.fixture
def search(window, qtbot, folder):
    window.open(OpenRequest((str(folder),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    window.show_screen("search")
    return window.search


def ask(search, qtbot, text):
    search.search_for(text)
    qtbot.waitUntil(lambda: listed(search) == text and not search.busy)


def rows(search):
    return [tuple(search.model.text(row, c) for c in (LEFT, MATCH, RIGHT)) for row in range(search.model.rowCount())]


@pytest.mark.parametrize(("query", "text"), [("الحق", ARABIC), ("הזכות", HEBREW)])
def test_what_follows_is_at_the_left(search, qtbot, query, text):
    ask(search, qtbot, query)
    before, _, after = text.partition(query)
    of_text = [row for row in rows(search) if row[2] == before.strip()]
    assert of_text and after.strip().startswith(of_text[0][0].rstrip("…")[:30])
    assert search.model.row(0).right_to_left
    search.table.grab()


def test_a_list_of_lines_that_run_right_to_left_is_named_by_reading(search, qtbot):
    ask(search, qtbot, "הזכות")
    names = [search.model.headerData(c, Qt.Orientation.Horizontal) for c in (LEFT, RIGHT)]
    assert names == ["Following context", "Preceding context"]
    assert search.tools.sort_form.orders["right"].text() == "Following context"
    ask(search, qtbot, "right")
    names = [search.model.headerData(c, Qt.Orientation.Horizontal) for c in (LEFT, RIGHT)]
    assert names == ["Left context", "Right context"]
    assert search.tools.sort_form.orders["right"].text() == "Right context"


def test_lines_of_both_kinds_in_one_list(search, qtbot):
    ask(search, qtbot, "right OR הזכות")
    found = {row[1]: row for row in rows(search) if row[2] or row[0]}
    assert found["הזכות"][2] == "לכל אדם" and found["הזכות"][0] == "לחופש הדעה והביטוי"
    assert "Everyone has the" in [row[0] for row in rows(search)]
    search.table.grab()


def ink(image, left, right, top, bottom):
    """Columns of pixels in a part of a picture that are not all background."""
    back = image.pixel(left + 1, top + 1)
    return [x for x in range(left, right) if any(image.pixel(x, y) != back for y in range(top, bottom))]


def test_the_near_end_stays_and_the_far_end_is_cut(search, qtbot, window):
    ask(search, qtbot, "הזכות")
    search.table.setColumnWidth(LEFT, 110)
    image = search.table.viewport().grab().toImage()
    area = search.table.visualRect(search.model.index(0, LEFT))
    drawn = ink(image, area.left(), area.right(), area.top(), area.bottom())
    # What follows begins beside the match, which is to the right of it.
    assert drawn and area.right() - drawn[-1] < 20
    context = search.model.context(search.model.index(0, LEFT))
    assert context.following and context.right_to_left
    shown, _ = fit(context, [], 80, QFontMetrics(search.table.font()).horizontalAdvance)
    assert shown.endswith("…") and context.text.startswith(shown[:-1])


def test_numbers_beside_such_texts_keep_their_place(search, qtbot, window):
    ask(search, qtbot, "الحق")
    qtbot.waitUntil(lambda: bool(search.answer.cuts.cuts))
    assert sum(cut.count for cut in search.answer.cuts.cuts) == search.presenter.state.query.found.count
    assert all(cut.shown.startswith("\u2068") for cut in search.answer.cuts.cuts)
    number = next(row for row in range(search.model.rowCount()) if search.model.row(row).line.document == 0)
    search.pages.lines.open_line(number)
    qtbot.waitUntil(lambda: window.panel.presenter.state.part.current is not None)
    assert window.panel.title.text() == f"\u2068{ARABIC[:12]} 41\u2069"
    option = window.panel.text.document().defaultTextOption()
    assert option.textDirection() == Qt.LayoutDirection.RightToLeft
    # Its lines begin at the right.
    area = window.panel.text.viewport().rect()
    drawn = ink(window.panel.text.viewport().grab().toImage(), 0, area.width(), 0, 40)
    assert area.width() - drawn[-1] < 20
    assert isolated_phrases('"cat" AND "الحق"') == '"cat" AND "\u2068الحق\u2069"'


@given(st.text(alphabet="ab1 .الحقאב\u202e\u2066\u2067\u2068\u2069\u200f😀", max_size=20))
def test_what_is_isolated_cannot_end_its_isolation(text):
    shown = isolated(text)
    if shown[:1] == "\u2068":
        assert shown[-1] == "\u2069"
        assert not set(shown[1:-1]) & set("\u202e\u2066\u2067\u2068\u2069\u200f")
    else:
        assert shown == text
        assert not set(text) & set("الحقאב\u202e\u2066\u2067\u2068\u2069\u200f")


@pytest.mark.parametrize(
    ("text", "around", "expected"),
    [("الحق", (), True), ("right", (ARABIC,), False), ("41", (ARABIC,), True), ("41", (LATIN, ARABIC), False),
     ("…", (), False), ("😀", ("😀", HEBREW), True), ("3 الحق", (), True), ("a الحق", (), False)],
)  # fmt: skip
def test_the_direction_of_a_line(text, around, expected):
    assert reads_right_to_left(text, *around) == expected


WORDS = st.lists(st.sampled_from(["cat", "a", "الحق", "日本", "mat,", "long-winded"]), max_size=30)


@given(WORDS, st.booleans(), st.integers(0, 400), st.data())
def test_a_cut_context_fits_and_keeps_its_near_end(words, following, width, data):
    text = " ".join(words)
    starts = [sum(len(word) + 1 for word in words[:i]) for i in range(len(words))]
    chosen = data.draw(st.lists(st.sampled_from(range(len(words))), max_size=3, unique=True)) if words else []
    marks = tuple(Mark(n, starts[i], starts[i] + len(words[i])) for n, i in enumerate(chosen))
    shown, found = fit(Context(text, following, False, marks), [], width, lambda part: 7 * len(part))
    if 7 * len(text) <= width:
        assert (shown, sorted(found, key=str)) == (text, sorted(marks, key=str))
        return
    assert 7 * len(shown) <= max(width, 7) + 7
    assert shown.endswith("…") if following else shown.startswith("…")
    near = shown.strip("…").split(" … ")[0 if following else -1]
    assert text.startswith(near) if following else text.endswith(near)
    # Marks are where the phrases are, whatever was left out between.
    for mark in found:
        assert shown[mark.start : mark.end] == words[chosen[mark.clause]]


def test_ranges_and_signs_keep_their_order_in_a_table(qtbot):
    model = PlainModel()
    table = PlainTable(model, "Sources")
    qtbot.addWidget(table)
    table.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    model.show(("95% interval", "Title"), [(Cell("17.9–23.2", right=True), Cell(HEBREW))])

    def drawn(column):
        option = QStyleOptionViewItem()
        option.initFrom(table)
        table.itemDelegateForColumn(column).initStyleOption(option, model.index(0, column))
        return option.text

    assert drawn(0) == in_its_order("17.9–23.2") and drawn(1) == HEBREW
    # What is copied or read aloud has no marks.
    assert model.index(0, 0).data() == "17.9–23.2"


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_digits_of_a_column_line_up_on_the_right(direction, qtbot):
    model = PlainModel()
    table = PlainTable(model, "Counts")
    qtbot.addWidget(table)
    table.setLayoutDirection(direction)
    model.show(("Tokens", "Lines"), [(Cell(text, right=True), Cell(text)) for text in ("1,234", "8")])
    begins = Qt.AlignmentFlag.AlignRight if direction == Qt.LayoutDirection.RightToLeft else Qt.AlignmentFlag.AlignLeft

    def side(asked):
        place = QStyle.visualAlignment(direction, Qt.AlignmentFlag(asked))
        return place & (Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignRight)

    asked = Qt.ItemDataRole.TextAlignmentRole
    for column, expected in enumerate((Qt.AlignmentFlag.AlignRight, begins)):
        assert side(model.headerData(column, Qt.Orientation.Horizontal, asked)) == expected
        assert [side(model.index(row, column).data(asked)) for row in (0, 1)] == [expected, expected]


def test_a_label_is_where_the_lines_of_its_window_begin(qtbot):
    label = Label("Details")
    qtbot.addWidget(label)
    assert label.alignment() & Qt.AlignmentFlag.AlignLeft
    label.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert label.alignment() & Qt.AlignmentFlag.AlignRight and label.alignment() & Qt.AlignmentFlag.AlignAbsolute
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    assert label.alignment() == Qt.AlignmentFlag.AlignCenter
    label.setAlignment(Qt.AlignmentFlag.AlignLeft)
    label.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert label.alignment() & Qt.AlignmentFlag.AlignLeft


def test_a_sentence_that_begins_with_a_number_keeps_it_in_front(qtbot):
    headline = Headline()
    qtbot.addWidget(headline)
    headline.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    headline.resize(600, 60)
    headline.say("1.35 tokens per step", "1.35", "")
    headline.show()
    drawn = headline.grab().toImage()
    dark = [x for x in range(drawn.width()) if any(drawn.pixelColor(x, y).lightness() < 128 for y in range(60))]
    assert dark, "nothing was drawn"
    # Bold strokes are denser: the number is at the left end of the sentence, which is at the right of its room.
    begins, ends = dark[0], dark[-1]
    wide = headline.fontMetrics().horizontalAdvance("1.35")
    shades = [sum(255 - drawn.pixelColor(x, y).lightness() for y in range(60)) for x in range(drawn.width())]
    assert sum(shades[begins : begins + wide]) > sum(shades[ends - wide : ends])
    assert ends > 550


def test_a_message_box_has_its_sentences_at_the_right(window, qtbot):
    box = message_box(window, "Delete", "Delete the set of saved lines that is named “one set”?")
    box.setInformativeText("Short.")
    box.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    box.show()
    image = box.findChild(QLabel, "qt_msgbox_informativelabel").grab().toImage()
    middle = image.width() // 2
    assert ink(image, middle, image.width(), 0, image.height())
    assert not ink(image, 0, middle, 0, image.height())
    box.close()
