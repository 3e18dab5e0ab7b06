"""Closing the window while a build runs: it asks, keeps what it promises, and offers it at the next start."""

from __future__ import annotations

import random

import pytest
from held import HeldBuilds
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from explorer.building.paused import paused_builds
from explorer.building.request import partial_folder
from explorer.building.run import build_index
from explorer.building.state import can_resume, read_state

WORDS = ["suffix", "array", "text", "order", "byte", "token", "every", "naïve"]
READING, SORTING = 0.15, 0.75
"""Shares of a build at which it waits until the test lets it go on."""


@pytest.fixture
def held(monkeypatch, tmp_path):
    """Builds wait in the middle of reading, and then in the middle of sorting."""
    made = HeldBuilds(monkeypatch, tmp_path / "held", READING, SORTING)
    yield made
    made.let_go()


@pytest.fixture(scope="module")
def many_texts(tmp_path_factory):
    """So many that a build reports often."""
    folder = tmp_path_factory.mktemp("many") / "texts"
    folder.mkdir()
    chance = random.Random(3)
    for number in range(20):
        (folder / f"{number:02}.txt").write_text(" ".join(chance.choices(WORDS, k=8_000)))
    return folder


def begin(window, qtbot, sources, out):
    """Start a build by the button; it is held in the middle of reading."""
    window.show_screen("index")
    screen = window.index
    screen.presenter.add_sources((str(sources),))
    options = screen.pages.prepare.options
    options.out.setText(str(out))
    options.vocabulary.setValue(600)
    options.shards.setValue(3)
    qtbot.mouseClick(screen.pages.prepare.build, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: overall(window) > READING)
    return screen


def overall(window):
    return window.index.lanes.named("build").clock.overall


def press(question, text):
    next(button for button in question.findChildren(QPushButton) if button.text() == text).click()


def asked(window, qtbot):
    window.close()
    assert window.isVisible()
    qtbot.waitUntil(lambda: window.departure.question is not None)
    return window.departure.question


def another_window(settings, qtbot):
    from explorer.gui.app.app import show_window
    from explorer.gui.app.startup import Startup

    made = show_window(Startup(), settings)
    qtbot.addWidget(made)
    return made


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in ("index.json", "report.json")}


def test_pause_and_quit_then_resume(window, settings, qtbot, held, many_texts, tmp_path):
    begin(window, qtbot, many_texts, tmp_path / "out")
    question = asked(window, qtbot)
    assert question.title.text() == "A build is running"
    assert question.said().startswith("Build of out: ") and "%" in question.said()
    press(question, "Pause and quit")
    qtbot.waitUntil(lambda: not window.isVisible())
    state = read_state(partial_folder(tmp_path / "out"))
    assert state.document_count > 0
    later = another_window(settings, qtbot)
    offers = later.index.start.offers
    qtbot.waitUntil(lambda: bool(later.index.presenter.start.state.paused))
    assert later.index.presenter.start.state.paused[0].read == pytest.approx(state.read_share)
    held.let_go()
    qtbot.mouseClick(offers.resume_buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: later.corpus is not None, timeout=120_000)
    build_index(many_texts, tmp_path / "whole", tokenizer="train:600", shards=3)
    assert files_of(tmp_path / "out") == files_of(tmp_path / "whole")
    assert paused_builds() == ()
    later.close()


def test_keep_building(window, qtbot, held, many_texts, tmp_path):
    begin(window, qtbot, many_texts, tmp_path / "out")
    press(asked(window, qtbot), "Keep building")
    qtbot.waitUntil(lambda: window.departure.question is None)
    held.let_go()
    qtbot.waitUntil(lambda: window.corpus is not None, timeout=120_000)
    assert (tmp_path / "out" / "index.json").is_file() and window.isVisible()


