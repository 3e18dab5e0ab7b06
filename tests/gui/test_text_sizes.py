"""What grows with the text, and the least size of the window. That nothing is clipped is in `test_layout`."""

from __future__ import annotations

from contextlib import suppress

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionButton
from room import without_room
from views import busy, fill

from explorer.gui.screens.agreement.state import View
from explorer.gui.style.surfaces import all_restyled

SMALL = (1024, 700)


def test_the_least_size_returns_with_the_text_size(opened, qtbot, scale):
    fill(opened, qtbot)
    opened.panel.hide()
    for name in opened.screens:
        # Qt measures a page when it is shown.
        opened.show_screen(name)
        qtbot.wait(10)
    for screen in scale(("search",), ("index", "search", "trace", "agreement")):
        opened.show_screen(screen)
        qtbot.wait(10)
        before = opened.minimumSizeHint()
        for points in (20, 0):
            opened.change_setting("text_size", points)
            qtbot.waitUntil(all_restyled, timeout=60_000)

        def takes_the_least_size(before=before):
            # The layout holds the window to its last minimum until it has measured the new texts itself.
            opened.resize(before)
            return opened.minimumSizeHint() == before == opened.size()

        qtbot.waitUntil(takes_the_least_size)


def test_icons_and_indicators_grow_with_the_text(opened, qtbot):
    def sizes():
        box = opened.search.tools.columns_form.fixed
        option = QStyleOptionButton()
        option.initFrom(box)
        indicator = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)
        icons = (opened.rail.tiles["search"], opened.search.bar.build, opened.panel.previous)
        return [indicator.height(), *(part.iconSize().height() for part in icons)]

    usual = sizes()
    opened.change_setting("text_size", 20)
    qtbot.waitUntil(all_restyled, timeout=60_000)
    larger = sizes()
    opened.change_setting("text_size", 0)
    qtbot.waitUntil(all_restyled, timeout=60_000)
    assert all(new >= 1.8 * old for new, old in zip(larger, usual, strict=True))
    assert sizes() == usual


def test_the_axes_of_the_plot_name_both_ends(opened, qtbot):
    opened.resize(*SMALL)
    fill(opened, qtbot)
    opened.show_screen("agreement")
    for points in (10, 20):
        opened.change_setting("text_size", points)
        qtbot.waitUntil(all_restyled, timeout=60_000)
        qtbot.wait(30)
        axis = opened.agreement.halves.plots.plot.panel.getAxis("left")
        picture = QImage(10, 10, QImage.Format.Format_RGB32)
        painter = QPainter(picture)
        _, _, texts = axis.generateDrawSpecs(painter)
        painter.end()
        shown = [text for _, _, text in texts]
        assert {"0%", "100%"} <= set(shown), (points, shown)
    opened.change_setting("text_size", 0)


def test_buttons_and_headings_have_room_for_their_words(opened, qtbot, tmp_path):
    """In large text a row wraps rather than cut its buttons."""
    (tmp_path / "a.txt").write_text("the cat sat")
    opened.change_setting("text_size", 20)
    opened.show_screen("agreement")
    opened.agreement.presenter.enter(files=(tmp_path / "a.txt",))
    cut = opened.agreement.sampling_button
    qtbot.waitUntil(lambda: all_restyled() and cut.isVisible())
    qtbot.waitUntil(lambda: cut.width() >= cut.sizeHint().width())
    heading = opened.trace.text.evidence.documents.heading
    opened.show_screen("trace")
    # Wide enough for the text and its documents side by side.
    opened.resize(1900, 900)
    heading.setText("12 documents with the selected span, and some more words")
    qtbot.waitUntil(lambda: heading.isVisible() and heading.height() >= heading.heightForWidth(heading.width()))


