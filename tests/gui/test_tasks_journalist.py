"""Tasks of a journalist, done with keys only and with the mouse only; docs/window-tasks.md lists their steps."""

from __future__ import annotations

import pytest
from hands import Keyboard, Mouse, Place
from letters import ANSWER, QUOTED, write_answers
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog
from task_window import SLACK, answer_dialog, focused, settled

# 8. Paste an answer, find the longest passage that it shares word for word, cite it, and see its source beside it.


def traced(desk):
    return lambda: settled(desk)() and desk.trace.text.evidence.documents.model.rowCount() > 0


def beside(desk):
    return lambda: settled(desk)() and desk.trace.presenter.side.state.shown


def cited(desk):
    copied = QGuiApplication.clipboard().text()
    return QUOTED in copied and "letters.jsonl" in copied


@pytest.mark.usefixtures("all_screens")
def test_cite_the_longest_passage_with_keys(desk):
    keys = Keyboard(desk, settled(desk))
    QGuiApplication.clipboard().setText(ANSWER)

    def task():
        yield keys.press("Ctrl+3")
        yield keys.press("Ctrl+L")
        yield keys.press("Ctrl+V")
        yield keys.until(traced(desk))
        yield keys.press("Ctrl+Shift+L")
        yield keys.press("Ctrl+Shift+C")
        yield keys.press("F8")
        yield keys.until(beside(desk))

    steps = keys.do(task())
    assert cited(desk)
    assert steps <= 6 + SLACK, " · ".join(keys.steps)


def test_cite_the_longest_passage_with_the_mouse(desk):
    mouse = Mouse(desk, settled(desk))
    QGuiApplication.clipboard().setText(ANSWER)
    cards = desk.trace.text.evidence.documents.cards

    def first_card():
        return Place(cards.viewport(), cards.visualRect(cards.model().index(0, 0)).center())

    def task():
        yield mouse.click("Trace")
        yield mouse.right_click("Text to trace")
        yield mouse.click("Paste")
        yield mouse.until(traced(desk))
        yield mouse.click("17 tokens, longest match")
        yield mouse.click_at(first_card, "the first card")
        yield mouse.click("Copy with source")
        yield mouse.click("Side by side")
        yield mouse.until(beside(desk))

    steps = mouse.do(task())
    assert cited(desk)
    assert steps <= 7, " · ".join(mouse.steps)


# 9. Trace a file of answers, and open the one that copies most.


def all_traced(desk):
    return lambda: settled(desk)() and len(desk.trace.pages.batch.presenter.state.shown) == 3


def opened_most_copied(desk):
    return desk.trace.presenter.state.text == ANSWER


@pytest.mark.usefixtures("all_screens")
def test_the_most_copied_answer_with_keys(desk, tmp_path, monkeypatch):
    keys = Keyboard(desk, settled(desk))
    answer_dialog(monkeypatch, keys, "getOpenFileName", write_answers(tmp_path))

    def task():
        yield keys.press("Ctrl+3")
        for _ in range(2):
            yield keys.press("Ctrl+Shift+Tab")
        yield keys.press("Alt+O")
        yield keys.until(lambda: desk.trace.pages.batch.presenter.state.why_not_run == "")
        yield keys.to("Trace all", chord="Shift+Tab")
        yield keys.press("Space")
        yield keys.until(all_traced(desk))
        yield keys.to("Column headers")
        for _ in range(3):
            yield keys.press("Right")
        yield keys.press("Enter")
        yield keys.to("Answers", chord="Shift+Tab")
        yield keys.press("Enter")
        yield keys.until(lambda: settled(desk)() and opened_most_copied(desk))

    steps = keys.do(task())
    assert steps <= 18 + SLACK, " · ".join(keys.steps)


def test_the_most_copied_answer_with_the_mouse(desk, tmp_path, monkeypatch):
    mouse = Mouse(desk, settled(desk))
    answer_dialog(monkeypatch, mouse, "getOpenFileName", write_answers(tmp_path))
    batch = desk.trace.pages.batch

    def first_row():
        return Place(batch.table.viewport(), batch.table.visualRect(batch.model.index(0, 1)).center())

    def task():
        yield mouse.click("Trace")
        yield mouse.click("File of answers")
        yield mouse.click("Open …")
        yield mouse.until(lambda: batch.presenter.state.why_not_run == "")
        yield mouse.click("Trace all")
        yield mouse.until(all_traced(desk))
        yield mouse.click("Longest match")
        yield mouse.double_click_at(first_row, "the first answer")
        yield mouse.until(lambda: settled(desk)() and opened_most_copied(desk))

    steps = mouse.do(task())
    assert steps <= 7, " · ".join(mouse.steps)


# 10. Save the work of a day as a project, and come back to it on the next day.


def work_is_back(desk):
    projects = desk.projects
    return lambda: settled(desk)() and desk.search.query.text() == "boat" and bool(projects.state.project.sets)


@pytest.fixture
def project(desk, qtbot, tmp_path, monkeypatch):
    """A project of yesterday: its index, its query and a set."""
    desk.search.search_for("boat")
    qtbot.waitUntil(lambda: settled(desk)() and desk.search.model.rowCount() > 0)
    qtbot.waitUntil(lambda: not desk.search.presenter.marks.state.why_not)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("boats", True))
    desk.search.pages.lines.marks.save_set()
    qtbot.waitUntil(lambda: bool(desk.projects.state.project.sets))
    path = tmp_path / "boats.cxproj"
    desk.projects.presenter.save(str(path))
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(lambda: not desk.projects.state.changed)
    desk.projects.presenter.new()
    desk.search.query.clear()
    return path


def test_come_back_to_a_project_with_keys(desk, qtbot, project, monkeypatch):
    keys = Keyboard(focused(desk, qtbot), settled(desk))
    answer_dialog(monkeypatch, keys, "getOpenFileName", project)

    def task():
        yield keys.press("Ctrl+Shift+O")
        yield keys.until(work_is_back(desk))

    assert keys.do(task()) <= 2, " · ".join(keys.steps)


def test_come_back_to_a_project_with_the_mouse(desk, qtbot, project, monkeypatch):
    mouse = Mouse(focused(desk, qtbot), settled(desk))
    answer_dialog(monkeypatch, mouse, "getOpenFileName", project)

    def task():
        yield mouse.click("File")
        yield mouse.click("Open project …")
        yield mouse.until(work_is_back(desk))

    assert mouse.do(task()) <= 3, " · ".join(mouse.steps)
