"""A file of answers without its widgets: answers that are late, stale, or errors; and what the widgets draw of it."""

from __future__ import annotations

import json

import pytest
from by_hand import HandServices
from PySide6.QtCore import Qt

from explorer.errors import QueryError
from explorer.gui.answer import Freshness
from explorer.gui.screens.trace.batch_presenter import BatchPresenter
from explorer.gui.screens.trace.batch_state import ORDERS
from explorer.trace.settings import TraceSettings

TEXTS = ["the cat sat on the mat.", "zzz qqq", "the dog saw the cat.", 5]


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus, folder) -> None:
        self.services = HandServices()
        self.opened = []
        self.presenter = BatchPresenter(self.services, self.opened.append)
        self.presenter.use_corpus(corpus)
        self.file = folder / "answers.jsonl"
        self.file.write_text("\n".join(json.dumps({"q": "?", "output": text}) for text in TEXTS))

    @property
    def state(self):
        return self.presenter.state

    @property
    def tracer(self):
        return self.services.slots["batch"]

    def open(self, path=None) -> None:
        self.presenter.open(path or self.file)
        self.services.slots["file of answers"].answer()

    def trace(self) -> None:
        self.open()
        self.presenter.run()
        self.tracer.answer()


@pytest.fixture
def bench(small, tmp_path):
    return Bench(small, tmp_path)


def lines(bench):
    return [row.line for row in bench.state.shown]


def test_a_file_offers_its_fields(bench):
    assert not bench.state.can_run and "Open a JSON Lines file" in bench.state.summary
    bench.open()
    state = bench.state
    assert (state.fields, state.text_field, state.prompt_field) == (("q", "output"), "output", "")
    assert state.can_run and state.summary.startswith("answers.jsonl:") and "Choose the fields" in state.summary


def test_a_file_that_cannot_be_opened_leaves_the_one_before(bench, tmp_path):
    bench.open()
    bench.open(tmp_path / "none.jsonl")
    assert "cannot be read" in bench.state.notice
    assert bench.state.can_run and bench.state.fields == ("q", "output")
    bench.presenter.run()
    assert bench.state.notice == ""


def test_only_the_file_that_was_chosen_last_is_opened(bench, tmp_path):
    (tmp_path / "other.jsonl").write_text(json.dumps({"answer": "the cat"}))
    bench.presenter.open(bench.file)
    bench.open(tmp_path / "other.jsonl")
    assert bench.state.fields == ("answer",) and not bench.state.working


def test_rows_come_in_the_chosen_order(bench):
    bench.trace()
    longest = [row.longest_match for row in bench.state.shown]
    assert longest == sorted(longest, reverse=True) and "1 could not be traced" in bench.state.summary
    for number, (_, key) in enumerate(ORDERS):
        bench.presenter.sort(number)
        assert [key(row) for row in bench.state.shown] == sorted(key(row) for row in bench.state.shown)
    assert lines(bench) == [1, 2, 3, 4]
    bench.presenter.sort(len(ORDERS))
    assert lines(bench) == [1, 2, 3, 4]


def test_the_fields_and_settings_are_those_of_the_moment_of_asking(bench):
    bench.open()
    bench.presenter.choose_text_field("q")
    bench.presenter.choose_prompt_field("output")
    bench.presenter.use_settings(TraceSettings(min_length=2))
    bench.presenter.run()
    bench.presenter.choose_text_field("output")
    bench.tracer.answer()
    assert {row.text for row in bench.state.shown} == {"?"}
    assert bench.state.shown[0].prompt == TEXTS[0]


def test_progress_is_shown_while_answers_are_traced(bench):
    seen = []
    bench.presenter.watch(lambda new, old: seen.append((new.working, new.progress)))
    bench.trace()
    size = bench.file.stat().st_size
    assert (True, size) in [(working, progress.total) for working, progress in seen if progress is not None]
    assert not bench.state.working


def test_a_failure_keeps_the_last_rows_dimmed(bench):
    bench.trace()
    rows = bench.state.shown
    bench.presenter.run()
    assert bench.state.rows.dimmed and bench.state.shown is rows and bench.state.notice == ""
    bench.tracer.fail(QueryError("The drive is gone."))
    assert bench.state.rows.dimmed and bench.state.shown is rows and bench.state.notice == "The drive is gone."
    bench.presenter.run()
    bench.tracer.answer()
    assert not bench.state.rows.dimmed and bench.state.notice == ""


def test_what_is_stopped_is_not_answered(bench):
    bench.trace()
    rows = bench.state.shown
    bench.presenter.run()
    bench.presenter.stop()
    assert not bench.tracer.busy and not bench.state.working
    assert bench.state.rows.freshness is Freshness.STOPPED and bench.state.shown is rows and bench.state.rows.dimmed


