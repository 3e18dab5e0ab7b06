"""The agreement screen, from input to the figure dialog."""

from __future__ import annotations

import csv
import io
import json
import threading

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QFileDialog

from explorer.analyses.agreement.analysis import Texts, analyze
from explorer.gui.screens.agreement.sentences import described
from explorer.gui.screens.agreement.work import run_analysis
from explorer.gui.style.surfaces import all_restyled
from explorer.gui.style.theme import colors
from explorer.gui.widgets.notices.dimmed import is_dimmed

TEXT = "the dog sat on the rug and the cat saw the dog. " * 4


@pytest.fixture
def front():
    return "agreement"


@pytest.fixture
def figure(small):
    return analyze(small.index, Texts((TEXT,))).figure


@pytest.fixture
def analysed(opened, qtbot):
    opened.show_screen("agreement")
    opened.agreement.analyze_text(TEXT)
    qtbot.waitUntil(lambda: opened.agreement.presenter.state.answer.value is not None)
    return opened.agreement


def open_dialog(screen, qtbot):
    screen.figure_button.open()
    qtbot.waitUntil(lambda: screen.figure_button.dialog is not None)
    return screen.figure_button.dialog


def test_the_screen_analyses_and_exports(analysed, opened, qtbot, tmp_path, figure):
    assert analysed.presenter.state.answer.value.figure == figure
    plot = analysed.halves.plots.plot
    assert plot.accessibleDescription() == described(figure)
    qtbot.waitUntil(lambda: plot.drawn)
    most = max(b.effective_n for panel in figure.panels for b in panel.bins)
    assert plot.panel.viewRange()[0] == pytest.approx([0.1, min(most, 33) + 0.9], abs=0.01)
    assert plot.ci.geometry().width() <= plot.viewport().width()
    share = f"{100 * figure.infgram.overall:.1f}%"
    assert analysed.headline.text.startswith(f"The corpus predicts {share} of these tokens (95% interval ")
    dialog = open_dialog(analysed, qtbot)
    for name in ("a.png", "a.svg", "a.pdf", "a.csv", "a.json"):
        dialog.save_to(tmp_path / name)
        qtbot.waitUntil((tmp_path / name).exists)
        qtbot.waitUntil(lambda: not dialog.writing)
    qtbot.waitUntil(lambda: [toast.sentence for toast in opened.toasts.shown][-1:] == ["Saved a.json"])
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))
    assert len(rows) == sum(len(panel.bins) for panel in figure.panels)
    dialog.close()


def test_the_plotted_values_are_saved_and_copied(analysed, opened, qtbot, tmp_path, monkeypatch):
    button, path = analysed.figure_button, tmp_path / "values.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), "CSV (the plotted values) (*.csv)"))
    entries = {action.text(): action for action in button.menu_of_exports.actions()}
    assert [*entries] == ["Figure …", "Save data …", "Copy data", "", "Copy as Python", "Copy as command"]
    entries["Save data …"].trigger()
    qtbot.waitUntil(lambda: [toast.sentence for toast in opened.toasts.shown] == ["Saved values.csv"])
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    entries["Copy data"].trigger()
    qtbot.waitUntil(lambda: len(opened.toasts.shown) == 2)
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[0].split("\t") == list(rows[0]) and len(copied) == 1 + len(rows)


def test_an_unwritable_place_is_said(analysed, qtbot, tmp_path):
    dialog = open_dialog(analysed, qtbot)
    dialog.save_to(tmp_path / "none" / "a.png")
    qtbot.waitUntil(lambda: dialog.notice.isVisible())
    assert "cannot be written" in dialog.notice.text()
    dialog.close()


def test_files_beside_the_pasted_text(analysed, qtbot, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.txt").write_text("the cat")
    analysed.presenter.add_files(tmp_path / "a.txt", tmp_path / "b.txt")
    qtbot.waitUntil(lambda: len(analysed.presenter.state.answer.value.groups) == 3)
    chips = analysed.sources.chips()
    assert [chip.words for chip in chips] == ["a.txt", "b.txt", "Pasted text"]
    # The pasted text was shown before, and stays so.
    assert [chip.isChecked() for chip in chips] == [False, False, True]
    qtbot.mouseClick(chips[1], Qt.MouseButton.LeftButton)
    assert analysed.presenter.state.group == "b.txt" and chips[1].isChecked()
    cross = chips[0].cross().center().toPoint()
    qtbot.mouseClick(chips[0], Qt.MouseButton.LeftButton, pos=cross)
    qtbot.waitUntil(lambda: not analysed.busy)
    assert [chip.words for chip in analysed.sources.chips()] == ["b.txt", "Pasted text"]
    qtbot.keyClick(analysed.sources.chips()[1], Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: not analysed.busy)
    assert list(analysed.presenter.state.answer.value.groups) == ["b.txt"]
    assert analysed.sources.paste.editor.toPlainText() == ""


def test_dropped_files_are_added(opened, qtbot, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    opened.show_screen("agreement")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))])
    event = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    opened.agreement.dropEvent(event)
    assert opened.agreement.presenter.state.inputs.files == (tmp_path / "a.txt",)


