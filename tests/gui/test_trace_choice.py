"""What a click on the trace screen marks and lists: exactly what was chosen, exactly what a document holds."""

from __future__ import annotations

import json

import pytest
from marked import marked_runs
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from explorer import build_index
from explorer.gui.requests import OpenRequest
from explorer.gui.screens.trace.choice import Choice, held_runs, marks_of
from explorer.gui.theme import RELEVANCE, qcolor

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
    window.open(OpenRequest((str(tmp_path / "own"),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    window.show_screen("trace")
    screen = window.trace
    screen.text.settings.density.setValue(100)
    screen.text.settings.words.setCurrentIndex(1)
    screen.text.settings.min_length.setValue(12)
    screen.documents.fold.setChecked(False)
    screen.presenter.trace_text(TEXT)
    qtbot.waitUntil(lambda: found(screen) is not None and found(screen).settings.min_length == 12)
    qtbot.waitUntil(lambda: not screen.busy)
    return screen


def ground(screen, colour):
    return [
        text.strip() for text, form in marked_runs(screen.text.editor) if form.background().color() == qcolor(colour)
    ]


def outlined(screen):
    return [TEXT[mark.start : mark.end] for mark in screen.presenter.choice.state.marks if mark.outlined]


def point_at(screen, text, inside=2):
    cursor = screen.text.editor.textCursor()
    cursor.setPosition(TEXT.index(text) + inside)
    return screen.text.editor.cursorRect(cursor).center()


def press(screen, qtbot, text, inside=2):
    qtbot.mouseClick(screen.text.editor.viewport(), Qt.MouseButton.LeftButton, pos=point_at(screen, text, inside))


def numbers(screen):
    return sorted(screen.documents.model.card(i).document.number for i in range(screen.documents.model.rowCount()))


def chips(screen):
    return screen.documents.nested.buttons


def test_the_first_click_lists_all_documents_of_the_region(traced, qtbot):
    press(traced, qtbot, "two three")
    assert numbers(traced) == [0, 1, 2]
    assert traced.documents.heading.text() == "3 documents with parts of this passage"
    assert ground(traced, "mark") == [f"{FIRST} nine ten eleven twelve"]
    texts = [button.text() for button in chips(traced)]
    assert texts[0] == "All (2)" and texts[1].endswith("1 hit") and texts[2].endswith("2 hits")
    assert [button.isChecked() for button in chips(traced)] == [True, False, False]


def test_a_chip_marks_exactly_its_span_and_outlines_the_others(traced, qtbot):
    press(traced, qtbot, "two three")
    qtbot.waitUntil(chips(traced)[2].isVisible)
    qtbot.mouseClick(chips(traced)[2], Qt.MouseButton.LeftButton)
    assert [button.isChecked() for button in chips(traced)] == [False, False, True]
    assert ground(traced, "mark") == [SECOND]
    assert outlined(traced) == [FIRST]
    assert numbers(traced) == [1, 2]
    assert traced.documents.heading.text() == "2 documents with the selected span"
    assert all(SECOND in traced.documents.model.card(i).text for i in range(2))
    qtbot.mouseClick(chips(traced)[0], Qt.MouseButton.LeftButton)
    assert numbers(traced) == [0, 1, 2] and outlined(traced) == []


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
        for row in range(traced.documents.model.rowCount()):
            rect = traced.documents.cards.visualRect(traced.documents.model.index(row, 0))
            qtbot.mouseClick(traced.documents.cards.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
            document = traced.documents.model.card(row).document
            marked = ground(traced, "mark")
            assert marked and all(part in DOCUMENTS[document.number] for part in marked)
            assert [p for r in RELEVANCE.values() for p in ground(traced, r)] == []
            for start, end in held_runs(found(traced), document):
                assert TEXT[start:end] in DOCUMENTS[document.number]


def test_a_region_is_as_relevant_as_its_best_card(traced, qtbot):
    for number, merged in enumerate(found(traced).merged):
        traced.presenter.choice.choose_region(number)
        assert traced.documents.model.card(0).document.level == merged.level
        traced.presenter.choice.clear()


def test_the_longest_passage_is_named_first_and_chosen_by_a_click(traced, qtbot):
    passage = found(traced).longest_passage
    text = TEXT[passage.start : passage.end]
    assert f"{passage.length:,} tokens" in traced.documents.longest.text()
    qtbot.mouseClick(traced.documents.longest, Qt.MouseButton.LeftButton)
    assert ground(traced, "mark") == [text.strip()]
    assert numbers(traced) and all(text in DOCUMENTS[number] for number in numbers(traced))
    assert "longest passage" in traced.documents.heading.text()
    qtbot.mouseClick(traced.documents.longest, Qt.MouseButton.LeftButton)
    assert numbers(traced) == [0, 1, 2, 3] and not traced.documents.longest.isChecked()


def test_a_card_shows_the_longest_passage_of_its_document(traced):
    for row in range(traced.documents.model.rowCount()):
        card = traced.documents.model.card(row)
        longest = max(held_runs(found(traced), card.document), key=lambda run: run[1] - run[0])
        assert TEXT[longest[0] : longest[1]] in card.text[card.start : card.end] + " "
        assert "of the text" in card.facts and "Word for word" in card.hint


def test_a_card_without_a_passage_does_not_claim_to_hold_nothing(traced, qtbot):
    traced.text.settings.min_length.setValue(5)
    traced.presenter.trace_text("We saw eleven twelve at noon.")
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).text.startswith("We saw"))
    qtbot.waitUntil(lambda: not traced.busy)
    cards = [traced.documents.model.card(row) for row in range(traced.documents.model.rowCount())]
    assert cards and all("shares fewer than five words in a row" in card.facts for card in cards)


def test_the_strip_has_one_colour_and_says_what_it_shows(traced):
    longest = max(found(traced).covering)
    assert traced.text.ribbon_caption.text() == f"Longest match per token, {min(found(traced).covering)}–{longest}"
    image = traced.text.ribbon.grab().toImage()
    inside = [image.pixelColor(x, image.height() - 3) for x in range(0, image.width(), 3)]
    assert any(colour == qcolor("muted") for colour in inside)
    assert all(colour.hslSaturationF() < 0.35 for colour in inside)


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
    assert traced.text.editor.selected_text() == "three four five six"
    qtbot.waitUntil(lambda: traced.documents.heading.text().startswith("The selected text occurs once"))
    assert numbers(traced) == [0]
    assert "three four five six" in traced.documents.model.card(0).text


def test_characters_of_scripts_without_spaces_are_not_widened(traced, qtbot):
    text = "前文 今天天气很好我们去公园散步吧 後文"
    traced.presenter.trace_text(text)
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).text == text)
    traced.text.editor.setFocus()
    at = text.index("天气")
    drag(traced, *(traced.text.editor.cursorRect(_cursor(traced, place)).center() for place in (at, at + 4)))
    assert traced.text.editor.selected_text() == "天气很好"


def test_marks_of_nothing_chosen_are_the_regions(traced):
    marks = marks_of(found(traced), Choice())
    assert [(mark.start, mark.end, mark.level) for mark in marks] == [
        (merged.start, merged.end, merged.level) for merged in found(traced).merged
    ]


def test_the_measure_of_relevance_can_be_olmotraces(traced, qtbot):
    traced.text.settings.relevance.setCurrentIndex(1)
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).settings.relevance == "olmotrace")
    qtbot.waitUntil(lambda: "OLMoTrace's scale" in traced.text.legend.toolTip())
    assert "OLMoTrace's scale" in traced.documents.model.card(0).hint
