"""The trace screen beyond one short text: conversations, long texts, selections, self-matches, batches, reports."""

from __future__ import annotations

import json

import pytest
from layout_checks import clipped, overlapping
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication
from task_window import open_behind

from explorer import build_index, open_index
from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.measures.measure import Measure
from explorer.analyses.trace.measures.registry import MEASURES
from explorer.analyses.trace.occurrences import Snippet
from explorer.analyses.trace.settings import TraceSettings
from explorer.chart import Chart
from explorer.gui.screens.trace.documents.cards import make_entries
from explorer.gui.screens.trace.documents.choice import Group, Show
from explorer.gui.screens.trace.documents.choice_state import Tab
from explorer.gui.screens.trace.documents.sources import sources_of
from explorer.gui.screens.trace.figures import Jump
from explorer.gui.screens.trace.text.editor import dropped_file
from explorer.gui.screens.trace.text.marks import Pick
from explorer.gui.screens.trace.work import TraceAnswer
from explorer.gui.style.surfaces import all_restyled, restyle
from explorer.gui.style.theme import choose_text_size

TEXT = "Perhaps the cat sat on the mat, and the dog saw it on the rug."


@pytest.fixture
def front():
    return "trace"


def found(screen):
    """The trace that is shown."""
    return screen.presenter.state.trace


def documents(screen):
    return screen.text.evidence.documents


def done(screen):
    return screen.presenter.state.answer.current is not None and not screen.busy


@pytest.fixture
def traced(opened, qtbot):
    opened.show_screen("trace")
    opened.trace.settings.form.widgets("density")[0].setValue(100)
    opened.trace.presenter.trace_text(TEXT)
    qtbot.waitUntil(lambda: done(opened.trace))
    return opened.trace


def paste(screen, text):
    mime = QMimeData()
    mime.setText(text)
    screen.text.editor.insertFromMimeData(mime)


def test_a_pasted_conversation_shows_all_turns_and_traces_the_answers(traced, qtbot):
    messages = [
        {"role": "user", "content": "What sat?"},
        {"role": "assistant", "content": "the cat sat on the mat."},
        {"role": "user", "content": "Who saw it?"},
        {"role": "assistant", "content": "the dog saw the cat."},
    ]
    paste(traced, json.dumps(messages))
    view = traced.pages.conversation
    qtbot.waitUntil(lambda: len(view.presenter.state.answers) == 2 and not traced.busy)
    text = view.text.text()
    assert view.isVisible() and all(message["content"] in text for message in messages)
    assert all(part in text for part, _ in view.text.marks.parts())
    assert view.presenter.state.current == 1
    qtbot.mouseClick(view.forth, Qt.MouseButton.LeftButton)
    assert view.presenter.choice.state.trace.text == "the dog saw the cat."
    assert view.presenter.choice.state.trace.prompt == "Who saw it?"
    view.grab()
    paste(traced, '[{"role": "user", "content": }]')
    qtbot.waitUntil(lambda: "line 1 column 30" in view.notice.text())
    assert view.text.text() == text


def test_a_megabyte_is_offered_in_parts(traced, qtbot):
    paste(traced, "the cat sat on the mat.\n" * 50_000)
    assert traced.text.pieces.list.count() == 20
    assert "1,200,000 characters" in traced.text.pieces.message.text()
    qtbot.waitUntil(lambda: done(traced) and len(found(traced).text) > 50_000)
    assert traced.text.editor.text().count("\n") > 1000


def test_a_selection_is_looked_up_whatever_its_length(traced, qtbot, small):
    traced.text.editor.setFocus()
    cursor = traced.text.editor.textCursor()
    at = TEXT.index("the cat")
    cursor.setPosition(at)
    cursor.setPosition(at + len("the cat"), cursor.MoveMode.KeepAnchor)
    traced.text.editor.setTextCursor(cursor)
    times = small.count("the cat", whole_words=True)
    qtbot.waitUntil(lambda: documents(traced).heading.text().startswith(f"The selected text occurs {times} times"))
    assert documents(traced).model.rowCount() > 0
    assert documents(traced).clear.isVisible()
    qtbot.keyClick(traced.text.editor, Qt.Key.Key_Escape)
    assert "selected text" not in documents(traced).heading.text()
    cursor.setPosition(0)
    cursor.setPosition(12, cursor.MoveMode.KeepAnchor)
    traced.text.editor.setTextCursor(cursor)
    qtbot.waitUntil(lambda: traced.presenter.choice.state.invitation[0] == "Not in the corpus")


