"""The form for builds without a window: estimates that come late, builds that fail, pause, and are resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from by_hand import HandServices

from explorer.building.estimate import BuildEstimate
from explorer.building.request import BuildRequest
from explorer.errors import BuildError, Cancelled, SourceError
from explorer.gui.screens.index import work
from explorer.gui.screens.index.build_presenter import BuildPresenter
from explorer.gui.screens.index.build_state import Tokenizers, entries_of
from explorer.jobs import Progress

NEEDS = BuildEstimate(1, 10, 2, 30, 1, 100, 200, 1.0, 0, 0, True, {"binary files": 2}, {}, ())
BAD_LINE = SourceError("line 2 is not JSON.", reason="bad-record", option="skip_bad")
NO_MEMORY = BuildError("The process ended.", reason="process-ended", option="memory")
DAMAGED = BuildError("The build cannot be resumed.", reason="damaged", option="restart")


class Made:
    """What a build returns."""

    skipped: dict[str, int] = {}  # noqa: RUF012 - never changed


class Bench:
    """A presenter whose estimates and builds end when a test says so."""

    def __init__(self, monkeypatch) -> None:
        self.services, self.built, self.ends = HandServices(), [], 0
        self.estimates, self.builds, self.resumable = [], [], False
        self.needs = NEEDS
        monkeypatch.setattr(work, "estimate_in_process", self._estimate)
        monkeypatch.setattr(work, "can_resume", lambda out: self.resumable)
        monkeypatch.setattr(work, "build_in_process", self._build)
        self.form = BuildPresenter(self.services, lambda *found: self.built.append(found), self._end)

    def _estimate(self, request, cancel):
        self.estimates.append(request)
        return self.needs

    def _build(self, request, report, cancel):
        self.builds.append(request)
        report(Progress("Tokenizing", 1, 2))
        if cancel.cancelled:
            raise Cancelled
        return Made()

    def _end(self):
        self.ends += 1

    @property
    def state(self):
        return self.form.state

    @property
    def builder(self):
        return self.services.slots["build"]

    @property
    def estimator(self):
        return self.services.slots["estimate"]

    def estimate(self):
        self.services.let_time_pass()
        self.estimator.answer()


@pytest.fixture
def bench(monkeypatch):
    return Bench(monkeypatch)


@pytest.fixture
def ready(bench):
    """One with sources."""
    bench.form.add_sources(["/texts/a.txt", "", "/texts/b.txt", "/texts/a.txt"])
    return bench


def test_sources_are_taken_once_and_propose_a_folder(ready):
    assert ready.state.entries.sources == ("/texts/a.txt", "/texts/b.txt")
    assert Path(ready.state.entries.out) == Path("/texts/a-index")
    ready.form.enter(out="mine")
    ready.form.settle_target()
    assert Path(ready.state.entries.out) == Path("/texts/mine")
    ready.form.remove_source(0)
    ready.form.remove_source(-1)
    assert ready.state.entries.sources == ("/texts/b.txt",)


def test_a_tokenizer_file_is_needed_only_where_it_is_chosen(ready):
    ready.form.enter(tokenizer=Tokenizers.FILE)
    assert not ready.state.can_build
    ready.form.enter(tokenizer_file=" t.json ")
    assert ready.state.can_build and ready.state.entries.request().tokenizer == "t.json"
    ready.form.enter(tokenizer=Tokenizers.BYTES)
    assert ready.state.entries.request().tokenizer == "bytes"


def test_the_request_fills_the_form_and_comes_back():
    for tokenizer in ("bytes", "train:600", "/t.json"):
        request = BuildRequest((Path("/a"), Path("/b")), Path("/out"), tokenizer, "body", 3, skip_bad=True)
        assert entries_of(request).request() == request


def test_an_estimate_for_other_sources_does_not_arrive(ready):
    ready.services.let_time_pass()
    assert ready.estimator.busy
    ready.form.add_sources(["/texts/c.txt"])
    # What was on its way would offer to resume the build of another folder.
    assert not ready.estimator.busy and ready.state.estimate.awaited
    ready.estimate()
    assert [len(request.sources) for request in ready.estimates] == [3]
    assert ready.state.left_out == 2 and "2 documents" in ready.state.estimated


def test_an_old_estimate_is_dimmed_until_the_new_one(ready):
    ready.resumable = True
    ready.estimate()
    assert ready.state.can_resume and not ready.state.estimate.dimmed
    ready.form.enter(shards=2)
    assert ready.state.estimate.dimmed and not ready.state.can_resume
    ready.services.let_time_pass()
    ready.estimator.fail(SourceError("no file", reason="missing"))
    assert ready.state.estimate.dimmed and ready.state.notice.startswith("no file") and ready.state.can_build
    ready.form.enter(out="")
    ready.services.let_time_pass()
    assert ready.state.estimate.value is None and ready.state.notice == "" and ready.state.estimated == ""


def test_the_remedy_of_an_estimate_only_ticks_the_box(ready):
    ready.needs = replace(NEEDS, stops_at=BAD_LINE)
    ready.estimate()
    assert "skip_bad" in ready.state.remedies and "line 2" in ready.state.notice
    ready.form.remedy("skip_bad")
    assert ready.state.entries.skip_bad and not ready.builder.busy


def test_a_build_is_opened(ready):
    ready.form.start()
    assert ready.state.building and ready.state.target == Path("/texts/a-index") and not ready.state.can_build
    ready.form.start()
    assert ready.builder.asked == 1
    ready.builder.answer()
    assert ready.built == [(Path("/texts/a-index"), False)] and ready.ends == 1
    assert ready.state.progress.stage == "Tokenizing" and ready.state.target is None


def test_a_build_that_stopped_at_a_bad_line_goes_on_from_there(ready):
    ready.form.start()
    ready.builder.fail(BAD_LINE)
    # The estimate that follows does not take the error away, with its remedies.
    ready.estimate()
    assert "line 2" in ready.state.notice and "skip_bad" in ready.state.remedies
    ready.form.remedy("skip_bad")
    ready.builder.answer()
    (request,) = ready.builds
    assert request.skip_bad and request.resume and ready.state.notice == ""


def test_other_sources_are_not_taken_for_those_of_the_build_that_failed(ready):
    ready.form.start()
    ready.builder.fail(BAD_LINE)
    ready.form.add_sources(["/texts/c.txt"])
    ready.needs = replace(NEEDS, stops_at=BAD_LINE)
    ready.estimate()
    assert "skip_bad" in ready.state.remedies
    ready.form.remedy("skip_bad")
    assert not ready.state.building and ready.builder.asked == 1


def test_starting_over(ready):
    ready.form.start(resume=True)
    ready.builder.fail(DAMAGED)
    assert ready.state.remedies == ("restart",)
    ready.form.remedy("restart")
    ready.builder.answer()
    assert not ready.builds[0].resume and len(ready.built) == 1


def test_an_error_stays_until_something_else_is_entered(ready):
    ready.form.start()
    ready.builder.fail(NO_MEMORY)
    ready.estimate()
    assert "process ended" in ready.state.notice and ready.state.remedies == () and ready.ends == 1
    ready.form.enter(shards=4)
    assert ready.state.notice == ""


def test_pausing(ready):
    ready.form.pause()
    assert not ready.state.pausing
    ready.form.start()
    ready.form.pause()
    # It runs on to a safe point.
    assert ready.state.pausing and ready.state.building
    ready.resumable = True
    ready.builder.answer()
    assert not ready.state.building and not ready.state.pausing and ready.state.notice == ""
    assert ready.built == [] and ready.ends == 1
    ready.estimate()
    assert ready.state.can_resume
    ready.form.start(resume=True)
    ready.builder.answer()
    assert ready.builds[-1].resume and len(ready.built) == 1


def test_what_is_entered_during_a_build_waits_for_its_end(ready):
    ready.estimate()
    ready.form.start()
    ready.form.enter(shards=4)
    ready.services.let_time_pass()
    assert not ready.estimator.busy and ready.state.estimate.dimmed and ready.state.building
    ready.builder.answer()
    ready.estimate()
    assert ready.estimates[-1].shards == 4 and not ready.state.estimate.dimmed
