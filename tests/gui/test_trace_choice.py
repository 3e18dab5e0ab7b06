"""What a click on the trace screen marks and lists: exactly what was chosen, exactly what a document holds."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from task_window import open_behind

from explorer import build_index
from explorer.gui.screens.trace.documents.cards import Divider
from explorer.gui.screens.trace.documents.choice import Choice, Filter, Show, held_runs, marks_of, passages_in
from explorer.gui.screens.trace.figures import Jump
from explorer.gui.screens.trace.text.mark_facts import best_source
from explorer.gui.screens.trace.text.word_selection import selected_text
from explorer.gui.style.theme import qcolor

FIRST = "one two three four five six seven eight"
SECOND = "six seven eight nine ten eleven twelve"
APART = "red orange yellow green blue indigo violet"
TEXT = f"Start {FIRST} nine ten eleven twelve stop. Then {APART} and the end of it."
DOCUMENTS = [
    f"Here is {FIRST} but then no more",
    f"There is {SECOND} at last",
    f"Some {SECOND} again, and {APART} as well",
    f"Only {APART} here",
]


def found(screen):
    """The trace that is shown."""
    return screen.presenter.state.trace


@pytest.fixture
def traced(window, qtbot, tmp_path):
    (tmp_path / "t.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in DOCUMENTS))
    build_index(tmp_path / "t.jsonl", tmp_path / "own", tokenizer="bytes")
    open_behind(window, qtbot, tmp_path / "own", "trace")
    window.show_screen("trace")
    screen = window.trace
    screen.settings.form.widgets("density")[0].setValue(100)
    screen.settings.form.widgets("word_boundaries")[0].activated.emit(1)
    screen.settings.form.widgets("min_length")[0].setValue(12)
    screen.text.evidence.fold.setChecked(False)
    screen.presenter.trace_text(TEXT)
    qtbot.waitUntil(lambda: found(screen) is not None and found(screen).settings.min_length == 12)
    qtbot.waitUntil(lambda: not screen.busy)
    return screen


def documents(screen):
    return screen.text.evidence.documents


def cards(screen):
    return screen.presenter.choice.state.cards


def filled(screen):
    """The parts of the text that are in the color of marks."""
    return [text.strip() for text, mark in screen.text.editor.marks.parts() if mark.chosen and not mark.outlined]


def outlined(screen):
    return [TEXT[mark.start : mark.end] for mark in screen.presenter.choice.state.marks if mark.outlined]


def point_at(screen, text, inside=2):
    cursor = screen.text.editor.textCursor()
    cursor.setPosition(TEXT.index(text) + inside)
    return screen.text.editor.cursorRect(cursor).center()


def press(screen, qtbot, text, inside=2):
    qtbot.mouseClick(screen.text.editor.viewport(), Qt.MouseButton.LeftButton, pos=point_at(screen, text, inside))


def numbers(screen):
    """The documents above the first divider."""
    found = []
    for entry in screen.presenter.choice.state.entries:
        if isinstance(entry, Divider):
            break
        found.append(entry.document.number)
    return sorted(found)


def dividers(screen):
    return [entry.title for entry in screen.presenter.choice.state.entries if isinstance(entry, Divider)]


def chips(screen):
    return documents(screen).nested.buttons


def test_the_first_click_lists_all_documents_of_the_region(traced, qtbot):
    press(traced, qtbot, "two three")
    assert numbers(traced) == [0, 1, 2]
    assert documents(traced).heading.text() == "Passage 1 of 2" and dividers(traced) == [
        "1 document shares other passages"
    ]
    # The region is of two spans, and no document contains both: the color shows what the first document contains.
    (first,) = filled(traced)
    assert first == SECOND and first in DOCUMENTS[cards(traced)[0].document.number]
    assert documents(traced).cards.currentIndex().row() == 0
    texts = [button.words for button in chips(traced)]
    assert texts[0] == "All (2)" and texts[1].endswith("1 hit") and texts[2].endswith("2 hits")
    assert [button.isChecked() for button in chips(traced)] == [True, False, False]


def test_a_chip_marks_exactly_its_span_and_outlines_the_others(traced, qtbot):
    press(traced, qtbot, "two three")
    qtbot.waitUntil(chips(traced)[2].isVisible)
    qtbot.mouseClick(chips(traced)[2], Qt.MouseButton.LeftButton)
    assert [button.isChecked() for button in chips(traced)] == [False, False, True]
    assert filled(traced) == [SECOND]
    assert outlined(traced) == [FIRST]
    assert numbers(traced) == [1, 2]
    assert dividers(traced) == ["1 document shares another part of this passage", "1 document shares other passages"]
    assert all(SECOND in card.text for card in cards(traced)[:2])
    qtbot.mouseClick(chips(traced)[0], Qt.MouseButton.LeftButton)
    assert numbers(traced) == [0, 1, 2] and filled(traced) == [SECOND] and outlined(traced) == [FIRST, SECOND]


def test_show_all_leaves_no_document_chosen(traced, qtbot):
    press(traced, qtbot, "two three")
    qtbot.waitUntil(documents(traced).clear.isVisible)
    # By a click, which takes the focus: the button that is hidden then must not pass it to the cards.
    documents(traced).clear.setFocus()
    qtbot.mouseClick(documents(traced).clear, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not documents(traced).clear.isVisible())
    assert traced.presenter.choice.state.choice == Choice() and not filled(traced)
    assert not documents(traced).cards.currentIndex().isValid()


def test_outlines_are_painted_around_their_span(traced, qtbot):
    press(traced, qtbot, "two three")
    qtbot.mouseClick(chips(traced)[2], Qt.MouseButton.LeftButton)
    viewport = traced.text.editor.viewport()
    image = viewport.grab().toImage()
    ratio = image.devicePixelRatio()
    rect = traced.text.editor.cursorRect(_cursor(traced, TEXT.index(FIRST)))
    accent = qcolor("accent").rgb()
    column = [image.pixel(int((rect.left() + dx) * ratio), int(rect.center().y() * ratio)) for dx in range(-2, 3)]
    assert accent in column


def _cursor(screen, position):
    cursor = screen.text.editor.textCursor()
    cursor.setPosition(position)
    return cursor


def test_a_card_marks_only_what_its_document_holds(traced, qtbot):
    """Each document and each way of choosing it: the marked words are in that very document."""
    for choose in (None, "two three", "orange yellow"):
        traced.presenter.choice.clear()
        if choose is not None:
            press(traced, qtbot, choose)
        for row in range(documents(traced).model.rowCount()):
            card = traced.presenter.choice.state.card(row)
            if card is None:
                continue
            view = documents(traced).cards
            view.scrollTo(documents(traced).model.index(row, 0))
            rect = view.visualRect(documents(traced).model.index(row, 0))
            qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.topLeft() + QPoint(40, 20))
            document = card.document
            marked = filled(traced)
            held = choose is None or document.number in numbers(traced)
            assert bool(marked) == held and all(part in DOCUMENTS[document.number] for part in marked)
            for start, end in held_runs(found(traced), document):
                assert TEXT[start:end] in DOCUMENTS[document.number]


def test_a_region_is_as_relevant_as_its_best_card(traced, qtbot):
    for number, passage in enumerate(traced.presenter.choice.state.passages):
        traced.presenter.choice.choose_passage(number)
        assert cards(traced)[0].document.level == passage.level
        traced.presenter.choice.clear()


def test_the_longest_passage_is_named_first_and_chosen_by_a_click(traced, qtbot):
    passage = found(traced).longest_passage
    text = TEXT[passage.start : passage.end]
    button = traced.text.figures.buttons[Jump.LONGEST]
    assert button.number == f"{passage.length:,}" and not button.isCheckable()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert filled(traced) == [text.strip()]
    assert numbers(traced) and all(text in DOCUMENTS[number] for number in numbers(traced))
    assert documents(traced).heading.text() == f"Longest match: {passage.length:,} tokens"
    qtbot.mouseClick(traced.text.figures.buttons[Show.ALL], Qt.MouseButton.LeftButton)
    assert numbers(traced) == [0, 1, 2, 3] and traced.text.figures.buttons[Show.ALL].isChecked()


def test_a_card_shows_the_longest_passage_of_its_document(traced):
    for card in cards(traced):
        longest = max(held_runs(found(traced), card.document), key=lambda run: run[1] - run[0])
        (run,) = [run for run in card.runs if run.chosen]
        assert TEXT[longest[0] : longest[1]] in card.text[run.start : run.end] + " "
        assert "of the text" in card.hint and "Word for word" in card.hint
        # What is marked is word for word in the document.
        assert all(card.text[run.start : run.end].strip() in DOCUMENTS[card.document.number] for run in card.runs)


def test_a_card_without_a_passage_does_not_claim_to_hold_nothing(traced, qtbot):
    traced.settings.form.widgets("min_length")[0].setValue(5)
    traced.presenter.trace_text("We saw eleven twelve at noon.")
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).text.startswith("We saw"))
    qtbot.waitUntil(lambda: not traced.busy)
    assert cards(traced)
    assert all("shares fewer than five words in a row" in card.hint for card in cards(traced))


def test_the_minimap_is_gray_but_for_the_chosen_passage(traced, qtbot):
    minimap = traced.text.texts.pane.minimap
    assert f"the longest match has {max(found(traced).covering)}" in minimap.accessibleDescription()
    image = minimap.grab().toImage()
    inside = [image.pixelColor(image.width() - 8, y) for y in range(4, image.height() - 4)]
    assert qcolor("muted") in inside
    assert all(colour.hslSaturationF() < 0.35 for colour in inside)
    press(traced, qtbot, "two three")
    image = minimap.grab().toImage()
    assert qcolor("mark") in [image.pixelColor(image.width() - 8, y) for y in range(image.height())]


def drag(screen, start, end):
    viewport = screen.text.editor.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    for step in range(1, 6):
        QTest.mouseMove(viewport, start + QPoint(*((end - start) * (step / 5)).toTuple()))
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)


@pytest.mark.parametrize("backwards", [False, True])
def test_a_drag_that_ends_within_a_word_selects_whole_words(traced, qtbot, backwards):
    traced.text.editor.setFocus()
    start, end = point_at(traced, "three", 2), point_at(traced, "five six", 6)
    drag(traced, *((end, start) if backwards else (start, end)))
    assert selected_text(traced.text.editor) == "three four five six"
    qtbot.waitUntil(lambda: documents(traced).heading.text().startswith("The selected text occurs once"))
    assert numbers(traced) == [0]
    assert "three four five six" in cards(traced)[0].text


def test_characters_of_scripts_without_spaces_are_not_widened(traced, qtbot):
    text = "前文 今天天气很好我们去公园散步吧 後文"
    traced.presenter.trace_text(text)
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).text == text)
    traced.text.editor.setFocus()
    at = text.index("天气")
    drag(traced, *(traced.text.editor.cursorRect(_cursor(traced, place)).center() for place in (at, at + 4)))
    assert selected_text(traced.text.editor) == "天气很好"


def test_marks_of_nothing_chosen_are_the_regions(traced):
    answer = traced.presenter.choice.state.answer.value
    marks = marks_of(answer, Choice(), Filter())
    assert [(mark.start, mark.end, mark.level) for mark in marks] == [
        (passage.start, passage.end, passage.level) for passage in answer.passages
    ]


def test_the_measure_of_relevance_can_be_olmotraces(traced, qtbot):
    traced.settings.form.widgets("relevance")[0].button(1).click()
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).settings.relevance == "olmotrace")
    qtbot.waitUntil(lambda: "OLMoTrace's scale" in traced.text.texts.legend.toolTip())
    assert "OLMoTrace's scale" in cards(traced)[0].hint


def place(view, at):
    cursor = QTextCursor(view.document())
    cursor.setPosition(at)
    return view.cursorRect(cursor).center()


def test_words_are_whole_while_the_pointer_drags(traced, qtbot):
    """In both directions from where the button was pressed, and back again."""
    view = traced.text.editor
    text = view.text()
    start = text.index("two three") + 1
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=place(view, start))
    seen = []
    for at in (text.index("five") + 1, text.index("three") + 1, 1):
        drag_to(view, place(view, at))
        seen.append(selected_text(view))
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=place(view, 1))
    assert seen == ["two three four five", "two three", "Start one two"]
    assert selected_text(view) == "Start one two"


def drag_to(view, point):
    """Move the pointer with the button pressed: Qt's own simulation moves without it."""
    where = QPointF(point)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        where,
        QPointF(view.viewport().mapToGlobal(point)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view.viewport(), event)


