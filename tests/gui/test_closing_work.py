"""Closing the window while a trace, an analysis or an export runs: it asks, and nothing is lost or half written."""

from __future__ import annotations

import json
import random
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from searching import listed

from explorer import build_index
from explorer.gui.presenting.job import at_work
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.settings.store import Settings
from explorer.gui.threads.runner import Runner

WORDS = ["suffix", "array", "text", "order", "byte", "token", "every", "naïve"]
ANSWERS = 150


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("work")
    chance = random.Random(4)
    (folder / "texts.txt").write_text(" ".join(chance.choices(WORDS, k=200_000)))
    with (folder / "answers.jsonl").open("w") as file:
        for _ in range(ANSWERS):
            file.write(json.dumps({"text": " ".join(chance.choices(WORDS, k=200))}) + "\n")
    build_index(folder / "texts.txt", folder / "index", tokenizer="train:400")
    return folder


@pytest.fixture
def hold(monkeypatch):
    """Lets the work of a runner wait in its n-th report, until `hold.go` is set. The class: that of any runner."""

    def by(runner, number):
        usual, reports = runner.reporter, []

        def reporter(*taker):
            report = usual(*taker)

            def tell(progress):
                report(progress)
                reports.append(progress)
                if len(reports) == number:
                    by.go.wait(120)

            return tell

        monkeypatch.setattr(runner, "reporter", reporter)

    by.go = threading.Event()
    yield by
    by.go.set()


@pytest.fixture
def working(window, qtbot, corpus):
    """A window on an index, in which a moment of work is worth a question."""
    window.departure.worth_asking = 0.1
    window.open(OpenRequest((str(corpus / "index"),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    return window


def trace_answers(window, qtbot, corpus, hold):
    """Begin a trace of the file of answers; what is busy with it."""
    window.show_screen("trace")
    window.trace.tabs.setCurrentIndex(2)
    batch = window.trace.pages.batch
    # Of all runners: opening the file reports nothing, and nothing else runs.
    hold(Runner, 2)
    batch.presenter.open(corpus / "answers.jsonl")
    qtbot.waitUntil(lambda: batch.run_button.isEnabled())
    qtbot.mouseClick(batch.run_button, Qt.MouseButton.LeftButton)
    return window.trace


def analyze(window, qtbot, corpus, hold):
    """Begin an analysis of the same texts; its runner."""
    window.show_screen("agreement")
    hold(window.agreement.lanes.named("agreement"), 1)
    window.agreement.presenter.enter(files=(corpus / "answers.jsonl",))
    qtbot.waitUntil(lambda: window.agreement.lanes.named("agreement").busy)
    return window.agreement.lanes.named("agreement")


def export(window, qtbot, path, hold):
    """Begin to write all lines of a word; its runner."""
    window.show_screen("search")
    # Short lines are written fast.
    window.search.presenter.lines.choose(unit="words")
    window.search.search_for("token")
    qtbot.waitUntil(lambda: listed(window.search) == "token")
    hold(window.search.lanes.named("export"), 2)
    window.search.exporter.export(path, None)
    return window.search.lanes.named("export")


def ask(window, qtbot):
    qtbot.waitUntil(lambda: any(lane.clock.seconds > 0.1 for lane in at_work(window.lanes())))
    window.close()
    assert window.isVisible()
    qtbot.waitUntil(lambda: window.departure.question is not None)
    return window.departure.question


def press(question, text):
    next(button for button in question.findChildren(QPushButton) if button.text() == text).click()


@pytest.mark.parametrize("begin", [trace_answers, analyze])
def test_keep_working(working, qtbot, corpus, begin, hold):
    runner = begin(working, qtbot, corpus, hold)
    question = ask(working, qtbot)
    assert question.title.text() == "Work is running"
    assert question.said().startswith(
        "Trace of answers.jsonl: " if begin is trace_answers else "Agreement of answers.jsonl: "
    )
    # The safe answer is the one of Enter and of Escape.
    QTest.keyClick(question, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: working.departure.question is None)
    assert runner.busy
    hold.go.set()
    qtbot.waitUntil(lambda: not runner.busy)
    assert working.isVisible()
    if begin is trace_answers:
        assert len(working.trace.pages.batch.presenter.state.shown) == ANSWERS
    else:
        assert working.agreement.presenter.state.answer.value.figure.infgram.tokens > 100 * ANSWERS


@pytest.mark.parametrize("begin", [trace_answers, analyze])
def test_quitting_keeps_what_was_typed(working, settings, qtbot, corpus, begin, hold):
    working.trace.presenter.trace_text("a text that matters")
    working.agreement.analyze_text("another text that matters")
    begin(working, qtbot, corpus, hold)
    press(ask(working, qtbot), "Quit")
    qtbot.waitUntil(lambda: not working.isVisible())
    kept = Settings(settings.path).get("session")["screens"]
    assert kept["trace"]["text"] == "a text that matters"
    assert kept["agreement"]["text"] == "another text that matters"
    assert kept["agreement"]["files"] == ([str(corpus / "answers.jsonl")] if begin is analyze else [])


@pytest.mark.parametrize("answer", ["Keep working", "Quit"])
def test_an_export_is_written_whole_or_not_at_all(working, qtbot, corpus, tmp_path, answer, hold):
    folder = tmp_path / "exported"
    folder.mkdir()
    (folder / "lines.csv").write_text("as it was")
    runner = export(working, qtbot, folder / "lines.csv", hold)
    hits = working.search.presenter.state.query.found.count
    press(ask(working, qtbot), answer)
    if answer == "Quit":
        qtbot.waitUntil(lambda: not working.isVisible())
        hold.go.set()
    else:
        hold.go.set()
        qtbot.waitUntil(lambda: not runner.busy)
    # Nothing that was begun is left beside it.
    qtbot.waitUntil(lambda: not list(folder.glob(".corpus-explorer-*")))
    written = (folder / "lines.csv").read_text(encoding="utf-8")
    assert written == "as it was" if answer == "Quit" else written.count("\n") > hits
