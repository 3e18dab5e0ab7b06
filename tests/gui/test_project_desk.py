"""Projects in the window: its menu, its title, the line about problems, and the question at the end."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton

from explorer.backends.places import HitPlace
from explorer.gui.app import app
from explorer.gui.app.startup import Startup
from explorer.gui.presenting.requests import OpenProject, SaveProject
from explorer.gui.settings.store import Settings
from explorer.project import KeptLines, LineSet, Project, Query, open_project, save_project


def keep(window, qtbot, name="cats"):
    """Save one line as a set."""
    desk = window.projects
    qtbot.waitUntil(lambda: desk.state.current is not None)
    lines = KeptLines().with_mark([HitPlace(0, 1, 1)])
    desk.presenter.edit(
        lambda project, index: project.with_set(
            LineSet(name, index.id, Query("cat"), fingerprint=index.fingerprint, lines=lines)
        )
    )


@pytest.fixture
def chosen(monkeypatch, tmp_path):
    """The file that the user chooses to save to."""
    path = tmp_path / "letters.cxproj"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path.with_suffix("")), ""))
    return path


def answer(window, qtbot, text):
    """Press a button of the question."""
    qtbot.waitUntil(lambda: window.projects.question is not None)
    box = window.projects.question
    next(button for button in box.buttons() if button.text() == text).click()


def test_a_project_is_saved_and_opened_again(opened, qtbot, chosen):
    title = opened.windowTitle()
    opened.search.search_for("the cat")
    keep(opened, qtbot)
    assert opened.windowTitle() == f"Untitled project[*] – {title}" and opened.isWindowModified()
    opened.book.actions["save_project"].trigger()
    qtbot.waitUntil(lambda: not opened.isWindowModified())
    assert opened.windowTitle() == f"letters[*] – {title}"
    assert [kept.name for kept in open_project(chosen).sets] == ["cats"]
    again = app.show_window(Startup(project=str(chosen)), Settings(opened.settings.path))
    qtbot.addWidget(again)
    qtbot.waitUntil(lambda: again.corpus is not None and again.search.query.text() == "the cat")
    assert again.windowTitle() == f"letters[*] – {title}" and not again.isWindowModified()
    assert again.projects.bar.isHidden()
    again.close()


def test_closing_asks_only_about_what_would_be_lost(opened, qtbot, chosen):
    keep(opened, qtbot)
    opened.close()
    assert opened.isVisible()
    assert "1 saved set" in opened.projects.question.informativeText()
    answer(opened, qtbot, "Cancel")
    assert opened.isVisible() and not chosen.exists()
    opened.close()
    answer(opened, qtbot, "Save")
    qtbot.waitUntil(lambda: not opened.isVisible())
    assert [kept.name for kept in open_project(chosen).sets] == ["cats"]


def test_changes_can_be_given_up(opened, qtbot, chosen):
    keep(opened, qtbot)
    opened.close()
    answer(opened, qtbot, "Do not save")
    qtbot.waitUntil(lambda: not opened.isVisible())
    assert not chosen.exists()


def test_a_window_without_changes_closes_at_once(opened, qtbot):
    opened.search.search_for("the cat")
    assert opened.close()
    assert opened.projects.question is None


def test_a_new_project_asks_about_the_old_one(opened, qtbot):
    keep(opened, qtbot)
    opened.book.actions["new_project"].trigger()
    answer(opened, qtbot, "Do not save")
    assert not opened.isWindowModified()
    assert opened.projects.state.sets == ()


def test_a_missing_index_has_its_remedy_in_the_window(window, qtbot, small_index, tmp_path, monkeypatch):
    from explorer import open_index

    place = tmp_path / "work" / "small"
    shutil.copytree(small_index, place)
    fingerprint = open_index(place).index.fingerprint
    index = app_index(place, fingerprint)
    path = place.parent / "p.cxproj"
    save_project(Project((index,), screen="search", views=(("search", '{"query": "the cat"}'),)), path)
    place.rename(tmp_path / "moved")
    drop(window, path)
    bar = window.projects.bar
    qtbot.waitUntil(bar.isVisible)
    assert bar.title.text() == "An index is missing" and str(place) in bar.sentence.text()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "moved"))
    locate = bar.buttons()[0]
    assert locate.text() == "Locate …"
    qtbot.mouseClick(locate, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.corpus is not None and window.search.query.text() == "the cat")
    assert bar.isHidden()
    # Where it is now is not saved yet, but nothing that only the file keeps has changed.
    assert not window.isWindowModified()


def app_index(place, fingerprint):
    from explorer.project import Index

    return Index("1", "Small", (str(place),), fingerprint=fingerprint)


def drop(window, path):
    """Drop a file onto the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action, button, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(9, 9), action, data, button, none))


