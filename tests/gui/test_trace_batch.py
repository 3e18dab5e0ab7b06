"""A file of answers without its widgets: answers that are late, stale, or errors; and what the widgets draw of it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from by_hand import HandServices
from PySide6.QtCore import Qt

from explorer import open_index
from explorer.analyses.trace import batch
from explorer.analyses.trace.batch import BatchRow
from explorer.analyses.trace.settings import TraceSettings
from explorer.errors import QueryError
from explorer.gui.presenting.answer import Freshness
from explorer.gui.presenting.requests import Saved
from explorer.gui.screens.trace.batch.answers_table import AnswersModel, AnswersTable
from explorer.gui.screens.trace.batch.presenter import BatchPresenter
from explorer.gui.screens.trace.batch.state import COLUMNS, MODEL, Order, arranged, bins_of, cell_of

TEXTS = ["the cat sat on the mat.", "zzz qqq", "the dog saw the cat.", 5]


@pytest.fixture
def front():
    return "trace"


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus, folder) -> None:
        self.services = HandServices()
        self.opened = []
        self.requests = []
        self.presenter = BatchPresenter(self.services, self.requests.append, self.opened.append)
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


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """A data folder of its own: no answers of another test are kept there."""
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def bench(small, tmp_path):
    return Bench(small, tmp_path)


def lines(bench):
    return [row.line for row in bench.state.shown]


def test_a_file_offers_its_fields(bench):
    assert bench.state.why_not_run == "Open a file of answers first." and bench.state.summary == ""
    bench.open()
    state = bench.state
    assert (state.fields, state.text_field, state.prompt_field) == (("q", "output"), "output", "")
    assert (
        state.why_not_run == "" and state.summary.startswith("answers.jsonl.") and "Choose the fields" in state.summary
    )
    bench.services.answer_all()
    assert bench.state.summary.startswith("answers.jsonl: 4 answers. Choose the fields")


def test_a_file_that_cannot_be_opened_leaves_the_one_before(bench, tmp_path):
    bench.open()
    bench.open(tmp_path / "none.jsonl")
    assert "cannot be read" in bench.state.notice
    assert bench.state.why_not_run == "" and bench.state.fields == ("q", "output")
    bench.presenter.run()
    assert bench.state.notice == ""


def test_a_file_that_is_gone_when_it_is_traced_is_named(bench):
    bench.open()
    bench.file.unlink()
    bench.presenter.run()
    bench.tracer.answer()
    assert "answers.jsonl cannot be read: No such file or directory." in bench.state.notice
    assert not bench.state.working


def test_only_the_file_that_was_chosen_last_is_opened(bench, tmp_path):
    (tmp_path / "other.jsonl").write_text(json.dumps({"answer": "the cat"}))
    bench.presenter.open(bench.file)
    bench.open(tmp_path / "other.jsonl")
    assert bench.state.fields == ("answer",) and not bench.state.working


def test_rows_come_in_the_chosen_order(bench):
    bench.trace()
    longest = [row.longest_match for row in bench.state.shown]
    assert lines(bench) == [1, 2, 3, 4] and "1 could not be traced" in bench.state.summary
    assert bench.state.summary.endswith(" · in the order of the file")
    bench.presenter.sort(3)
    assert bench.state.summary.endswith(" · sorted by “Longest match”")
    assert [row.longest_match for row in bench.state.shown] == sorted(longest, reverse=True)
    bench.presenter.sort(3)
    assert [row.longest_match for row in bench.state.shown] == sorted(longest)
    bench.presenter.sort(3)
    assert lines(bench) == [1, 2, 3, 4]
    for number, (_, key, largest_first) in enumerate(COLUMNS):
        bench.presenter.sort(number)
        keys = [key(row) for row in bench.state.shown]
        assert keys == sorted(keys, reverse=largest_first)
    bench.presenter.sort(len(COLUMNS))
    assert bench.state.order == Order(len(COLUMNS) - 1, False)


def test_rows_appear_in_order_while_the_file_is_traced(bench):
    seen = []
    bench.presenter.watch(lambda new, old: seen.append((new.working, [row.line for row in new.shown])))
    bench.trace()
    assert [(True, list(range(1, n + 1))) in seen for n in range(1, 5)] == [True] * 4


def test_a_bar_of_the_histogram_is_a_filter(bench):
    bench.trace()
    counts = [one.count for one in bench.state.bins]
    assert sum(counts) == 3
    number = next(number for number, count in enumerate(counts) if count)
    bench.presenter.choose_length(number)
    assert len(bench.state.shown) == counts[number] and bench.state.bins[number].chosen
    assert bench.state.filter_text.startswith(f"Longest match {bench.state.bins[number].name}")
    bench.presenter.choose_length(number)
    assert lines(bench) == [1, 2, 3, 4] and bench.state.filter_text == ""
    bench.presenter.choose_length(99)
    assert bench.state.length is None


def test_bars_count_every_length_once():
    rows = tuple(BatchRow(n, "", "", 200, 0, n, 0.0, 0.0, "") for n in range(200))
    bins = bins_of(rows, None)
    assert [one.count for one in bins] == [5, 5, 10, 20, 40, 80, 40]
    assert bins[0].name == "0–4" and bins[-1].name == "160 or more"
    for number, one in enumerate(bins):
        assert len(arranged(rows, Order(), number)) == one.count


def test_an_answer_of_the_corpus_is_flagged():
    copy, other = (BatchRow(1, "", "", 72, 0, match, 1.0, 0.0, "") for match in (72, 20))
    assert cell_of(copy, 6).text == "72 of 72 tokens" and cell_of(other, 6).text == ""


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
    assert (True, 4) in [(working, progress.total) for working, progress in seen if progress is not None]
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


def test_what_is_done_when_it_is_stopped_is_kept(bench):
    bench.open()
    bench.presenter.watch(lambda new, old: bench.presenter.stop() if len(new.shown) == 2 else None)
    bench.presenter.run()
    bench.tracer.answer()
    assert not bench.tracer.busy and not bench.state.working and lines(bench) == [1, 2]
    assert bench.state.rows.freshness is Freshness.STOPPED and bench.state.kept
    assert bench.state.summary.startswith("Stopped after 2 of 4 answers")


def test_the_rows_of_another_file_are_dimmed_and_late_ones_never_show(bench, tmp_path):
    bench.trace()
    (tmp_path / "other.jsonl").write_text(json.dumps({"answer": "the cat"}))
    rows = bench.state.shown
    bench.presenter.run()
    bench.open(tmp_path / "other.jsonl")
    assert not bench.tracer.busy and bench.state.shown is rows and bench.state.rows.dimmed
    assert bench.state.summary.startswith("other.jsonl.")
    bench.presenter.run()
    bench.tracer.answer()
    assert [row.text for row in bench.state.shown] == ["the cat"] and not bench.state.rows.dimmed


def test_another_index_clears_the_rows_and_keeps_the_file(bench, small):
    bench.trace()
    bench.presenter.run()
    bench.presenter.use_corpus(None)
    assert not bench.tracer.busy and bench.state.shown == () and bench.state.why_not_run == "No index is open."
    assert bench.state.rows.freshness is Freshness.UNASKED and bench.state.bins[0].count == 0
    bench.presenter.run()
    assert not bench.tracer.busy
    bench.presenter.use_corpus(small)
    assert bench.state.why_not_run == "" and bench.state.summary.startswith("answers.jsonl.")


def test_a_file_that_is_being_opened_is_opened_in_spite_of_another_index(bench, small):
    bench.presenter.open(bench.file)
    bench.presenter.use_corpus(small)
    bench.services.answer_all()
    assert bench.state.fields == ("q", "output") and not bench.state.working


def test_a_row_opens_its_answer(bench):
    bench.trace()
    bench.presenter.open_row(2)
    bench.presenter.open_row(7)
    assert [row.text for row in bench.opened] == ["the dog saw the cat."]
    assert bench.state.place == "Answer 3 of 4 · line 3"
    bench.presenter.step(1)
    assert len(bench.opened) == 1
    bench.presenter.step(-1)
    assert bench.state.place == "Answer 2 of 4 · line 2" and bench.opened[-1].text == "zzz qqq"
    bench.presenter.leave_row()
    bench.presenter.step(-1)
    assert bench.state.place == "" and len(bench.opened) == 2


def test_saving_does_not_end_a_trace(bench, tmp_path):
    bench.trace()
    bench.presenter.run()
    bench.presenter.save(tmp_path / "out.csv")
    bench.services.slots["table of answers"].answer()
    assert bench.tracer.busy and bench.requests == [Saved(tmp_path / "out.csv", "Saved 4 rows")]
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 5
    bench.tracer.answer()
    bench.presenter.save(tmp_path / "out.none")
    bench.services.slots["table of answers"].answer()
    assert ".csv" in bench.state.notice and "answers · on average" in bench.state.summary


# In the window.


@pytest.fixture
def view(opened, qtbot):
    opened.show_screen("trace")
    opened.trace.tabs.setCurrentIndex(2)
    return opened.trace.pages.batch


def test_a_file_of_answers_in_the_window(opened, view, bench, qtbot, tmp_path):
    assert view.isVisible() and not view.run_button.isEnabled() and not view.export.isEnabled()
    view.presenter.open(bench.file)
    qtbot.waitUntil(view.run_button.isEnabled)
    assert view.text_field.currentText() == "output" and view.prompt_field.currentIndex() == 0
    qtbot.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.model.rowCount() == 4)
    assert "1 could not be traced" in view.summary.text() and view.export.isEnabled()
    assert [view.model.index(row, 0).data() for row in range(4)] == ["1", "2", "3", "4"]
    view.presenter.save(tmp_path / "out.csv")
    qtbot.waitUntil((tmp_path / "out.csv").exists)
    view.table.activated.emit(view.model.index(2, 0))
    trace = opened.trace
    qtbot.waitUntil(lambda: trace.text.editor.text() == "the dog saw the cat." and not trace.busy)
    assert trace.pages.currentIndex() == 0 and trace.text.rows.isVisible()
    qtbot.mouseClick(trace.text.rows.back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: trace.text.editor.text() == "zzz qqq" and not trace.busy)
    qtbot.mouseClick(trace.text.rows.table, Qt.MouseButton.LeftButton)
    assert view.isVisible()
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


def test_a_click_on_a_header_sorts_and_one_on_a_bar_filters(view, bench, qtbot):
    view.presenter.open(bench.file)
    qtbot.waitUntil(view.run_button.isEnabled)
    view.presenter.run()
    qtbot.waitUntil(lambda: view.presenter.state.rows.current is not None)
    view.table.sorted_by.emit(3)
    matches = [int(view.model.index(row, 3).data() or 0) for row in range(4)]
    assert matches == sorted(matches, reverse=True) and view.table.horizontalHeader().sortIndicatorSection() == 3
    number = next(number for number, one in enumerate(view.presenter.state.bins) if one.count)
    qtbot.mouseClick(view.histogram, Qt.MouseButton.LeftButton, pos=view.histogram.bar(number).center().toPoint())
    assert view.presenter.state.length == number and view.filter.isVisible()
    qtbot.mouseClick(view.filter, Qt.MouseButton.LeftButton)
    assert view.presenter.state.length is None and not view.filter.isVisible()
    view.histogram.setFocus()
    qtbot.keyClick(view.histogram, Qt.Key.Key_Return)
    assert view.presenter.state.length == number


def again(bench, small, tmp_path):
    """Another start of the program, with the session of the one before."""
    session = bench.presenter.session()
    found = Bench(small, tmp_path)
    found.presenter.restore(json.loads(json.dumps(session)))
    found.services.answer_all()
    return found


def stop_after(bench, count):
    bench.presenter.watch(lambda new, old: bench.presenter.stop() if len(new.shown) == count else None)
    bench.presenter.run()
    bench.tracer.answer()


def traced_lines(monkeypatch):
    """The texts that are traced from here on."""
    found, trace = [], batch.trace_one
    monkeypatch.setattr(batch, "trace_one", lambda index, text, *rest: found.append(text) or trace(index, text, *rest))
    return found


def test_a_stopped_trace_continues_where_it_was_stopped(bench, small, tmp_path, monkeypatch):
    bench.open()
    stop_after(bench, 2)
    assert bench.state.run_words == "Continue"
    texts = traced_lines(monkeypatch)
    restarted = again(bench, small, tmp_path)
    assert restarted.state.path == bench.file
    assert restarted.state.text_field == "output"
    assert restarted.state.summary.startswith("Stopped after 2 of 4 answers")
    assert restarted.state.run_words == "Continue"
    assert texts == []
    restarted.presenter.run()
    restarted.tracer.answer()
    assert texts == ["the dog saw the cat."]
    whole = Bench(small, tmp_path)
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "elsewhere"))
    whole.trace()
    assert restarted.state.rows.value == whole.state.rows.value
    assert restarted.state.run_words == "Trace all"


def test_all_answers_are_there_after_a_start(bench, small, tmp_path, monkeypatch):
    bench.trace()
    texts = traced_lines(monkeypatch)
    restarted = again(bench, small, tmp_path)
    assert restarted.state.rows.value == bench.state.rows.value
    assert restarted.state.rows.freshness is Freshness.ANSWERED
    assert texts == []


@pytest.mark.parametrize("changed", ["settings", "file", "field", "index"])
def test_answers_that_are_out_of_date_are_not_shown(bench, small, byte_index, tmp_path, changed):
    bench.trace()
    if changed == "settings":
        bench.presenter.use_settings(TraceSettings(min_length=3))
    if changed == "field":
        bench.presenter.choose_text_field("q")
    restarted = Bench(open_index(byte_index) if changed == "index" else small, tmp_path)
    restarted.presenter.use_settings(bench.state.settings)
    if changed == "file":
        restarted.file.write_text(restarted.file.read_text().replace("cat", "cow"))
    restarted.presenter.restore(bench.presenter.session())
    restarted.services.answer_all()
    assert restarted.state.rows.value is None


@pytest.mark.parametrize("damage", [b"", b"nonsense\n", b"4\n[1, 2", b"4\n[1, 2]\n", b"4\n\xff\xfe\n"])
def test_what_was_cut_off_by_a_crash_is_traced_again(bench, small, tmp_path, data, damage):
    bench.trace()
    (kept,) = data.glob("answers/*.jsonl")
    kept.write_bytes(damage)
    restarted = again(bench, small, tmp_path)
    assert restarted.state.rows.value is None
    restarted.presenter.run()
    restarted.tracer.answer()
    assert restarted.state.rows.value == bench.state.rows.value


def test_the_last_line_of_a_crash_may_be_half_of_one(bench, small, tmp_path, data):
    bench.trace()
    (kept,) = data.glob("answers/*.jsonl")
    kept.write_bytes(kept.read_bytes()[:-5])
    restarted = again(bench, small, tmp_path)
    assert restarted.state.rows.value == bench.state.rows.value[:3]
    assert restarted.state.kept


def test_the_column_of_models_is_shown_where_a_file_names_them(bench, small, tmp_path, qtbot):
    model = AnswersModel()
    table = AnswersTable(model)
    qtbot.addWidget(table)
    bench.trace()
    model.show(bench.state.shown)
    assert table.isColumnHidden(MODEL)
    named = tuple(replace(row, extra={"generator": f"model {row.line}"}) for row in bench.state.shown)
    model.show(named)
    assert not table.isColumnHidden(MODEL)
    assert model.data(model.index(0, MODEL)) == "model 1"
    assert table.horizontalHeader().visualIndex(MODEL) == 2
