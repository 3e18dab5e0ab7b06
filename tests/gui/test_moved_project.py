"""A project that is copied to another place with its indexes and files, and opened there by somebody else."""

from __future__ import annotations

import json
import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from explorer import build_index
from explorer.gui.app import app
from explorer.gui.app.startup import Startup
from explorer.gui.presenting.requests import OpenRequest, SaveProject
from explorer.gui.screens.search.lines.column_layout import MATCH
from explorer.gui.screens.search.state import View
from explorer.gui.settings.store import Settings

TEXT = " ".join(f"word{n}" for n in range(60))


@pytest.fixture
def work(tmp_path):
    """A folder with an index that holds a text twice, another index, and a file of probabilities."""
    folder = tmp_path / "work"
    folder.mkdir()
    texts = {
        "main": [TEXT, TEXT, "the cat sat", "word1 word2 word3 and something else"],
        "beside": ["the cat", "word1"],
    }
    for name, documents in texts.items():
        source = tmp_path / f"{name}.jsonl"
        source.write_text("".join(json.dumps({"text": text}) + "\n" for text in documents), encoding="utf-8")
        build_index(source, folder / name, tokenizer="bytes", name=name)
    tokens = [{"start": 0, "end": 3, "probability": 0.5}, {"start": 3, "end": 7, "probability": 0.25}]
    (folder / "model.jsonl").write_text(json.dumps({"text": "the cat", "tokens": tokens}), encoding="utf-8")
    return folder


def parts(window):
    """The presenters whose work the project keeps."""
    screens = window.screens
    return tuple(screens[name].presenter for name in ("search", "next_token", "agreement", "trace"))


def compare(window, qtbot, folder):
    """Use whatever hangs on files and on other indexes."""
    search, following, agreement, trace = parts(window)
    search.search_for("word1")
    search.comparison.add("word1")
    search.comparison.add_index(str(folder / "beside"))
    search.columns.resize({MATCH: 20.0})
    search.show_view(View.COMPARE)
    following.typed("word")
    following.beside.open(str(folder / "beside"))
    agreement.enter(text="the cat sat")
    agreement.open_neural(folder / "model.jsonl")
    trace.trace_text(TEXT)
    qtbot.waitUntil(lambda: trace.state.answer.current is not None)
    trace.leave_out(True)
    wait(window, qtbot)


def wait(window, qtbot):
    search, following, agreement, trace = parts(window)
    qtbot.waitUntil(lambda: len(search.comparison.state.rows) == 2 and search.comparison.state.can_export)
    qtbot.waitUntil(lambda: following.beside.state.answer.current is not None)
    qtbot.waitUntil(lambda: agreement.state.neural.current is not None and agreement.state.answer.current is not None)
    qtbot.waitUntil(lambda: trace.state.own.less is not None and trace.state.answer.current is not None)


def shown(window):
    """What the screens show of it."""
    search, following, agreement, trace = parts(window)
    return {
        "comparison": search.comparison.state.rows,
        "columns": search.columns.state.layout,
        "beside": following.beside.state.caption,
        "neural": agreement.state.neural.value.bins,
        "trace": (trace.state.summary, trace.state.self_match),
    }


@pytest.fixture
def saved(window, qtbot, work, monkeypatch):
    """Save a project with all of it, and give what the window showed."""
    window.open(OpenRequest((str(work / "main"),)))
    qtbot.waitUntil(lambda: window.corpus is not None and window.projects.state.current is not None)
    compare(window, qtbot, work)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(work / "p.cxproj"), ""))
    window.ask(SaveProject())
    qtbot.waitUntil(lambda: bool(window.projects.path) and not window.projects.state.busy)
    return shown(window)


def opened_by_another(qtbot, project):
    """A window of somebody who has opened nothing before."""
    made = app.show_window(Startup(project=str(project)), Settings(project.parent.parent / "other.json"))
    qtbot.addWidget(made)
    qtbot.waitUntil(lambda: made.corpus is not None)
    return made


def test_all_of_it_is_there_where_the_folder_is_copied_to(saved, qtbot, work, tmp_path):
    text = (work / "p.cxproj").read_text(encoding="utf-8")
    # No file of the project's folder, and nothing of this machine, is named by where it is.
    assert str(tmp_path) not in text
    there = shutil.copytree(work, tmp_path / "there" / "copied")
    shutil.rmtree(work)
    other = opened_by_another(qtbot, there / "p.cxproj")
    wait(other, qtbot)
    assert shown(other) == saved
    assert other.projects.bar.isHidden() and other.projects.file_bar.isHidden() and not other.isWindowModified()
    search, following, agreement, _ = parts(other)
    assert search.comparison.state.session[0]["path"] == str(there / "beside") == following.beside.state.entry.path
    assert agreement.session()["neural"] == str(there / "model.jsonl")
    other.close()


def test_what_is_missing_is_told_where_it_is_missed(saved, qtbot, work, tmp_path, monkeypatch):
    there = shutil.copytree(work, tmp_path / "there" / "copied")
    (there / "beside").rename(tmp_path / "moved")
    (there / "model.jsonl").unlink()
    other = opened_by_another(qtbot, there / "p.cxproj")
    other.show_screen("search")
    view = other.search.pages.compare
    qtbot.waitUntil(view.notice.isVisible)
    assert str(there / "beside") in view.notice.text()
    assert [button.text() for button in view.notice.buttons()] == ["Locate …", "Try again", "Leave it out"]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "moved"))
    qtbot.mouseClick(view.notice.buttons()[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not view.notice.isVisible() and view.model.rowCount() == 2)
    other.show_screen("agreement")
    notice = other.agreement.notice
    qtbot.waitUntil(notice.isVisible)
    assert "model.jsonl" in notice.text()
    assert [button.text() for button in notice.buttons()] == ["Open other probabilities …", "Leave it out"]
    qtbot.mouseClick(notice.buttons()[1], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not notice.isVisible())
    assert other.agreement.presenter.session()["neural"] == ""
    other.close()


def test_what_is_outside_the_folder_is_asked_about(saved, qtbot, work, tmp_path):
    project = tmp_path / "elsewhere" / "inside" / "p.cxproj"
    project.parent.mkdir(parents=True)
    shutil.copytree(work / "main", project.parent / "main")
    for name in ("beside", "model.jsonl"):
        (work / name).rename(project.parent.parent / name)
    text = (work / "p.cxproj").read_text(encoding="utf-8")
    outside = text.replace('"path": "beside"', '"path": "../beside"').replace('"model.jsonl"', '"../model.jsonl"')
    project.write_text(outside, encoding="utf-8")
    other = opened_by_another(qtbot, project)
    bar = other.projects.file_bar
    qtbot.waitUntil(bar.isVisible)
    names = {str(project.parent.parent / name) for name in ("beside", "model.jsonl")}
    assert set(other.projects.state.files) == names and bar.title.text() == "Read these files and folders?"
    search, following, agreement, _ = parts(other)
    qtbot.waitUntil(lambda: search.comparison.state.answer.current is not None)
    assert search.comparison.state.beside == () and following.beside.state.entry is None
    assert agreement.state.neural_file is None
    assert bar.buttons()[0].text() == "Read them"
    qtbot.mouseClick(bar.buttons()[0], Qt.MouseButton.LeftButton)
    wait(other, qtbot)
    assert shown(other) == saved and bar.isHidden()
    other.close()