@pytest.mark.nightly
def test_full_pages_have_room(opened, qtbot, tmp_path):
    """Agreement with several sources, a notice and a chosen token; the three parts of Next token."""
    paths = [tmp_path / f"a source with a long name {number}.txt" for number in range(3)]
    for path in paths:
        path.write_text("the cat sat on the mat. " * 9)
    opened.resize(*SMALL)
    fill(opened, qtbot)
    opened.show_screen("agreement")
    agreement = opened.agreement
    agreement.presenter.add_files(*paths)
    qtbot.waitUntil(lambda: not busy(opened) and len(agreement.presenter.state.answer.value.sources) == 4)
    agreement.presenter.tokens.mark_n(2, 4, False)
    agreement.halves.text.text.token_chosen.emit(3)
    qtbot.waitUntil(lambda: not busy(opened))
    wrong = []

    def note(name):
        # A page that was just shown is laid out in a few turns of the event loop.
        with suppress(qtbot.TimeoutError):
            qtbot.waitUntil(lambda: not without_room(opened), timeout=10_000)
        wrong.extend(f"{name}: {text}" for text in without_room(opened))

    for points in (10, 20):
        opened.change_setting("text_size", points)
        qtbot.waitUntil(all_restyled, timeout=60_000)
        opened.show_screen("agreement")
        for view in View:
            agreement.presenter.show(view=view)
            note(f"{view.name} at {points} pt")
        agreement.sources.paste.open()
        note(f"pasted at {points} pt")
        agreement.sources.paste.close()
        opened.show_screen("next_token")
        for number in range(3):
            opened.next_token.tabs.setCurrentIndex(number)
            note(f"next token {number} at {points} pt")
    opened.change_setting("text_size", 0)
    assert "\n".join(wrong) == ""


def test_every_screen_fits_a_small_window_in_large_text(opened, qtbot):
    opened.resize(*SMALL)
    fill(opened, qtbot)
    for points in (20, 24):
        opened.change_setting("text_size", points)
        qtbot.waitUntil(all_restyled, timeout=60_000)
        for name in opened.screens:
            opened.show_screen(name)
            opened.resize(*SMALL)

            def fits():
                return (opened.width(), opened.height()) == SMALL and opened.minimumSizeHint().height() <= SMALL[1]

            qtbot.waitUntil(fits)
            # What has no room below is reached by scrolling, and nothing is lost at a side.
            assert opened.screens[name].width() == opened.stage.room.viewport().width(), (name, points)
    opened.change_setting("text_size", 0)


def test_the_name_of_the_index_fits_after_each_text_size(opened, qtbot):
    """Without another size of the window: its parts learn of the text one after the other."""
    opened.resize(*SMALL)
    top = opened.top
    top.switcher.show_index("Archive of the parish council, 1890 to 1949, with letters", "")
    for points in (10, 20, 10):
        opened.change_setting("text_size", points)
        qtbot.waitUntil(all_restyled, timeout=60_000)
        qtbot.waitUntil(lambda: top.switcher.width() >= top.switcher.sizeHint().width(), timeout=2_000)
    opened.change_setting("text_size", 0)


@pytest.mark.parametrize("in_front", [True, False], ids=["in front", "behind"])
def test_a_page_of_one_size_is_arranged_for_each_text_size(in_front, opened, qtbot):
    """Whether it is seen when the text size changes, or later: Qt tells it of no other size."""
    screen = opened.show_screen("statistics")
    page = screen.turn_to("dispersion")
    page.setFixedSize(1000, 500)
    ways = []
    for points in (10, 20, 10):
        opened.show_screen("statistics" if in_front else "search")
        opened.change_setting("text_size", points)
        qtbot.waitUntil(all_restyled, timeout=60_000)
        opened.show_screen("statistics")
        qtbot.wait(30)
        ways.append(page.below.orientation())
    opened.change_setting("text_size", 0)
    beside, below = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    assert ways == [beside, below, beside]


def test_the_least_width_of_a_field_follows_the_text(opened, qtbot):
    field, least = opened.search.pages.compare.add_field, []
    for points in (10, 20, 10):
        opened.change_setting("text_size", points)
        qtbot.waitUntil(all_restyled, timeout=60_000)
        least.append(field.minimumWidth())
    opened.change_setting("text_size", 0)
    assert least == [least[0], 2 * least[0], least[0]]
