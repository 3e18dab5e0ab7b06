"""The query language in the window: problems at their place, builder, history, estimates, comparison."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from openpyxl import load_workbook
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget
from searching import lines, listed
from task_window import open_behind

from explorer import build_index, open_index
from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.find import QueryOptions, find_query
from explorer.export.records.line import COLUMNS
from explorer.gui.help.dialog import HelpDialog
from explorer.gui.screens.search.lines.exported_fields import ExportedFields
from explorer.gui.widgets.fields.chip import Chip


def settled(search):
    return not search.busy and search.presenter.state.lines.answer.value is not None


def ask(opened, qtbot, text):
    opened.show_screen("search")
    opened.search.query.clear()
    qtbot.keyClicks(opened.search.query, text)
    qtbot.keyClick(opened.search.query, Qt.Key.Key_Return)
    # An answer to the part that was typed first may be there already.
    problem = opened.search.answer.problem
    qtbot.waitUntil(lambda: listed(opened.search) == text or (not opened.search.busy and bool(problem.text())))


def test_a_query_of_clauses(opened, qtbot, small):
    ask(opened, qtbot, "cat AND (mat OR rug)")
    expected = small.search("cat AND (mat OR rug)", whole_words=True)
    assert opened.search.count.text() == str(expected.count)
    assert opened.search.answer.unit.toolTip() == 'read as "cat" AND ("mat" OR "rug")'
    before = expected.count
    opened.search.presenter.query.choose_distance(2)
    narrow = small.search("cat AND (mat OR rug)", whole_words=True, max_distance=2).count
    assert narrow < before
    qtbot.waitUntil(lambda: opened.search.count.text() == str(narrow))


def check_problems_are_shown_at_their_place(opened, qtbot, text, words, start):
    ask(opened, qtbot, text)
    problem, field = opened.search.answer.problem, opened.search.query
    assert problem.isVisible() and words in problem.text() and opened.search.bar.frame.invalid
    assert opened.search.presenter.state.query.problem.start == start
    assert not opened.search.notice.isVisible()
    left, width = field.marked()
    assert 0 < left < field.width() and width > 0
    field.grab()
    qtbot.keyClicks(field, "x")
    assert not problem.isVisible() and field.marked() == (0, 0)


def test_problems_are_shown_at_their_place(opened, qtbot):
    for text, words, start in [
        ('cat AND "mat', "quote is never closed", 8),
        ("(cat AND mat", "never closed", 0),
        ("cat AND", "nothing after AND", 4),
        ("NOT cat", "something that must occur", 0),
        ("cat AND ()", "nothing in these parentheses", 8),
    ]:
        check_problems_are_shown_at_their_place(opened, qtbot, text, words, start)


def conditions(search):
    return [condition.filled for condition in search.presenter.state.builder.conditions]


def test_the_builder_writes_and_reads_the_query(opened, qtbot):
    search = opened.search
    ask(opened, qtbot, "cat AND (mat OR rug) AND NOT dog")
    qtbot.mouseClick(search.bar.build, Qt.MouseButton.LeftButton)
    popover, builder = search.bar.popover, search.bar.popover.builder
    assert popover.isVisible() and conditions(search) == [("cat",), ("mat", "rug"), ("dog",)]
    edit = builder.rows[1].phrases[1].edit
    edit.clear()
    qtbot.keyClicks(edit, "floor")
    assert search.query.text() == '"cat" AND ("mat" OR "floor") AND NOT "dog"'
    qtbot.mouseClick(builder.add, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(builder.rows[-1].phrases[0].edit, 'say "hi"')
    assert search.query.text() == '"cat" AND ("mat" OR "floor") AND "say \\"hi\\"" AND NOT "dog"'
    qtbot.mouseClick(builder.rows[2].remove, Qt.MouseButton.LeftButton)
    assert "dog" not in search.query.text()
    builder.rows[1].kind.activated.emit(1)
    assert search.query.text() == '"cat" AND "say \\"hi\\"" AND NOT "mat" AND NOT "floor"'
    qtbot.mouseClick(popover.show_lines, Qt.MouseButton.LeftButton)
    assert not popover.isVisible()
    search.query.setText("dog")
    search.bar.open_builder()
    assert conditions(search) == [("dog",)]
    popover.close()
    search.query.setText('"dog')
    search.bar.open_builder()
    assert "is not valid yet" in builder.note.text() and conditions(search) == [("dog",)]
    popover.close()


def test_the_builder_has_what_a_query_of_several_conditions_depends_on(opened, qtbot, small):
    search = opened.search
    ask(opened, qtbot, "cat AND mat")
    search.bar.open_builder()
    popover = search.bar.popover
    assert [popover.node.itemText(row) for row in range(popover.node.count())] == ["“cat”", "“mat”"]
    popover.node.activated.emit(1)
    qtbot.waitUntil(lambda: settled(search) and search.answer.unit.text() == "occurrences of “mat”")
    popover.distance.setValue(2)
    expected = small.search("cat AND mat", whole_words=True, max_distance=2).count
    qtbot.waitUntil(lambda: settled(search) and search.count.text() == str(expected))
    popover.match.button(1).click()
    assert search.presenter.state.query.match == "regex"
    popover.close()


class Windows(QObject):
    """Notes what appears as a window of its own."""

    def __init__(self, application):
        super().__init__(application)
        self.shown = []
        application.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(type(watched).__name__)
        return False


def test_the_builder_opens_no_other_windows(opened, qtbot, qapp):
    ask(opened, qtbot, "cat AND (mat OR rug) AND NOT dog")
    windows = Windows(qapp)
    qtbot.mouseClick(opened.search.bar.build, Qt.MouseButton.LeftButton)
    builder = opened.search.bar.popover.builder
    qtbot.mouseClick(builder.add, Qt.MouseButton.LeftButton)
    assert opened.search.bar.popover.focusWidget() is builder.rows[-1].phrases[-1].edit
    builder.rows[0].more.click()
    qapp.removeEventFilter(windows)
    assert [len(row.phrases) for row in builder.rows] == [2, 2, 1, 1] and windows.shown == []
    opened.search.bar.popover.close()


def test_queries_are_remembered_and_pinned(opened, qtbot):
    for text in ("cat", "dog", "cat"):
        ask(opened, qtbot, text)
    assert opened.settings.queries() == [("cat", False), ("dog", False)]
    history = opened.search.bar.history
    history.pin_toggled.emit("dog")
    assert opened.settings.queries() == [("dog", True), ("cat", False)]
    history.fill()
    texts = [action.text().partition("\t")[0] for action in history.menu().actions() if action.text()]
    assert texts == ["Pin this query", "Pinned", "dog", "Recent", "cat", "Clear recent queries"]
    entry = next(a for a in history.menu().actions() if a.text().startswith("dog\t"))
    entry.trigger()
    assert opened.search.query.text() == "dog"
    history.pin_toggled.emit("dog")
    assert ("dog", False) in opened.settings.queries()


def test_an_estimate_can_be_made_exact(opened, qtbot, small, monkeypatch):
    whole = find_query(small.index, "the AND cat", QueryOptions((), 3, True, node=0, match="text", whole_words=True))
    monkeypatch.setattr("explorer.analyses.search.cnf.WALKED_UNASKED", 2)
    opened.search.presenter.query.choose_distance(3)
    ask(opened, qtbot, "the AND cat")
    search = opened.search
    assert search.count.text().startswith("≈")
    assert "estimated from 2 of" in search.answer.details.text()
    qtbot.mouseClick(search.answer.exact, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: search.count.text() == f"{whole.count:,}")
    assert not search.answer.exact.isVisible()


def filters(search):
    return search.presenter.state.filters.filters


@pytest.fixture
def rich(window, qtbot, tmp_path):
    """The window on documents with metadata."""
    with open(tmp_path / "t.jsonl", "w", encoding="utf-8") as file:
        for number in range(40):
            text = f"the cat sat {'near the dog' if number % 4 == 0 else 'alone'}. " * (1 + number % 3)
            file.write(json.dumps({"text": text, "model": "abc"[number % 3], "year": 2000 + number % 5}) + "\n")
    build_index(tmp_path / "t.jsonl", tmp_path / "rich", tokenizer="train:300")
    open_behind(window, qtbot, tmp_path / "rich")
    return window


def test_bars_filter_on_a_click(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    total = search.model.rowCount()
    search.tabs.setCurrentIndex(1)
    search.pages.fields.field.setCurrentText("model")
    qtbot.waitUntil(lambda: search.pages.fields.model.rowCount() == 3)
    fields = search.pages.fields.model
    figures = {fields.index(row, 0).data(): int(fields.index(row, 1).data().replace(",", "")) for row in range(3)}
    assert sum(figures.values()) == total
    place = search.pages.fields.table.visualRect(search.pages.fields.model.index(1, 0)).center()
    chosen = search.pages.fields.model.index(1, 0).data()
    qtbot.mouseClick(search.pages.fields.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: settled(search) and search.model.total == figures[chosen])
    assert search.count.text() == f"{figures[chosen]:,}"
    assert search.answer.unit.text() == f"of {total:,} hits"
    assert f"all {total:,} hits: " in search.answer.details.text()
    chip = next(chip for chip in search.answer.filters.findChildren(Chip) if chip.words.startswith("model"))
    assert chip.words == f"model is {chosen}"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=chip.cross().center().toPoint())
    qtbot.waitUntil(lambda: settled(search) and search.model.total == total)


def choose_field(form, name):
    form.field.setCurrentText(name)
    form.field.activated.emit(form.field.currentIndex())


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_filter_form_offers_values_with_their_counts(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    form = search.answer.filters.form
    qtbot.mouseClick(search.answer.filters.add, Qt.MouseButton.LeftButton)
    choose_field(form, "year")
    qtbot.waitUntil(lambda: len(form.value.offered()) == 5)
    years = [search.corpus.document(line.document).metadata["metadata"]["year"] for line in lines(search).lines(0, 999)]
    assert dict(form.value.offered()) == {str(year): str(years.count(year)) for year in set(years)}
    form.operator.setCurrentIndex(form.operator.findData(">="))
    form.operator.activated.emit(form.operator.currentIndex())
    qtbot.keyClicks(form.value, "2003")
    # The list of values is open, and does not cover the button: one click closes it and adds the filter.
    assert form.value.offers.isVisible()
    place = form.add.mapToGlobal(form.add.rect().center())
    assert not form.value.offers.frameGeometry().contains(place)
    qtbot.mouseClick(form.add, Qt.MouseButton.LeftButton)
    if form.isVisible():
        qtbot.mouseClick(form.add, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: settled(search) and len(filters(search)) == 1 and search.model.total < 80)
    years = {search.corpus.document(line.document).metadata["metadata"]["year"] for line in lines(search).lines(0, 99)}
    assert years == {2003, 2004}
    assert not form.isVisible()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_filter_between_two_values(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    form = search.answer.filters.form
    qtbot.mouseClick(search.answer.filters.add, Qt.MouseButton.LeftButton)
    # Fields of the texts come first: the path is another one in each document.
    names = [form.field.itemText(row) for row in range(form.field.count())]
    assert names[-2:] == ["path", "linenum"] and names[0] not in ("path", "linenum")
    choose_field(form, "year")
    assert not form.upper.isVisible()
    form.operator.setCurrentIndex(form.operator.findText("is between"))
    form.operator.activated.emit(form.operator.currentIndex())
    qtbot.keyClicks(form.value, "2001")
    form.value.close_list()
    form.add.click()
    assert form.isVisible() and form.missing.text() == "Type both values."
    qtbot.keyClicks(form.upper, "2003")
    form.add.click()
    qtbot.waitUntil(lambda: settled(search) and len(filters(search)) == 2)
    years = {search.corpus.document(line.document).metadata["metadata"]["year"] for line in lines(search).lines(0, 99)}
    assert years == {2001, 2002, 2003}


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_list_of_values_is_left_alone_while_something_else_changes(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    form = search.answer.filters.form
    form.ask()
    choose_field(form, "year")
    qtbot.waitUntil(lambda: len(form.value.offered()) == 5)
    offers = form.value.offers
    offers.setCurrentIndex(offers.model().index(2, 0))
    search.presenter.say("Copied.")
    assert offers.currentIndex().row() == 2
    form.close()


def test_filters_by_words_near(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    total = search.model.total
    form = search.answer.filters.form
    form.ask()
    form.kind.button(1).click()
    form.add.click()
    assert "Type the words" in form.missing.text() and form.isVisible()
    qtbot.keyClicks(form.words, "dog")
    form.distance.setValue(5)
    form.add.click()
    qtbot.waitUntil(lambda: settled(search) and len(filters(search)) == 1 and search.model.total < total)
    assert all("dog" in line.right for line in lines(search).lines(0, 100))


def test_filters_without_room_are_counted_and_listed(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    for year in range(1990, 2000):
        search.presenter.filters.add(FieldFilter("year", "!=", str(year)))
    qtbot.waitUntil(lambda: settled(search))
    chips = search.answer.filters
    shown = [chip for chip in chips.findChildren(Chip) if not chip.isHidden() and chip.role == "filter"]
    assert 1 < len(shown) < 11 and chips.more in shown and chips.more.words == f"+ {11 - len(shown)}"
    assert shown[-1].geometry().right() < chips.add.geometry().left() or chips.more.isVisible()


def test_a_number_is_typed_figure_by_figure(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    sample, width = search.tools.sort_form.sample, search.tools.columns_form.width_box
    search.presenter.lines.choose(unit="words")
    search.tools.sort_form.sampled.click()
    sample.selectAll()
    qtbot.keyClicks(sample, "12345")
    assert sample.value() == search.presenter.state.lines.options.sample == 12_345
    width.selectAll()
    qtbot.keyClick(width, Qt.Key.Key_Backspace)
    # Something else changes before the new number is typed.
    search.presenter.say("Copied.")
    assert width.text() == ""
    qtbot.keyClicks(width, "20")
    assert search.presenter.state.lines.options.width == 20


def test_samples_collapsing_and_columns(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    total = search.model.total
    form = search.tools.sort_form
    qtbot.mouseClick(search.tools.sort, Qt.MouseButton.LeftButton)
    assert form.isVisible()
    form.sample.setValue(7)
    form.sampled.click()
    qtbot.waitUntil(lambda: search.model.total == 7)
    assert (search.count.text(), search.answer.unit.text()) == ("7", f"random lines of {total:,} hits")
    assert f"sampled from {total:,} lines with seed 0" in search.answer.details.text()
    form.sampled.click()
    form.collapse.setValue(3)
    form.merged.click()
    qtbot.waitUntil(lambda: search.answer.unit.text() == f"different lines of {total:,} hits")
    assert 0 < search.model.total < total
    assert "×" in search.model.index(0, 0).data()
    form.close()
    boxes = search.tools.columns_form.boxes
    names = {box.text() for box in boxes.values()}
    assert {"Line number", "Left context", "Right context", "Document"} <= names and "Match" not in names
    assert {"model", "year"} <= names
    boxes["field:model"].click()
    column = search.model.columnCount() - 1
    assert search.model.headerData(column, Qt.Orientation.Horizontal) == "model"
    qtbot.waitUntil(lambda: search.model.index(0, column).data() in "abc")


def test_a_column_without_room_is_marked_in_the_form(rich, qtbot):
    ask(rich, qtbot, "dog")
    search = rich.search
    boxes = search.tools.columns_form.boxes
    assert boxes["field:model"].text() == "model"
    search.presenter.columns.resize({"match": 20.0, "document": 500.0})
    qtbot.waitUntil(lambda: boxes["document"].text() == "Document (no room)")
    assert boxes["document"].isChecked()
    search.presenter.columns.fit("document")
    qtbot.waitUntil(lambda: boxes["document"].text() == "Document")


def test_where_the_hits_are(rich, qtbot):
    ask(rich, qtbot, "dog")
    search = rich.search
    search.tabs.setCurrentIndex(2)
    qtbot.waitUntil(lambda: search.pages.spread.model.rowCount() > 0)
    assert "in 10 of 40 documents" in search.pages.spread.summary.text()
    assert search.pages.spread.histogram.bins.sum() == search.model.total
    search.pages.spread.table.activated.emit(search.pages.spread.model.index(0, 0))
    qtbot.waitUntil(lambda: rich.panel.part is not None)
    assert rich.panel.part.hits_total > 0


def test_queries_side_by_side(rich, qtbot, small_index):
    ask(rich, qtbot, "cat")
    search = rich.search
    search.tabs.setCurrentIndex(3)
    assert search.pages.compare.add_current.words == "Add “cat”"
    qtbot.mouseClick(search.pages.compare.add_current, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(search.pages.compare.add_field, "dog")
    qtbot.keyClick(search.pages.compare.add_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: search.pages.compare.model.rowCount() == 2)
    model = search.pages.compare.model
    counts = [int(model.index(row, 3).data()) for row in range(2)]
    corpus = rich.corpus
    assert counts == [corpus.count(word, whole_words=True) for word in ("cat", "dog")]
    assert model.index(0, 4).data() == "reference" and model.index(1, 4).data().lstrip("\u2066").startswith("−")
    search.presenter.comparison.add_index(str(small_index))
    qtbot.waitUntil(lambda: search.pages.compare.model.rowCount() == 4)
    assert int(model.index(1, 3).data()) == open_index(small_index).count("cat", whole_words=True)
    search.pages.compare.table.setFocus()
    search.pages.compare.table.setCurrentIndex(model.index(0, 0))
    qtbot.keyClick(search.pages.compare.table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: search.pages.compare.model.rowCount() == 2)
    assert search.presenter.state.comparison.queries == ("dog",)


def check_copies(rich, qtbot, form):
    from PySide6.QtGui import QGuiApplication

    ask(rich, qtbot, "cat")
    search = rich.search
    search.exporter.copy([], form)
    assert "Select the lines" in search.answer.activity.message.text()
    search.table.go_to(0)
    search.table.selectRow(1)
    search.exporter.copy(search.table.selected_lines(), form)
    qtbot.waitUntil(lambda: "Copied 1 line" in search.answer.activity.message.text())
    assert "cat" in QGuiApplication.clipboard().text()


def test_copies(rich, qtbot):
    for form in ["text", "tsv", "markdown", "json"]:
        check_copies(rich, qtbot, form)


def test_exports(rich, qtbot, tmp_path):
    ask(rich, qtbot, "cat")
    search = rich.search
    path = tmp_path / "all.jsonl"
    search.exporter.export(path, None)
    facts = tmp_path / "all.jsonl.about.json"
    qtbot.waitUntil(facts.exists)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    about = json.loads(facts.read_text(encoding="utf-8"))
    assert (about["query"], about["match"]) == ("cat", "text")
    assert (about["whole words"], about["ignore case"]) == ("yes", "no")
    assert len(rows) == search.model.total
    search.table.selectRow(2)
    search.exporter.export(tmp_path / "some.csv", search.table.selected_lines())
    qtbot.waitUntil((tmp_path / "some.csv").exists)
    search.exporter.export(tmp_path / "none" / "x.csv", None)
    qtbot.waitUntil(lambda: search.notice.isVisible())
    assert "cannot be written" in search.notice.text()


def header_of(path):
    return path.read_text(encoding="utf-8").splitlines()[0].split(",")


def test_exported_lines_have_the_fields_that_are_chosen_in_the_menu(rich, qtbot, tmp_path):
    ask(rich, qtbot, "cat")
    search, menu = rich.search, rich.search.tools.export_menu
    fields = search.exporter.fields.names(rich.corpus)
    assert 0 < len(fields) <= 10 and "path" not in fields
    qtbot.mouseClick(search.tools.export, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(menu.isVisible)
    (action,) = (each for each in menu.actions() if each.isCheckable())
    assert action.text().startswith("With ") and action.isChecked() and fields[0] in action.toolTip()
    search.exporter.export(tmp_path / "with.csv", None)
    qtbot.waitUntil((tmp_path / "with.csv").exists)
    assert header_of(tmp_path / "with.csv") == [*COLUMNS, *fields]
    action.trigger()
    search.exporter.export(tmp_path / "less.csv", None)
    qtbot.waitUntil((tmp_path / "less.csv").exists)
    assert header_of(tmp_path / "less.csv") == list(COLUMNS)
    (explain,) = (each for each in menu.actions() if each.text() == "What the columns mean")
    menu.close()
    explain.trigger()
    dialog = rich.findChild(HelpDialog)
    assert dialog is not None and "merged into this one" in dialog.text.toPlainText()
    dialog.close()


def test_a_workbook_explains_its_columns(rich, qtbot, tmp_path):
    ask(rich, qtbot, "cat")
    path = tmp_path / "lines.xlsx"
    rich.search.exporter.export(path, None)
    qtbot.waitUntil(path.exists)
    book = load_workbook(path)
    assert book.sheetnames == ["Lines", "About", "Columns"]
    told = dict(book["Columns"].values)
    assert list(told) == [cell.value for cell in book["Lines"][1]]
    assert told["offset"] == "Tokens of the document before the match" and all(told.values())


@pytest.mark.parametrize(("number", "all_fields"), [(0, True), (10, True), (11, False)])
def test_many_fields_are_exported_only_if_they_are_wanted(number, all_fields):
    corpus = SimpleNamespace(metadata_fields=("path", *(f"f{each}" for each in range(number))))
    fields = ExportedFields()
    assert fields.has_all(corpus) is all_fields
    assert fields.of(corpus, ("f3",))[:1] == ("f3",)
    fields.choose(not all_fields)
    assert fields.of(corpus, ()) == (() if all_fields else fields.names(corpus))


def test_how_a_query_without_parentheses_is_read_is_shown(opened, qtbot):
    ask(opened, qtbot, "cat AND mat OR rug")
    answer = opened.search.answer
    assert "read as" in answer.details.text() and answer.unit.toolTip().startswith("read as")
    assert opened.search.bar.popover.echo.text() in answer.details.text()