def test_the_question_tells_how_far_the_build_is_until_it_has_ended(window, qtbot, held, many_texts, tmp_path):
    begin(window, qtbot, many_texts, tmp_path / "out")
    question = asked(window, qtbot)
    first = question.said()
    held.let_go(READING)
    qtbot.waitUntil(lambda: question.said() != first)
    held.let_go(SORTING)
    # Nothing is left to be asked about: the window stays, with the index open.
    qtbot.waitUntil(lambda: window.departure.question is None, timeout=120_000)
    qtbot.waitUntil(lambda: window.corpus is not None)
    assert window.isVisible() and (tmp_path / "out" / "index.json").is_file()


def test_discard_leaves_nothing_and_offers_nothing(window, settings, qtbot, held, many_texts, tmp_path):
    begin(window, qtbot, many_texts, tmp_path / "out")
    press(asked(window, qtbot), "Discard")
    qtbot.waitUntil(lambda: not window.isVisible())
    assert not (tmp_path / "out.partial").exists() and not (tmp_path / "out").exists()
    later = another_window(settings, qtbot)
    qtbot.waitUntil(lambda: not any(runner.busy for runner in later.index.lanes.all()))
    assert later.index.presenter.start.state.paused == () and paused_builds() == ()
    later.close()


def test_pausing_offers_to_go_on_in_the_same_window(window, qtbot, held, many_texts, tmp_path):
    screen = begin(window, qtbot, many_texts, tmp_path / "out")
    qtbot.mouseClick(screen.pages.progress.pause, Qt.MouseButton.LeftButton)
    offers = screen.start.offers
    qtbot.waitUntil(lambda: bool(screen.presenter.start.state.paused))
    assert offers.isVisible() and can_resume(tmp_path / "out")
    # Nothing runs any more, so closing would not ask.
    assert window.departure.may_close()
    qtbot.mouseClick(offers.discard_buttons[0], Qt.MouseButton.LeftButton)
    press(window.index.question, "Keep")
    assert can_resume(tmp_path / "out")
    qtbot.mouseClick(offers.discard_buttons[0], Qt.MouseButton.LeftButton)
    press(window.index.question, "Discard")
    qtbot.waitUntil(lambda: not window.index.presenter.start.state.paused)
    assert not (tmp_path / "out.partial").exists()


