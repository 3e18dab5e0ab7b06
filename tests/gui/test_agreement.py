"""The agreement screen, from input to the figure dialog."""

from __future__ import annotations

import csv
import io
import json
import threading

import pytest
from PySide6.QtCore import Qt

from explorer.agreement.analysis import AgreementRequest, analyze
from explorer.gui.screens.agreement.plot import describe
from explorer.gui.screens.agreement.work import run_analysis
from explorer.gui.surfaces import all_restyled
from explorer.gui.theme import colors
from explorer.gui.widgets.dimmed import is_dimmed

TEXT = "the dog sat on the rug and the cat saw the dog. " * 4


@pytest.fixture
def figure(small):
    return analyze(small.index, AgreementRequest((TEXT,))).figure


@pytest.fixture
def analysed(opened, qtbot):
    opened.show_screen("agreement")
    opened.agreement.analyze_text(TEXT)
    qtbot.waitUntil(lambda: opened.agreement.presenter.state.answer.value is not None)
    return opened.agreement


def open_dialog(screen, qtbot):
    qtbot.mouseClick(screen.figure_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: screen.figure_button.dialog is not None)
    return screen.figure_button.dialog


def test_the_screen_analyses_and_exports(analysed, qtbot, tmp_path, figure):
    assert analysed.presenter.state.answer.value.figure == figure
    assert analysed.plot.accessibleDescription() == "; ".join(describe(panel) for panel in figure.panels)
    most = max(b.effective_n for panel in figure.panels for b in panel.bins)
    assert analysed.plot._panels[2].viewRange()[0] == pytest.approx([0.1, min(most, 33) + 0.9], abs=0.01)
    # All panels are within the view, whatever their titles say.
    qtbot.waitUntil(lambda: analysed.plot.drawn)
    assert analysed.plot.ci.geometry().width() <= analysed.plot.viewport().width()
    dialog = open_dialog(analysed, qtbot)
    for name in ("a.png", "a.svg", "a.pdf", "a.csv", "a.json"):
        dialog.save_to(tmp_path / name)
        qtbot.waitUntil((tmp_path / name).exists)
        qtbot.waitUntil(lambda: not dialog._writer.busy)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))
    assert len(rows) == sum(len(panel.bins) for panel in figure.panels)
    dialog.close()


def test_an_unwritable_place_is_said(analysed, qtbot, tmp_path):
    dialog = open_dialog(analysed, qtbot)
    dialog.save_to(tmp_path / "none" / "a.png")
    qtbot.waitUntil(lambda: dialog.notice.isVisible())
    assert "cannot be written" in dialog.notice.text()
    dialog.close()


def test_files_in_place_of_pasted_text(opened, qtbot, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.txt").write_text("the cat")
    opened.show_screen("agreement")
    inputs = opened.agreement.inputs
    opened.agreement.presenter.enter(files=(tmp_path / "a.txt", tmp_path / "b.txt"))
    qtbot.waitUntil(
        lambda: (
            opened.agreement.presenter.state.answer.value is not None
            and len(opened.agreement.presenter.state.answer.value.groups) == 2
        )
    )
    assert list(opened.agreement.presenter.state.answer.value.groups) == ["a.txt", "b.txt"]
    assert inputs.editor.isHidden()
    opened.agreement.presenter.enter(files=())
    assert not inputs.editor.isHidden()


def test_nothing_to_draw_has_no_figure(opened, qtbot):
    opened.show_screen("agreement")
    assert not opened.agreement.figure_button.isEnabled()
    assert opened.agreement.presenter.charts()() == ()


def test_large_text_has_room_in_the_plots(analysed, opened, qtbot):
    opened.resize(1280, 800)
    opened.change_setting("text_size", 20)
    try:
        qtbot.waitUntil(all_restyled)
        plot = analysed.plot
        qtbot.waitUntil(lambda: plot.drawn)
        for panel in plot._panels:
            # The whole title is seen, and what is beside the window is reached by scrolling.
            assert panel.titleLabel.size().height() >= panel.titleLabel.itemRect().height() > 40
            assert panel.titleLabel.size().width() >= panel.titleLabel.itemRect().width()
            assert panel.geometry().right() <= plot.viewport().width()
            label = panel.getAxis("bottom").label
            assert label.boundingRect().height() > 28 and colors().muted in label.toHtml()
        area = analysed.stack.currentWidget()
        assert area.horizontalScrollBar().maximum() == plot.width() - area.viewport().width() > 0
    finally:
        opened.change_setting("text_size", 0)
        qtbot.waitUntil(all_restyled)


def test_an_old_answer_is_dimmed_until_the_new_one_comes(analysed, qtbot, monkeypatch):
    go = threading.Event()

    def slow(*args):
        go.wait(20)
        return run_analysis(*args)

    monkeypatch.setattr("explorer.gui.screens.agreement.presenter.run_analysis", slow)
    assert not is_dimmed(analysed.plot)
    analysed.inputs.editor.setPlainText("zebras and the cat")
    qtbot.waitUntil(lambda: is_dimmed(analysed.plot) and is_dimmed(analysed.text_view.text))
    assert not is_dimmed(analysed.inputs)
    go.set()
    qtbot.waitUntil(lambda: not is_dimmed(analysed.plot))
    assert analysed.text_view.text.toPlainText() == "zebras and the cat"


def test_a_text_that_is_not_analysed_is_not_shown(analysed, qtbot, tmp_path):
    (tmp_path / "a.txt").write_text("the cat")
    assert analysed.inputs.editor.isVisible()
    analysed.presenter.enter(files=(tmp_path / "a.txt",))
    qtbot.waitUntil(lambda: not analysed.busy)
    assert not analysed.inputs.editor.isVisible() and "a.txt" in analysed.inputs.shown_files.text()
    analysed.presenter.enter(files=())
    assert analysed.inputs.editor.toPlainText() == TEXT and analysed.inputs.editor.isVisible()


@pytest.mark.parametrize(
    ("name", "content", "group", "remedy", "said"),
    [
        ("a.txt", TEXT, "model", "field", "has no field"),
        ("a.json", "{" + TEXT, "", "format", "not JSON"),
        ("a.jsonl", json.dumps({"text": TEXT}) + "\nnot json\n", "", "on_bad", "line 2"),
    ],
)
def test_a_remedy_is_one_click(opened, qtbot, tmp_path, name, content, group, remedy, said):
    (tmp_path / name).write_text(content)
    opened.show_screen("agreement")
    screen = opened.agreement
    screen.presenter.enter(group=group, files=(tmp_path / name,))
    qtbot.waitUntil(lambda: screen.remedies[remedy].isVisible())
    assert said in screen.notice.text()
    assert [key for key, button in screen.remedies.items() if button.isVisible()] == [remedy]
    qtbot.mouseClick(screen.remedies[remedy], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None)
    assert not any(button.isVisible() for button in screen.remedies.values())
    assert ("1 line was skipped" in screen.notice.text()) == (remedy == "on_bad")
