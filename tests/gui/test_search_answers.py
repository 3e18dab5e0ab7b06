"""What the search screen claims: its numbers are of what is listed, and an old answer looks like one."""

from __future__ import annotations

import csv
import itertools
import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from searching import lines, listed, sort_by_levels
from task_window import open_behind

from explorer import build_index, open_index
from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.find import find_query
from explorer.gui.screens.search.lines.model import LEFT, RIGHT
from explorer.gui.screens.search.query import history_presenter
from explorer.gui.screens.search.query.frame import MarkedField
from explorer.gui.settings.history import PastQuery
from explorer.gui.widgets.notices.dimmed import is_dimmed

GENERATORS = ["gpt4", "gpt4_1106_preview_verbose", "llama", "<b>bold</b>", "10", "9"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("answers")
    with open(path / "t.jsonl", "w", encoding="utf-8") as file:
        for number in range(120):
            far = "and so on " * 12
            text = f"the climate {far}is warming, the cat said. " + "the cat sat on a mat. " * (number % 4)
            record = {"text": text, "generator": GENERATORS[number % 6], "year": number, "note": None}
            file.write(json.dumps(record) + "\n")
    build_index(path / "t.jsonl", path / "out", tokenizer="train:400")
    return path / "out"


@pytest.fixture
def hurried(monkeypatch):
    """Queries are kept after a pause that is short enough for a test; to be used before the window."""
    monkeypatch.setattr(history_presenter, "REST_MS", 50)


@pytest.fixture
def search(window, qtbot, folder):
    open_behind(window, qtbot, folder)
    window.show_screen("search")
    return window.search


def settled(search):
    return not search.busy


def ask(search, qtbot, text):
    search.search_for(text)
    qtbot.waitUntil(lambda: listed(search) == text)


def test_right_context_is_alphabetical_and_agrees_with_its_level(search, qtbot):
    ask(search, qtbot, "the")
    assert search.presenter.state.lines.sort.preset == "right"

    def first_words():
        return [line.right.split()[0].lower() for line in lines(search).lines(0, 10**6)]

    by_preset = first_words()
    assert by_preset == sorted(by_preset) and len(set(by_preset)) > 1
    sort_by_levels(search, "1R")
    qtbot.waitUntil(lambda: settled(search) and search.table.delegate.look.levels == (1,))
    assert first_words() == by_preset


def test_too_many_lines_to_sort_are_in_index_order_and_said_to_be(search, qtbot, monkeypatch):
    monkeypatch.setattr("explorer.analyses.search.arrange.MAX_SORTED", 10)
    ask(search, qtbot, "the")
    assert "in index order" in search.answer.details.text()
    assert search.table.delegate.look.levels == ()
    search.presenter.lines.sort_by("index")
    qtbot.waitUntil(lambda: settled(search) and "in index order" not in search.answer.details.text())


def test_the_big_number_is_what_is_listed(search, qtbot):
    ask(search, qtbot, "cat")
    total = search.model.total
    assert (search.count.text(), search.answer.unit.text()) == (f"{total:,}", "hits")
    search.presenter.filters.add(FieldFilter("generator", "=", "llama"))
    qtbot.waitUntil(lambda: settled(search) and search.model.total < total)
    assert search.count.text() == f"{search.model.total:,}"
    assert search.answer.unit.text() == f"of {total:,} hits"
    # The rate is that of all hits, which it says.
    rate = find_query(search.corpus.index, "cat", search.presenter.state.query.options()).per_million
    assert f"all {total:,} hits: {rate:,.2f} per million tokens" in search.answer.details.text()
    documents = {search.model.row(row).line.document for row in range(search.model.total)}
    assert f"in {len(documents)} documents" in search.answer.details.text()
    search.presenter.filters.put((FieldFilter("generator", "=", "nobody"),))
    qtbot.waitUntil(lambda: settled(search) and search.model.total == 0)
    assert (search.count.text(), search.answer.unit.text()) == ("0", f"of {total:,} hits")


def test_the_panel_says_when_no_line_is_in_its_document(search, qtbot, window):
    ask(search, qtbot, "cat")
    search.pages.lines.open_line(0)
    qtbot.waitUntil(lambda: window.panel.part is not None)
    generator = window.panel.part.metadata["generator"]
    assert window.panel.hits.outside.text() == ""
    search.presenter.filters.add(FieldFilter("generator", "!=", generator))
    qtbot.waitUntil(lambda: window.panel.hits.outside.text() == "None of the listed lines is in this document.")
    search.presenter.filters.put(())
    qtbot.waitUntil(lambda: window.panel.hits.outside.text() == "")
    # The same for a query that does not occur there.
    ask(search, qtbot, "zebra")
    qtbot.waitUntil(lambda: window.panel.hits.outside.text() != "")


def test_the_other_clauses_are_marked_and_reached(search, qtbot):
    ask(search, qtbot, "climate AND warming")
    row = search.model.row(0)
    # Beyond what its column has room for.
    assert [row.line.right[mark.start : mark.end] for mark in row.after] == ["warming"]
    context = search.model.context(search.model.index(0, RIGHT))
    assert [context.text[mark.start : mark.end] for mark in context.marks] == ["warming"]
    search.table.grab()


def by_field(search, qtbot, field):
    search.tabs.setCurrentIndex(1)
    search.pages.fields.field.setCurrentText(field)
    qtbot.waitUntil(
        lambda: (
            settled(search)
            and search.presenter.state.breakdown.facet is not None
            and search.presenter.state.breakdown.facet.field == field
        )
    )
    qtbot.waitUntil(lambda: all(bar.tokens is not None for bar in search.presenter.state.breakdown.facet.bars))


def column(search, number):
    model = search.pages.fields.model
    return [model.index(row, number).data() for row in range(model.rowCount())]


def test_every_value_is_there_and_numbers_sort_as_numbers(search, qtbot):
    ask(search, qtbot, "climate")
    by_field(search, qtbot, "year")
    assert search.pages.fields.model.rowCount() == 120
    header = search.pages.fields.table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(0) + 5, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    ascending = [int(value) for value in column(search, 0)]
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    descending = [int(value) for value in column(search, 0)]
    assert sorted([ascending, descending]) == [list(range(120)), list(range(119, -1, -1))]


def test_the_rate_of_a_value_is_of_its_own_tokens(search, qtbot, tmp_path, monkeypatch):
    ask(search, qtbot, "cat")
    by_field(search, qtbot, "generator")
    corpus = search.corpus
    tokens, hits = {}, {}
    for number in range(corpus.document_count):
        name = corpus.document(number).metadata["metadata"]["generator"]
        tokens[name] = tokens.get(name, 0) + corpus.document(number).token_count + 1
    for line in lines(search).lines(0, 10**6):
        name = corpus.document(line.document).metadata["metadata"]["generator"]
        hits[name] = hits.get(name, 0) + 1
    shown = dict(zip(column(search, 0), column(search, 3), strict=True))
    assert shown == {name: f"{1e6 * hits[name] / tokens[name]:,.2f}" for name in hits}
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: (str(tmp_path / "values.csv"), ""))
    qtbot.mouseClick(search.pages.fields.export, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: (tmp_path / "values.csv").exists())
    with open(tmp_path / "values.csv", encoding="utf-8", newline="") as file:
        rows = {row["value"]: row for row in csv.DictReader(file)}
    assert {name: int(row["token_count"]) for name, row in rows.items()} == tokens
    assert {name: int(row["line_count"]) for name, row in rows.items()} == hits


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_what_is_typed_is_the_value(search, qtbot):
    ask(search, qtbot, "cat")
    dialog = search.answer.filters.form
    qtbot.mouseClick(search.answer.filters.add, Qt.MouseButton.LeftButton)
    dialog.field.setCurrentText("generator")
    dialog.field.activated.emit(dialog.field.currentIndex())
    qtbot.waitUntil(lambda: len(dialog.value.offered()) == 6)
    dialog.value.setFocus()
    qtbot.keyClicks(dialog.value, "gpt4")
    assert dialog.value.text() == "gpt4"
    assert dialog.value.offers.isVisible()
    qtbot.keyClick(dialog.value.offers, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: search.presenter.state.filters.filters == (FieldFilter("generator", "=", "gpt4"),))
    assert not dialog.isVisible()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_value_is_picked_from_the_list_without_its_number(search, qtbot):
    ask(search, qtbot, "cat")
    dialog = search.answer.filters.form
    qtbot.mouseClick(search.answer.filters.add, Qt.MouseButton.LeftButton)
    dialog.field.setCurrentText("generator")
    dialog.field.activated.emit(dialog.field.currentIndex())
    qtbot.waitUntil(lambda: len(dialog.value.offered()) == 6)
    dialog.value.setFocus()
    qtbot.keyClicks(dialog.value, "verb")
    qtbot.keyClick(dialog.value.offers, Qt.Key.Key_Down)
    dialog.value.offers.grab()
    qtbot.keyClick(dialog.value.offers, Qt.Key.Key_Return)
    if dialog.isVisible():
        qtbot.keyClick(dialog.value, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [c.value for c in search.presenter.state.filters.filters] == ["gpt4_1106_preview_verbose"])


