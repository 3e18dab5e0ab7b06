"""Texts of the lines as they are laid out: cut to their cells, with the sort words marked, few new ones per frame."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem

from explorer.analyses.search.nearby import Mark
from explorer.gui.screens.search.lines.contexts import Context
from explorer.gui.screens.search.lines.model import RIGHT
from explorer.gui.screens.search.lines.texts import Look, lay_out_cell, lay_out_context, lay_out_match
from explorer.gui.screens.search.lines.type import Type

LONG = "the cat sat on the mat and looked at the dog, which AVoided all of it " * 3


@pytest.fixture
def kind(qapp):
    return Type(QApplication.font())


def texts(laid):
    return "".join(piece.text.text() for piece in laid.pieces)


@pytest.mark.parametrize("following", [True, False])
@pytest.mark.parametrize("width", [40, 137, 300, 900, 10_000])
def test_a_context_has_room_in_its_cell_and_keeps_the_end_at_the_match(kind, following, width):
    laid = lay_out_context(Context(LONG, following, False), Look(), width, kind)
    shown = texts(laid)
    assert laid.width <= width and laid.width == pytest.approx(kind.width(shown), abs=0.1)
    if width == 10_000:
        assert shown == LONG
    elif following:
        assert shown.endswith("…") and LONG.startswith(shown[:-1])
    else:
        assert shown.startswith("…") and LONG.endswith(shown[1:])


def test_a_context_fills_its_cell(kind):
    """What is cut off is at most a word: measuring letter by letter is not less exact than Qt's measure."""
    laid = lay_out_context(Context(LONG, True, False), Look(), 400, kind)
    cut = texts(laid)[:-1]
    following = LONG[len(cut) :].split()[0]
    assert kind.width(cut + following + " x…") > 400 - kind.width("…")


@pytest.mark.parametrize(("following", "levels"), [(True, (1, 2, 3)), (False, (-1, -2, -3)), (True, (2, 0, 1))])
def test_what_is_below_the_sort_words_is_as_wide_as_they_are(kind, following, levels):
    laid = lay_out_context(Context(LONG, following, False), Look(levels), 500, kind)
    words = LONG.split()
    first = kind.fonts[600]
    assert [piece.weight for piece in laid.pieces].count(600) == 1
    for (_, left, right, _), place in zip(laid.below, (place for place in levels if place), strict=True):
        word = words[place - 1] if place > 0 else words[place]
        weight = 600 if place == levels[0] else 400
        assert right - left == pytest.approx(kind.width(word, weight), abs=0.6)
    assert first.weight() == 600
    # They are at the match: at the left of what follows it, at the right of what precedes it.
    edge = min(left for _, left, _, _ in laid.below) if following else max(right for _, _, right, _ in laid.below)
    assert edge == pytest.approx(0 if following else laid.width - kind.width(" "), abs=0.6)


def test_texts_that_may_turn_and_other_phrases_are_laid_out_by_qt(kind):
    for context in (
        Context("كل شخص " + LONG, True, False),
        Context(LONG, True, True),
        Context(LONG, True, False, (Mark(0, 4, 7),)),
    ):
        laid = lay_out_context(context, Look((1,)), 400, kind)
        assert laid.layout is not None and laid.pieces == () and laid.width <= 400
    assert lay_out_context(Context(LONG, True, False), Look((), 3), 200, kind).layout is not None
    assert lay_out_cell("كل", 100, kind) is None


def test_accents_and_characters_outside_the_first_plane_have_room(kind):
    text = "e\u0301tude 🎉 naïve 語言模型 " * 20
    laid = lay_out_context(Context(text, True, False), Look((1,)), 300, kind)
    assert texts(laid).endswith("…") and laid.width <= 300


def test_a_match_is_between_the_rests_of_its_word(kind):
    laid = lay_out_match(("un", "happi", "ness"), False, (1,), 500, kind)
    assert [(piece.text.text(), piece.color) for piece in laid.pieces] == [
        ("un", "muted"),
        ("happi", "accent"),
        ("ness", "muted"),
    ]
    (_, left, right, _) = laid.below[0]
    assert right == pytest.approx(laid.width) and left == pytest.approx(laid.width - kind.width("ness", 700))
    assert lay_out_match(("", "abc", ""), True, (), 500, kind).layout is not None


def test_a_long_value_ends_with_an_ellipsis(kind):
    laid = lay_out_cell("a value that is much too long for its column", 80, kind)
    assert texts(laid).endswith("…") and laid.width <= 80
    assert texts(lay_out_cell("1,234", 80, kind)) == "1,234"


def test_while_lines_are_scrolled_a_frame_lays_out_few_rows_and_the_next_ones_the_rest(opened, qtbot):
    search = opened.search
    search.query.setText("the")
    search.presenter.enter()
    qtbot.waitUntil(lambda: search.model.row(3) is not None)
    delegate = search.table.delegate
    delegate.forget()
    # As the table sets it while it is scrolled.
    delegate.most_new = 2
    delegate.begin()
    picture = QPixmap(search.table.viewport().size())
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    option = QStyleOptionViewItem()
    option.font = search.table.font()
    for row in range(4):
        option.rect = search.table.visualRect(search.model.index(row, RIGHT))
        delegate.paint(painter, option, search.model.index(row, RIGHT))
    assert delegate.late
    delegate.begin()
    assert not delegate.late
    for row in range(4):
        delegate.paint(painter, option, search.model.index(row, RIGHT))
    painter.end()
    # Two were kept from the first painting, and two are new.
    assert not delegate.late
