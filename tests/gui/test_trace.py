"""The trace screen."""

from __future__ import annotations

import pytest
from marked import marked_runs
from PySide6.QtCore import Qt

from explorer.gui.screens.trace.choice import held_runs

TEXT = "Perhaps the cat sat on the mat, and the dog saw it 😀 on the rug."


@pytest.fixture
def traced(opened, qtbot):
    opened.show_screen("trace")
    opened.trace.settings.density.setValue(100)
    opened.trace.trace_text(TEXT)
    qtbot.waitUntil(lambda: opened.trace._trace is not None and not opened.trace._tracer.busy)
    return opened.trace


def marked(screen):
    return [text for text, _ in marked_runs(screen.editor)]


def press(screen, qtbot, text, inside=2):
    """Click into the text, a few characters after where `text` begins."""
    cursor = screen.editor.textCursor()
    cursor.setPosition(screen.editor.document().toRawText().index(text) + inside)
    point = screen.editor.cursorRect(cursor).center()
    qtbot.mouseClick(screen.editor.viewport(), Qt.MouseButton.LeftButton, pos=point)


def test_marks_are_the_spans(traced):
    spans = [TEXT[m.start : m.end] for m in traced._trace.merged]
    assert [text for text in spans if text.strip()] == marked(traced)
    assert any("the cat sat on the mat" in text for text in spans)
    # Behind a character of two UTF-16 units marks are still in their places.
    assert any(text.endswith("on the rug.") for text in marked(traced))


def test_documents_are_listed_by_relevance(traced):
    documents = [traced.model.card(i).document for i in range(traced.model.rowCount())]
    scores = [(document.relevance, document.share, document.score) for document in documents]
    assert scores == sorted(scores, reverse=True)
    assert traced.heading.text() == f"{len(scores)} documents" if len(scores) > 1 else "1 document"


def test_cards_count_documents_and_tokens_from_one(traced):
    for card in (traced.model.card(i) for i in range(traced.model.rowCount())):
        first = card.document.longest.offset + 1
        assert f"document {card.document.number + 1:,}, token {first:,}" in card.facts


def test_a_click_on_a_span_shows_its_documents_and_beside_it_clears(traced, qtbot):
    every = traced.model.rowCount()
    press(traced, qtbot, "the cat sat")
    assert "with parts of this passage" in traced.heading.text()
    regions = [TEXT[m.start : m.end] for m in traced._trace.merged]
    # The others keep their shade; the chosen one comes last.
    assert sorted(marked(traced)) == sorted(text for text in regions if text.strip())
    assert 0 < traced.model.rowCount() <= every
    press(traced, qtbot, "Perhaps", inside=1)
    assert traced.model.rowCount() == every
    assert len(marked(traced)) > 1


def test_escape_clears(traced, qtbot):
    press(traced, qtbot, "the cat sat")
    qtbot.keyClick(traced.editor, Qt.Key.Key_Escape)
    assert not traced.clear.isVisible()
    assert len(marked(traced)) > 1


def test_a_card_shows_what_it_shares_and_opens_its_document(opened, traced, qtbot):
    traced.cards.setCurrentIndex(traced.model.index(0, 0))
    document = traced.model.card(0).document
    whole = opened.corpus.document(document.number).text
    assert marked(traced) and all(text in whole for text in marked(traced))
    assert marked(traced) == [TEXT[start:end] for start, end in held_runs(traced._trace, document)]
    qtbot.keyClick(traced.cards, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened.panel._part is not None)
    assert opened.panel._part.number == document.number
    assert marked_runs(opened.panel.text)


def test_typing_traces_again(traced, qtbot):
    before = traced._trace
    traced.editor.setFocus()
    cursor = traced.editor.textCursor()
    cursor.movePosition(cursor.MoveOperation.End)
    traced.editor.setTextCursor(cursor)
    qtbot.keyClicks(traced.editor, " the cat")
    qtbot.waitUntil(lambda: traced._trace is not before and traced._trace is not None)
    assert traced._trace.text == TEXT + " the cat"


def test_settings_are_live(traced, qtbot):
    before = len(traced._trace.spans)
    traced.settings.min_length.setValue(5)
    qtbot.waitUntil(lambda: traced._trace is not None and traced._trace.settings.min_length == 5)
    assert len(traced._trace.spans) < before
    qtbot.mouseClick(traced.settings.preset, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: traced._trace is not None and traced._trace.settings.min_length == 1)
    assert traced._trace.settings.density == 0.05


def test_an_emptied_editor_shows_the_hint(traced, qtbot):
    traced.editor.setPlainText("")
    qtbot.waitUntil(lambda: traced._trace is None)
    assert traced.stack.currentWidget() is traced.empty
    assert marked(traced) == []


def test_a_text_without_spans_says_so(traced, qtbot):
    traced.trace_text("zzz")
    qtbot.waitUntil(lambda: traced._trace is not None and traced._trace.text == "zzz")
    assert traced.empty._title.text() in ("No spans found", "No documents") or traced.model.rowCount()


def test_special_spaces_survive(opened, qtbot):
    opened.trace.trace_text("the\u00a0cat\u2028sat")
    qtbot.waitUntil(lambda: opened.trace._trace is not None)
    assert opened.trace._trace.text == "the\u00a0cat\u2028sat"


def test_the_worked_example(opened, qtbot):
    from explorer.gui.app import show_example

    show_example(opened)
    qtbot.waitUntil(lambda: opened.trace._trace is not None)
    assert opened.current_screen() is opened.trace
    assert "heapq" in opened.trace.prompt.text()
