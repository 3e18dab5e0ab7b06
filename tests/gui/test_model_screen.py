"""The Model screen in a real window: tabs, what they show, and what a person does with mouse and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu

from explorer.analyses.model.trust import Learned
from explorer.gui.presenting.requests import SearchText
from explorer.gui.screens.model.screen import ModelScreen
from explorer.gui.screens.model.tabs import TABS
from explorer.gui.settings.store import Settings
from explorer.gui.widgets.fields.number_box import NumberBox

TEXT = "the cat sat on the mat and the dog saw a rug"


@pytest.fixture
def front():
    return "model"


@pytest.fixture
def scored(opened, qtbot):
    """The screen with a scored text."""
    screen = opened.show_screen("model")
    page = screen.turn_to("perplexity")
    page.score_text(TEXT)
    wait(page, qtbot)
    return page


def box_of(page, method, label):
    """The field of a setting."""
    boxes = [row.findChild(NumberBox) for row in page.methods.settings.rows[method]]
    return next(box for box in boxes if box is not None and box.accessibleName() == label)


def wait(page, qtbot):
    answer = lambda: page.presenter.state.answer  # noqa: E731
    qtbot.waitUntil(lambda: answer().current is not None and answer().value.whole, timeout=30_000)


def test_a_page_is_made_when_its_tab_is_first_turned_to(opened, qtbot):
    screen = ModelScreen()
    qtbot.addWidget(screen)
    assert screen.pages.count() == 0
    screen.restore_session({"tab": "perplexity", "tabs": {"perplexity": {"method": "weighted"}, "gone": {"x": 1}}})
    assert screen.pages.count() == 1 and screen.current == "perplexity"
    kept = screen.session()
    assert kept["tabs"]["perplexity"]["method"] == "weighted" and kept["tabs"]["gone"] == {"x": 1}
    assert "perplexity" in {row.id for row in TABS}


def test_the_sentence_table_and_plot_show_the_answer(scored):
    row = scored.presenter.state.row
    number = f"{row.total.perplexity:,.2f}"
    assert number in scored.headline.text and scored.headline.isVisible()
    model = scored.table.model
    shown = [model.index(line, 1).data() for line in range(model.rowCount())]
    here = scored.table.table.currentIndex().row()
    assert shown[here] == number and model.index(here, 0).data() == "Learned trust"
    assert number in scored.plot.accessibleDescription()


def test_a_row_and_a_dot_choose_a_method(scored, qtbot):
    model, table = scored.table.model, scored.table.table
    last = model.rowCount() - 1
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(model.index(last, 0)).center())
    wait(scored, qtbot)
    assert isinstance(scored.presenter.state.method, Learned) and scored.methods.segments.current == 3
    place = scored.plot.place_of(0).toPoint()
    qtbot.mouseClick(scored.plot, Qt.MouseButton.LeftButton, pos=place)
    wait(scored, qtbot)
    assert scored.presenter.state.method.levels == 1
    assert box_of(scored, "levels", "Levels").value() == 1
    scored.plot.setFocus()
    qtbot.keyClick(scored.plot, Qt.Key.Key_End)
    qtbot.keyClick(scored.plot, Qt.Key.Key_Return)
    wait(scored, qtbot)
    assert isinstance(scored.presenter.state.method, Learned)


def test_the_settings_of_a_method_are_in_one_line(scored, qtbot):
    scored.methods.chosen.emit("levels")
    rows = scored.methods.settings.rows["levels"]
    scored.methods.resize(1_400, scored.methods.height())
    qtbot.waitUntil(lambda: all(row.isVisible() for row in rows))
    qtbot.waitUntil(lambda: len({row.y() for row in rows}) == 1)
    assert rows[0].geometry().right() < rows[1].x()


def test_a_method_of_the_menu_is_shown_by_name_and_no_segment(scored, qtbot):
    scored.methods.more.click()
    menu = QApplication.activePopupWidget()
    entry = next(action for action in menu.actions() if action.text() == "N-gram")
    entry.trigger()
    menu.close()
    wait(scored, qtbot)
    assert scored.methods.segments.current == -1 and scored.methods.more.text() == "N-gram"
    box = box_of(scored, "ngram", "n")
    assert box.isVisible() and not box_of(scored, "levels", "Levels").isVisible()
    box.setValue(2)
    qtbot.waitUntil(lambda: scored.presenter.state.row is not None and scored.presenter.state.row.method.n == 2)
    qtbot.keyClick(scored.methods.segments.button(0), Qt.Key.Key_Space)
    wait(scored, qtbot)
    assert scored.presenter.state.method.name == "levels"


def test_a_token_that_is_clicked_shows_its_levels_and_leads_to_search(scored, qtbot):
    view = scored.text.view
    place = view.place_of(3)
    cursor = view.textCursor()
    cursor.setPosition(place)
    point = view.cursorRect(cursor).center()
    point.setX(point.x() + 4)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    qtbot.waitUntil(lambda: scored.presenter.state.facts.current is not None)
    assert scored.presenter.state.token == 3 and scored.token.levels.rowCount() > 1
    asked = []
    scored.requested.connect(asked.append)
    scored.token.search.click()
    query = scored.presenter.state.facts.value.query
    assert asked == [SearchText(query)] and query.strip() in TEXT
    # The keys go on from there.
    qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: scored.presenter.state.facts.current is not None)
    assert scored.presenter.state.token in (4, 5)


def test_a_long_text_is_shown_in_parts(scored, qtbot, monkeypatch):
    monkeypatch.setattr(scored.text, "most", 4)
    # By levels, the most surprising token is in the first part.
    scored.presenter.choose_method("levels")
    scored.score_text(TEXT + " again")
    wait(scored, qtbot)
    assert scored.text.view.shown == (0, 4)
    scored.text.after.click()
    assert scored.text.view.shown == (4, 8) and scored.text.before.isEnabled()
    assert "5 to 8" in scored.text.part.text()
    scored.text.before.click()
    assert scored.text.view.shown == (0, 4) and not scored.text.before.isEnabled()


def test_it_is_restored_with_the_window(opened, scored, settings):
    scored.presenter.choose_method("weighted")
    opened.close()
    kept = Settings(settings.path).get("session")["screens"]["model"]
    assert kept["tab"] == "perplexity"
    assert kept["tabs"]["perplexity"]["method"] == "weighted" and kept["tabs"]["perplexity"]["text"] == TEXT


def test_the_copied_python_is_that_of_the_tab_in_front(opened, scored, qtbot):
    opened.model.copy.click()
    qtbot.waitUntil(lambda: "model.perplexity(" in QApplication.clipboard().text())
    assert TEXT in QApplication.clipboard().text()


def test_a_text_of_agreement_is_scored(opened, qtbot):
    agreement = opened.show_screen("agreement")
    agreement.presenter.enter(text="the cat sat on the mat")
    agreement.presenter.run()
    qtbot.waitUntil(lambda: agreement.presenter.state.answer.current is not None)
    qtbot.waitUntil(lambda: agreement.halves.text.text.toPlainText() == "the cat sat on the mat")
    view = agreement.halves.text.text
    cursor = view.textCursor()
    cursor.setPosition(9)
    view.customContextMenuRequested.emit(view.cursorRect(cursor).center())
    (menu,) = view.findChildren(QMenu)
    menu.actions()[-1].trigger()
    menu.close()
    page = opened.model.page("perplexity")
    qtbot.waitUntil(lambda: opened.model.isVisible() and opened.model.current == "perplexity")
    qtbot.waitUntil(lambda: page.presenter.state.answer.current is not None)
    assert page.presenter.state.text.text == "the cat sat on the mat"
