"""The trace screen."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from marked import marked_runs
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from explorer.gui.index import indexes
from explorer.gui.presenting.requests import OpenSample, TraceText
from explorer.gui.screens.trace.documents.choice import held_runs

TEXT = "Perhaps the cat sat on the mat, and the dog saw it 😀 on the rug."


@pytest.fixture
def front():
    return "trace"


def found(screen):
    """The trace that is shown."""
    return screen.presenter.state.trace


@pytest.fixture
def traced(opened, qtbot):
    opened.show_screen("trace")
    opened.trace.settings.form.widgets("density")[0].setValue(100)
    opened.trace.presenter.trace_text(TEXT)
    qtbot.waitUntil(lambda: opened.trace.presenter.state.answer.current is not None and not opened.trace.busy)
    return opened.trace


def documents(screen):
    return screen.text.evidence.documents


def cards(screen):
    return screen.presenter.choice.state.cards


def marked(screen):
    return [text for text, _ in screen.text.editor.marks.parts()]


def press(screen, qtbot, text, inside=2):
    """Click into the text, a few characters after where `text` begins."""
    cursor = screen.text.editor.textCursor()
    cursor.setPosition(screen.text.editor.document().toRawText().index(text) + inside)
    point = screen.text.editor.cursorRect(cursor).center()
    qtbot.mouseClick(screen.text.editor.viewport(), Qt.MouseButton.LeftButton, pos=point)


def test_marks_are_the_spans(traced):
    spans = [TEXT[passage.start : passage.end] for passage in traced.presenter.choice.state.passages]
    assert [text for text in spans if text.strip()] == marked(traced)
    assert any("the cat sat on the mat" in text for text in spans)
    # Behind a character of two UTF-16 units marks are still in their places.
    assert any(text.endswith("on the rug.") for text in marked(traced))


def test_documents_are_listed_by_relevance(traced):
    scores = [(card.document.relevance, card.document.share, card.document.score) for card in cards(traced)]
    assert scores == sorted(scores, reverse=True)
    assert traced.text.evidence.tabs.count_of(0) == str(len(found(traced).documents))


def test_cards_count_documents_and_tokens_from_one(traced):
    for card in cards(traced):
        first = card.document.longest.offset + 1
        assert f"Document {card.document.number + 1:,}, token {first:,}" in card.hint


def test_a_click_on_a_span_shows_its_documents_and_beside_it_clears(traced, qtbot):
    every = [card.document.number for card in cards(traced)]
    press(traced, qtbot, "the cat sat")
    assert documents(traced).heading.text().startswith("Passage 1 of ")
    state = traced.presenter.choice.state
    passage, number = state.passages[0], state.choice.passage
    assert number == 0
    # The others keep their shade. Of the chosen one, the color shows what the first document contains.
    others = [TEXT[p.start : p.end] for p in state.passages[1:]]
    runs = held_runs(found(traced), cards(traced)[0].document)
    held = [TEXT[start:end] for start, end in runs if passage.start <= start < passage.end]
    spans = [found(traced).spans[each] for each in passage.spans]
    frames = [TEXT[span.start : span.end] for span in spans]
    assert held and set(held) <= set(frames)
    assert sorted(marked(traced)) == sorted(text for text in others + held + frames if text.strip())
    press(traced, qtbot, "Perhaps", inside=1)
    assert [card.document.number for card in cards(traced)] == every
    assert len(marked(traced)) > 1


def test_escape_clears(traced, qtbot):
    press(traced, qtbot, "the cat sat")
    qtbot.keyClick(traced.text.editor, Qt.Key.Key_Escape)
    assert not documents(traced).clear.isVisible()
    assert len(marked(traced)) > 1


def test_a_card_shows_what_it_shares_and_opens_its_document(opened, traced, qtbot):
    documents(traced).cards.setCurrentIndex(documents(traced).model.index(0, 0))
    document = cards(traced)[0].document
    whole = opened.corpus.document(document.number).text
    chosen = [text for text, mark in traced.text.editor.marks.parts() if mark.chosen]
    assert chosen and all(text in whole for text in chosen)
    assert chosen == [TEXT[start:end] for start, end in held_runs(found(traced), document)]
    assert documents(traced).open_button.isVisible()
    qtbot.keyClick(documents(traced).cards, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened.panel.place.text().startswith(f"Document {document.number + 1:,} · "))
    assert marked_runs(opened.panel.text)


def test_typing_traces_again(traced, qtbot):
    before = found(traced)
    traced.text.editor.setFocus()
    cursor = traced.text.editor.textCursor()
    cursor.movePosition(cursor.MoveOperation.End)
    traced.text.editor.setTextCursor(cursor)
    qtbot.keyClicks(traced.text.editor, " the cat")
    # A slow machine may trace the text before the last key.
    qtbot.waitUntil(lambda: found(traced).text == TEXT + " the cat" and not traced.busy)
    assert found(traced) is not before and found(traced).token_count > before.token_count


def paste(editor, qtbot, text, whole=True):
    QGuiApplication.clipboard().setText(text)
    editor.setFocus()
    if whole:
        qtbot.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def test_a_pasted_text_does_not_keep_the_prompt_of_the_text_before(traced, qtbot):
    editor, line = traced.text.editor, traced.text.prompt_line
    traced.presenter.trace_text(TEXT, "What did the dog see?")
    assert not line.isHidden()
    paste(editor, qtbot, "The dog sat.")
    assert traced.presenter.state.prompt == "" and line.isHidden()
    qtbot.waitUntil(lambda: traced.presenter.state.answer.current is not None)
    assert found(traced).prompt == ""
    # Each text has its own prompt while pasting is undone and done again.
    traced.presenter.typed_prompt("Who sat?")
    qtbot.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (editor.text(), line.field.text()) == (TEXT, "What did the dog see?")
    assert not line.isHidden()
    qtbot.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert (editor.text(), line.field.text()) == ("The dog sat.", "Who sat?")


def test_a_prompt_stays_where_it_still_belongs_to_the_text(traced, qtbot):
    """Written before its answer is pasted, or while a part of the text is replaced."""
    editor = traced.text.editor
    traced.presenter.trace_text("")
    qtbot.mouseClick(traced.text.add_prompt, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(traced.text.prompt_line.field, "Who sat?")
    paste(editor, qtbot, "The dog sat.")
    assert traced.presenter.state.prompt == "Who sat?"
    paste(editor, qtbot, " It saw the cat.", whole=False)
    assert traced.presenter.state.prompt == "Who sat?"
    paste(editor, qtbot, editor.text())
    assert traced.presenter.state.prompt == "Who sat?"


def test_settings_are_live(traced, qtbot):
    before = len(found(traced).spans)
    traced.settings.form.widgets("min_length")[0].setValue(5)
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).settings.min_length == 5)
    assert len(found(traced).spans) < before
    qtbot.mouseClick(traced.settings.preset, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).settings.min_length == 1)
    assert found(traced).settings.density == 0.05


def test_an_emptied_editor_shows_the_hint(traced, qtbot):
    traced.text.editor.setPlainText("")
    qtbot.waitUntil(lambda: found(traced) is None)
    assert documents(traced).stack.currentWidget() is documents(traced).empty
    assert marked(traced) == []


def test_a_text_without_spans_says_so(traced, qtbot):
    traced.presenter.trace_text("zzz")
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).text == "zzz")
    assert traced.presenter.choice.state.invitation[0] == "No spans found"
    assert documents(traced).stack.currentWidget() is documents(traced).empty


def test_special_spaces_survive(opened, qtbot):
    opened.trace.presenter.trace_text("the\u00a0cat\u2028sat")
    qtbot.waitUntil(lambda: found(opened.trace) is not None)
    assert found(opened.trace).text == "the\u00a0cat\u2028sat"


def test_the_worked_example(opened, qtbot):
    from explorer.gui.app.app import show_example

    show_example(opened)
    qtbot.waitUntil(lambda: found(opened.trace) is not None)
    assert opened.current_screen() is opened.trace
    assert "heapq" in opened.trace.text.prompt_line.field.text()


@pytest.fixture
def sample_of(monkeypatch, small_index):
    """Makes the small index the sample, which opens when the test lets it."""
    let = threading.Event()

    def open_late(request, report, cancel):
        while not let.wait(0.01):
            cancel.check()
        return open_corpus(replace(request, sample=False), report, cancel)

    open_corpus = indexes.open_or_stop
    monkeypatch.setattr(indexes, "open_or_stop", open_late)
    monkeypatch.setattr(indexes, "sample_folder", lambda: small_index)
    yield let
    let.set()


def test_the_example_is_shown_to_who_waits_for_it(window, qtbot, sample_of):
    window.ask(OpenSample(TraceText(TEXT)))
    sample_of.set()
    qtbot.waitUntil(lambda: window.current_screen() is window.trace)
    qtbot.waitUntil(lambda: window.trace.presenter.state.text == TEXT)


def test_the_example_does_not_take_who_went_elsewhere_meanwhile(window, qtbot, sample_of):
    window.ask(OpenSample(TraceText(TEXT)))
    qtbot.mouseClick(window.rail.tiles["search"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.current_screen() is window.search)
    sample_of.set()
    qtbot.waitUntil(lambda: window.corpus is not None and len(window.toasts.shown) == 1)
    assert window.current_screen() is window.search
    (toast,) = window.toasts.shown
    assert toast.sentence == "The sample index is open."
    # It is a click away.
    qtbot.mouseClick(toast.links[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.current_screen() is window.trace)
    qtbot.waitUntil(lambda: window.trace.presenter.state.text == TEXT)