def answers(search):
    return (
        search.count,
        search.answer.unit,
        search.answer.details,
        search.answer.cuts,
        search.table,
        search.pages.fields.table,
    )


def test_an_invalid_query_dims_every_part_of_the_old_answer(search, qtbot):
    ask(search, qtbot, "cat")
    assert not any(is_dimmed(part) for part in answers(search)[:-1])
    search.query.setText('cat AND "mat')
    qtbot.waitUntil(lambda: bool(search.answer.problem.text()))
    assert all(is_dimmed(part) for part in answers(search))
    search.query.setText("mat")
    qtbot.waitUntil(lambda: settled(search) and search.model.row(0).line.match.strip() == "mat")
    assert not any(is_dimmed(part) for part in answers(search)[:-1])


def test_a_message_moves_nothing(search, qtbot):
    ask(search, qtbot, "cat")
    before = search.table.mapTo(search, QPoint(0, 0)), search.table.size()
    search.table.selectRow(0)
    search.exporter.copy([0, 1, 2], "text")
    qtbot.waitUntil(lambda: search.answer.activity.message.text() == "Copied 3 lines.")
    QGuiApplication.processEvents()
    assert (search.table.mapTo(search, QPoint(0, 0)), search.table.size()) == before
    search.answer.activity.job.show()
    QGuiApplication.processEvents()
    assert (search.table.mapTo(search, QPoint(0, 0)), search.table.size()) == before