def test_opening_another_index_lets_the_build_go_on(window, qtbot, held, many_texts, small_index, tmp_path):
    from explorer.gui.presenting.requests import OpenRequest

    presenter = begin(window, qtbot, many_texts, tmp_path / "out").presenter.build
    window.open(OpenRequest((str(small_index),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    assert presenter.state.building
    held.let_go()
    qtbot.waitUntil(lambda: (tmp_path / "out" / "index.json").is_file(), timeout=120_000)
    qtbot.waitUntil(lambda: not presenter.state.building)


def test_the_bar_never_runs_back(window, qtbot, held, many_texts, tmp_path):
    window.show_screen("index")
    seen = []
    screen = window.index

    def note(value):
        if (progress := screen.presenter.build.state.progress) is not None:
            seen.append((progress.stage, value))

    screen.pages.progress.bar.valueChanged.connect(note)
    begin(window, qtbot, many_texts, tmp_path / "out")
    held.let_go(READING)
    qtbot.waitUntil(lambda: overall(window) > SORTING, timeout=120_000)
    held.let_go(SORTING)
    qtbot.waitUntil(lambda: window.corpus is not None, timeout=120_000)
    values = [value for stage, value in seen if stage != "Training the tokenizer"]
    assert {stage for stage, _ in seen} >= {"Tokenizing", "Sorting"}
    assert values == sorted(values) and values[0] < 400 < values[-1]


def test_the_sample_is_built_where_one_looks_and_paused_too(window, settings, qtbot, held):
    window.show_screen("index")
    window.indexes.presenter.open_sample()
    progress = window.index.pages.progress
    qtbot.waitUntil(lambda: window.indexes.opener.clock.overall > READING, timeout=120_000)
    assert progress.bar.isVisible() and "sample" in progress.title.text()
    press(asked(window, qtbot), "Pause and quit")
    qtbot.waitUntil(lambda: not window.isVisible())
    (paused,) = paused_builds()
    assert paused.sample and paused.read > 0


def test_canceling_removes_what_was_built(window, qtbot, held, many_texts, tmp_path):
    screen = begin(window, qtbot, many_texts, tmp_path / "out")
    qtbot.mouseClick(screen.pages.progress.cancel, Qt.MouseButton.LeftButton)
    assert not screen.pages.progress.pause.isEnabled()
    qtbot.waitUntil(lambda: not screen.presenter.build.state.building)
    assert not (tmp_path / "out.partial").exists() and paused_builds() == ()
    # The form is as it was, to change something and to begin again.
    assert screen.pages.prepare.isVisible() and screen.pages.prepare.build.isEnabled()


def test_an_error_offers_its_way_out(window, qtbot, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "one two three"}\nnot json\n{"text": "four"}\n')
    window.show_screen("index")
    screen = window.index
    form, presenter = screen.pages.prepare, screen.presenter.build
    screen.presenter.add_sources((str(tmp_path / "a.jsonl"),))
    form.options.tokenizer.setCurrentIndex(1)
    qtbot.waitUntil(lambda: len(form.notice.buttons()) == 3)
    assert "--" not in form.notice.text() and "2" in form.notice.text() and form.notice.text().count("a.jsonl") == 1
    assert dict(presenter.state.estimated)["Tokens"].startswith("≈")
    # A build would stop at that line: it cannot start before something is done about it, and says why.
    assert not form.build.isEnabled() and presenter.state.why_not_build == form.notice.text()
    qtbot.mouseClick(form.notice.buttons()[0], Qt.MouseButton.LeftButton)
    assert form.options.skip_bad.isChecked()
    qtbot.waitUntil(lambda: form.build.isEnabled() and not form.notice.text())
    qtbot.mouseClick(form.build, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.corpus is not None)
    assert window.corpus.document_count == 2
    # What was left out is in view before anything is searched.
    table = screen.pages.about.left_out
    qtbot.waitUntil(lambda: table.isVisible() and table.model.rowCount() == 1)
    assert [table.model.cell(table.model.index(0, column)).text for column in (0, 1)] == ["a.jsonl, line 2", "bad line"]


def test_what_would_be_left_out_is_listed_before_the_build(window, qtbot, tmp_path):
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a.txt").write_text("words")
    (tmp_path / "s" / "b.png").write_bytes(b"\x89PNG\0\0")
    window.show_screen("index")
    window.index.presenter.add_sources((str(tmp_path / "s"),))
    table = window.index.pages.prepare.left_out
    qtbot.waitUntil(table.isVisible)
    texts = [table.model.cell(table.model.index(0, column)).text for column in range(3)]
    assert texts == ["b.png", "not a text", "A picture holds no text"]


def test_an_error_is_shown_where_the_figures_would_be(window, qtbot, tmp_path):
    window.show_screen("index")
    window.index.presenter.add_sources((str(tmp_path / "none"),))
    qtbot.waitUntil(lambda: bool(window.index.pages.prepare.notice.text()))
    assert window.index.presenter.build.state.estimated == ()


def test_a_text_of_unknown_encoding_is_read_as_told(window, qtbot, tmp_path):
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a.txt").write_text("words")
    (tmp_path / "s" / "old.txt").write_bytes("Привет, мир. Это обычный текст.\n".encode("koi8-r"))
    window.show_screen("index")
    screen = window.index
    screen.presenter.add_sources((str(tmp_path / "s"),))
    table, form = screen.pages.prepare.left_out, screen.pages.prepare
    qtbot.waitUntil(lambda: table.isVisible() and table.model.rowCount() == 1)
    assert not table.read_as.isEnabled() and table.read_as.toolTip()
    table.table.selectRow(0)
    assert table.read_as.isEnabled()
    next(action for action in table.encodings.actions() if action.text() == "KOI8-R (Cyrillic)").trigger()
    assert form.fields.encoding.currentText() == "KOI8-R (Cyrillic)"
    # It is among the previews now. Whether it is read well is seen there, and another encoding is chosen in the form.
    qtbot.waitUntil(lambda: "Привет" in str(screen.presenter.build.state.documents))
    assert form.fields.encoding.isVisible() and screen.presenter.build.state.left_out == ()
