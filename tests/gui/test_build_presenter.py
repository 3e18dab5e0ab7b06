"""The form for builds without a window: estimates that come late, builds that fail, pause, and are resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from by_hand import HandServices

from explorer.building import process
from explorer.building import state as build_state
from explorer.building.estimate.estimate import BuildEstimate, FormatEstimate, SampleText
from explorer.building.request import BuildRequest
from explorer.building.sources.recognized import Recognized, SeenField, SeenFields, text_field_of
from explorer.building.sources.side_metadata import Proposal
from explorer.building.sources.source import COPIES, COPIES_READ, NOT_INSTALLED, KindCount, Problem
from explorer.core.jobs import Progress
from explorer.documents.kinds import kind_named
from explorer.documents.read_settings import ReadSettings
from explorer.errors import BuildError, Cancelled, SourceError
from explorer.gui.screens.index.build import presenter as build_presenter
from explorer.gui.screens.index.build.presenter import BuildPresenter
from explorer.gui.screens.index.build.problems import is_left_out, left_out_title
from explorer.gui.screens.index.build.state import Built, Estimated, Formats, Tokenizers, entries_of

NEEDS = BuildEstimate(1, 10, 2, 30, 1, 100, 200, 1.0, 0, 0, True, {"binary files": 2}, {}, ())
BAD_LINE = SourceError("line 2 is not JSON.", reason="bad-record", option="skip_bad")
NO_MEMORY = BuildError("The process ended.", reason="process-ended", option="memory")
DAMAGED = BuildError("The build cannot be resumed.", reason="damaged", option="restart")


class Made:
    """What a build returns."""

    name, token_count = "Words", 6


class Bench:
    """A presenter whose estimates and builds end when a test says so."""

    def __init__(self, monkeypatch) -> None:
        self.services, self.built, self.ends = HandServices(), [], 0
        self.estimates, self.builds, self.resumable = [], [], False
        self.needs, self.problem, self.fields = NEEDS, None, SeenFields()
        self.discarded = []
        monkeypatch.setattr(build_presenter, "discard_builds", self.discarded.extend)
        monkeypatch.setattr(process, "recognize_in_process", self._recognize)
        monkeypatch.setattr(build_state, "can_resume", lambda out: self.resumable)
        monkeypatch.setattr(process, "build_in_process", self._build)
        self.form = BuildPresenter(self.services, lambda *found: self.built.append(found), self._end)

    def _recognize(self, request, cancel):
        self.estimates.append(request)
        field = request.text_field or text_field_of(self.fields)
        if self.problem is not None:
            return Recognized(field, self.fields, problem=self.problem)
        return Recognized(
            field,
            self.fields,
            (KindCount("text", 2, 10),),
            self.needs.skipped,
            self.needs.left_out,
            self.needs,
            files_found=4,
        )

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


def test_the_settings_of_reading_and_an_address_are_part_of_the_request():
    reading = ReadSettings(per="chapter", ids="uint16", eos="</s>", language="de", keep_headers=True)
    request = BuildRequest((Path("hf://datasets/owner/news"),), Path("/out"), "bytes", "body", reading=reading)
    entries = entries_of(request)
    assert entries.sources == ("hf://datasets/owner/news",)
    assert entries.request() == request
    assert Path(entries.proposed) == Path.home() / "news-index"


def test_an_estimate_for_other_sources_does_not_arrive(ready):
    ready.services.let_time_pass()
    assert ready.estimator.busy
    ready.form.add_sources(["/texts/c.txt"])
    # What was on its way would offer to resume the build of another folder.
    assert not ready.estimator.busy and ready.state.estimate.awaited
    ready.estimate()
    assert [len(request.sources) for request in ready.estimates] == [3]
    assert ready.state.left_out_title == "Skipped: 2 files"
    assert ready.state.estimated[0] == ("Documents", "2")
    assert ready.state.summary == "4 files found: 2 read, 2 skipped  ·  1 kB"


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
    assert ready.state.estimate.value is None and ready.state.notice == "" and ready.state.estimated == ()


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
    assert ready.built == [(Path("/texts/a-index"), Built("Words", 6))] and ready.ends == 1
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
    ready.builder.answer()
    assert not ready.state.building and not ready.state.pausing and ready.state.notice == ""
    assert ready.built == [] and ready.ends == 1
    # It is offered on the first page, so the form is left; its request brings it back.
    assert ready.state.entries.sources == () and not ready.estimator.busy
    ready.form.show_request(ready.state.begun)
    ready.resumable = True
    ready.estimate()
    assert ready.state.can_resume
    ready.form.start(resume=True)
    ready.builder.answer()
    assert ready.builds[-1].resume and len(ready.built) == 1


def test_canceling_removes_what_was_built_and_keeps_the_form(ready):
    ready.form.cancel()
    assert not ready.state.discarding
    ready.form.start()
    ready.form.cancel()
    # The first way of stopping counts.
    ready.form.pause()
    assert ready.state.discarding and not ready.state.pausing and ready.state.stopping
    ready.builder.answer()
    # It ends only when the files are gone: a new build into the same folder would find them.
    assert ready.state.building and not ready.state.can_build
    ready.services.slots["discarded build"].answer()
    assert ready.discarded == [Path("/texts/a-index")]
    assert not ready.state.building and not ready.state.discarding and ready.ends == 1
    assert len(ready.state.entries.sources) == 2 and ready.built == []


def test_files_that_cannot_be_removed_are_reported(ready):
    ready.form.start()
    ready.form.cancel()
    ready.builder.answer()
    ready.services.slots["discarded build"].fail(BuildError("It cannot be removed.", reason="not-removed"))
    assert ready.state.notice.startswith("It cannot be removed.") and ready.state.can_build


def test_the_proposed_field_is_read_and_not_entered(ready):
    ready.fields = SeenFields(2, (SeenField("id", 2, 2, ("1", "2")), SeenField("body", 2, 2, ("Long.",), 80.0)))
    ready.estimate()
    assert ready.state.text_field == "body" and ready.state.entries.text_field == ""
    assert ready.state.text_fields == ("body",) and [field.path for field in ready.state.metadata] == ["id"]
    ready.form.start()
    assert ready.state.begun.text_field == "body"


def test_a_build_that_starts_before_anything_was_read_proposes_the_field_itself(ready):
    ready.fields = SeenFields(2, (SeenField("body", 2, 2, ("Long.",), 80.0),))
    ready.form.start()
    ready.builder.answer()
    assert ready.builds[-1].text_field == "body"


def test_a_problem_of_the_sources_leaves_what_was_recognized(ready):
    ready.estimate()
    ready.problem, ready.fields = BAD_LINE, SeenFields(1, (SeenField("body", 1, 1, (), 9.0),))
    ready.form.enter(shards=2)
    ready.estimate()
    assert "line 2" in ready.state.notice and ready.state.text_field == "body"
    # The last good figures stay, dimmed.
    assert ready.state.estimate.dimmed and ready.state.estimated[0] == ("Documents", "2")


def test_the_line_at_which_a_build_stops_is_read(ready, tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{"text": "fine"}\r\n{"text": \r\n')
    ready.form.show_line()
    assert not ready.services.slots["bad line"].busy
    ready.problem = SourceError("line 2 is not JSON.", reason="bad-record", line=2, path=tmp_path / "a.jsonl")
    ready.estimate()
    assert ready.state.bad_place == (tmp_path / "a.jsonl", 2)
    ready.form.show_line()
    ready.services.slots["bad line"].answer()
    assert ready.state.bad_line.current == '{"text": '
    ready.form.enter(shards=2)
    assert ready.state.bad_line.current is None


def test_clearing_leaves_a_build_that_runs(ready):
    ready.form.start()
    ready.form.clear()
    assert ready.state.building and ready.state.entries.sources


def test_what_is_entered_during_a_build_waits_for_its_end(ready):
    ready.estimate()
    ready.form.start()
    ready.form.enter(shards=4)
    ready.services.let_time_pass()
    assert not ready.estimator.busy and ready.state.estimate.dimmed and ready.state.building
    ready.builder.answer()
    ready.estimate()
    assert ready.estimates[-1].shards == 4 and not ready.state.estimate.dimmed


@pytest.mark.parametrize("format_", Formats)
def test_a_format_makes_a_request_and_is_entered_again(monkeypatch, tmp_path, format_):
    bench = Bench(monkeypatch)
    bench.form.add_sources([str(tmp_path / "a.txt")])
    bench.form.enter(tokenizer=Tokenizers.TRAIN, format=format_)
    request = bench.form.state.entries.request()
    assert (request.format, request.keep_text) == [("suffix-array", False), ("fm", True), ("fm", False)][format_]
    assert request.tokenizer == ("train:16384" if format_ is Formats.FAST else "bytes")
    assert entries_of(request).format is format_


def test_a_compressed_index_needs_no_file_of_a_tokenizer(monkeypatch, tmp_path):
    bench = Bench(monkeypatch)
    bench.form.add_sources([str(tmp_path / "a.txt")])
    bench.form.enter(tokenizer=Tokenizers.FILE)
    assert not bench.form.state.can_build
    bench.form.enter(format=Formats.SMALLEST)
    assert bench.form.state.can_build


def test_sizes_of_formats_carry_the_sign_of_an_estimate(monkeypatch, tmp_path):
    bench = Bench(monkeypatch)
    choices = [("suffix-array", False, 5_000_000), ("fm", True, 800_000), ("fm", False, 500_000)]
    formats = tuple(FormatEstimate(name, keeps, disk, 2e-5, 1e-2) for name, keeps, disk in choices)
    bench.needs = replace(NEEDS, disk=7_000_000, formats=formats)
    assert bench.form.state.format_sizes == ()
    assert "µs" not in bench.form.state.format_note
    bench.form.add_sources([str(tmp_path / "a.txt")])
    bench.form.estimate()
    bench.services.answer_all()
    sizes = [size.replace("\N{NO-BREAK SPACE}", " ") for size in bench.form.state.format_sizes]
    assert sizes == ["≈ 7 MB", "≈ 800 kB", "≈ 500 kB"]
    bench.form.enter(format=Formats.SMALLEST)
    assert "20 µs" in bench.form.state.format_note
    assert "without the text" in bench.form.state.format_note
    # Of the tokenizer that the fast one would have, nothing is estimated now.
    bench.form.estimate()
    bench.services.answer_all()
    assert bench.form.state.format_sizes[Formats.FAST] == ""
    bench.form.enter(tokenizer=Tokenizers.BYTES)
    assert bench.form.state.format_sizes[Formats.FAST].startswith("≈")


def test_a_table_can_become_metadata_or_be_excluded(ready, tmp_path):
    table = tmp_path / "speeches.csv"
    stops = SourceError("speeches.csv has no column.", reason="no-text-column", option="text_field", path=table)
    proposal = Proposal(table, ("speaker", "year"), 40, 40)
    kinds = (KindCount("text", 40, 400), KindCount("csv", 1, 10))
    found = Recognized("text", SeenFields(), kinds, estimate=replace(NEEDS, stops_at=stops))
    ready.form.change(
        found=replace(found, tables=(proposal,)),
        estimate=ready.form.state.estimate.arrived(Estimated(replace(NEEDS, stops_at=stops), False)),
    )
    # Nothing is offered that does nothing: no field can be the text, and no build can start.
    assert ready.state.remedies == ("metadata", "exclude")
    assert ready.state.why_not_build.startswith("speeches.csv has no column.")
    ready.form.remedy("metadata")
    assert ready.state.entries.request().metadata == str(table) and "speeches.csv" in ready.state.choices
    ready.form.enter(metadata="", exclude=())
    assert ready.state.choices == ""


def test_rows_of_the_metadata_and_copies_are_no_changes():
    rows = {"rows of the metadata without a file": 2}
    assert left_out_title(rows) == "2 rows of the metadata are not used"
    assert left_out_title({"binary files": 1, **rows}) == "Skipped: 1 file  ·  2 rows of the metadata are not used"
    assert left_out_title({COPIES_READ: 3}) == "3 files are copies of others"
    assert left_out_title({COPIES: 3}) == "Skipped: 3 files"
    assert left_out_title({"files read as cp1252": 1}) == "Changed while reading: 1 file"
    assert is_left_out("files without a document") and not is_left_out("rows of the metadata without a file")


def test_documents_of_a_kind_are_chosen_and_those_in_another_character_set_come_first(ready):
    texts = [SampleText("a.csv", (), "row", 1, {"title": "One", "year": 1, "none": None}, "csv")]
    texts += [SampleText("b.txt", (), "plain", 0, {}, "text"), SampleText("c.txt", (), "old", 0, {}, "text", "koi8-r")]
    ready.needs = replace(NEEDS, samples=tuple(texts[:2]), examples=tuple(texts))
    ready.estimate()
    assert [(each.title, each.facts, each.text) for each in ready.state.documents] == [
        ("One", "a.csv, 2  ·  year: 1", "row"),
        ("b.txt", "", "plain"),
    ]
    ready.form.choose_kind("text")
    assert [each.title for each in ready.state.documents] == ["b.txt", "c.txt"]
    ready.form.choose_kind(None)
    ready.form.enter(encoding="auto:koi8-r")
    ready.estimate()
    assert [each.title for each in ready.state.documents] == ["c.txt", "One"]
    assert ready.state.documents[0].facts == "read as koi8-r"


def test_the_command_that_installs_a_missing_package_is_offered_once(ready):
    reason = kind_named("parquet").why_not
    missing = tuple(Problem(f"/texts/{name}.parquet", 0, reason, NOT_INSTALLED) for name in "ab")
    ready.needs = replace(NEEDS, skipped={NOT_INSTALLED: 2}, left_out=missing)
    ready.estimate()
    assert "2 files will be skipped" in ready.state.warning
    assert ready.state.commands == ("pip install '.[arrow]'",) == (ready.state.left_out[0].command,)
