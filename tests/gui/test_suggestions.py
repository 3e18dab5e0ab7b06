"""Queries that are offered: examples of an index, and what is nearest to a query in vain."""

from __future__ import annotations

import pytest
from by_hand import HandServices
from dragging import drag_enter
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication
from searching import listed

from explorer.analyses.search.find import QueryOptions
from explorer.core.jobs import CancelToken
from explorer.gui.screens.search.query.suggest_presenter import SuggestPresenter, examples_of
from explorer.gui.screens.search.views.presenter import BreakdownPresenter
from explorer.gui.settings.matching import Matching


def test_every_example_finds_something(small):
    examples = examples_of(small.index, Matching().in_options(QueryOptions(())), CancelToken())
    assert examples and len({example.text for example in examples}) == len(examples)
    for example in examples:
        count = small.search(example.text, whole_words=True).count
        assert count > 0 and example.label == f"{example.text} · {count:,}"


@pytest.fixture
def search(opened, qtbot):
    opened.show_screen("search")
    qtbot.waitUntil(lambda: not opened.search.busy)
    return opened.search


def offers(search):
    return search.presenter.state.offers


def check_the_nearest_that_exists_is_one_click_away(search, qtbot, query, wanted):
    search.search_for(query, Matching())
    qtbot.waitUntil(lambda: listed(search) == query and bool(offers(search)))
    label = next(label for label in offers(search) if label.startswith(wanted))
    search.pages.empty.chosen.emit(label)
    qtbot.waitUntil(lambda: search.model.total > 0)
    assert search.count.text() == label.removeprefix(wanted)


def test_the_nearest_that_exists_is_one_click_away(search, qtbot):
    for query, wanted in [("THE CAT", "Ignore case · "), ("he ca", "Parts of words · "), ("zzz cat", "“cat” · ")]:
        check_the_nearest_that_exists_is_one_click_away(search, qtbot, query, wanted)


def check_nothing_is_offered_twice(search, qtbot, query):
    search.search_for(query, Matching())
    qtbot.waitUntil(lambda: listed(search) == query and bool(offers(search)))
    assert len(set(offers(search))) == len(offers(search))


def test_nothing_is_offered_twice(search, qtbot):
    for query in ["the zzz", "cat zzz cat"]:
        check_nothing_is_offered_twice(search, qtbot, query)


def test_examples_are_asked_with_a_click(search, qtbot):
    qtbot.waitUntil(lambda: bool(offers(search)))
    text, number = offers(search)[0].split(" · ")
    search.pages.empty.chosen.emit(offers(search)[0])
    qtbot.waitUntil(lambda: listed(search) == text and search.model.total > 0)
    assert search.count.text() == number
    # With lines, nothing is offered in their place.
    assert offers(search) == ()


def test_offers_of_an_earlier_query_never_show(small):
    services, asked = HandServices(), []
    presenter = SuggestPresenter(services, lambda: Matching().in_options(QueryOptions(())), asked.append)
    presenter.use_corpus(small)
    presenter.run()
    presenter.use_corpus(None)
    presenter.run()
    assert not services.slots["examples"].busy and presenter.state.examples == ()
    presenter.use_corpus(small)
    presenter.run()
    services.answer_all()
    presenter.choose("nonsense")
    assert asked == []
    presenter.choose(presenter.state.examples[0].label)
    assert asked == [presenter.state.examples[0]]


def test_examples_are_counted_as_they_are_asked(small):
    services, matching = HandServices(), [Matching()]
    presenter = SuggestPresenter(services, lambda: matching[0].in_options(QueryOptions(())), lambda _: None)
    presenter.use_corpus(small)
    presenter.run()
    services.answer_all()
    known = presenter.state.examples
    # Known ones are not looked for again.
    presenter.run()
    assert not services.slots["examples"].busy and presenter.state.examples is known
    matching[0] = Matching(ignore_case=True, whole_words=False)
    presenter.run()
    # The old numbers are not those of the new way of matching.
    assert presenter.state.examples == ()
    services.answer_all()
    for example in presenter.state.examples:
        count = small.search(example.text, ignore_case=True, whole_words=False).count
        assert example.label == f"{example.text} · {count:,}"


def test_values_of_a_breakdown_are_found(search, qtbot):
    search.search_for("the")
    qtbot.waitUntil(lambda: listed(search) == "the")
    search.tabs.setCurrentIndex(1)
    view, presenter = search.pages.fields, search.presenter.views.breakdown
    assert isinstance(presenter, BreakdownPresenter)
    view.field.setCurrentText("path")
    qtbot.waitUntil(lambda: presenter.state.current and presenter.state.sized)
    total = view.model.rowCount()
    qtbot.keyClicks(view.sought, "TWO")
    qtbot.waitUntil(lambda: presenter.state.kept is not None)
    shown = [view.model.index(row, 0).data() for row in range(view.model.rowCount())]
    assert shown and all("two" in text for text in shown) and len(shown) < total
    assert view.summary.text().startswith(f"{len(shown)} of {total} values")
    view.sought.selectAll()
    qtbot.keyClick(view.sought, "\b")
    assert view.model.rowCount() == total and presenter.state.kept is None


def test_views_without_content_tell_how_to_begin(search, qtbot, tmp_path):
    search.search_for("the")
    qtbot.waitUntil(lambda: listed(search) == "the")
    compare, watch = search.pages.compare, search.pages.watch
    search.tabs.setCurrentIndex(3)
    assert compare.empty.isVisible() and not compare.table.isVisible() and not compare.remove.isVisible()
    search.presenter.comparison.add("cat")
    qtbot.waitUntil(lambda: compare.table.isVisible())
    assert not compare.empty.isVisible() and not compare.remove.isEnabled()
    assert "Select a query" in compare.remove.toolTip()
    compare.table.selectRow(0)
    assert compare.remove.isEnabled()
    compare.remove.click()
    assert search.presenter.state.comparison.queries == ()
    search.tabs.setCurrentIndex(4)
    assert watch.empty.isVisible() and not watch.table.isVisible()
    path = tmp_path / "list.txt"
    path.write_text("cat\n", encoding="utf-8")
    drop(watch, path)
    qtbot.waitUntil(lambda: watch.model.rowCount() == 1)
    assert watch.table.isVisible() and not watch.empty.isVisible()


def drop(widget, path):
    """Drop a file on a widget."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    place, buttons, keys = QPointF(20, 20), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    action = Qt.DropAction.CopyAction
    for event in (
        drag_enter(place, data),
        QDropEvent(place, action, data, buttons, keys),
    ):
        QApplication.sendEvent(widget, event)


def test_the_values_of_a_breakdown_have_room(search, qtbot):
    search.search_for("the")
    qtbot.waitUntil(lambda: listed(search) == "the")
    search.tabs.setCurrentIndex(1)
    table = search.pages.fields.table
    qtbot.waitUntil(lambda: table.model().rowCount() > 0 and not search.busy)
    longest = max((table.model().index(row, 0).data() for row in range(table.model().rowCount())), key=len)
    assert table.columnWidth(0) >= table.fontMetrics().horizontalAdvance(longest)