def test_a_query_that_rests_is_kept_with_what_it_found(hurried, search, qtbot, window):
    search.bar.choice.ignore_case.setChecked(True)
    search.presenter.query.choose_distance(7)
    search.presenter.filters.add(FieldFilter("generator", "=", "llama"))
    search.query.setFocus()
    qtbot.keyClicks(search.query, "cat")
    qtbot.waitUntil(lambda: window.settings.queries() == [("cat", False)])
    ((past, pinned),) = window.settings.history()
    assert not pinned and past.text == "cat" and past.count == search.model.total and past.time
    assert (past.distance, past.filters) == (7, (FieldFilter("generator", "=", "llama"),))
    # What it grows into takes its place.
    qtbot.keyClicks(search.query, " sat")
    qtbot.waitUntil(lambda: window.settings.queries() == [("cat sat", False)])
    # Another one does not.
    search.query.clear()
    qtbot.keyClicks(search.query, "mat")
    qtbot.waitUntil(lambda: window.settings.queries() == [("mat", False), ("cat sat", False)])
    # And its options come back with it.
    search.bar.choice.ignore_case.setChecked(False)
    search.presenter.query.choose_distance(100)
    search.presenter.filters.put(())
    search.bar.history.fill()
    entries = [action for action in search.bar.history.menu().actions() if action.text().startswith("cat sat")]
    entries[0].trigger()
    qtbot.waitUntil(lambda: settled(search) and search.presenter.state.query.found.query == "cat sat")
    assert search.bar.choice.ignore_case.isChecked() and search.presenter.state.query.distance == 7
    assert search.presenter.state.filters.filters == (FieldFilter("generator", "=", "llama"),)
    assert search.model.total == past.count or search.presenter.state.query.found.query == "cat sat"


def test_a_line_that_is_opened_keeps_its_query_at_once(search, qtbot, window):
    ask(search, qtbot, "cat")
    assert window.settings.queries() == [] and history_presenter.REST_MS >= 2000
    search.pages.lines.open_line(0)
    assert window.settings.queries() == [("cat", False)]


