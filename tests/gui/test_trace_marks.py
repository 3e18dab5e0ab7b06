"""Marks belong to the text they were made of: whatever comes between, no other text ever shows them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication

from explorer.analyses.trace.conversation import Turn
from explorer.gui.screens.trace.conversation.script import script_of
from explorer.gui.screens.trace.conversation.turns_text import TurnsText
from explorer.gui.screens.trace.documents.choice import Mark
from explorer.gui.screens.trace.state import Part
from explorer.gui.screens.trace.text.editor import TraceEditor
from explorer.gui.screens.trace.text.reading_view import ReadingView
from explorer.gui.style.surfaces import all_restyled, restyle
from explorer.gui.style.theme import choose_scheme, choose_text_size
from explorer.gui.widgets.texts.painted_runs import heights_of
from explorer.text.reading import read_text

LONG = "# Cats\n\nSo **the cat** sat on `the mat`, and then again so **the cat** sat on `the mat`, and so on.\n"
SHORT = "a dog"
SHORT_READ = "**a dog**"
CHAT = json.dumps(
    [
        {"role": "user", "content": "What sat?"},
        {"role": "assistant", "content": "Perhaps the cat sat on the mat, and then again the cat sat on the mat."},
        {"role": "assistant", "content": "the dog saw the cat on the rug, and the dog sat."},
    ]
)
SHORT_CHAT = json.dumps([{"role": "assistant", "content": "a dog"}])


@pytest.fixture
def front():
    return "trace"


def arrived(qtbot, trace, text):
    qtbot.waitUntil(lambda: not trace.busy and trace.presenter.state.text == text)


@pytest.fixture
def chosen(opened, qtbot):
    """The Trace screen with the last passage of a long text chosen, whose letters have a color of their own."""
    opened.show_screen("trace")
    opened.trace.presenter.set_up(density=1)
    opened.trace.presenter.trace_text(LONG)
    arrived(qtbot, opened.trace, LONG)
    opened.trace.presenter.choice.step(-1)
    assert any(mark.chosen for _, mark in opened.trace.text.view.marks.parts())
    return opened.trace


@pytest.fixture
def other_theme(qtbot):
    """A function that puts on another theme, with larger letters; the usual one is back after the test."""

    def put_on(scheme: str = "dark", points: int = 14) -> None:
        choose_scheme(scheme)
        choose_text_size(points)
        restyle(QApplication.instance())
        qtbot.waitUntil(all_restyled)

    yield put_on
    put_on("system", 0)


def shown_marks(view):
    """The words under the marks of a view."""
    return [part for part, _ in view.marks.parts() if part]


@pytest.mark.parametrize("next_text", [SHORT, SHORT_READ])
@pytest.mark.parametrize("source", [False, True])
def test_a_shorter_text_has_no_mark_of_a_longer_one(chosen, qtbot, next_text, source):
    """Shown in the place of a chosen passage: the editor comes back from behind the reading text, or stays."""
    chosen.presenter.show_part(Part.SOURCE, source)
    chosen.presenter.trace_text(next_text)
    assert shown_marks(chosen.text.view) == []
    arrived(qtbot, chosen, next_text)
    assert all(part in "a dog" for part in shown_marks(chosen.text.view))


def test_the_former_text_again_has_its_marks_at_once(chosen, qtbot):
    before = shown_marks(chosen.text.view)
    chosen.presenter.trace_text(SHORT)
    chosen.presenter.trace_text(LONG)
    assert shown_marks(chosen.text.view) == before
    arrived(qtbot, chosen, LONG)
    assert shown_marks(chosen.text.view)


def test_the_same_text_read_in_another_way_keeps_marks_on_the_same_words(chosen, qtbot):
    view = chosen.text.view
    words = "".join(shown_marks(view)).split()
    chosen.presenter.set_up(read="plain")
    # Still the former trace, whose text this is.
    assert "".join(shown_marks(chosen.text.view)).split() == words
    qtbot.waitUntil(lambda: not chosen.busy and chosen.presenter.state.trace.reading is None)
    chosen.presenter.choice.step(-1)
    assert chosen.text.view is chosen.text.editor and shown_marks(chosen.text.editor)
    # Back: the reading text appears while the trace of the choice is still the plain one.
    chosen.presenter.set_up(read="auto")
    qtbot.waitUntil(lambda: not chosen.busy and chosen.presenter.state.trace.reading is not None)
    assert chosen.text.view is chosen.text.reading
    assert not any(sign in part for part in shown_marks(chosen.text.reading) for sign in "*`#")


def test_a_theme_put_on_between_two_texts_marks_nothing(chosen, qtbot, other_theme):
    chosen.presenter.trace_text(SHORT)
    chosen.theme_changed()
    assert shown_marks(chosen.text.view) == []
    other_theme()
    arrived(qtbot, chosen, SHORT)
    assert all(part in "a dog" for part in shown_marks(chosen.text.view))


def test_another_theme_leaves_marks_and_place(chosen, other_theme):
    before = shown_marks(chosen.text.reading)
    other_theme()
    assert shown_marks(chosen.text.reading) == before
    chosen.presenter.show_part(Part.SOURCE, True)
    assert shown_marks(chosen.text.editor)


def test_a_failed_trace_leaves_no_mark_on_the_new_text(chosen, qtbot, monkeypatch):
    from explorer.errors import QueryError
    from explorer.gui.screens.trace import presenter as room

    def fail(*_):
        raise QueryError("no trace today", reason="test")

    monkeypatch.setattr(room, "trace", fail)
    chosen.presenter.trace_text(SHORT)
    qtbot.waitUntil(lambda: chosen.presenter.state.answer.error is not None)
    assert shown_marks(chosen.text.view) == []
    chosen.presenter.show_part(Part.SOURCE, True)
    chosen.theme_changed()
    assert shown_marks(chosen.text.view) == []


# A conversation.


@pytest.fixture
def talk(opened, qtbot):
    opened.show_screen("trace")
    opened.trace.presenter.set_up(density=1)
    opened.trace.presenter.paste(CHAT)
    qtbot.waitUntil(lambda: not opened.trace.busy and len(opened.trace.presenter.conversation.state.answers) == 2)
    opened.trace.presenter.conversation.choose_mark(0)
    assert any(mark.chosen for _, mark in opened.trace.pages.conversation.text.marks.parts())
    return opened.trace


def test_a_shorter_conversation_has_no_mark_of_a_longer_one(talk, qtbot):
    talk.presenter.paste(SHORT_CHAT)
    qtbot.waitUntil(lambda: talk.presenter.conversation.state.shown.answers == (0,))
    assert all(part in "a dog" for part in shown_marks(talk.pages.conversation.text))
    qtbot.waitUntil(lambda: not talk.busy)
    assert all(part in "a dog" for part in shown_marks(talk.pages.conversation.text))


def test_marks_of_a_conversation_survive_another_theme(talk, other_theme):
    before = shown_marks(talk.pages.conversation.text)
    other_theme()
    assert shown_marks(talk.pages.conversation.text) == before


def test_a_choice_in_one_trace_is_none_in_the_next(talk, qtbot):
    """Fewer passages under other settings: the number that was chosen may not exist any more."""
    talk.presenter.conversation.step_passage(-1)
    talk.presenter.set_up(min_length=40)
    qtbot.waitUntil(lambda: talk.presenter.conversation.state.settings.min_length == 40 and not talk.busy)
    assert shown_marks(talk.pages.conversation.text) == []


def test_a_passage_that_is_gone_cannot_be_hidden_or_quoted(talk):
    """As from a menu that was opened before the conversation was closed."""
    conversation = talk.presenter.conversation
    conversation.forget()
    conversation.hide(0)
    conversation.choose_mark(0)
    assert conversation.state.quoted(0, "the cat") == "the cat"
    assert conversation.choice.state.filter.hidden == frozenset()


# The widgets by themselves.


def mark(start, end):
    return Mark(start, end, "high", str, chosen=True)


def test_marks_of_another_text_are_not_drawn(qtbot):
    editor = TraceEditor()
    qtbot.addWidget(editor)
    editor.setPlainText(SHORT)
    editor.show_marks((mark(18, 68),), LONG)
    assert editor.marks.parts() == ()
    editor.setPlainText(LONG)
    editor.show_marks((mark(18, 68),), LONG)
    assert shown_marks(editor) == [LONG[18:68]]
    # Typed over: Qt's own text counts from now on.
    QTextCursor(editor.document()).insertText("x")
    assert shown_marks(editor) == [LONG[18:68]]
    editor.show_marks((mark(0, 2),), LONG)
    assert editor.marks.parts() == ()
    editor.show_marks((mark(0, 2),), "x" + LONG)
    assert shown_marks(editor) == ["x#"]


def test_marks_of_another_source_are_not_drawn_in_a_reading_text(qtbot, other_theme):
    view = ReadingView()
    qtbot.addWidget(view)
    view.show_reading(read_text(SHORT_READ, "markdown"))
    view.show_marks((mark(18, 68),), LONG)
    assert view.marks.parts() == ()
    view.show_marks((mark(2, 7),), SHORT_READ)
    assert shown_marks(view) == ["a dog"]
    other_theme()
    assert shown_marks(view) == ["a dog"]


def test_windows_line_ends_shift_no_mark(qtbot):
    turns = TurnsText()
    qtbot.addWidget(turns)
    script = script_of((Turn("assistant", "one\r\ntwo\r\nthree"), Turn("user", "x\r\ny"), Turn("assistant", "the cat")))
    turns.show_script(script)
    body = script.turns[2].body
    turns.show_marks((mark(body + 4, body + 7),), script.text)
    assert shown_marks(turns) == ["cat"]


def test_a_long_conversation_is_written_part_by_part(qtbot, other_theme):
    """Marks of turns that are not there yet come with them, formats are those of a text that is written at once."""
    turns = tuple(
        Turn("assistant" if number % 2 else "user", f"# Turn {number}\n\n" + "the cat sat on the mat. " * 200)
        for number in range(12)
    )
    script = script_of(turns, "auto")
    view = TurnsText()
    qtbot.addWidget(view)
    view.show_script(script)
    assert not view.is_complete and script.text.startswith(view.written)
    marks = tuple(mark(turn.body, turn.body + 4) for turn in script.turns)
    view.show_marks(marks, script.text)
    assert 0 < len(shown_marks(view)) < len(marks)
    with qtbot.waitSignal(view.completed):
        pass
    assert view.is_complete and view.text() == script.text
    assert shown_marks(view) == ["# Tu" if not turn.answers else "Turn" for turn in script.turns]

    def formats():
        cursor = QTextCursor(view.document())
        for turn in script.turns:
            cursor.setPosition(turn.start + 1)
            name = cursor.charFormat().fontWeight()
            cursor.setPosition(turn.body + 1)
            yield name, cursor.charFormat().fontWeight(), cursor.blockFormat().leftMargin() > 0
            cursor.setPosition(turn.end - 2)
            yield cursor.charFormat().fontWeight(), cursor.blockFormat().lineHeight() > 100

    before = list(formats())
    assert len(set(before)) == 3
    other_theme()
    assert list(formats()) == before
    # Another one replaces it at once, also while it is being written.
    view.show_script(script)
    view.show_script(script_of((Turn("assistant", "a dog"),)))
    assert view.is_complete and view.text() == "Answer 1\na dog" and view.marks.parts() == ()


def test_heights_of_a_long_text_may_be_sampled(qtbot):
    editor = TraceEditor()
    qtbot.addWidget(editor)
    editor.resize(400, 300)
    editor.setPlainText("\n".join(f"line {number}" for number in range(1000)))
    places = [0, 500, 3000, 7000]
    exact, sampled = heights_of(editor, places), heights_of(editor, places, 100)
    assert np.all(np.diff(exact) > 0)
    assert np.abs(exact - sampled).max() < 0.02 * exact.max()


def test_a_very_long_text_never_reaches_the_editor_at_once(chosen):
    text = "the cat sat on the mat.\n" * 12_000
    chosen.presenter.trace_text(text)
    assert len(chosen.text.editor.text()) <= 60_000
    assert len(chosen.presenter.pieces.state.pieces) > 4
