"""Sources, counts and the shaded text in the agreement screen."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PySide6.QtCore import Qt

from explorer.gui.screens.agreement.text_view import context_text, describe_token, shade_levels

TEXTS = ["the cat sat on the mat.", "zebras and 😀 the dog saw the cat", "the dog sat on the rug, the cat", "mat rug"]


@pytest.fixture
def analysed(opened, qtbot, tmp_path):
    path = tmp_path / "answers.jsonl"
    rows = [{"text": text, "model": "ab"[number % 2]} for number, text in enumerate(TEXTS)]
    path.write_text("\n".join(map(json.dumps, rows)))
    opened.show_screen("Agreement")
    screen = opened.agreement
    screen.group.setText("model")
    screen.use_files((path,))
    qtbot.waitUntil(lambda: screen._analysis is not None and len(screen._analysis.sources) == 2)
    return screen


def test_sources_are_listed_and_compared(analysed, qtbot):
    qtbot.mouseClick(analysed.views.button(1), Qt.MouseButton.LeftButton)
    model = analysed.sources_view.model
    assert [model.index(row, 0).data().split()[0] for row in range(2)] == ["a", "b"]
    sources = analysed._analysis.sources
    assert [model.index(row, 1).data() for row in range(2)] == [f"{s.agreement:.1%}" for s in sources]
    assert model.index(0, 6).data() == "—"
    points = 100 * (sources[1].agreement - sources[0].agreement)
    assert model.index(1, 6).data() == f"{points:+.1f}".replace("-", "−")
    analysed.sources_view.reference.setCurrentIndex(1)
    assert model.index(1, 6).data() == "—"
    assert "few tokens" in model.index(0, 0).data()


def test_each_source_has_its_figure(analysed):
    whole = analysed.summary[1].text()
    analysed.source.setCurrentIndex(1)
    assert analysed.summary[1].text() != whole
    assert f"{analysed._analysis.groups['a'].infgram.tokens:,} tokens" in analysed.summary[1].text()


def test_drawing_texts(analysed, qtbot):
    qtbot.mouseClick(analysed.paper, Qt.MouseButton.LeftButton)
    assert (analysed.max_texts.value(), analysed.max_tokens.value()) == (50, 1024)
    analysed.max_texts.setValue(1)
    qtbot.waitUntil(lambda: len(analysed._analysis.texts) == 2)


def test_a_missing_field_is_named(analysed, qtbot):
    analysed.group.clear()
    qtbot.keyClicks(analysed.group, "nothing")
    qtbot.waitUntil(lambda: 'the field "nothing" is missing' in analysed.notice.text())


def test_the_text_is_shaded_token_by_token(analysed, opened, qtbot, small):
    qtbot.mouseClick(analysed.views.button(3), Qt.MouseButton.LeftButton)
    view = analysed.text_view
    view.which.setCurrentIndex(1)
    found = view.current()
    assert view.text.toPlainText() == TEXTS[1]
    for kind in range(3):
        view.kind.setCurrentIndex(kind)
        levels = shade_levels(found, view.kind.currentData())
        shown = {s.cursor.selectedText() for s in view.text.extraSelections()}
        strong = {
            TEXTS[1][int(s) : int(e)]
            for s, e, level in zip(found.encoded.starts, found.encoded.ends, levels, strict=True)
            if level and e > s
        }
        assert shown == strong
    token = int(np.flatnonzero(found.infgram.effective_n > 2)[-1])
    at = int(view.text._starts[token])
    assert view.text.token_at(at) == token
    cursor = view.text.textCursor()
    cursor.setPosition(at)
    view.text.setTextCursor(cursor)
    place = view.text.cursorRect(cursor).center()
    qtbot.mouseClick(view.text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: "likeliest:" in view.chosen.text())
    assert describe_token(found, token) in view.chosen.text()
    context = context_text(found, token)
    assert small.count(small.encode(context)) == found.infgram.context_count[token] or context
    analysed.search_requested.emit(context)
    qtbot.waitUntil(lambda: opened.current_screen() is opened.search and opened.search.count.text() not in ("", "0"))


def test_by_count(analysed, qtbot):
    qtbot.mouseClick(analysed.views.button(2), Qt.MouseButton.LeftButton)
    assert analysed.count_plot.isVisible()
    assert sum(b.tokens for b in analysed.count_plot.bins) == analysed._analysis.figure.infgram.tokens
    analysed.count_plot.grab()


def test_texts_of_the_corpus_are_said_and_left_out(opened, qtbot, small):
    screen = opened.agreement
    opened.show_screen("Agreement")
    text = next(
        small.document(n).text
        for n in range(small.document_count)
        if "saw the cat on the rug" in small.document(n).text
    )
    screen.analyse_text(text)
    qtbot.waitUntil(lambda: screen._analysis is not None and "One text stands in the corpus" in screen.notice.text())
    before = screen._analysis.figure.infgram.overall
    screen.without_self.setChecked(True)
    qtbot.waitUntil(lambda: "left out of every count" in screen.notice.text())
    assert screen._analysis.figure.infgram.overall < before


def test_all_sources_are_exported_below_each_other(analysed, qtbot, tmp_path):
    from PySide6.QtGui import QImage

    analysed.export_to(tmp_path / "all.png")
    qtbot.waitUntil((tmp_path / "all.png").exists)
    analysed.source.setCurrentIndex(1)
    qtbot.waitUntil(lambda: not analysed._exporter.busy)
    analysed.export_to(tmp_path / "one.png")
    qtbot.waitUntil((tmp_path / "one.png").exists)
    qtbot.waitUntil(lambda: not analysed._exporter.busy)
    whole, one = QImage(str(tmp_path / "all.png")), QImage(str(tmp_path / "one.png"))
    assert (whole.width(), whole.height()) == (one.width(), 3 * one.height())
    analysed.source.setCurrentIndex(0)
    analysed.export_to(tmp_path / "all.svg")
    qtbot.waitUntil((tmp_path / "all.svg").exists)
    text = (tmp_path / "all.svg").read_text(encoding="utf-8")
    assert text.count(">a<") == 1 and text.count(">b<") == 1
    assert text.count("5-gram") == 3


def test_a_neural_model_beside(analysed, qtbot, tmp_path):
    path = tmp_path / "n.jsonl"
    tokens = [{"start": 0, "end": 3, "probability": 0.95}, {"start": 3, "end": 7, "probability": 0.2}]
    path.write_text(json.dumps({"text": "the cat", "tokens": tokens}))
    analysed.open_neural(path)
    qtbot.waitUntil(lambda: [b.effective_n for b in analysed.neural_plot.bins] == [2, 9])
    assert analysed.neural_plot.isVisible()
    analysed.neural_plot.grab()
    path.write_text(json.dumps({"text": "the cat", "tokens": [{"start": 0, "end": 99, "probability": 0.5}]}))
    analysed.open_neural(path)
    qtbot.waitUntil(lambda: "line 1: token 1 has no range" in analysed.notice.text())
