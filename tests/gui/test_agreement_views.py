"""Sources, counts and the shaded text in the agreement screen."""

from __future__ import annotations

import json

import numpy as np
import pyqtgraph as pg
import pytest
from marked import marked_runs
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCharFormat

from explorer.agreement.brush import Brush
from explorer.gui.requests import SearchText
from explorer.gui.screens.agreement.shading import context_text, describe_token, shade_levels
from explorer.gui.screens.agreement.text_view import MOST_TOKENS
from explorer.gui.theme import qcolor

TEXTS = ["the cat sat on the mat.", "zebras and 😀 the dog saw the cat", "the dog sat on the rug, the cat", "mat rug"]


@pytest.fixture
def analysed(opened, qtbot, tmp_path):
    path = tmp_path / "answers.jsonl"
    rows = [{"text": text, "model": "ab"[number % 2]} for number, text in enumerate(TEXTS)]
    path.write_text("\n".join(map(json.dumps, rows)))
    opened.show_screen("agreement")
    screen = opened.agreement
    screen.inputs.group.setText("model")
    screen.presenter.enter(files=(path,))
    qtbot.waitUntil(
        lambda: (
            screen.presenter.state.answer.value is not None and len(screen.presenter.state.answer.value.sources) == 2
        )
    )
    return screen


def test_sources_are_listed_and_compared(analysed, qtbot):
    qtbot.mouseClick(analysed.views.button(1), Qt.MouseButton.LeftButton)
    model = analysed.sources_view.model
    assert [model.index(row, 0).data().split()[0] for row in range(2)] == ["a", "b"]
    sources = analysed.presenter.state.answer.value.sources
    assert [model.index(row, 1).data() for row in range(2)] == [f"{s.agreement:.1%}" for s in sources]
    assert model.index(0, 6).data() == "—"
    points = 100 * (sources[1].agreement - sources[0].agreement)
    assert model.index(1, 6).data() == f"{points:+.1f}".replace("-", "−")
    analysed.sources_view.reference.setCurrentIndex(1)
    assert model.index(1, 6).data() == "—"
    assert "few tokens" in model.index(0, 0).data()


def test_the_source_to_compare_with_stays_chosen(analysed, qtbot):
    view = analysed.sources_view
    view.reference.setCurrentIndex(1)
    view.table.selectRow(1)
    analysed.presenter.enter(n=3)
    analysed.presenter.run()
    # The old answer is dimmed, and nothing else changes.
    assert analysed.presenter.state.answer.dimmed
    assert view.reference.currentIndex() == 1 and view.table.currentIndex().row() == 1
    qtbot.waitUntil(lambda: not analysed.busy)
    assert view.reference.currentIndex() == 1 and view.model.index(1, 6).data() == "—"


def choose(screen, data):
    screen.source.setCurrentIndex(screen.source.findData(data))


def test_each_source_has_its_figure(analysed):
    whole = analysed.plot.accessibleDescription()
    choose(analysed, "source:a")
    figure = analysed.presenter.state.answer.value.groups["a"]
    assert analysed.plot.accessibleDescription() != whole
    assert f"∞-gram: {figure.infgram.tokens:,} tokens, {figure.infgram.overall:.1%} agree" in (
        analysed.plot.accessibleDescription()
    )
    assert {found.group for _, found in analysed.text_view._numbered} == {"a"}
    assert sum(b.tokens for b in analysed.count_plot.bins) == figure.infgram.tokens


def test_sources_over_each_other(analysed, qtbot):
    choose(analysed, "overlaid")
    qtbot.waitUntil(lambda: analysed.plot.drawn)
    scatters = [item for item in analysed.plot._panels[1].items if isinstance(item, pg.ScatterPlotItem)]
    assert len(scatters) == 2
    for scatter, figure in zip(scatters, analysed.presenter.state.answer.value.groups.values(), strict=True):
        assert [point.pos().x() for point in scatter.points()] == [b.effective_n for b in figure.infgram.bins]
    # Both sources have too few tokens to be plotted as if they were sure.
    assert all(point.brush().color() == qcolor("surface") for scatter in scatters for point in scatter.points())
    names = [label.text for _, label in analysed.plot._legend.items]
    assert names == ["a", "b"]


def test_drawing_texts(analysed, qtbot):
    qtbot.mouseClick(analysed.inputs.paper, Qt.MouseButton.LeftButton)
    assert (analysed.inputs.max_texts.value(), analysed.inputs.max_tokens.value()) == (50, 1024)
    analysed.inputs.max_texts.setValue(1)
    qtbot.waitUntil(lambda: len(analysed.presenter.state.answer.value.texts) == 2)


def test_a_missing_field_is_named(analysed, qtbot):
    analysed.inputs.group.clear()
    qtbot.keyClicks(analysed.inputs.group, "nothing")
    qtbot.waitUntil(lambda: 'the field "nothing" is missing' in analysed.notice.text())