def test_a_text_is_pasted_in_its_pop_over(opened, qtbot):
    opened.show_screen("agreement")
    screen = opened.agreement
    qtbot.mouseClick(screen.invitation.paste, Qt.MouseButton.LeftButton)
    paste = screen.sources.paste
    assert paste.isVisible()
    paste.editor.insertPlainText(TEXT)
    assert screen.busy
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None)
    assert screen.presenter.state.inputs.text == TEXT
    qtbot.keyClicks(paste.prompt, "the")
    assert screen.presenter.state.inputs.prompt == "the"
    # What was typed last is taken when it closes.
    paste.editor.insertPlainText("zebras")
    paste.close()
    assert screen.presenter.state.inputs.text.endswith("zebras") and not paste.reading


def test_the_sampling_offers_the_fields_of_the_files(opened, qtbot, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps({"text": TEXT, "model": m, "question": "the cat"}) for m in "ab"))
    screen = opened.agreement
    opened.show_screen("agreement")
    screen.presenter.add_files(path)
    sampling = screen.sampling
    qtbot.waitUntil(lambda: sampling.group.count() == 4)
    assert [sampling.prompt_field.itemText(i) for i in range(4)] == ["none", "text", "model", "question"]
    sampling.group.setCurrentIndex(2)
    sampling.group.activated.emit(2)
    sampling.prompt_field.setCurrentIndex(3)
    sampling.prompt_field.activated.emit(3)
    assert (screen.presenter.state.inputs.group, screen.presenter.state.inputs.prompt_field) == ("model", "question")
    qtbot.waitUntil(lambda: not screen.busy)
    assert list(screen.presenter.state.answer.value.groups) == ["a", "b"] and "not scored" in screen.facts.text()
    sampling.paper.click()
    assert [sampling.form.widgets(name)[0].value() for name in ("max_texts", "max_tokens", "prompt_tokens")] == [
        50,
        1024,
        50,
    ]
    assert screen.sampling_button.text() == "Sampling: 50 texts, 1,024 tokens each"


def test_nothing_to_draw_has_no_figure(opened, qtbot):
    opened.show_screen("agreement")
    assert not opened.agreement.figure_button.isEnabled()
    assert opened.agreement.presenter.charts()() == ()


def test_large_text_has_room_in_the_plots(analysed, opened, qtbot):
    opened.resize(1280, 800)
    opened.change_setting("text_size", 20)
    try:
        qtbot.waitUntil(all_restyled)
        plot = analysed.halves.plots.plot
        qtbot.waitUntil(lambda: plot.drawn)
        assert plot.panel.geometry().right() <= plot.viewport().width()
        label = plot.panel.getAxis("bottom").label
        assert label.boundingRect().height() > 22 and colors().text in label.toHtml()
    finally:
        opened.change_setting("text_size", 0)
        qtbot.waitUntil(all_restyled)


def test_an_old_answer_is_dimmed_until_the_new_one_comes(analysed, qtbot, monkeypatch):
    go = threading.Event()

    def slow(*args):
        go.wait(20)
        return run_analysis(*args)

    monkeypatch.setattr("explorer.gui.screens.agreement.presenter.run_analysis", slow)
    plot = analysed.halves.plots.plot
    assert not is_dimmed(plot)
    analysed.sources.paste.editor.setPlainText("zebras and the cat")
    qtbot.waitUntil(lambda: is_dimmed(plot) and is_dimmed(analysed.halves.text.text) and is_dimmed(analysed.headline))
    assert not is_dimmed(analysed.sources)
    go.set()
    qtbot.waitUntil(lambda: not is_dimmed(plot))
    assert analysed.halves.text.text.toPlainText() == "zebras and the cat"


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
    words = {"field": "Use no fields", "format": "Read as text", "on_bad": "Skip bad lines"}[remedy]
    qtbot.waitUntil(lambda: [button.text() for button in screen.notice.buttons()] == [words])
    assert said in screen.notice.text()
    qtbot.mouseClick(screen.notice.buttons()[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: screen.presenter.state.answer.value is not None)
    assert screen.notice.buttons() == []
    assert ("1 line was skipped" in screen.notice.text()) == (remedy == "on_bad")
