"""The Generate tab in a real window, with real clicks and keys."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from explorer.gui.style.theme import qcolor
from explorer.gui.widgets.notices.dimmed import is_dimmed


@pytest.fixture
def front():
    return "model"


@pytest.fixture
def page(opened, qtbot):
    """The tab in front, with a text that is written."""
    opened.resize(1280, 800)
    opened.show_screen("model")
    page = opened.model.turn_to("generate")
    page.prompt.prompt.setFocus()
    page.settings.length.setValue(40)
    qtbot.keyClicks(page.prompt.prompt, "the cat")
    qtbot.keyClick(page.prompt.prompt, Qt.Key.Key_Return)
    wait(page, qtbot)
    return page


def wait(page, qtbot):
    qtbot.waitUntil(lambda: page.presenter.state.answer.current is not None and not page.lanes.busy, timeout=20_000)


def text_of(page):
    return page.presenter.state.text


def place_of(page, token):
    """The middle of a token in the text's viewport."""
    edit = page.text.edit
    cursor = edit.textCursor()
    cursor.setPosition(edit.place_of(token))
    left = edit.cursorRect(cursor)
    cursor.setPosition(edit.place_of(token + 1))
    right = edit.cursorRect(cursor)
    middle = (left.left() + right.left()) // 2 if right.top() == left.top() else left.left() + 1
    return QPoint(middle, left.center().y())


def test_the_text_is_shown_after_its_prompt(page, small):
    expected = small.model("levels", levels=2).generate("the cat", max_tokens=40, seed=0)
    assert page.text.edit.toPlainText() == "the cat" + expected.text
    assert page.headline.text.startswith("The longest stretch copied word for word is ")
    assert page.stack.currentWidget() is page.halves and page.export.isEnabled()


def test_a_click_shows_where_a_token_is_from(page, qtbot):
    text = text_of(page)
    token = len(text.tokens) // 2
    qtbot.mouseClick(page.text.edit.viewport(), Qt.MouseButton.LeftButton, pos=place_of(page, token))
    chosen = page.presenter.state.chosen
    # The pointer may be nearer to the border of the next token.
    assert chosen in (token, token + 1)
    wait(page, qtbot)
    assert page.levels.model.rowCount() == len(text.tokens[chosen].levels)
    assert page.levels.where.text() == f"token {chosen + 1} of {len(text.tokens)}"
    assert page.places.model.rowCount() == len(page.presenter.state.places.current.rows) > 0


def test_arrow_keys_go_through_the_tokens(page, qtbot):
    page.plot.setFocus()
    qtbot.keyClick(page.plot, Qt.Key.Key_Home)
    assert page.presenter.state.chosen == 0
    qtbot.keyClick(page.plot, Qt.Key.Key_Right)
    qtbot.keyClick(page.plot, Qt.Key.Key_Right)
    assert page.presenter.state.chosen == 2
    wait(page, qtbot)
    edit = page.text.edit
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(edit, Qt.Key.Key_Left)
    assert page.presenter.state.chosen == len(text_of(page).tokens) - 1


def test_the_plot_s_bars_are_the_tokens(page, qtbot):
    text = text_of(page)
    for token in (0, len(text.tokens) - 1):
        middle = (page.plot.x_of(token) + page.plot.x_of(token + 1)) / 2
        qtbot.mouseClick(page.plot, Qt.MouseButton.LeftButton, pos=QPoint(round(middle), page.plot.height() // 2))
        assert page.presenter.state.chosen == token
    first, end = text.longest
    image = page.plot.grab().toImage()
    ratio, low = image.devicePixelRatio(), page.plot.area().bottom() - 1
    for token in (first, end - 1):
        middle = (page.plot.x_of(token) + page.plot.x_of(token + 1)) / 2
        assert image.pixelColor(QPoint(round(middle * ratio), round(low * ratio))) == qcolor("accent")


def test_a_row_of_the_places_opens_its_document(page, opened, qtbot):
    place = page.presenter.state.places.current.rows[0]
    table = page.places.table
    qtbot.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(page.places.model.index(0, 1)).center()
    )
    qtbot.waitUntil(lambda: opened.panel.isVisible() and not opened.panel.busy)
    asked = opened.panel.presenter.state.request
    assert (asked.number, asked.offset) == (place.document, place.offset) and asked.needle.ngrams


def test_show_in_search_lists_the_context(page, opened, qtbot):
    context = page.presenter.state.places.current.context
    qtbot.mouseClick(page.places.lines, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.current_screen() is opened.search)
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 0)
    assert opened.search.presenter.query.state.text.strip('" ') == context.strip()