def test_the_text_is_shaded_token_by_token(analysed, opened, qtbot, small):
    view = analysed.text_view
    view.which.setCurrentIndex(1)
    found = view.current()
    assert view.text.toPlainText() == TEXTS[1]
    for kind in range(3):
        view.kind.setCurrentIndex(kind)
        levels = shade_levels(found, view.kind.currentData())
        shown = {text for text, _ in marked_runs(view.text)}
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
    qtbot.waitUntil(lambda: "most likely:" in view.chosen.text())
    assert describe_token(found, token) in view.chosen.text()
    context = context_text(found, token)
    assert small.count(small.encode(context)) == found.infgram.context_count[token] or context
    analysed.requested.emit(SearchText(context))
    qtbot.waitUntil(lambda: opened.current_screen() is opened.search and opened.search.count.text() not in ("", "0"))


def test_by_count(analysed, qtbot):
    qtbot.mouseClick(analysed.views.button(2), Qt.MouseButton.LeftButton)
    assert analysed.count_plot.isVisible()
    assert (
        sum(b.tokens for b in analysed.count_plot.bins) == analysed.presenter.state.answer.value.figure.infgram.tokens
    )
    analysed.count_plot.grab()


def test_texts_of_the_corpus_are_said_and_left_out(opened, qtbot, small):
    screen = opened.agreement
    opened.show_screen("agreement")
    text = next(
        small.document(n).text
        for n in range(small.document_count)
        if "saw the cat on the rug" in small.document(n).text
    )
    screen.analyze_text(text)
    qtbot.waitUntil(
        lambda: (
            screen.presenter.state.answer.value is not None
            and "One text is in the corpus, so it agrees with itself" in screen.notice.text()
        )
    )
    before = screen.presenter.state.answer.value.figure.infgram.overall
    screen.inputs.without_self.setChecked(True)
    qtbot.waitUntil(lambda: "excluded from all counts" in screen.notice.text())
    assert screen.presenter.state.answer.value.figure.infgram.overall < before


def test_a_neural_model_beside(analysed, qtbot, tmp_path):
    path = tmp_path / "n.jsonl"
    tokens = [{"start": 0, "end": 3, "probability": 0.95}, {"start": 3, "end": 7, "probability": 0.2}]
    path.write_text(json.dumps({"text": "the cat", "tokens": tokens}))
    analysed.presenter.open_neural(path)
    qtbot.waitUntil(lambda: [b.effective_n for b in analysed.neural_plot.bins] == [2, 9])
    assert analysed.neural_plot.isVisible()
    analysed.neural_plot.grab()
    path.write_text(json.dumps({"text": "the cat", "tokens": [{"start": 0, "end": 99, "probability": 0.5}]}))
    analysed.presenter.open_neural(path)
    qtbot.waitUntil(lambda: "line 1: token 1 has no range" in analysed.notice.text())


def wait_for_marks(screen, qtbot):
    qtbot.waitUntil(lambda: "tokens (" in screen.mark_bar.says.text() and not screen.busy and screen.plot.drawn)


def underlined(view):
    """Texts that are set off by a wave, so without colour too."""
    wave = QTextCharFormat.UnderlineStyle.WaveUnderline
    return [text for text, form in marked_runs(view.text) if form.underlineStyle() == wave]


def test_a_click_on_a_bar_marks_its_tokens(analysed, qtbot):
    plot, panel = analysed.plot, analysed.plot._panels[1]
    n = analysed.presenter.state.answer.value.figure.infgram.bins[1].effective_n
    qtbot.waitUntil(lambda: panel.vb.sceneBoundingRect().width() > 50)
    place = plot.mapFromScene(panel.vb.mapViewToScene(QPointF(n, 0.5)))
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    wait_for_marks(analysed, qtbot)
    assert (analysed.mark_bar.low.value(), analysed.mark_bar.high.value()) == (n, n)
    found = analysed.text_view.current()
    expected = [
        TEXTS[0][int(s) : int(e)]
        for s, e, m in zip(found.encoded.starts, found.encoded.ends, found.infgram.effective_n, strict=True)
        if m == n
    ]
    assert underlined(analysed.text_view) == expected
    assert (
        np.flatnonzero(analysed.text_view.ribbon._marked).tolist()
        == np.flatnonzero(found.infgram.effective_n == n).tolist()
    )
    marked = sum(int((t.infgram.effective_n == n).sum()) for t in analysed.presenter.state.answer.value.texts)
    assert analysed.mark_bar.says.text().startswith(f"{marked:,} of ")
    assert len(plot._marks) >= 2
    farther = plot.mapFromScene(panel.vb.mapViewToScene(QPointF(n + 1, 0.5)))
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, farther)
    assert (analysed.mark_bar.low.value(), analysed.mark_bar.high.value()) == (n, n + 1)
    qtbot.mouseClick(analysed.mark_bar.clear, Qt.MouseButton.LeftButton)
    assert underlined(analysed.text_view) == [] and plot._marks == []