def test_the_history_menu_has_one_separator_at_a_place_and_can_be_cleared(search, qtbot, window):
    for text in ("cat", "mat"):
        search.search_for(text)
        search.presenter.enter()
        qtbot.waitUntil(lambda text=text: bool(window.settings.queries()) and window.settings.queries()[0][0] == text)
    button = search.bar.history
    button.pin_toggled.emit("cat")
    for _ in range(2):
        button.fill()
        actions = button.menu().actions()
        separators = [action.isSeparator() for action in actions]
        assert not any(a and b for a, b in itertools.pairwise(separators))
        assert not separators[0] and not separators[-1]
        button.pin_toggled.emit("cat")
    button.pin_toggled.emit("cat")
    button.fill()
    next(a for a in button.menu().actions() if a.text() == "Clear recent queries").trigger()
    assert window.settings.queries() in ([("cat", True)], [])
    assert set(window.settings.get("query_facts")) <= {"cat"}


@pytest.mark.parametrize(
    "facts",
    [None, 5, [], {"count": -1, "distance": "x", "filters": 3}, {"filters": [{"field": 1}, {"near": ""}, 7, None]},
     {"count": True, "variants": ["space", "nonsense"], "time": 3}],
)  # fmt: skip
def test_a_damaged_history_is_read_as_far_as_it_goes(settings, facts):
    settings.set("queries", ["cat"])
    settings.set("query_facts", {"cat": facts})
    ((past, _),) = settings.history()
    assert past.text == "cat" and past.count is None and past.filters == ()


def test_the_history_is_bounded(settings):
    for number in range(200):
        settings.add_query(PastQuery(f"q{number}", number, filters=(FieldFilter("a", "=", "b"),) * 50))
    assert len(settings.queries()) == len(settings.get("query_facts")) == 50
    assert len(settings.history()[0][0].filters) == 20


def test_tags_in_metadata_are_shown_as_they_are(search, qtbot, window):
    ask(search, qtbot, "cat")
    search.presenter.filters.put((FieldFilter("generator", "=", "<b>bold</b>"),))
    qtbot.waitUntil(lambda: settled(search) and 0 < search.model.total < 200)
    search.presenter.columns.show("field:generator", True)
    qtbot.waitUntil(lambda: search.model.row(0) is not None and search.model.row(0).fields == ("<b>bold</b>",))
    index = search.model.index(0, search.model.columnCount() - 1)
    assert index.data() == "<b>bold</b>"
    assert "&lt;b&gt;" in index.data(Qt.ItemDataRole.ToolTipRole)


def test_the_panel_counts_from_one_and_shows_null_as_a_dash(search, qtbot, window):
    ask(search, qtbot, "cat")
    search.presenter.filters.put((FieldFilter("year", "=", "9"),))
    qtbot.waitUntil(lambda: settled(search) and 0 < search.model.total < 10)
    search.pages.lines.open_line(0)
    qtbot.waitUntil(lambda: window.panel.part is not None)
    tree = window.panel.metadata
    items = {tree.topLevelItem(i).text(0): tree.topLevelItem(i) for i in range(tree.topLevelItemCount())}
    assert items["generator"].text(1) == "<b>bold</b>" and "&lt;b&gt;" in items["generator"].toolTip(1)
    assert items["note"].text(1) == "–"
    # The title, the metadata and the number of the document count alike.
    assert items["line"].text(1) == "10" and window.panel.title.text() == "t.jsonl:10"
    assert window.panel.place.text().startswith("Document 10 ·")


def test_left_of_a_line_is_what_precedes_it(search, qtbot, folder):
    ask(search, qtbot, "sat on")
    assert search.model.text(0, LEFT).endswith("the cat")
    assert open_index(folder).count(" sat on") == search.model.total


def test_a_query_is_added_to_the_comparison_by_a_button(search, qtbot):
    view = search.pages.compare
    search.tabs.setCurrentIndex(3)
    assert view.isVisible() and not view.add.isEnabled()
    view.add_field.setText("the cat")
    qtbot.mouseClick(view.add, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: search.presenter.comparison.state.answer.current is not None)
    assert search.presenter.comparison.state.queries == ("the cat",)
    assert view.add_field.text() == "" and not view.add.isEnabled()


def test_the_example_in_the_empty_field_is_one_that_fits(qtbot):
    field = MarkedField()
    qtbot.addWidget(field)
    field.show_examples("a word, a phrase or anything else", "a word")
    field.show()
    for width, shown in ((600, "a word, a phrase or anything else"), (120, "a word"), (10, "a word")):
        field.resize(width, 40)
        assert field.placeholderText() == shown