def test_overlapping_spans_can_be_reached_one_by_one(traced, qtbot):
    choice = traced.presenter.choice
    number = next(i for i, passage in enumerate(choice.state.passages) if len(passage.spans) > 1)
    choice.choose_passage(number)
    chips = documents(traced).nested.buttons
    assert chips[0].isChecked() and len(chips) > 2
    for button, chip in zip(chips[1:], choice.state.chips[1:], strict=True):
        qtbot.waitUntil(button.isVisible)
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert button.isChecked() and not chips[0].isChecked()
        if chip.number >= 0:
            assert choice.state.choice.span == chip.number
    choice.clear()
    assert not documents(traced).nested.isVisible()


def test_novelty_and_sources_are_tabs_beside_the_text(traced, qtbot):
    evidence = traced.text.evidence
    evidence.tabs.setCurrentIndex(Tab.NOVELTY)
    assert evidence.novelty.plot.isVisible() and "L 5:" in evidence.novelty.plot.accessibleDescription()
    evidence.novelty.plot.grab()
    evidence.tabs.setCurrentIndex(Tab.SOURCES)
    total = len(found(traced).documents)
    field = evidence.sources.field.currentText()
    assert sum(row.documents for row in sources_of(found(traced).documents, field)) == total
    assert evidence.sources.model.rowCount() == len(sources_of(found(traced).documents, field))


def test_the_minimap_leads_to_the_text(traced, qtbot):
    traced.presenter.trace_text("\n".join([TEXT] * 60))
    qtbot.waitUntil(lambda: done(traced) and found(traced).text.count("\n") == 59)
    bar = traced.text.editor.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    minimap = traced.text.texts.pane.minimap
    minimap.grab()
    qtbot.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(5, minimap.height() - 2))
    assert bar.value() == bar.maximum()
    qtbot.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(5, 1))
    assert bar.value() == 0


def test_the_menu_of_a_passage_copies_searches_and_hides(opened, traced, qtbot):
    choice = traced.presenter.choice
    editor = traced.text.editor
    text, mark = next((text, mark) for text, mark in editor.marks.parts() if mark.passage >= 0)
    editor.copy_wanted.emit(Pick(mark.passage, text))
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(f"“{text}”\n") and ", document " in copied
    editor.hide_wanted.emit(Pick(mark.passage, text))
    assert all(other.passage != mark.passage for _, other in editor.marks.parts())
    documents(traced).hidden.click()
    assert choice.state.hidden == ""
    editor.search_wanted.emit(Pick(mark.passage, "the cat"))
    qtbot.waitUntil(lambda: opened.current_screen() is opened.search)
    assert opened.search.query.text() == '"the cat"'