def test_damage_is_shown_with_its_place(window, qtbot, tmp_path):
    path = tmp_path / "bad.cxproj"
    path.write_text('{\n  "format": ')
    drop(window, path)
    bar = window.projects.bar
    qtbot.waitUntil(bar.isVisible)
    assert "line 2, column" in bar.sentence.text()
    assert [button.text() for button in bar.buttons()] == ["Open another …", "Dismiss"]
    qtbot.mouseClick(bar.buttons()[1], Qt.MouseButton.LeftButton)
    assert bar.isHidden()


def test_the_project_of_the_last_session_is_open_again(opened, qtbot, chosen):
    keep(opened, qtbot)
    opened.book.actions["save_project"].trigger()
    qtbot.waitUntil(lambda: not opened.isWindowModified())
    opened.close()
    again = app.show_window(Startup(restore=True), Settings(opened.settings.path))
    qtbot.addWidget(again)
    qtbot.waitUntil(lambda: again.corpus is not None and again.projects.state.name == "letters")
    assert [kept.name for kept in again.projects.state.sets] == ["cats"]
    again.close()


def test_recent_projects_are_in_the_menu(opened, qtbot, chosen):
    keep(opened, qtbot)
    opened.book.actions["save_project"].trigger()
    qtbot.waitUntil(lambda: not opened.isWindowModified())
    menu = opened.book.submenus["recent_projects"]
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == [str(chosen)]


def test_changes_of_others_are_asked_about(opened, qtbot, chosen):
    keep(opened, qtbot)
    opened.book.actions["save_project"].trigger()
    qtbot.waitUntil(lambda: not opened.isWindowModified())
    save_project(replace(open_project(chosen), notes="theirs"))
    keep(opened, qtbot, "more")
    opened.book.actions["save_project"].trigger()
    bar = opened.projects.bar
    qtbot.waitUntil(bar.isVisible)
    assert bar.title.text() == "The file was changed"
    qtbot.mouseClick(bar.buttons()[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not opened.isWindowModified())
    assert bar.isHidden() and len(open_project(chosen).sets) == 2
    assert isinstance(opened.projects.question, QMessageBox | None)


def test_files_of_somebody_elses_project_are_read_only_if_the_user_agrees(opened, qtbot, chosen, tmp_path):
    away = tmp_path / "away.txt"
    away.write_text("the cat sat on the mat", encoding="utf-8")
    opened.show_screen("agreement")
    opened.ask(SaveProject())
    qtbot.waitUntil(lambda: bool(opened.projects.path) and not opened.projects.state.busy)
    project = tmp_path / "inside" / "p.cxproj"
    project.parent.mkdir()
    text = json.loads(Path(opened.projects.path).read_text(encoding="utf-8"))
    text["views"]["agreement"]["files"] = [str(away)]
    for index in text["indexes"]:
        index["paths"] = [str(opened.corpus.folders[0])]
    project.write_text(json.dumps(text), encoding="utf-8")
    opened.ask(OpenProject(str(project)))
    bar = opened.projects.file_bar
    # Shown when the index of the project is open, without the file.
    qtbot.waitUntil(lambda: opened.projects.state.files == (str(away),))
    inputs = lambda: opened.agreement.presenter.state.inputs  # noqa: E731
    assert inputs().files == () and bar.isVisible() and str(away) in bar.sentence.text()
    button = next(each for each in bar.findChildren(QPushButton) if each.text() == "Read it")
    button.click()
    qtbot.waitUntil(lambda: inputs().files == (away,) and not bar.isVisible())
    qtbot.waitUntil(lambda: opened.agreement.presenter.state.answer.value is not None)


def test_files_and_a_missing_index_are_asked_about_at_once(window, qtbot, small_index, tmp_path):
    secret = tmp_path / "secret.txt"
    path = tmp_path / "work" / "p.cxproj"
    path.parent.mkdir()
    view = json.dumps({"files": [str(secret)], "text": "the cat"})
    save_project(
        Project((app_index(path.parent / "gone", "x"),), screen="agreement", views=(("agreement", view),)), path
    )
    drop(window, path)
    desk = window.projects
    qtbot.waitUntil(lambda: desk.bar.isVisible() and desk.file_bar.isVisible())
    assert desk.bar.title.text() == "An index is missing"
    assert desk.file_bar.title.text() == "Read this file or folder?" and str(secret) in desk.file_bar.sentence.text()
    qtbot.mouseClick(desk.file_bar.buttons()[1], Qt.MouseButton.LeftButton)
    assert desk.file_bar.isHidden() and desk.bar.isVisible() and desk.place.isVisible()
    qtbot.mouseClick(desk.bar.buttons()[1], Qt.MouseButton.LeftButton)
    assert desk.bar.isHidden() and desk.place.isHidden()