def test_the_slider_writes_the_text_again(page, qtbot):
    before = text_of(page)
    page.settings.slider.setFocus()
    qtbot.keyClick(page.settings.slider, Qt.Key.Key_Home)
    assert page.settings.levels.text() == "k = 1"
    qtbot.waitUntil(lambda: text_of(page) is not before)
    wait(page, qtbot)
    assert text_of(page).request.how.levels == 1
    qtbot.keyClick(page.settings.slider, Qt.Key.Key_End)
    assert page.settings.levels.text() == "k = all"


def test_other_methods_have_no_slider(page, qtbot):
    page.settings.options.open()
    page.settings.options.method.setCurrentIndex(page.settings.options.method.findData("witten-bell"))
    page.settings.options.method.activated.emit(page.settings.options.method.currentIndex())
    assert not page.settings.slider.isEnabled() and "Blend levels" in page.settings.slider.toolTip()
    page.settings.options.close()
    wait(page, qtbot)
    assert page.levels.model.columnCount() == 4


def test_cancel_keeps_what_is_written(page, qtbot):
    page.settings.length.setValue(2_000)
    page.settings.options.stop.setChecked(False)
    page.presenter.run()
    qtbot.waitUntil(lambda: page.presenter.state.partial is not None)
    page.job.cancelled.emit()
    wait(page, qtbot)
    text = text_of(page)
    assert text.stopped and 0 < len(text.tokens) < 2_000
    assert page.headline.text.endswith("(stopped)") and not is_dimmed(page.text)
    assert page.text.edit.toPlainText() == text.lead + text.text


def test_the_text_and_its_code_can_be_copied(page, opened, qtbot, small):
    text = text_of(page)
    qtbot.mouseClick(page.text.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == text.text
    qtbot.mouseClick(opened.model.copy, Qt.MouseButton.LeftButton)
    program = QGuiApplication.clipboard().text()
    assert "corpus.model('levels', levels=2)" in program and "generate('the cat', max_tokens=40)" in program


def test_shades_and_the_chosen_token_are_formats_of_the_text(page, qtbot):
    page.presenter.choose_token(0)
    edit, text = page.text.edit, text_of(page)
    formats = []
    block = edit.document().begin()
    while block.isValid():
        formats += [(block.position() + each.start, each.length) for each in block.layout().formats()]
        block = block.next()
    covered = np.zeros(len(edit.toPlainText()) + 1, dtype=bool)
    for start, length in formats:
        covered[start : start + length] = True
    # The prompt, and every token with fewer than 21 places that is not a line break.
    assert covered[: len("the cat")].all()
    for token, places in enumerate(text.places.tolist()):
        start, end = edit.place_of(token), edit.place_of(token + 1)
        if 0 < places < 21 and "\n" not in text.text_of(token, token + 1):
            assert covered[start:end].all()


def test_it_is_empty_without_an_index(window, qtbot):
    window.show_screen("model")
    page = window.model.turn_to("generate")
    assert page.empty.isVisible() and not page.prompt.button.isEnabled()
    assert page.presenter.state.invitation[0] == "No index is open"


def test_its_session_is_kept(page, opened):
    stored = opened.model.session()
    assert stored["tab"] == "generate" and stored["tabs"]["generate"]["prompt"] == "the cat"
    page.presenter.typed("other")
    opened.model.restore_session(stored)
    assert page.prompt.prompt.text() == "the cat"