def test_the_rows_of_another_file_are_dimmed_and_late_ones_never_show(bench, tmp_path):
    bench.trace()
    (tmp_path / "other.jsonl").write_text(json.dumps({"answer": "the cat"}))
    rows = bench.state.shown
    bench.presenter.run()
    bench.open(tmp_path / "other.jsonl")
    assert not bench.tracer.busy and bench.state.shown is rows and bench.state.rows.dimmed
    assert bench.state.summary.startswith("other.jsonl:")
    bench.presenter.run()
    bench.tracer.answer()
    assert [row.text for row in bench.state.shown] == ["the cat"] and not bench.state.rows.dimmed


def test_another_index_clears_the_rows_and_keeps_the_file(bench, small):
    bench.trace()
    bench.presenter.run()
    bench.presenter.use_corpus(None)
    assert not bench.tracer.busy and bench.state.shown == () and not bench.state.can_run
    assert bench.state.rows.freshness is Freshness.UNASKED and bench.state.header == ()
    bench.presenter.run()
    assert not bench.tracer.busy
    bench.presenter.use_corpus(small)
    assert bench.state.can_run and bench.state.summary.startswith("answers.jsonl:")


def test_a_file_that_is_being_opened_is_opened_in_spite_of_another_index(bench, small):
    bench.presenter.open(bench.file)
    bench.presenter.use_corpus(small)
    bench.services.answer_all()
    assert bench.state.fields == ("q", "output") and not bench.state.working


def test_a_row_opens_its_answer(bench):
    bench.trace()
    bench.presenter.sort(5)
    bench.presenter.open_row(2)
    bench.presenter.open_row(7)
    assert [row.text for row in bench.opened] == ["the dog saw the cat."]


def test_saving_does_not_end_a_trace(bench, tmp_path):
    bench.trace()
    bench.presenter.run()
    bench.presenter.save(tmp_path / "out.csv")
    bench.services.slots["table of answers"].answer()
    assert bench.tracer.busy and bench.state.summary == f"Wrote 4 rows to {tmp_path / 'out.csv'}."
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 5
    bench.tracer.answer()
    bench.presenter.save(tmp_path / "out.none")
    bench.services.slots["table of answers"].answer()
    assert ".csv" in bench.state.notice and "answers · on average" in bench.state.summary


# In the window.


@pytest.fixture
def view(opened, qtbot):
    opened.show_screen("trace")
    qtbot.mouseClick(opened.trace.tabs.button(1), Qt.MouseButton.LeftButton)
    return opened.trace.batch


def test_a_file_of_answers_in_the_window(opened, view, bench, qtbot, tmp_path):
    assert view.isVisible() and not view.run_button.isEnabled() and not view.export.isEnabled()
    view.presenter.open(bench.file)
    qtbot.waitUntil(view.run_button.isEnabled)
    assert view.text_field.currentText() == "output" and view.prompt_field.currentIndex() == 0
    qtbot.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.model.rowCount() == 4)
    assert "1 could not be traced" in view.summary.text() and view.export.isEnabled()
    view.sort.setCurrentIndex(5)
    assert [view.model.index(row, 0).data() for row in range(4)] == ["1", "2", "3", "4"]
    view.presenter.save(tmp_path / "out.csv")
    qtbot.waitUntil(lambda: "Wrote 4 rows" in view.summary.text())
    view.table.activated.emit(view.model.index(2, 0))
    trace = opened.trace
    qtbot.waitUntil(lambda: trace.text.editor.text() == "the dog saw the cat." and not trace.busy)
    assert trace.pages.currentIndex() == 0
    view.presenter.open(tmp_path / "none.jsonl")
    qtbot.waitUntil(lambda: "cannot be read" in view.notice.text())


def test_the_chosen_fields_are_traced(view, bench, qtbot):
    view.presenter.open(bench.file)
    qtbot.waitUntil(view.run_button.isEnabled)
    view.text_field.setCurrentIndex(0)
    view.prompt_field.setCurrentIndex(2)
    state = view.presenter.state
    assert (state.text_field, state.prompt_field) == ("q", "output")
    view.prompt_field.setCurrentIndex(0)
    assert view.presenter.state.prompt_field == "" and view.text_field.currentText() == "q"


def test_every_order_of_answers_has_a_name(view):
    """Labels begin with a capital letter, and not with what an editor left behind."""
    names = [view.sort.itemText(number) for number in range(view.sort.count())]
    assert "File order" in names and all(name[0].isupper() for name in names)
