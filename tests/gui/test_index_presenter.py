"""The Index screen without its widgets: what is seen, notices, paused builds, and the facts of the open index."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from by_hand import HandServices

from explorer import build_index, open_index
from explorer.backends.summary import IndexSummary
from explorer.building import paused as paused_module
from explorer.building import process
from explorer.building.own_places import sample_folder
from explorer.building.paused import PausedBuild
from explorer.building.request import BuildRequest
from explorer.errors import QueryError
from explorer.gui.index.indexes import IndexState
from explorer.gui.index.recents import RecentIndex
from explorer.gui.presenting.requests import (
    ContinueText,
    OpenBuilt,
    OpenRequest,
    OpenSample,
    Saved,
    SearchText,
    ShowStart,
    StopSample,
    TraceText,
)
from explorer.gui.screens.index.about.facts import again_of
from explorer.gui.screens.index.presenter import IndexScreenPresenter
from explorer.gui.screens.index.start import presenter as module
from explorer.gui.screens.index.start.state import EXAMPLES, day_text
from explorer.gui.screens.index.state import Page, View
from explorer.index.manifest import Manifest

NOISE = QueryError("The text would be noise.", reason="noise", option="check_fit")
OTHER = QueryError("Something else.", reason="else")
REFUSED = OpenRequest(("/index",), tokenizer="/t.json")
TODAY = date(2026, 3, 4)


def paused(name: str, sample: bool = False) -> PausedBuild:
    return PausedBuild(BuildRequest((Path("/texts"),), Path("/made") / name, "bytes", resume=True), sample, 0.5, 0.0)


class Bench:
    """A presenter whose answers come when a test says so; `paused` are the builds that can be resumed."""

    def __init__(self, monkeypatch) -> None:
        self.services, self.asked, self.removed = HandServices(), [], []
        self.paused = [paused("one"), paused("two")]
        self.folders = {}
        monkeypatch.setattr(module, "paused_builds", lambda: tuple(self.paused))
        monkeypatch.setattr(module, "summaries", lambda paths: {path: self.folders[path] for path in paths})
        monkeypatch.setattr(paused_module, "discard_build", self._discard)
        monkeypatch.setattr(module, "sample_is_built", lambda: False)
        self.screen = IndexScreenPresenter(self.services, self.asked.append)
        self.screen.build.watch(lambda state, _: self.screen.use_build(state))

    def _discard(self, out):
        if out.name == "locked":
            raise PermissionError(13, "Permission denied")
        self.removed.append(out)
        self.paused = [build for build in self.paused if build.request.out != out]

    @property
    def state(self):
        return self.screen.state

    @property
    def start(self):
        return self.screen.start

    def slot(self, name):
        return self.services.slots[name]

    def find(self):
        self.start.find_paused()
        self.slot("paused builds").answer()


@pytest.fixture
def bench(monkeypatch):
    return Bench(monkeypatch)


def made(tmp_path, texts: dict[str, bytes], name: str = "made"):
    folder = tmp_path / f"{name}-texts"
    folder.mkdir()
    for path, data in texts.items():
        (folder / path).write_bytes(data)
    build_index(folder, tmp_path / name, tokenizer="bytes", skip_bad=True)
    return open_index(tmp_path / name)


def test_the_open_index_is_named_and_seen(bench, small):
    assert bench.state.title == "No index is open" and bench.screen.check.state.corpus is None
    assert bench.state.view is View.START and not bench.state.has_tabs
    bench.screen.use_corpus(small)
    assert bench.state.title == "Small" and bench.state.subtitle == "\n".join(small.index.sources)
    assert bench.screen.check.state.corpus is small
    assert bench.state.view is View.ABOUT and bench.state.has_tabs
    bench.screen.use_corpus(None)
    assert bench.state.view is View.START


def test_only_a_refused_index_is_opened_unchecked(bench):
    bench.screen.fail(OTHER, REFUSED)
    assert bench.state.unchecked is None
    bench.screen.open_unchecked()
    assert bench.asked == []
    bench.screen.fail(NOISE, REFUSED)
    assert "noise" in bench.state.notice
    bench.screen.open_unchecked()
    assert bench.asked == [OpenRequest(("/index",), tokenizer="/t.json", check_fit=False)]
    bench.screen.remark("The settings could not be read.")
    assert bench.state.unchecked is None and bench.state.notice == "The settings could not be read."


def test_an_index_that_opened_ends_the_problem_of_another(bench, small):
    bench.screen.fail(NOISE, REFUSED)
    bench.screen.use_corpus(None)
    assert bench.state.notice != ""
    bench.screen.use_corpus(small)
    assert bench.state.notice == "" and bench.state.unchecked is None


def test_the_build_of_the_sample_is_seen_and_stopped(bench, small):
    bench.screen.use_corpus(small)
    building = IndexState(opening=True, sample_missing=True, request=OpenRequest((str(sample_folder()),), sample=True))
    bench.screen.use_indexes(building)
    assert bench.state.builds_sample and bench.state.view is View.PROGRESS
    assert not bench.slot("paused builds").busy
    # Who works with the open index may look at it meanwhile.
    bench.screen.show_page(Page.ABOUT)
    assert bench.state.view is View.ABOUT
    bench.screen.pause()
    bench.screen.cancel()
    assert bench.asked == [StopSample(keep=True), StopSample(keep=False)]
    bench.screen.use_indexes(IndexState())
    assert bench.state.title == "Small" and bench.slot("paused builds").busy


def test_files_that_changed_are_told_once(bench):
    bench.screen.use_indexes(IndexState(changed=OTHER))
    assert bench.state.problem is OTHER
    bench.screen.remark("")
    bench.folders["/index"] = IndexSummary(found=True)
    bench.screen.use_indexes(IndexState(changed=OTHER, recent=(RecentIndex("/index"),)))
    assert bench.state.notice == "" and bench.start.state.recent == (RecentIndex("/index"),)


def test_a_paused_build_is_resumed(bench, small):
    bench.screen.use_corpus(small)
    bench.find()
    first = bench.start.state.paused[0]
    bench.screen.resume(first)
    assert [build.name for build in bench.start.state.paused] == ["two"] and bench.state.view is View.PROGRESS
    assert bench.screen.build.state.target == first.request.out
    # Another one must not take its place.
    bench.screen.resume(bench.start.state.paused[0])
    assert "Another build is running" in bench.state.notice
    assert bench.screen.build.state.target == first.request.out and len(bench.start.state.paused) == 1


def test_the_sample_is_resumed_by_opening_it(bench):
    bench.paused = [paused("sample", sample=True)]
    bench.find()
    bench.screen.resume(bench.start.state.paused[0])
    assert bench.asked == [OpenSample(ShowStart())] and bench.start.state.paused == ()


def test_discarding_two_builds_at_once_discards_both(bench):
    bench.find()
    for build in bench.start.state.paused:
        bench.start.discard(build)
    # Looking for builds meanwhile does not stop the removal.
    bench.find()
    bench.slot("discarded builds").answer()
    bench.slot("paused builds").answer()
    assert sorted(out.name for out in bench.removed) == ["one", "two"] and bench.start.state.paused == ()


def test_a_build_that_cannot_be_removed_is_told(bench):
    bench.start.discard(paused("locked"))
    bench.start.discard(paused("one"))
    bench.slot("discarded builds").answer()
    assert "cannot be removed" in bench.state.notice and "locked" in bench.state.notice
    assert [out.name for out in bench.removed] == ["one"]


def test_a_build_that_ends_is_opened_checked_and_described_as_new(bench, monkeypatch, tmp_path):
    class Made:
        name, token_count = "Words", 6

    corpus = made(tmp_path, {"a.txt": b"words"})
    monkeypatch.setattr(process, "build_in_process", lambda request, report, cancel: Made())
    bench.screen.show(True)
    bench.screen.add_sources(("/texts/a.txt",))
    assert bench.state.view is View.PREPARE
    bench.screen.build.enter(out=str(tmp_path / "made"), text_field="text")
    bench.screen.build.start()
    assert bench.state.view is View.PROGRESS
    bench.slot("build").answer()
    saved = Saved(tmp_path / "made", "Index saved in “made”")
    assert bench.asked == [saved, OpenBuilt(str(tmp_path / "made"), "Words", 6, wanted=True)]
    assert bench.slot("paused builds").busy and bench.state.view is View.START
    bench.screen.use_corpus(corpus)
    assert bench.screen.about.state.fresh and bench.slot("verify").busy
    # The same index, opened once more, is not new.
    bench.screen.use_corpus(corpus)
    assert not bench.screen.about.state.fresh and not bench.slot("verify").busy


def test_nothing_is_read_for_a_page_that_is_not_seen(bench, tmp_path):
    corpus = made(tmp_path, {"a.txt": b"words", "b.png": b"\x89PNG\0\0"})
    bench.screen.use_corpus(corpus)
    reading = ("details", "fields", "left out")
    assert not any(bench.slot(name).busy for name in reading)
    bench.screen.show(True)
    assert all(bench.slot(name).busy for name in reading)
    for name in reading:
        bench.slot(name).answer()
    state = bench.screen.about.state
    assert [row.where for row in state.problems] == ["b.png"] and state.left_out_title == "Skipped: 1 file"
    assert dict(state.tiles)["Files"] == "1" and state.details.value.size > 0
    # Once is enough.
    bench.screen.show(False)
    bench.screen.show(True)
    assert not any(bench.slot(name).busy for name in reading)


def test_a_list_of_one_index_is_not_shown_for_the_next(bench, tmp_path, small):
    bench.screen.use_corpus(made(tmp_path, {"a.txt": b"words", "b.png": b"\x89PNG\0\0"}))
    bench.screen.show(True)
    bench.screen.use_corpus(small)
    assert not bench.slot("left out").busy and bench.screen.about.state.left_out.value is None
    assert bench.slot("details").busy


def test_a_report_that_cannot_be_read_is_told(bench, tmp_path):
    bench.screen.use_corpus(made(tmp_path, {"a.txt": b"words", "b.png": b"\x89PNG\0\0"}))
    (tmp_path / "made" / "report.json").write_text("{")
    bench.screen.show(True)
    bench.slot("left out").answer()
    assert "report.json cannot be read" in str(bench.screen.about.state.left_out.error)


def test_counting_values_is_stopped_and_offered_again(bench, tmp_path):
    bench.screen.use_corpus(made(tmp_path, {"a.txt": b"words"}))
    bench.screen.show(True)
    about = bench.screen.about
    assert about.state.values.awaited and not about.state.offers_values
    about.stop_counting()
    assert about.state.offers_values and about.state.fields[0][0].text == "path"
    about.count_values()
    bench.slot("fields").answer()
    assert about.state.fields[0][1].text == "a.txt" and not about.state.offers_values
    about.choose_field("path")
    assert about.state.chosen_title == "path: 1 value" and about.state.chosen_values[0][1].text == "1"
    about.choose_field("path")
    assert about.state.chosen_title == ""


def test_recent_indexes_have_names_figures_and_days(bench):
    bench.folders = {
        "/a/model": IndexSummary(True, "Model answers", 72_200_000, 178_700, 457_000_000),
        "/b/bytes": IndexSummary(True, "", 900, 1, 4_000_000, by_bytes=True),
        "/c/gone": IndexSummary(found=False),
        "https://far#news": IndexSummary(found=True),
    }
    recent = (
        RecentIndex("/a/model", pinned=True, opened="2026-03-04T09:00:00"),
        RecentIndex("/b/bytes", name="Mine", opened="2026-03-01T12:00:00+00:00"),
        RecentIndex("/c/gone"),
        RecentIndex("https://far#news", opened="2026-03-04T09:00:00", own="News", tokens=72_200_000),
    )
    bench.screen.use_indexes(IndexState(recent=recent))
    assert bench.start.state.rows[0].name == "model" and bench.start.state.rows[0].facts == "/a/model"
    bench.start.change(today=TODAY)
    bench.slot("recent indexes").answer()
    rows = bench.start.state.rows
    assert rows[0].name == "Model answers" and rows[0].pinned
    assert rows[0].facts.startswith("72.2 M tokens  ·  178,700 documents  ·  457 MB  ·  ")
    assert rows[1].name == "Mine" and rows[1].facts.startswith("900 bytes  ·  1 document  ·  4 MB")
    assert rows[2].missing and rows[2].facts == "folder not found"
    assert not rows[3].missing and rows[3].is_elsewhere and rows[3].name == "News"
    assert rows[3].facts.startswith("far  ·  72.2 M tokens  ·  ")


def test_days_are_written_as_people_say_them():
    noon = "2026-03-{day:02}T12:00:00"
    said = {day: day_text(noon.format(day=day), TODAY) for day in (4, 3, 1, 5)}
    assert said == {4: "today", 3: "yesterday", 1: "Sunday", 5: "2026-03-05"}
    assert day_text("2026-01-31T12:00:00", TODAY) == "2026-01-31"
    assert day_text("", TODAY) == day_text("long ago", TODAY) == ""


def test_examples_ask_the_sample(bench):
    for number in range(len(EXAMPLES)):
        bench.start.try_example(number)
    bench.start.open_sample()
    search, following, trace, only = bench.asked
    assert search == OpenSample(SearchText("raise ValueError")) and only == OpenSample(ShowStart())
    assert following == OpenSample(ContinueText("os.path.join("))
    assert isinstance(trace.then, TraceText) and "heap" in trace.then.text


def test_an_index_is_built_again_with_what_was_left_out(bench, tmp_path):
    russian = "Привет, мир. Это обычный текст.\n".encode("koi8-r")
    corpus = made(tmp_path, {"new.txt": b"words", "old.txt": russian, "photo.jpg": b"\xff\xd8\xff\0"})
    bench.screen.show(True)
    bench.screen.use_corpus(corpus)
    bench.slot("left out").answer()
    assert {row.where: row.can_read_as for row in bench.screen.about.state.problems} == {
        "old.txt": True,
        "photo.jpg": False,
    }
    bench.screen.build_again("koi8-r")
    entries = bench.screen.build.state.entries
    assert bench.state.view is View.PREPARE and entries.encoding == "koi8-r" and entries.skip_bad
    assert entries.sources == (str(tmp_path / "made-texts"),) and entries.out == str(tmp_path / "made-2")
    # What is entered is what is built.
    again = build_index(entries.sources, entries.target, tokenizer="bytes", encoding=entries.request().encoding)
    assert again.document_count == 2


def manifest(**parameters):
    return Manifest(2, 9, 1, 1, "bytes", "", parameters=parameters)


@pytest.mark.parametrize("sources", [None, [], ["texts"], [3], "/texts"])
def test_a_build_that_is_not_known_is_not_offered_again(sources):
    assert again_of(manifest(sources=sources, tokenizer="bytes"), Path("/made")) is None


def test_a_build_that_is_known_goes_to_a_folder_beside_it():
    known = manifest(sources=["/texts"], tokenizer="bytes", text_field=3, other="unknown")
    assert again_of(known, Path("/made")) == BuildRequest((Path("/texts"),), Path("/made-2"), "bytes")
    assert again_of(manifest(sources=["/texts"]), Path("/made")) is None
