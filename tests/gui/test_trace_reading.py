"""The traced text as it is read, beside a document, and the n-gram profile of a token."""

from __future__ import annotations

import re

import pytest
from by_hand import HandServices
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication, QTextCursor

from explorer import build_index, open_index
from explorer.analyses.ngram_profile.compute import NgramProfile, ngram_profile
from explorer.gui.presenting.requests import DocumentRequest
from explorer.gui.screens.trace.beside import work as side_work
from explorer.gui.screens.trace.documents.choice_state import Tab
from explorer.gui.screens.trace.documents.profile_state import rows_of
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.state import Part
from explorer.gui.screens.trace.text.reading_view import ReadingView
from explorer.text.reading import read_text

TEXT = """# Cats

So **the cat** sat on `the mat`.

1. the *dog* saw
2. the rug

| a | b |
|---|---|
| x | y |

```py
the cat
```
"""
READ = read_text(TEXT, "markdown").text


@pytest.fixture
def front():
    return "trace"


@pytest.fixture
def traced(opened, qtbot):
    opened.show_screen("trace")
    opened.trace.presenter.set_up(density=1)
    opened.trace.presenter.trace_text(TEXT)
    qtbot.waitUntil(lambda: opened.trace.presenter.state.answer.current is not None and not opened.trace.busy)
    return opened.trace


@pytest.fixture
def hand(small):
    """A presenter with a traced text; its answers come when a test says so."""
    services, asked = HandServices(), []
    presenter = TracePresenter(services, asked.append)
    presenter.set_up(density=1)
    presenter.use_corpus(small)
    presenter.trace_text(TEXT)
    services.answer_all()
    presenter.asked, presenter.services = asked, services
    return presenter


def font_at(view, part):
    cursor = QTextCursor(view.document())
    cursor.setPosition(READ.index(part) + 1)
    return cursor.charFormat()


# Reading.


def test_the_text_is_shown_as_it_is_read(traced):
    text = traced.text
    assert text.view is text.reading
    assert text.texts.stack.currentWidget() is text.texts.reading_pane
    assert text.reading.text() == READ
    assert font_at(text.reading, "Cats").fontWeight() == QFont.Weight.DemiBold
    assert font_at(text.reading, "Cats").fontPointSize() > font_at(text.reading, "x\ty").fontPointSize()
    assert font_at(text.reading, "the cat sat").fontWeight() == QFont.Weight.DemiBold
    assert font_at(text.reading, "the mat").fontFixedPitch()
    assert font_at(text.reading, "dog").fontItalic()
    item = text.reading.document().findBlock(READ.index("the dog"))
    assert item.blockFormat().leftMargin() > 0


def ink_beside(view, block):
    """Whether something is drawn left of the room of a paragraph, and right of it."""
    line, place = block.layout().lineAt(0), block.layout().position()
    top = round(place.y()) - view.verticalScrollBar().value()
    left = round(place.x() + line.x())
    image = view.viewport().grab().toImage()
    ground, rows = image.pixelColor(1, 1), range(top, top + round(line.height()))

    def ink(columns):
        return any(image.pixelColor(x, y) != ground for y in rows for x in columns)

    return ink(range(2, left - 1)), ink(range(left + round(line.width()) + 1, image.width() - 2))


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
@pytest.mark.parametrize(("word", "sides"), [("the cat", (True, False)), ("القط", (False, True))])
def test_the_numbers_of_a_list_are_where_its_lines_begin(qtbot, direction, word, sides):
    view = ReadingView()
    view.setLayoutDirection(direction)
    qtbot.addWidget(view)
    view.resize(400, 300)
    with qtbot.waitExposed(view):
        view.show()
    view.show_reading(read_text(f"1. {word}\n2. {word}\n", "markdown"))
    assert ink_beside(view, view.document().firstBlock()) == sides


def test_marks_of_markdown_are_in_no_passage(traced):
    shown = [part for part, _ in traced.text.reading.marks.parts()]
    assert any("the cat sat on the mat" in part for part in shown)
    traced.text.texts.read_bar.shown.button(1).click()
    assert traced.text.texts.stack.currentWidget() is traced.text.texts.pane
    written = [part for part, _ in traced.text.editor.marks.parts()]
    assert written and not any(sign in part for part in written for sign in ("*", "`", "#", "|"))
    assert "".join(shown).split() == "".join(written).split()


def test_the_switch_traces_the_text_as_it_is_written(traced, qtbot):
    traced.text.texts.read_bar.reads.click()
    qtbot.waitUntil(lambda: traced.presenter.state.trace is not None and traced.presenter.state.trace.reading is None)
    assert traced.text.texts.stack.currentWidget() is traced.text.texts.pane
    assert not traced.text.texts.read_bar.shown.isVisible()
    assert traced.presenter.state.settings.read == "plain"


