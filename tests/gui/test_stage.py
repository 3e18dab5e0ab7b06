"""The document beside a screen, or over it in a narrow window."""

from __future__ import annotations

from searching import listed


def test_the_document_covers_a_narrow_window_and_stays_beside_in_a_wide_one(opened, qtbot):
    stage = opened.stage
    opened.resize(1400, 800)
    opened.show_screen("search")
    opened.search.search_for("the cat")
    qtbot.waitUntil(lambda: listed(opened.search) == "the cat")
    opened.search.pages.lines.open_line(0)
    qtbot.waitUntil(lambda: opened.panel.part is not None)
    assert not stage.over and abs(opened.panel.width() - 352) < 12
    wide = opened.search.width()
    opened.resize(1024, 700)
    qtbot.waitUntil(lambda: stage.over)
    assert opened.panel.isVisible() and opened.search.width() == stage.width() < wide + opened.panel.width()
    assert opened.panel.geometry().right() == stage.rect().right()
    opened.resize(1400, 800)
    qtbot.waitUntil(lambda: not stage.over)
    assert opened.panel.isVisible()
    stage.set_panel_width(500)
    assert abs(opened.panel.width() - 500) < 12 and stage.panel_width == 500


def test_lines_begin_in_the_upper_quarter(opened, qtbot):
    """Also with every option open: options lie over the lines, and never push them down."""
    opened.resize(1280, 800)
    opened.show_screen("search")
    search = opened.search
    search.search_for('cat AND "the mat"')
    qtbot.waitUntil(lambda: listed(search) == 'cat AND "the mat"')
    first = search.table.viewport()

    def top():
        return first.mapTo(opened, first.rect().topLeft()).y()

    before = top()
    assert before <= opened.height() / 4
    for popover in (search.bar.popover, search.tools.sort_form, search.tools.columns_form, search.answer.filters.form):
        popover.open()
        assert popover.isVisible() and top() == before
        popover.close()
    search.query.setText('cat AND "the mat')
    qtbot.waitUntil(lambda: bool(search.answer.problem.text()))
    assert top() == before
