"""The query language in the window: problems at their place, builder, history, estimates, comparison."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QPushButton, QWidget
from searching import lines, listed

from explorer import build_index, open_index
from explorer.gui.requests import OpenRequest
from explorer.search.find import QueryOptions, find_query


def settled(search):
    return not search.busy and search.presenter.state.lines.answer.value is not None


def ask(opened, qtbot, text):
    opened.show_screen("search")
    opened.search.query.clear()
    qtbot.keyClicks(opened.search.query, text)
    qtbot.keyClick(opened.search.query, Qt.Key.Key_Return)
    # An answer to the part that was typed first may be there already.
    problem = opened.search.bar.problem
    qtbot.waitUntil(lambda: listed(opened.search) == text or (not opened.search.busy and bool(problem.message)))


def test_a_query_of_clauses(opened, qtbot, small):
    ask(opened, qtbot, "cat AND (mat OR rug)")
    expected = small.search("cat AND (mat OR rug)", whole_words=True)
    assert opened.search.count.text() == str(expected.count)
    assert opened.search.bar.read_as.text() == 'read as  "cat" AND ("mat" OR "rug")'
    assert opened.search.bar.distance.isVisible()
    before = expected.count
    opened.search.bar.distance.setValue(2)
    narrow = small.search("cat AND (mat OR rug)", whole_words=True, max_distance=2).count
    assert narrow < before
    qtbot.waitUntil(lambda: opened.search.count.text() == str(narrow))


@pytest.mark.parametrize(
    ("text", "words", "start"),
    [
        ('cat AND "mat', "quote is never closed", 8),
        ("(cat AND mat", "never closed", 0),
        ("cat AND", "nothing after AND", 4),
        ("NOT cat", "something that must occur", 0),
        ("cat AND ()", "nothing in these parentheses", 8),
    ],
)
def test_problems_are_shown_at_their_place(opened, qtbot, text, words, start):
    ask(opened, qtbot, text)
    problem = opened.search.bar.problem
    assert problem.isVisible() and words in problem.message
    assert opened.search.presenter.state.query.problem.start == start
    assert not opened.search.notice.isVisible()
    left, width = problem.marked()
    assert 0 < left < problem.width() and width > 0
    qtbot.keyClicks(opened.search.query, "x")
    assert not problem.isVisible() or problem.message != words


def test_a_phrase_that_cannot_occur_is_named(opened, qtbot):
    ask(opened, qtbot, "cat AND zzebra")
    assert "“zzebra” does not occur" in opened.search.bar.problem.message


def test_the_builder_writes_and_reads_the_query(opened, qtbot):
    search = opened.search
    ask(opened, qtbot, "cat AND (mat OR rug) AND NOT dog")
    qtbot.mouseClick(search.bar.build, Qt.MouseButton.LeftButton)
    builder = search.bar.builder
    assert [clause.texts() for clause in builder.clauses] == [("cat",), ("mat", "rug"), ("dog",)]
    edit = builder.clauses[1].phrases[1].edit
    edit.setFocus()
    edit.clear()
    qtbot.keyClicks(edit, "floor")
    assert search.query.text() == '"cat" AND ("mat" OR "floor") AND NOT "dog"'
    qtbot.mouseClick(builder.add_and, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(builder.clauses[-1].phrases[0].edit, 'say "hi"')
    assert search.query.text() == '"cat" AND ("mat" OR "floor") AND "say \\"hi\\"" AND NOT "dog"'
    qtbot.mouseClick(builder.clauses[2].phrases[0].remove, Qt.MouseButton.LeftButton)
    assert "dog" not in search.query.text()
    search.query.setFocus()
    search.query.setText("dog")
    assert [clause.texts() for clause in builder.clauses] == [("dog",)]
    search.query.setText('"dog')
    assert "is not valid yet" in builder.note.text()


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


def test_the_builder_opens_no_windows(opened, qtbot, qapp):
    ask(opened, qtbot, "cat AND (mat OR rug) AND NOT dog")
    windows = Windows(qapp)
    qtbot.mouseClick(opened.search.bar.build, Qt.MouseButton.LeftButton)
    builder = opened.search.bar.builder
    qtbot.mouseClick(builder.add_not, Qt.MouseButton.LeftButton)
    assert opened.focusWidget() is builder.clauses[-1].phrases[-1].edit
    opened.search.query.setFocus()
    opened.search.query.setText("cat OR dog")
    qapp.removeEventFilter(windows)
    assert [len(clause.phrases) for clause in builder.clauses] == [2] and windows.shown == []


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
    monkeypatch.setattr("explorer.search.cnf.WALKED_UNASKED", 2)
    opened.search.bar.distance.setValue(3)
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
    window.open(OpenRequest((str(tmp_path / "rich"),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    return window


def test_bars_filter_on_a_click(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    total = search.model.rowCount()
    qtbot.mouseClick(search.tabs.button(1), Qt.MouseButton.LeftButton)
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
    chip = search.filters.chips.findChildren(QPushButton)[0]
    assert chip.text().startswith(f"model is {chosen}")
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: settled(search) and search.model.total == total)


def test_the_filter_dialog_offers_values_with_their_counts(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    qtbot.mouseClick(search.filters.button, Qt.MouseButton.LeftButton)
    dialog = search.filters.dialog
    dialog.field.setCurrentText("year")
    qtbot.waitUntil(lambda: len(dialog.value.offered()) == 5)
    years = [search.corpus.document(line.document).metadata["metadata"]["year"] for line in lines(search).lines(0, 999)]
    assert dict(dialog.value.offered()) == {str(year): str(years.count(year)) for year in set(years)}
    dialog.operator.setCurrentIndex(dialog.operator.findData(">="))
    dialog.value.setText("2003")
    dialog.add()
    qtbot.waitUntil(lambda: settled(search) and len(filters(search)) == 1 and search.model.total < 80)
    years = {search.corpus.document(line.document).metadata["metadata"]["year"] for line in lines(search).lines(0, 99)}
    assert years == {2003, 2004}
    assert search.filters.dialog is None


def test_the_list_of_values_is_left_alone_while_something_else_changes(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    dialog = search.filters.ask()
    dialog.field.setCurrentText("year")
    qtbot.waitUntil(lambda: len(dialog.value.offered()) == 5)
    offers = dialog.value.offers
    offers.setCurrentIndex(offers.model().index(2, 0))
    search.presenter.say("Copied.")
    assert offers.currentIndex().row() == 2
    dialog.reject()


def test_filters_by_words_near(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    total = search.model.total
    dialog = search.filters.ask()
    dialog.by_words.setChecked(True)
    dialog.add()
    assert "Type the words" in dialog.notice.text()
    qtbot.keyClicks(dialog.words, "dog")
    dialog.distance.setValue(5)
    dialog.add()
    qtbot.waitUntil(lambda: settled(search) and len(filters(search)) == 1 and search.model.total < total)
    assert all("dog" in line.right for line in lines(search).lines(0, 100))


def test_a_number_is_typed_figure_by_figure(rich, qtbot):
    ask(rich, qtbot, "cat")
    search = rich.search
    qtbot.mouseClick(search.tools.options, Qt.MouseButton.LeftButton)
    sample, width = search.options.sample, search.options.width_box
    search.presenter.lines.choose(unit="words")
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
    qtbot.mouseClick(search.tools.options, Qt.MouseButton.LeftButton)
    assert search.options.isVisible()
    search.options.sample.setValue(7)
    qtbot.waitUntil(lambda: search.model.total == 7)
    assert (search.count.text(), search.answer.unit.text()) == ("7", f"random lines of {total:,} hits")
    assert f"sampled from {total:,} lines with seed 0" in search.answer.details.text()
    search.options.sample.setValue(0)
    search.options.collapse.setValue(3)
    qtbot.waitUntil(lambda: search.answer.unit.text() == f"different lines of {total:,} hits")
    assert 0 < search.model.total < total
    assert "×" in search.model.index(0, 0).data()
    search.tools.columns.button.menu().aboutToShow.emit()
    names = [action.text() for action in search.tools.columns.button.menu().actions()]
    assert {"Line number", "Left context", "Right context", "Document"} <= set(names) and "Match" not in names
    assert {"model", "year"} <= set(names)
    next(a for a in search.tools.columns.button.menu().actions() if a.text() == "model").trigger()
    column = search.model.columnCount() - 1
    assert search.model.headerData(column, Qt.Orientation.Horizontal) == "model"
    qtbot.waitUntil(lambda: search.model.index(0, column).data() in "abc")


def test_where_the_hits_are(rich, qtbot):
    ask(rich, qtbot, "dog")
    search = rich.search
    qtbot.mouseClick(search.tabs.button(2), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: search.pages.spread.model.rowCount() > 0)
    assert "in 10 of 40 documents" in search.pages.spread.summary.text()
    assert search.pages.spread.histogram.bins.sum() == search.model.total
    search.pages.spread.table.activated.emit(search.pages.spread.model.index(0, 0))
    qtbot.waitUntil(lambda: rich.panel.part is not None)
    assert rich.panel.part.hits_total > 0


def test_queries_side_by_side(rich, qtbot, small_index):
    ask(rich, qtbot, "cat")
    search = rich.search
    qtbot.mouseClick(search.answer.compare, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(search.pages.compare.add_field, "dog")
    qtbot.keyClick(search.pages.compare.add_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: search.pages.compare.model.rowCount() == 2)
    model = search.pages.compare.model
    counts = [int(model.index(row, 3).data()) for row in range(2)]
    corpus = rich.corpus
    assert counts == [corpus.count(word, whole_words=True) for word in ("cat", "dog")]
    assert model.index(0, 4).data() == "reference" and model.index(1, 4).data().startswith("−")
    search.presenter.comparison.add_index(str(small_index))
    qtbot.waitUntil(lambda: search.pages.compare.model.rowCount() == 4)
    assert int(model.index(1, 3).data()) == open_index(small_index).count("cat", whole_words=True)
    search.pages.compare.table.setFocus()
    search.pages.compare.table.setCurrentIndex(model.index(0, 0))
    qtbot.keyClick(search.pages.compare.table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: search.pages.compare.model.rowCount() == 2)
    assert search.presenter.state.comparison.queries == ("dog",)


def test_an_empty_index_folder_beside_is_refused_in_words(rich, qtbot, tmp_path):
    ask(rich, qtbot, "cat")
    rich.search.answer.compare.click()
    (tmp_path / "nothing").mkdir()
    rich.search.presenter.comparison.add_index(str(tmp_path / "nothing"))
    qtbot.waitUntil(lambda: rich.search.pages.compare.notice.isVisible())
    assert "is not an infini-gram index" in rich.search.pages.compare.notice.text()


@pytest.mark.parametrize("form", ["text", "tsv", "markdown", "json"])
def test_copies(rich, qtbot, form):
    from PySide6.QtGui import QGuiApplication

    ask(rich, qtbot, "cat")
    search = rich.search
    search.actions_of_lines.copy([], form)
    assert "Select the lines" in search.footer.message.text()
    search.table.go_to(0)
    search.table.selectRow(1)
    search.actions_of_lines.copy(search.table.selected_lines(), form)
    qtbot.waitUntil(lambda: "Copied 1 line" in search.footer.message.text())
    assert "cat" in QGuiApplication.clipboard().text()


def test_exports(rich, qtbot, tmp_path):
    ask(rich, qtbot, "cat")
    search = rich.search
    path = tmp_path / "all.jsonl"
    search.actions_of_lines.export(path, None)
    facts = tmp_path / "all.jsonl.about.json"
    qtbot.waitUntil(facts.exists)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    about = json.loads(facts.read_text(encoding="utf-8"))
    assert (about["query"], about["match"]) == ("cat", "text")
    assert (about["whole words"], about["ignore case"]) == ("yes", "no")
    assert len(rows) == search.model.total
    search.table.selectRow(2)
    search.actions_of_lines.export(tmp_path / "some.csv", search.table.selected_lines())
    qtbot.waitUntil((tmp_path / "some.csv").exists)
    search.actions_of_lines.export(tmp_path / "none" / "x.csv", None)
    qtbot.waitUntil(lambda: search.notice.isVisible())
    assert "cannot be written" in search.notice.text()


def test_how_a_query_is_read_is_never_cut(opened, qtbot):
    opened.show_screen("search")
    opened.change_setting("text_size", 20)
    opened.search.search_for('"the cat" AND (dog OR "on the mat" OR "on the rug") AND NOT "a dog that nobody knows"')
    read_as = opened.search.bar.read_as
    qtbot.waitUntil(read_as.isVisible)
    qtbot.waitUntil(lambda: settled(opened.search))
    qtbot.waitUntil(lambda: read_as.height() >= read_as.heightForWidth(read_as.width()))
    assert "nobody knows" in read_as.text()
