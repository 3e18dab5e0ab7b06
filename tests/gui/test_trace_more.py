"""The trace screen beyond one short text: conversations, long texts, selections, self-matches, batches, reports."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt

from explorer import build_index
from explorer.chart import Chart
from explorer.gui.requests import OpenRequest
from explorer.gui.screens.trace.cards import make_cards
from explorer.measures.measure import Measure
from explorer.measures.registry import MEASURES
from explorer.trace.documents import Snippet, TraceDocument
from explorer.trace.settings import TraceSettings

TEXT = "Perhaps the cat sat on the mat, and the dog saw it on the rug."


def found(screen):
    """The trace that is shown."""
    return screen.presenter.state.trace


def done(screen):
    return screen.presenter.state.answer.current is not None and not screen.busy


@pytest.fixture
def traced(opened, qtbot):
    opened.show_screen("trace")
    opened.trace.text.settings.density.setValue(100)
    opened.trace.presenter.trace_text(TEXT)
    qtbot.waitUntil(lambda: done(opened.trace))
    return opened.trace


def paste(screen, text):
    mime = QMimeData()
    mime.setText(text)
    screen.text.editor.insertFromMimeData(mime)


def test_a_pasted_conversation_is_traced_answer_by_answer(traced, qtbot):
    messages = [
        {"role": "user", "content": "What sat?"},
        {"role": "assistant", "content": "the cat sat on the mat."},
        {"role": "user", "content": "Who saw it?"},
        {"role": "assistant", "content": "the dog saw the cat."},
    ]
    paste(traced, json.dumps(messages))
    assert traced.text.pieces.isVisible()
    qtbot.waitUntil(lambda: done(traced) and found(traced).text == "the cat sat on the mat.")
    assert found(traced).prompt == "What sat?"
    qtbot.mouseClick(traced.text.pieces.forth, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: done(traced) and found(traced).text == "the dog saw the cat.")
    assert found(traced).prompt == "Who saw it?"
    assert not traced.text.pieces.forth.isEnabled()
    paste(traced, '[{"role": "user", "content": }]')
    assert "line 1 column 30" in traced.text.notice.text()


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
    qtbot.waitUntil(lambda: traced.documents.heading.text().startswith(f"The selected text occurs {times} times"))
    assert traced.documents.model.rowCount() > 0
    assert traced.documents.clear.isVisible()
    qtbot.keyClick(traced.text.editor, Qt.Key.Key_Escape)
    assert "selected text" not in traced.documents.heading.text()
    cursor.setPosition(0)
    cursor.setPosition(12, cursor.MoveMode.KeepAnchor)
    traced.text.editor.setTextCursor(cursor)
    qtbot.waitUntil(lambda: traced.presenter.choice.state.invitation[0] == "Not in the corpus")


def test_overlapping_spans_can_be_reached_one_by_one(traced, qtbot):
    number = next(i for i, merged in enumerate(found(traced).merged) if len(merged.spans) > 1)
    traced.presenter.choice.choose_region(number)
    every, *buttons = traced.documents.nested.buttons
    assert every.isChecked() and len(buttons) == len(found(traced).merged[number].spans)
    for button, span in zip(buttons, found(traced).merged[number].spans, strict=True):
        qtbot.waitUntil(button.isVisible)
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert traced.documents.heading.text().startswith(f"{len(found(traced).spans[span].documents):,} document")
    traced.presenter.choice.clear()
    assert not traced.documents.nested.isVisible()


def test_novelty_is_drawn_and_the_ribbon_leads_to_the_text(traced, qtbot):
    assert traced.text.plot.isVisible() and traced.text.ribbon.isVisible()
    assert "L 5:" in traced.text.plot.accessibleDescription()
    traced.text.plot.grab()
    token = len(found(traced).token_ids) // 2
    x = int((token + 0.5) * traced.text.ribbon.width() / len(found(traced).token_ids))
    qtbot.mouseClick(traced.text.ribbon, Qt.MouseButton.LeftButton, pos=QPoint(x, 5))
    assert traced.text.editor.textCursor().position() == found(traced).token_starts[token]
    qtbot.mouseClick(traced.text.novelty_button, Qt.MouseButton.LeftButton)
    assert not traced.text.plot.isVisible()


def test_delimiters_seed_and_abbreviations_are_live(traced, qtbot):
    traced.text.settings.delimiters.setFocus()
    traced.text.settings.delimiters.clear()
    qtbot.keyClicks(traced.text.settings.delimiters, "\\n ,")
    qtbot.waitUntil(lambda: done(traced) and found(traced).settings.delimiters == ("\n", ","))
    traced.text.settings.abbreviations.setChecked(True)
    traced.text.settings.seed.setValue(7)
    qtbot.waitUntil(lambda: done(traced) and found(traced).settings.seed == 7 and found(traced).settings.abbreviations)
    qtbot.mouseClick(traced.text.settings.preset, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: done(traced) and found(traced).settings == TraceSettings(relevance="olmotrace"))


@pytest.fixture
def own(window, qtbot, tmp_path):
    """A window on an index that holds the very text that is traced, twice, and parts of it elsewhere."""
    words = " ".join(f"word{n}" for n in range(60))
    texts = [words, words, " ".join(f"word{n}" for n in range(20)) + " and something else"]
    with open(tmp_path / "t.jsonl", "w", encoding="utf-8") as file:
        for text in texts:
            file.write(json.dumps({"text": text}) + "\n")
    build_index(tmp_path / "t.jsonl", tmp_path / "own", tokenizer="bytes")
    window.open(OpenRequest((str(tmp_path / "own"),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    window.show_screen("trace")
    window.trace.presenter.trace_text(words)
    qtbot.waitUntil(lambda: done(window.trace))
    return window.trace


def test_a_text_of_the_corpus_is_said_and_left_out(own, qtbot):
    assert "is in the corpus: a single match covers 100% of it, in 2 documents" in own.text.self_match.text()
    qtbot.mouseClick(own.text.leave_out, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: done(own) and found(own).self_match is None)
    assert {own.documents.model.card(i).document.number for i in range(own.documents.model.rowCount())} == {2}
    assert (
        "Excluded from all counts: 2 documents with most of the text. Any other document that was checked contains at "
        "most 31% of it" in own.text.self_match.text()
    )
    qtbot.mouseClick(own.text.put_back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: done(own) and found(own).self_match is not None)
    assert found(own).self_match.documents == (0, 1)


def test_repeated_sources_share_a_card():
    def document(number, url, text):
        snippet = Snippet(text, 0, 3, 0, 0, 1)
        metadata = {"metadata": {"url": url}}
        return TraceDocument(number, 1.0, 0.5, "medium", (0,), (snippet,), metadata, 0.5, 0.5, (), snippet)

    texts = (("a", "one two"), ("", "three four"), ("a", "x y z"), ("", "three  four"))
    documents = tuple(document(number, *text) for number, text in enumerate(texts))
    cards = make_cards(documents, None, fold=True)
    assert [card.document.number for card in cards] == [0, 1]
    assert all(card.facts.startswith("1 more from the same source") for card in cards)
    assert len(make_cards(documents, None)) == 4


def test_reports(traced, qtbot, tmp_path):
    traced.presenter.save_report(tmp_path / "r.html")
    qtbot.waitUntil((tmp_path / "r.html").exists)
    traced.presenter.save_report(tmp_path / "r.json")
    qtbot.waitUntil((tmp_path / "r.json").exists)
    value = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert value["traces"][0]["text"] == TEXT and len(value["about"]["index fingerprint"]) == 32
    assert "index fingerprint" in (tmp_path / "r.html").read_text(encoding="utf-8")
    traced.presenter.save_report(tmp_path / "r.docx")
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
    assert screen.text.summary.text().endswith(" · 6 vowels (a, e, i, o, u)")
    assert screen.text.self_match.text() == "Many vowels: 6."
    make = screen.presenter.charts()
    assert make is not None and make()[-1].name == "vowels"


@pytest.mark.parametrize("typed", ["12.5", "7.5"])
def test_a_density_is_taken_as_it_is_typed(traced, qtbot, typed):
    """100 * 0.07 is not quite 7: the box must not write 7.0 before the rest is typed."""
    density = traced.text.settings.density
    density.setFocus()
    density.selectAll()
    qtbot.keyClicks(density, typed)
    assert density.value() == float(typed)
    assert traced.presenter.state.settings.density == pytest.approx(float(typed) / 100)