def test_a_dropped_file_is_traced(traced, qtbot, tmp_path):
    (tmp_path / "a.txt").write_text("the dog saw the cat.")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))])
    assert dropped_file(data) == tmp_path / "a.txt"
    at, copy = QPointF(20, 20), Qt.DropAction.CopyAction
    event = QDropEvent(at, copy, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    traced.text.editor.dropEvent(event)
    qtbot.waitUntil(lambda: done(traced) and found(traced).text == "the dog saw the cat.")
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.png"))])
    assert dropped_file(data) is None


def test_settings_are_a_sheet_that_says_what_it_holds_for(traced, qtbot):
    assert not traced.settings.isVisible()
    qtbot.mouseClick(traced.head.settings, Qt.MouseButton.LeftButton)
    notes = []
    for number in range(3):
        traced.tabs.setCurrentIndex(number)
        assert traced.settings.isVisible()
        notes.append(traced.settings.note.text())
    assert len(set(notes)) == 3
    qtbot.mouseClick(traced.settings.cross, Qt.MouseButton.LeftButton)
    assert not traced.settings.isVisible() and not traced.head.settings.isChecked()


def test_clear_empties_the_tab_that_is_shown(traced, qtbot):
    paste(traced, "User: why?\nAssistant: the cat sat on the mat.")
    qtbot.waitUntil(lambda: len(traced.presenter.conversation.state.answers) == 1)
    qtbot.mouseClick(traced.head.clear, Qt.MouseButton.LeftButton)
    assert traced.presenter.conversation.state.shown.text == "" and found(traced) is not None
    traced.tabs.setCurrentIndex(0)
    qtbot.mouseClick(traced.head.clear, Qt.MouseButton.LeftButton)
    assert found(traced) is None and traced.text.editor.text() == ""


def test_delimiters_seed_and_abbreviations_are_live(traced, qtbot):
    qtbot.mouseClick(traced.head.settings, Qt.MouseButton.LeftButton)
    traced.settings.form.widgets("delimiters")[0].setFocus()
    traced.settings.form.widgets("delimiters")[0].clear()
    qtbot.keyClicks(traced.settings.form.widgets("delimiters")[0], "\\n ,")
    qtbot.waitUntil(lambda: done(traced) and found(traced).settings.delimiters == ("\n", ","))
    traced.settings.form.widgets("abbreviations")[0].setChecked(True)
    traced.settings.form.widgets("seed")[0].setValue(7)
    qtbot.waitUntil(lambda: done(traced) and found(traced).settings.seed == 7 and found(traced).settings.abbreviations)
    qtbot.mouseClick(traced.settings.preset, Qt.MouseButton.LeftButton)
    # How the text is read is not a setting of OLMoTrace, and stays.
    wanted = TraceSettings(relevance="olmotrace", read=found(traced).settings.read)
    qtbot.waitUntil(lambda: done(traced) and found(traced).settings == wanted)


@pytest.fixture
def own(window, qtbot, tmp_path):
    """A window on an index that holds the very text that is traced, twice, and parts of it elsewhere."""
    words = " ".join(f"word{n}" for n in range(60))
    texts = [words, words, " ".join(f"word{n}" for n in range(20)) + " and something else"]
    with open(tmp_path / "t.jsonl", "w", encoding="utf-8") as file:
        for text in texts:
            file.write(json.dumps({"text": text}) + "\n")
    build_index(tmp_path / "t.jsonl", tmp_path / "own", tokenizer="bytes")
    open_behind(window, qtbot, tmp_path / "own", "trace")
    window.show_screen("trace")
    window.trace.presenter.trace_text(words)
    qtbot.waitUntil(lambda: done(window.trace))
    return window.trace


def test_a_text_of_the_corpus_is_said_and_left_out(own, qtbot):
    assert "is in the corpus: a single match covers 100% of it, in 2 documents" in own.text.own.self_match.text()
    qtbot.mouseClick(own.text.own.leave_out, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: done(own) and found(own).self_match is None)
    assert {card.document.number for card in own.presenter.choice.state.cards} == {2}
    assert (
        "Excluded from all counts: 2 documents with most of the text. Any other document that was checked contains at "
        "most 31% of it" in own.text.own.self_match.text()
    )
    qtbot.mouseClick(own.text.own.put_back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: done(own) and found(own).self_match is not None)
    assert found(own).self_match.documents == (0, 1)


def test_repeated_sources_share_a_card(byte_index):
    def document(number, url, text):
        snippet = Snippet(text, 0, 3, 0, 0, 1)
        metadata = {"metadata": {"url": url}}
        return TraceDocument(number, 1.0, 0.5, "medium", (), (snippet,), metadata, 0.5, 0.5, (), snippet)

    texts = (("a", "one two"), ("", "three four"), ("a", "x y z"), ("", "three  four"))
    listed = tuple(document(number, *text) for number, text in enumerate(texts))
    trace = open_index(byte_index).trace("the cat sat")
    answer = TraceAnswer(None, trace, ())
    cards = make_entries(answer, [Group("", listed)], fold=True)
    assert [card.document.number for card in cards] == [0, 1]
    assert all(card.facts.startswith("1 more from the same source") for card in cards)
    assert len(make_entries(answer, [Group("Others", listed)], fold=False)) == 5


def test_reports(traced, qtbot, tmp_path):
    presenter = traced.presenter
    presenter.reports.save(tmp_path / "r.html", presenter.reported)
    qtbot.waitUntil((tmp_path / "r.html").exists)
    presenter.reports.save(tmp_path / "r.json", presenter.reported)
    qtbot.waitUntil((tmp_path / "r.json").exists)
    value = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert value["traces"][0]["text"] == TEXT and len(value["about"]["index fingerprint"]) == 32
    assert "index fingerprint" in (tmp_path / "r.html").read_text(encoding="utf-8")
    presenter.reports.save(tmp_path / "r.docx", presenter.reported)
    qtbot.waitUntil(lambda: ".html, .json" in traced.text.notice.text())


def test_a_new_measure_is_in_the_window(opened, qtbot, monkeypatch):
    """One row, and the window's line, its warning and its charts have it."""

    class Vowels(Measure[int]):
        id, label, note = "vowels", "Vowels", "a, e, i, o, u"

        def compute(self, matched):
            return sum(char in "aeiou" for char in matched.text)

        def summary(self, value):
            return f"{value} vowels"

        def warning(self, value):
            return f"Many vowels: {value}."

        def chart(self, value, index_name):
            return Chart("vowels", f"Vowels, {index_name}", (), ("vowels",), ((value,),))

    monkeypatch.setattr(MEASURES, "rows", (*MEASURES.rows, Vowels()))
    opened.show_screen("trace")
    screen = opened.trace
    screen.presenter.trace_text("the cat sat on the mat")
    qtbot.waitUntil(lambda: found(screen) is not None)
    screen.text.evidence.tabs.setCurrentIndex(Tab.NOVELTY)
    assert screen.text.evidence.novelty.summary.text().endswith(" · 6 vowels (a, e, i, o, u)")
    assert screen.text.own.self_match.text() == "Many vowels: 6."
    make = screen.presenter.choice.state.charts
    assert make is not None and make()[-1].name == "vowels"


def check_a_density_is_taken_as_it_is_typed(traced, qtbot, typed):
    """100 * 0.07 is not quite 7: the box must not write 7.0 before the rest is typed."""
    density = traced.settings.form.widgets("density")[0]
    density.setFocus()
    density.selectAll()
    qtbot.keyClicks(density, typed)
    assert density.value() == float(typed)
    assert traced.presenter.state.settings.density == pytest.approx(float(typed) / 100)


def test_a_density_is_taken_as_it_is_typed(traced, qtbot):
    for typed in ["12.5", "7.5"]:
        check_a_density_is_taken_as_it_is_typed(traced, qtbot, typed)


def test_empty_tabs_take_files(opened, qtbot, tmp_path):
    """Each tab that needs a file shows where to drop it, what does the same, and what a file looks like."""
    opened.show_screen("trace")
    trace = opened.trace
    (tmp_path / "talk.txt").write_text(trace.pages.conversation.start.example.text().partition("\n\n")[0])
    (tmp_path / "answers.jsonl").write_text(trace.pages.batch.start.example.text() + "\n")
    trace.tabs.setCurrentIndex(1)
    assert trace.pages.conversation.start.isVisible() and trace.pages.conversation.open.isVisible()
    trace.pages.conversation.start.zone.dropped.emit([tmp_path / "talk.txt"])
    qtbot.waitUntil(lambda: len(trace.presenter.conversation.state.shown.turns) == 2)
    assert not trace.pages.conversation.start.isVisible()
    trace.tabs.setCurrentIndex(2)
    assert trace.pages.batch.start.isVisible()
    trace.pages.batch.start.zone.dropped.emit([tmp_path / "answers.jsonl"])
    qtbot.waitUntil(lambda: trace.pages.batch.run_button.isEnabled())
    assert not trace.pages.batch.start.isVisible()
    assert trace.presenter.batch.state.text_field == "answer"
    assert trace.presenter.batch.state.prompt_field == "prompt"


@pytest.fixture
def sized(qtbot):
    """A function that sets the text size; the usual one is back after the test."""

    def put_on(points: int) -> None:
        choose_text_size(points)
        restyle(QApplication.instance())
        qtbot.waitUntil(all_restyled)

    yield put_on
    put_on(0)


def check_a_narrow_window_shows_one_part_at_a_time(traced, qtbot, sized, points):
    sized(points)
    window, panes = traced.window(), traced.text.panes
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: window.width() == 1024)
    # The page does not make the window larger than that.
    assert (window.width(), window.height()) == (1024, 700)
    assert panes.folded == (points > 10) == panes.segments.isVisible()
    assert traced.text.texts.isVisible()
    assert traced.text.evidence.isVisible() != panes.folded
    shown = {target for target, button in traced.text.figures.buttons.items() if button.isVisible()}
    assert (Jump.NOVELTY in shown) != panes.folded and {Show.ALL, Show.HIGH, Jump.DOCUMENTS} <= shown
    if panes.folded:
        traced.text.figures.buttons[Jump.DOCUMENTS].click()
        assert traced.text.evidence.isVisible() and not traced.text.texts.isVisible()
        panes.segments.button(0).click()
        assert traced.text.texts.isVisible()
    assert clipped(window) == [] and overlapping(window) == []


def test_a_narrow_window_shows_one_part_at_a_time(traced, qtbot, sized):
    for points in [10, 14, 20]:
        check_a_narrow_window_shows_one_part_at_a_time(traced, qtbot, sized, points)


def test_the_tab_key_reaches_the_numbers_before_the_text_and_the_cards(traced):
    order, part = [], traced.head
    while (part := part.nextInFocusChain()) is not traced.head:
        order.append(part)
    numbers = [order.index(button) for button in traced.text.figures.buttons.values()]
    assert numbers == sorted(numbers) and len(numbers) > 3
    assert order.index(traced.text.prompt_line.field) < numbers[0]
    assert numbers[-1] < order.index(traced.text.editor) < order.index(documents(traced).cards)
