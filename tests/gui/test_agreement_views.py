"""Sources, counts and the shaded text in the agreement screen."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

import numpy as np
import pyqtgraph as pg
import pytest
from marked import marked_runs
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QMenu

from explorer.analyses.agreement.brush import Brush
from explorer.analyses.agreement.contexts import context_text
from explorer.analyses.agreement.dips import Step
from explorer.gui.screens.agreement.plots.legend import entries
from explorer.gui.screens.agreement.plots.plotted import Plotted
from explorer.gui.screens.agreement.sentences import described
from explorer.gui.screens.agreement.state import Look, View
from explorer.gui.screens.agreement.texts.shading import describe_token, shade_levels
from explorer.gui.screens.agreement.texts.view import MOST_TOKENS
from explorer.gui.sources.inputs import ALL
from explorer.gui.sources.sources_bar import SourcesBar
from explorer.gui.style.theme import qcolor

TEXTS = ["the cat sat on the mat.", "zebras and 😀 the dog saw the cat", "the dog sat on the rug, the cat", "mat rug"]


@pytest.fixture
def front():
    return "agreement"


@pytest.fixture
def analysed(opened, qtbot, tmp_path):
    path = tmp_path / "answers.jsonl"
    rows = [{"text": text, "model": "ab"[number % 2]} for number, text in enumerate(TEXTS)]
    path.write_text("\n".join(map(json.dumps, rows)))
    opened.show_screen("agreement")
    screen = opened.agreement
    screen.presenter.enter(files=(path,), group="model")
    qtbot.waitUntil(
        lambda: (
            screen.presenter.state.answer.value is not None and len(screen.presenter.state.answer.value.sources) == 2
        )
    )
    return screen


def test_sources_are_listed_and_compared(analysed, qtbot):
    analysed.halves.plots.tabs.setCurrentIndex(1)
    view = analysed.halves.plots.sources_view
    model = view.model
    assert [model.index(row, 0).data().split()[0] for row in range(2)] == ["a", "b"]
    sources = analysed.presenter.state.answer.value.sources
    assert [model.index(row, 1).data() for row in range(2)] == [f"{100 * s.agreement:.1f}%" for s in sources]
    assert model.index(0, 8).data() == "—"
    points = 100 * (sources[1].agreement - sources[0].agreement)
    assert model.index(1, 8).data() == f"{points:+.1f}".replace("-", "−")
    view.reference.setCurrentIndex(1)
    assert model.index(1, 8).data() == "—"
    assert "few tokens" in model.index(0, 0).data()
    view.table.activated.emit(model.index(1, 0))
    assert analysed.presenter.state.group == "b"


def test_the_source_to_compare_with_stays_chosen(analysed, qtbot):
    view = analysed.halves.plots.sources_view
    analysed.presenter.show(view=View.SOURCES)
    view.reference.setCurrentIndex(1)
    view.table.selectRow(1)
    analysed.presenter.enter(max_n=3)
    analysed.presenter.run()
    # The old answer is dimmed, and nothing else changes.
    assert analysed.presenter.state.answer.dimmed
    assert view.reference.currentIndex() == 1 and view.table.currentIndex().row() == 1
    qtbot.waitUntil(lambda: not analysed.busy)
    assert view.reference.currentIndex() == 1 and view.model.index(1, 8).data() == "—"


def test_each_source_has_its_figure(analysed):
    plots = analysed.halves.plots
    first = plots.plot.accessibleDescription()
    analysed.presenter.choose_source("source:b")
    figure = analysed.presenter.state.answer.value.groups["b"]
    assert plots.plot.accessibleDescription() == described(figure) != first
    assert {found.group for _, found in analysed.presenter.tokens.state.texts} == {"b"}
    # Drawn when its tab comes to the front.
    analysed.presenter.show(view=View.COUNT)
    assert _tokens(plots.count_plot) == figure.infgram.tokens


def _tokens(plot):
    """The tokens that the description of a plot of bins states."""
    return sum(int(number.replace(",", "")) for number in re.findall(r"Tokens: ([\d,]+)", plot.accessibleDescription()))


def scatters(plot):
    return [item for item in plot.panel.items if isinstance(item, pg.ScatterPlotItem)]


def test_other_sources_are_behind_the_chosen_one(analysed, qtbot):
    plot = analysed.halves.plots.plot
    qtbot.waitUntil(lambda: plot.drawn)
    found = scatters(plot)
    groups = analysed.presenter.state.answer.value.groups
    assert len(found) == 2
    for scatter, name in zip(found, "ba", strict=True):
        assert [point.pos().x() for point in scatter.points()] == [b.effective_n for b in groups[name].infgram.bins]
    # Both have too few tokens to be plotted as if they were sure.
    assert all(point.brush().color() == qcolor("surface") for scatter in found for point in scatter.points())
    assert "b" in analysed.halves.plots.legend.words and "5-gram model" in analysed.halves.plots.legend.words
    analysed.presenter.choose_source(ALL)
    qtbot.waitUntil(lambda: plot.drawn)
    assert len(scatters(plot)) == 1


def test_the_switches_of_the_plot(analysed, qtbot):
    plots = analysed.halves.plots
    qtbot.waitUntil(lambda: plots.plot.drawn)

    def lines():
        return len([item for item in plots.plot.panel.items if isinstance(item, pg.PlotCurveItem)])

    before = lines()
    qtbot.mouseClick(plots.ngram, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: plots.plot.drawn)
    assert lines() == before - 1 and "5-gram model" not in plots.legend.words
    qtbot.mouseClick(plots.sparse, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: plots.plot.drawn)
    sparse = analysed.presenter.state.figure.sparse
    own = scatters(plots.plot)[-1]
    assert [point.pos().x() for point in own.points()] == [b.effective_n for b in sparse.bins]
    qtbot.mouseClick(plots.logarithmic, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: plots.plot.drawn)
    axis = plots.plot.panel.getAxis("right")
    ((_, places),) = axis.tickValues(0, 1, 100)
    assert axis.tickStrings(places, 1, 1) == ["1", "10"]
    assert analysed.presenter.state.look == Look(False, True, True)


def test_switches_without_room_are_in_a_menu(analysed, qtbot):
    plots = analysed.halves.plots
    tools = plots.tools
    tools.fold(2)
    assert plots.ngram.isHidden() and plots.help.isHidden() and not tools.more.isHidden()
    tools.menu.aboutToShow.emit()
    entries = {entry.text(): entry for entry in tools.menu.actions()}
    single = entries["Single continuation"]
    assert len(entries) == 6 and single.isCheckable() and not single.isChecked()
    single.trigger()
    assert analysed.presenter.state.look.sparse
    tools.menu.aboutToShow.emit()
    assert [entry.isChecked() for entry in tools.menu.actions()][:3] == [True, True, False]
    tools.fold(1)
    assert plots.sparse.isHidden() and not plots.help.isHidden()
    tools.fold(0)
    assert not plots.sparse.isHidden() and tools.more.isHidden()
    qtbot.waitUntil(lambda: plots.plot.drawn)


def test_sources_without_room_are_in_a_menu(analysed, qtbot):
    # By itself: in the screen, its layout decides on its width.
    bar = SourcesBar(analysed.presenter)
    qtbot.addWidget(bar)
    bar.resize(2000, 60)
    bar.show()
    bar.draw(analysed.presenter.state)
    wide = [chip for chip in (*bar.chips(), bar.every) if not chip.isHidden()]
    assert len(wide) > 2 and bar.more.isHidden()
    bar.resize(wide[0].sizeHint().width() + 20, 60)
    shown = [chip for chip in (*bar.chips(), bar.every) if not chip.isHidden()]
    assert [chip.key for chip in shown] == [analysed.presenter.state.chosen] and not bar.more.isHidden()
    bar.more.click()
    menu = bar.more.findChildren(QMenu)[-1]
    other = next(entry for entry in menu.actions() if entry.isCheckable() and not entry.isChecked())
    before = analysed.presenter.state.chosen
    other.trigger()
    menu.close()
    assert analysed.presenter.state.chosen != before
    qtbot.waitUntil(lambda: analysed.halves.plots.plot.drawn)


def test_zoom(analysed, qtbot):
    plot, buttons = analysed.halves.plots.plot, analysed.halves.plots
    qtbot.waitUntil(lambda: plot.drawn)
    whole = plot.zoom.shown
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Plus)
    low, high = plot.zoom.shown
    assert whole[0] < low < high < whole[1] and buttons.zoom_out.isEnabled()
    qtbot.keyClick(plot, Qt.Key.Key_0)
    assert plot.zoom.shown == pytest.approx(whole) and not buttons.zoom_out.isEnabled()
    qtbot.mouseClick(buttons.zoom_in, Qt.MouseButton.LeftButton)
    assert buttons.zoom_out.isEnabled()
    # Another look at the same axis keeps the part that is shown.
    part = plot.zoom.shown
    qtbot.mouseClick(buttons.sparse, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: plot.drawn)
    assert plot.zoom.shown == pytest.approx(part)
    plot.zoom.move(99)
    assert plot.zoom.shown[1] == pytest.approx(whole[1])
    qtbot.mouseClick(buttons.zoom_out, Qt.MouseButton.LeftButton)
    start, end = place_of(plot, 1.6), place_of(plot, 3.4)
    qtbot.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(plot.viewport(), end)
    qtbot.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=end)
    low, high = plot.zoom.shown
    assert high - low == pytest.approx(4.0) or (low, high) == pytest.approx((1.5, 3.5))


def place_of(plot, n):
    return plot.mapFromScene(plot.panel.vb.mapViewToScene(QPointF(n, 0.5)))


def test_the_values_of_a_bin_are_shown(analysed, qtbot):
    plot = analysed.halves.plots.plot
    qtbot.waitUntil(lambda: plot.drawn)
    b = analysed.presenter.state.figure.infgram.bins[1]
    plot.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(plot, Qt.Key.Key_Home)
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert plot.card.isVisible()
    assert plot.card.heading.text() == f"n = {b.effective_n}: {100 * b.agreement:.1f}%"
    lines = plot.card.lines.text()
    assert f"95% interval {100 * b.low:.1f}–{100 * b.high:.1f}" in lines and "b: " in lines
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert analysed.presenter.tokens.state.brush == Brush(b.effective_n, b.effective_n)


def test_a_dip_is_marked_and_told(analysed, qtbot):
    figure = analysed.presenter.state.figure
    before, after = (b.effective_n for b in figure.infgram.bins[1:3])
    step = Step(before, after, -0.25, "score", 0.001, 0.002, 12, 0.004)
    plotted = Plotted(replace(figure, steps=(step,)))
    plot = analysed.halves.plots.plot
    plot.show_plotted(plotted)
    qtbot.waitUntil(lambda: plot.drawn)
    assert [point.pos().x() for point in scatters(plot)[-1].points()] == [after]
    words = plotted.words(plotted.bin_at(after))[1]
    assert f"Falls by 25.0 points from n = {before}: more than chance (p = 0.004)" in words
    assert "more than chance" in plot.accessibleDescription()
    assert "significant dip" in [entry.words for entry in entries(plotted)]


def test_drawing_texts(analysed, qtbot):
    analysed.sampling.form.widgets("max_texts")[0].setValue(1)
    qtbot.waitUntil(lambda: len(analysed.presenter.state.answer.value.texts) == 2)


def test_a_missing_field_is_named(analysed, qtbot):
    analysed.presenter.enter(group="nothing")
    qtbot.waitUntil(lambda: 'the field "nothing" is missing' in analysed.notice.text())
    assert analysed.sampling.group.currentText() == "nothing"


def test_a_text_is_scored_in_model(analysed, opened, qtbot):
    analysed.presenter.choose_source("source:b")
    qtbot.mouseClick(analysed.halves.text.score, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.current_screen() is opened.model)
    assert opened.model.page("perplexity").presenter.inputs.text == TEXTS[1]


def stretches(encoded, levels, text):
    """What neighbors with the same level have together; level 0 has no shade."""
    rows = zip(levels, encoded.starts, encoded.ends, strict=True)
    groups = [(level, list(group)) for level, group in groupby((row for row in rows if row[2] > row[1]), itemgetter(0))]
    return {text[int(group[0][1]) : int(group[-1][2])] for level, group in groups if level}


def test_the_text_is_shaded_token_by_token(analysed, opened, qtbot, small):
    view, tokens = analysed.halves.text, analysed.presenter.tokens
    analysed.presenter.choose_source("source:b")
    found = tokens.state.found
    assert view.text.toPlainText() == TEXTS[1]
    for kind in "npa":
        view.kind.setCurrentIndex(view.kind.findData(kind))
        view.kind.activated.emit(view.kind.currentIndex())
        levels = shade_levels(found, kind)
        shown = {text for text, _ in marked_runs(view.text)}
        assert shown == stretches(found.encoded, levels, TEXTS[1])
    token = int(np.flatnonzero(found.infgram.effective_n > 2)[-1])
    at = view.text.place_of(token)
    assert view.text.token_at(at) == token
    cursor = view.text.textCursor()
    cursor.setPosition(at)
    view.text.setTextCursor(cursor)
    place = view.text.cursorRect(cursor).center()
    qtbot.mouseClick(view.text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: "Most likely:" in view.chosen.text())
    assert describe_token(found, token) in view.chosen.text()
    context = context_text(found, token)
    assert small.count(small.encode(context)) == found.infgram.context_count[token] or context
    qtbot.mouseClick(view.search, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.current_screen() is opened.search and opened.search.count.text() not in ("", "0"))


def test_the_prompt_is_shown_and_not_shaded(opened, qtbot):
    opened.show_screen("agreement")
    screen = opened.agreement
    screen.presenter.enter(prompt="the cat ", text="sat on the mat")
    screen.presenter.run()
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None and not screen.busy)
    view, found = screen.halves.text, screen.presenter.tokens.state.found
    assert view.text.toPlainText() == "the cat sat on the mat"
    assert view.text.token_at(2) == -1 and view.text.token_at(view.text.place_of(0)) == 0
    # The space before it belongs to the prompt, and so the whole token does.
    assert context_text(found, 0) == "the cat sat" and found.encoded.starts[0] == 3
    runs = marked_runs(view.text)
    assert runs[0][0].startswith("the cat") and runs[0][1].fontItalic()


def test_texts_are_reached_by_buttons_and_number(opened, qtbot, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps({"text": f"the cat {number}"}) for number in range(40)))
    opened.show_screen("agreement")
    screen = opened.agreement
    screen.presenter.add_files(path)
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None)
    view = screen.halves.text
    qtbot.mouseClick(view.texts.after, Qt.MouseButton.LeftButton)
    assert (
        view.text.toPlainText() == "the cat 1" and view.texts.place.value() == 2 and view.texts.count.text() == "of 40"
    )
    view.texts.place.setValue(40)
    assert view.text.toPlainText() == "the cat 39" and not view.texts.after.isEnabled()
    screen.presenter.enter(max_n=3)
    screen.presenter.run()
    qtbot.waitUntil(lambda: not screen.busy)
    assert view.text.toPlainText() == "the cat 39"


def test_by_count(analysed, qtbot):
    analysed.halves.plots.tabs.setCurrentIndex(2)
    plot = analysed.halves.plots.count_plot
    assert plot.isVisible()
    assert _tokens(plot) == analysed.presenter.state.figure.infgram.tokens
    plot.grab()


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
    screen.sampling.form.widgets("without_self")[0].setChecked(True)
    qtbot.waitUntil(lambda: "excluded from all counts" in screen.notice.text())
    assert screen.presenter.state.answer.value.figure.infgram.overall < before


def test_a_neural_model_beside(analysed, qtbot, tmp_path):
    path = tmp_path / "n.jsonl"
    tokens = [{"start": 0, "end": 3, "probability": 0.95}, {"start": 3, "end": 7, "probability": 0.2}]
    path.write_text(json.dumps({"text": "the cat", "tokens": tokens}))
    analysed.presenter.open_neural(path)
    qtbot.waitUntil(lambda: {x for x, _ in analysed.halves.plots.neural_plot.places} == {2, 9})
    assert analysed.halves.plots.neural_plot.isVisible()
    analysed.halves.plots.neural_plot.grab()
    path.write_text(json.dumps({"text": "the cat", "tokens": [{"start": 0, "end": 99, "probability": 0.5}]}))
    analysed.presenter.open_neural(path)
    qtbot.waitUntil(lambda: "line 1: token 1 has no range" in analysed.notice.text())


def wait_for_marks(screen, qtbot):
    tokens = screen.presenter.tokens
    qtbot.waitUntil(lambda: tokens.state.marked is not None and not screen.busy and screen.halves.plots.plot.drawn)


def underlined(view):
    """Texts that are set off by a line, so without color too."""
    single = QTextCharFormat.UnderlineStyle.SingleUnderline
    return [text for text, form in marked_runs(view.text) if form.underlineStyle() == single]


def test_a_click_on_a_bar_marks_its_tokens(analysed, qtbot):
    plot, tokens, view = analysed.halves.plots.plot, analysed.presenter.tokens, analysed.halves.text
    qtbot.waitUntil(lambda: plot.drawn and plot.panel.vb.sceneBoundingRect().width() > 50)
    n = analysed.presenter.state.figure.infgram.bins[1].effective_n
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place_of(plot, n))
    wait_for_marks(analysed, qtbot)
    assert tokens.state.brush == Brush(n, n)
    found = tokens.state.found
    expected = [
        TEXTS[0][int(s) : int(e)]
        for s, e, m in zip(found.encoded.starts, found.encoded.ends, found.infgram.effective_n, strict=True)
        if m == n
    ]
    assert underlined(view) == expected
    assert view.ribbon.marked == tuple(np.flatnonzero(found.infgram.effective_n == n).tolist())
    marked = sum(int((t.infgram.effective_n == n).sum()) for _, t in tokens.state.texts)
    assert view.chosen_n.words.startswith(f"n = {n}: {marked:,} token")
    assert plot.drawing.marked == (n,)
    farther = place_of(plot, n + 1)
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, farther)
    assert tokens.state.brush == Brush(n, n + 1)
    qtbot.keyClick(view.chosen_n, Qt.Key.Key_Delete)
    assert underlined(view) == [] and plot.drawing.marked == () and view.chosen_n.isHidden()


def test_marked_text_is_set_off_in_the_plot(analysed, qtbot):
    ribbon, tokens = analysed.halves.text.ribbon, analysed.presenter.tokens
    found = tokens.state.found
    width = ribbon.width() / len(found.infgram)
    start, end = QPoint(int(width * 2.5), 20), QPoint(int(width * 5.5), 20)
    qtbot.mousePress(ribbon, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(ribbon, end)
    qtbot.mouseRelease(ribbon, Qt.MouseButton.LeftButton, pos=end)
    wait_for_marks(analysed, qtbot)
    assert ribbon.marked == (2, 3, 4, 5)
    marked = tokens.state.marked
    expected = found.infgram.effective_n[2:6].tolist()
    assert marked.tokens == 4
    assert dict(marked.by_n[1]) == {n: expected.count(n) for n in set(expected)}
    assert set(analysed.halves.plots.plot.drawing.marked) == set(expected)
    analysed.halves.text.text.brushed.emit(0, len(found.infgram))
    wait_for_marks(analysed, qtbot)
    assert tokens.state.marked.tokens == len(found.infgram)


def test_the_keyboard_walks_along_the_strip(analysed, qtbot):
    ribbon, view = analysed.halves.text.ribbon, analysed.halves.text
    ribbon.setFocus()
    qtbot.keyClick(ribbon, Qt.Key.Key_Right)
    found = analysed.presenter.tokens.state.found
    assert describe_token(found, 1) in view.chosen.text()
    qtbot.keyClick(ribbon, Qt.Key.Key_End)
    assert describe_token(found, len(found.infgram) - 1) in view.chosen.text()


def test_a_long_text_is_shown_part_by_part(opened, qtbot):
    screen = opened.agreement
    opened.show_screen("agreement")
    screen.analyze_text("the cat sat on the mat. " * 700)
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None)
    view, count = screen.halves.text, screen.presenter.state.answer.value.figure.infgram.tokens
    assert count > 2 * MOST_TOKENS and view.text.shown == (0, MOST_TOKENS)
    qtbot.waitUntil(lambda: screen.halves.plots.plot.drawn and view.parts.later.isEnabled())
    # By the keyboard: what is still being laid out is not where the mouse pressed it.
    view.parts.later.setFocus()
    qtbot.keyClick(view.parts.later, Qt.Key.Key_Space)
    assert view.parts.part.text().startswith(f"tokens {MOST_TOKENS + 1:,} to ")
    place = QPoint(view.ribbon.width() - 2, 20)
    qtbot.mouseClick(view.ribbon, Qt.MouseButton.LeftButton, pos=place)
    token = view.ribbon.token_at(place.x())
    first, end = view.text.shown
    assert first == token // MOST_TOKENS * MOST_TOKENS and first <= token < end
    assert describe_token(screen.presenter.tokens.state.found, token) in view.chosen.text()
    assert not view.parts.later.isEnabled()


def test_the_keyboard_crosses_the_border_of_a_part(opened, qtbot):
    screen = opened.agreement
    opened.show_screen("agreement")
    screen.analyze_text("the cat sat on the mat. " * 400)
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None)
    view, found = screen.halves.text, screen.presenter.tokens.state.found
    assert len(found.infgram) > MOST_TOKENS + 1
    # A click in the text is where the keys continue.
    view.text.token_chosen.emit(MOST_TOKENS - 1)
    for token in (MOST_TOKENS, MOST_TOKENS + 1):
        qtbot.keyClick(view.ribbon, Qt.Key.Key_Right)
        assert describe_token(found, token) in view.chosen.text()
    assert view.text.shown[0] == MOST_TOKENS


def test_the_profile_of_a_token_includes_its_prompt(opened, qtbot):
    screen = opened.agreement
    opened.show_screen("agreement")
    screen.presenter.enter(prompt="the cat ", text="sat on the mat")
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None)
    found = screen.presenter.tokens.state.found
    with qtbot.waitSignal(screen.halves.text.profile_wanted) as asked:
        screen.halves.text.text.token_chosen.emit(0)
        screen.halves.text.profile.click()
    text, character = asked.args
    assert text == found.context.lead + found.text and text.startswith("the cat ")
    assert character == len(found.context.lead) + int(found.encoded.starts[0])


def test_sources_come_one_by_one_and_are_kept(opened, qtbot, tmp_path, monkeypatch):
    """The first source is there while the second is still being asked for."""
    import threading

    from explorer.analyses.agreement import analysis

    go, asked, real = threading.Event(), [], analysis.agreements

    def slow(index, ids, *rest):
        asked.append(tuple(ids))
        # The first source has two texts.
        if len(asked) > 2:
            assert go.wait(20)
        return real(index, ids, *rest)

    monkeypatch.setattr(analysis, "agreements", slow)
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(json.dumps({"text": text, "model": "ab"[i % 2]}) for i, text in enumerate(TEXTS)))
    screen = opened.agreement
    opened.show_screen("agreement")
    screen.presenter.enter(files=(path,), group="model")
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None)
    assert [source.name for source in screen.presenter.state.answer.value.sources] == ["a"]
    assert screen.busy
    go.set()
    qtbot.waitUntil(lambda: len(screen.presenter.state.answer.value.sources) == 2)
    assert len(asked) == 4
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