def test_a_card_appears_over_a_passage(traced, qtbot):
    """With its facts and its best document; it goes when the pointer moves on, and over unmarked words."""
    view = traced.text.editor
    passage = traced.presenter.choice.state.passages[0]
    point = place(view, passage.start + 2)

    def rest(at):
        QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at)))

    rest(point)
    assert view.hover.isVisible() and view.viewport().rect().contains(view.hover.geometry())
    assert view.hover.heading.text().startswith("Passage 1 of")
    title, quote = best_source(traced.presenter.state.answer.value, 0)
    assert title in view.hover.document.text() and view.hover.quote.text() == quote
    drag_to(view, point + QPoint(40, 0))
    assert not view.hover.isVisible()
    rest(point)
    view.show_marks((), view.text())
    assert not view.hover.isVisible()
    rest(point)
    assert not view.hover.isVisible()


def test_the_passages_of_a_card_are_those_that_its_document_shares_words_with(traced):
    answer = traced.presenter.state.answer.value
    counts = []
    for document in answer.trace.documents:
        runs = held_runs(answer.trace, document)
        shared = [p for p in answer.passages if any(start < p.end and p.start < end for start, end in runs)]
        assert sum(passages_in(answer, document)) == len(shared)
        counts.append(len(shared))
    # Each listed document shares something with the text, and one of them shares both passages.
    assert sorted(counts) == [1, 1, 1, 2]