def test_copying_gives_what_is_shown(traced):
    for view, whole in ((traced.text.reading, READ), (traced.text.editor, TEXT)):
        view.selectAll()
        view.copy()
        assert QGuiApplication.clipboard().text() == whole
        traced.presenter.show_part(Part.SOURCE, True)


def test_a_click_in_the_reading_text_chooses_a_passage(traced, qtbot):
    view = traced.text.reading
    cursor = view.textCursor()
    cursor.setPosition(READ.index("cat sat") + 1)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.cursorRect(cursor).center())
    assert traced.presenter.choice.state.choice.passage is not None
    chosen = [mark for _, mark in view.marks.parts() if mark.chosen]
    assert chosen
    assert all("cat" in READ[mark.start : mark.end] for mark in chosen)


def test_a_pasted_text_takes_the_place_of_the_reading_text(traced, qtbot):
    QGuiApplication.clipboard().setText("the dog sat on the mat")
    traced.text.reading.setFocus()
    qtbot.keyClick(traced.text.reading, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert traced.presenter.state.text == "the dog sat on the mat"
    qtbot.waitUntil(lambda: traced.presenter.state.answer.current is not None)
    # It has no marks, so it is shown as it is.
    assert traced.text.texts.stack.currentWidget() is traced.text.texts.pane


def test_a_text_pasted_over_the_reading_text_has_no_prompt_until_undone(traced, qtbot):
    """Of two texts that are both read, so that the key for undoing is pressed where nothing can be typed."""
    traced.presenter.trace_text(TEXT, "What sat on the mat?")
    qtbot.waitUntil(lambda: traced.presenter.state.answer.current is not None and not traced.busy)
    paste_over(traced, "The cat **sat** on the mat.", qtbot)
    view = traced.text.texts.view
    assert view is traced.text.reading and view.hasFocus()
    assert traced.presenter.state.prompt == "" and traced.text.prompt_line.isHidden()
    qtbot.keyClick(view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert traced.presenter.state.text == TEXT
    assert traced.text.prompt_line.field.text() == "What sat on the mat?"
    assert not traced.text.prompt_line.isHidden()


def paste_over(screen, text, qtbot):
    """Select all and paste, by keys, without a rest between them."""
    view = screen.text.texts.view
    view.setFocus()
    QGuiApplication.clipboard().setText(text)
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    # Longer than a selection rests until it is looked up, and than typing until it is traced.
    qtbot.wait(1000)
    qtbot.waitUntil(lambda: screen.presenter.state.answer.current is not None and not screen.busy)


def test_nothing_is_selected_of_a_text_that_was_replaced(traced, qtbot):
    """What was selected in the reading text to be replaced is not looked up: it is no part of the new text."""
    paste_over(traced, "the dog sat on the mat", qtbot)
    assert traced.presenter.choice.state.selection.value is None
    assert not traced.presenter.choice.state.selection.awaited


@pytest.mark.parametrize("text", [TEXT, "the dog sat on the mat"])
def test_a_text_that_is_pasted_over_itself_keeps_its_marks(traced, qtbot, text):
    traced.presenter.trace_text(text)
    qtbot.waitUntil(lambda: traced.presenter.state.answer.current is not None and not traced.busy)
    before = traced.text.texts.view.marks.parts()
    assert any(part for part, _ in before)
    paste_over(traced, text, qtbot)
    assert [part for part, _ in traced.text.texts.view.marks.parts()] == [part for part, _ in before]


def test_a_text_after_one_with_code_is_in_the_font_of_prose(traced, qtbot):
    view = traced.text.reading
    cursor = view.textCursor()
    cursor.setPosition(READ.rindex("the cat") + 3)
    view.setTextCursor(cursor)
    assert view.currentCharFormat().fontFixedPitch()
    paste_over(traced, "The cat **sat** on the mat.", qtbot)
    view = traced.text.texts.view
    assert view is traced.text.reading and view.text() == "The cat sat on the mat."
    cursor = QTextCursor(view.document())
    cursor.setPosition(3)
    assert not cursor.charFormat().fontFixedPitch()
    # The font of a code block would be smaller, too.
    assert cursor.charFormat().fontPointSize() in (0, view.document().defaultFont().pointSizeF())


def test_an_edit_shows_the_editor_until_the_text_is_traced(hand):
    assert hand.state.rendered is not None
    hand.typed(TEXT + " more")
    assert hand.state.rendered is None
    hand.services.let_time_pass()
    hand.services.answer_all()
    assert hand.state.rendered.text == read_text(TEXT + " more").text


# Side by side.


def test_a_card_is_compared_word_by_word(traced, qtbot):
    traced.compare()
    qtbot.waitUntil(lambda: traced.presenter.side.state.answer.value is not None)
    side, found = traced.text.side, traced.presenter.side.state.answer.value
    assert traced.text.stack.currentWidget() is side
    assert (side.left.text.text(), side.right.text.text()) == (found.left, found.right)
    # What is drawn is what is counted.
    words, theirs = (
        [re.findall(r"\w+", text.text()[start:end]) for start, end in text.same.tolist()]
        for text in (side.left.text, side.right.text)
    )
    assert words == theirs
    assert sum(map(len, words)) == found.comparison.same
    assert side.head.figures[2].number == str(len(found.comparison.differences))
    traced.step(1)
    assert traced.presenter.side.state.difference == 0
    traced.step(-1)
    assert traced.presenter.side.state.difference == len(found.comparison.differences) - 1
    side.left.text.setFocus()
    qtbot.keyClick(side.left.text, Qt.Key.Key_Escape)
    assert traced.text.stack.currentWidget() is not side


def test_another_text_leaves_the_comparison(hand):
    hand.side.compare(next(row for row, entry in enumerate(hand.choice.state.entries) if hand.choice.state.card(row)))
    hand.services.answer_all()
    found = hand.side.state
    assert found.shown and found.notice == ""
    assert "of the words agree" in found.figures[0].words
    hand.side.open()
    assert isinstance(hand.asked[-1], DocumentRequest)
    hand.trace_text("the dog")
    hand.services.answer_all()
    assert not hand.side.state.shown and hand.side.state.answer.value is None


def test_a_late_comparison_is_dropped(hand):
    row = next(row for row, entry in enumerate(hand.choice.state.entries) if hand.choice.state.card(row))
    hand.side.compare(row)
    hand.side.close()
    assert not hand.services.slots["side by side"].busy
    assert hand.side.state.answer.value is None


def test_of_a_long_document_the_part_around_the_passage_is_compared(hand, monkeypatch):
    monkeypatch.setattr(side_work, "MOST_TOKENS", 5)
    hand.side.compare(next(row for row, entry in enumerate(hand.choice.state.entries) if hand.choice.state.card(row)))
    hand.services.answer_all()
    found = hand.side.state.answer.value
    assert found.last - found.first == 5 < found.of
    assert f"tokens {found.first + 1:,} to {found.last:,} of {found.of:,}" in hand.side.state.notice


# The n-gram profile.


def test_the_profile_of_a_token_is_that_of_the_library(hand, small):
    hand.choice.show_tab(Tab.PROFILE)
    hand.profile.show(True)
    hand.services.answer_all()
    trace = hand.state.trace
    assert hand.profile.state.token == trace.token_count - 1
    hand.profile.choose_character(READ.index("sat on"))
    hand.services.answer_all()
    found = hand.profile.state.answer.current.profile
    assert found == ngram_profile(small.index, trace.token_ids, hand.profile.state.token)
    assert "sat" in hand.profile.state.heading
    first = hand.profile.state.rows[0]
    assert (first.count, first.agreeing) == (found.count[0], found.agreeing[0])
    chart = hand.profile.charts()()[0]
    assert [row[0] for row in chart.data] == found.n.tolist()
    assert (
        f"occurs {'once' if found.count[-1] == 1 else str(found.count[-1]) + ' times'}" in hand.profile.state.sentence
    )


def test_another_screen_asks_for_the_profile_of_a_token(hand):
    text = "the dog sat on the mat"
    hand.profile_token(text, text.index("mat"))
    hand.services.answer_all()
    hand.profile.show(True)
    hand.services.answer_all()
    assert hand.choice.state.tab is Tab.PROFILE
    assert "mat" in hand.profile.state.heading
    assert hand.profile.state.answer.current.profile.position == hand.profile.state.token


def test_equal_rows_share_one_row(tmp_path):
    (tmp_path / "t.txt").write_text("a b c d e f g h i j k l m n o p")
    build_index(tmp_path / "t.txt", tmp_path / "i", tokenizer="bytes")
    index = open_index(tmp_path / "i").index
    found = ngram_profile(index, index.tokenizer.encode("a b c d e f g h i j k l m n o p"))
    assert isinstance(found, NgramProfile)
    rows = rows_of(found)
    assert len(rows) < len(found)
    assert any("–" in row.n and row.plateau for row in rows)
    assert all(0 <= row.part <= row.whole <= 1 for row in rows)
    shares = {row.share for row in rows if 0 < row.agreeing < row.count}
    assert "0%" not in shares and "100%" not in shares


def test_a_click_chooses_the_token_while_profiles_are_shown(traced, qtbot):
    traced.text.evidence.tabs.setCurrentIndex(Tab.PROFILE)
    qtbot.waitUntil(lambda: traced.presenter.profile.state.answer.current is not None)
    view = traced.text.reading
    view.setFocus()
    cursor = view.textCursor()
    cursor.setPosition(READ.index("sat on") + 1)
    view.setTextCursor(cursor)
    assert "sat" in traced.presenter.profile.state.heading
    qtbot.waitUntil(lambda: traced.presenter.profile.state.answer.current is not None)
    assert traced.text.profile.bars.rows == traced.presenter.profile.state.rows
