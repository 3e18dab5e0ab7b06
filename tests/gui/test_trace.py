"""The trace screen."""

from __future__ import annotations

import pytest
from marked import marked_runs
from PySide6.QtCore import Qt

from explorer.gui.screens.trace.choice import held_runs

TEXT = "Perhaps the cat sat on the mat, and the dog saw it 😀 on the rug."


def found(screen):
    """The trace that is shown."""
    return screen.presenter.state.trace


@pytest.fixture
def traced(opened, qtbot):
    opened.show_screen("trace")
    opened.trace.text.settings.density.setValue(100)
    opened.trace.presenter.trace_text(TEXT)
    qtbot.waitUntil(lambda: opened.trace.presenter.state.answer.current is not None and not opened.trace.busy)
    return opened.trace


def marked(screen):
    return [text for text, _ in marked_runs(screen.text.editor)]


def press(screen, qtbot, text, inside=2):
    """Click into the text, a few characters after where `text` begins."""
    cursor = screen.text.editor.textCursor()
    cursor.setPosition(screen.text.editor.document().toRawText().index(text) + inside)
    point = screen.text.editor.cursorRect(cursor).center()
    qtbot.mouseClick(screen.text.editor.viewport(), Qt.MouseButton.LeftButton, pos=point)


def test_marks_are_the_spans(traced):
    spans = [TEXT[m.start : m.end] for m in found(traced).merged]
    assert [text for text in spans if text.strip()] == marked(traced)
    assert any("the cat sat on the mat" in text for text in spans)
    # Behind a character of two UTF-16 units marks are still in their places.
    assert any(text.endswith("on the rug.") for text in marked(traced))


def test_documents_are_listed_by_relevance(traced):
    documents = [traced.documents.model.card(i).document for i in range(traced.documents.model.rowCount())]
    scores = [(document.relevance, document.share, document.score) for document in documents]
    assert scores == sorted(scores, reverse=True)
    assert traced.documents.heading.text() == f"{len(scores)} documents" if len(scores) > 1 else "1 document"


def test_cards_count_documents_and_tokens_from_one(traced):
    for card in (traced.documents.model.card(i) for i in range(traced.documents.model.rowCount())):
        first = card.document.longest.offset + 1
        assert f"document {card.document.number + 1:,}, token {first:,}" in card.facts


def test_a_click_on_a_span_shows_its_documents_and_beside_it_clears(traced, qtbot):
    every = traced.documents.model.rowCount()
    press(traced, qtbot, "the cat sat")
    assert "with parts of this passage" in traced.documents.heading.text()
    regions = [TEXT[m.start : m.end] for m in found(traced).merged]
    # The others keep their shade; the chosen one comes last.
    assert sorted(marked(traced)) == sorted(text for text in regions if text.strip())
    assert 0 < traced.documents.model.rowCount() <= every
    press(traced, qtbot, "Perhaps", inside=1)
    assert traced.documents.model.rowCount() == every
    assert len(marked(traced)) > 1


def test_escape_clears(traced, qtbot):
    press(traced, qtbot, "the cat sat")
    qtbot.keyClick(traced.text.editor, Qt.Key.Key_Escape)
    assert not traced.documents.clear.isVisible()
    assert len(marked(traced)) > 1


def test_a_card_shows_what_it_shares_and_opens_its_document(opened, traced, qtbot):
    traced.documents.cards.setCurrentIndex(traced.documents.model.index(0, 0))
    document = traced.documents.model.card(0).document
    whole = opened.corpus.document(document.number).text
    assert marked(traced) and all(text in whole for text in marked(traced))
    assert marked(traced) == [TEXT[start:end] for start, end in held_runs(found(traced), document)]
    qtbot.keyClick(traced.documents.cards, Qt.Key.Key_Return)
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


def test_settings_are_live(traced, qtbot):
    before = len(found(traced).spans)
    traced.text.settings.min_length.setValue(5)
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).settings.min_length == 5)
    assert len(found(traced).spans) < before
    qtbot.mouseClick(traced.text.settings.preset, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).settings.min_length == 1)
    assert found(traced).settings.density == 0.05


def test_an_emptied_editor_shows_the_hint(traced, qtbot):
    traced.text.editor.setPlainText("")
    qtbot.waitUntil(lambda: found(traced) is None)
    assert traced.documents.stack.currentWidget() is traced.documents.empty
    assert marked(traced) == []


def test_a_text_without_spans_says_so(traced, qtbot):
    traced.presenter.trace_text("zzz")
    qtbot.waitUntil(lambda: found(traced) is not None and found(traced).text == "zzz")
    assert traced.presenter.choice.state.invitation[0] == "No spans found"
    assert traced.documents.stack.currentWidget() is traced.documents.empty


def test_special_spaces_survive(opened, qtbot):
    opened.trace.presenter.trace_text("the\u00a0cat\u2028sat")
    qtbot.waitUntil(lambda: found(opened.trace) is not None)
    assert found(opened.trace).text == "the\u00a0cat\u2028sat"


def test_the_worked_example(opened, qtbot):
    from explorer.gui.app import show_example

    show_example(opened)
    qtbot.waitUntil(lambda: found(opened.trace) is not None)
    assert opened.current_screen() is opened.trace
    assert "heapq" in opened.trace.text.prompt.text()