def test_a_run_that_begins_before_a_passage_counts(traced):
    answer = traced.presenter.state.answer.value
    document = answer.trace.documents[0]
    # As the space before a word does.
    late = tuple(replace(passage, start=passage.start + 1) for passage in answer.passages)
    assert sum(passages_in(replace(answer, passages=late), document)) == sum(passages_in(answer, document)) > 0


def test_a_passage_in_another_place_of_the_document_is_not_only_in_the_text(traced, qtbot):
    """In document 2, `APART` comes after `SECOND`, and before it in this text: only one of them can be in order."""
    text = f"Then {APART} and so {SECOND} stop."
    traced.presenter.trace_text(text)
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).text == text)
    qtbot.waitUntil(lambda: not traced.busy)
    side = traced.text.side
    row = next(row for row, card in enumerate(cards(traced)) if card.document.number == 2)
    side.presenter.compare(row)
    qtbot.waitUntil(lambda: side.presenter.state.answer.current is not None)

    def parts(of):
        return [text[start:end] for start, end in of.tolist()]

    left = side.left.text
    assert sorted(parts(left.same) + parts(left.moved)) == sorted([APART, SECOND])
    assert parts(left.only) == ["Then", "and so", "stop"]
    assert all(part not in DOCUMENTS[2] for part in parts(left.only))