def test_marked_text_is_set_off_in_the_plot(analysed, qtbot):
    ribbon = analysed.text_view.ribbon
    found = analysed.text_view.current()
    width = ribbon.width() / len(found.infgram)
    start, end = QPoint(int(width * 2.5), 20), QPoint(int(width * 5.5), 20)
    qtbot.mousePress(ribbon, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(ribbon, end)
    qtbot.mouseRelease(ribbon, Qt.MouseButton.LeftButton, pos=end)
    wait_for_marks(analysed, qtbot)
    assert np.flatnonzero(ribbon._marked).tolist() == [2, 3, 4, 5]
    marked = analysed.plot._marked
    expected = found.infgram.effective_n[2:6].tolist()
    assert marked.tokens == 4
    assert dict(marked.by_n[1]) == {n: expected.count(n) for n in set(expected)}
    cursor = analysed.text_view.text.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(len(TEXTS[0]), cursor.MoveMode.KeepAnchor)
    analysed.text_view.text.setTextCursor(cursor)
    analysed.text_view.brushed.emit(Brush(text=0, first=0, end=len(found.infgram)))
    wait_for_marks(analysed, qtbot)
    assert analysed.plot._marked.tokens == len(found.infgram)


def test_the_keyboard_marks_and_walks(analysed, qtbot):
    analysed.mark_bar.low.setFocus()
    analysed.mark_bar.low.selectAll()
    qtbot.keyClicks(analysed.mark_bar.low, "2")
    wait_for_marks(analysed, qtbot)
    assert analysed.plot._marked.smallest_n == analysed.plot._marked.largest_n == 2
    ribbon = analysed.text_view.ribbon
    ribbon.setFocus()
    qtbot.keyClick(ribbon, Qt.Key.Key_Right)
    found = analysed.text_view.current()
    assert describe_token(found, 1) in analysed.text_view.chosen.text()
    qtbot.keyClick(ribbon, Qt.Key.Key_End)
    assert describe_token(found, len(found.infgram) - 1) in analysed.text_view.chosen.text()


def test_a_long_text_is_shown_part_by_part(opened, qtbot):
    screen = opened.agreement
    opened.show_screen("agreement")
    screen.analyze_text("the cat sat on the mat. " * 700)
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None)
    view, count = screen.text_view, screen.presenter.state.answer.value.figure.infgram.tokens
    assert count > 2 * MOST_TOKENS and len(view.text._starts) == MOST_TOKENS
    qtbot.waitUntil(lambda: screen.plot.drawn and view.after.isEnabled())
    # By the keyboard: what is still being laid out is not where the mouse pressed it.
    view.after.setFocus()
    qtbot.keyClick(view.after, Qt.Key.Key_Space)
    assert view.part.text().startswith(f"tokens {MOST_TOKENS + 1:,} to ")
    place = QPoint(view.ribbon.width() - 2, 20)
    qtbot.mouseClick(view.ribbon, Qt.MouseButton.LeftButton, pos=place)
    token = view.ribbon.token_at(place.x())
    first = token // MOST_TOKENS * MOST_TOKENS
    assert view.text._first == first and first <= token < first + len(view.text._starts)
    assert describe_token(view.current(), token) in view.chosen.text()
    assert not view.after.isEnabled()


def test_sources_come_one_by_one_and_are_kept(opened, qtbot, tmp_path, monkeypatch):
    """The first source is there while the second is still being asked for."""
    import threading

    from explorer.agreement import analysis

    go, asked, real = threading.Event(), [], analysis._one_text

    def slow(index, each, request, cancel):
        asked.append(each.group)
        if each.group == "b":
            assert go.wait(20)
        return real(index, each, request, cancel)

    monkeypatch.setattr(analysis, "_one_text", slow)
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(json.dumps({"text": text, "model": "ab"[i % 2]}) for i, text in enumerate(TEXTS)))
    screen = opened.agreement
    opened.show_screen("agreement")
    screen.inputs.group.setText("model")
    screen.presenter.enter(files=(path,))
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None)
    assert [source.name for source in screen.presenter.state.answer.value.sources] == ["a"]
    assert screen.busy
    go.set()
    qtbot.waitUntil(lambda: len(screen.presenter.state.answer.value.sources) == 2)
    assert asked == ["a", "a", "b", "b"]
    screen.presenter.run()
    qtbot.waitUntil(lambda: not screen.busy)
    # What is kept is not asked for again.
    assert len(asked) == 4 and len(screen.presenter.state.answer.value.sources) == 2


def test_a_text_of_another_script_is_said(opened, qtbot):
    screen = opened.agreement
    opened.show_screen("agreement")
    screen.analyze_text("Съешь же ещё этих мягких французских булок, да выпей чаю. " * 5)
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None)
    assert screen.presenter.state.answer.value.unseen > 0.3
    assert "of the tokens never occur in the corpus" in screen.notice.text()
