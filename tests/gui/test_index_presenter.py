"""The Index screen without its widgets: notices, paused builds, and what a build left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from by_hand import HandServices

from explorer import build_index, open_index
from explorer.building.paused import PausedBuild
from explorer.building.request import BuildRequest
from explorer.errors import QueryError
from explorer.gui.indexes import IndexState
from explorer.gui.requests import OpenBuilt, OpenRequest, OpenSample
from explorer.gui.screens.index import presenter as module
from explorer.gui.screens.index import work
from explorer.gui.screens.index.presenter import IndexScreenPresenter
from explorer.gui.screens.index.state import Page

NOISE = QueryError("The text would be noise.", reason="noise", option="check_fit")
OTHER = QueryError("Something else.", reason="else")
REFUSED = OpenRequest(("/index",), tokenizer="/t.json")


def paused(name: str, sample: bool = False) -> PausedBuild:
    return PausedBuild(BuildRequest((Path("/texts"),), Path("/made") / name, "bytes", resume=True), sample, 0.5, 0.0)


class Bench:
    """A presenter whose answers come when a test says so; `paused` are the builds that can be resumed."""

    def __init__(self, monkeypatch) -> None:
        self.services, self.asked, self.removed = HandServices(), [], []
        self.paused = [paused("one"), paused("two")]
        monkeypatch.setattr(module, "paused_builds", lambda: tuple(self.paused))
        monkeypatch.setattr(work, "discard_build", self._discard)
        self.screen = IndexScreenPresenter(self.services, self.asked.append)

    def _discard(self, out):
        if out.name == "locked":
            raise PermissionError(13, "Permission denied")
        self.removed.append(out)
        self.paused = [build for build in self.paused if build.request.out != out]

    @property
    def state(self):
        return self.screen.state

    def slot(self, name):
        return self.services.slots[name]

    def find(self):
        self.screen.find_paused()
        self.slot("paused builds").answer()


@pytest.fixture
def bench(monkeypatch):
    return Bench(monkeypatch)


def test_the_open_index_is_named(bench, small):
    assert bench.state.title == "No index is open" and bench.screen.check.state.corpus is None
    bench.screen.use_corpus(small)
    assert bench.state.title == "Small" and bench.state.subtitle == "\n".join(small.index.sources)
    assert bench.screen.check.state.corpus is small


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


def test_the_sample_is_announced_and_taken_back_when_it_is_paused(bench, small):
    bench.screen.use_corpus(small)
    bench.screen.use_indexes(IndexState(opening=True, sample_missing=True))
    assert bench.state.builds_sample and bench.state.title == "Building the sample index …"
    assert not bench.slot("paused builds").busy
    bench.screen.use_indexes(IndexState())
    # The index that was open all the time is named again.
    assert bench.state.title == "Small" and bench.slot("paused builds").busy


def test_files_that_changed_are_told_once(bench):
    bench.screen.use_indexes(IndexState(changed=OTHER))
    assert bench.state.problem is OTHER
    bench.screen.remark("")
    bench.screen.use_indexes(IndexState(changed=OTHER, recent=["/index"]))
    assert bench.state.notice == "" and bench.state.indexes.recent == ["/index"]


def test_a_paused_build_is_resumed(bench):
    bench.find()
    bench.screen.show_page(Page.CHECK)
    first = bench.state.paused[0]
    bench.screen.resume(first)
    assert [build.name for build in bench.state.paused] == ["two"] and bench.state.page is Page.BUILD
    assert bench.screen.build.state.target == first.request.out
    # Another one must not take its place.
    bench.screen.resume(bench.state.paused[0])
    assert "Another build is running" in bench.state.notice
    assert bench.screen.build.state.target == first.request.out and len(bench.state.paused) == 1


def test_the_sample_is_resumed_by_opening_it(bench):
    bench.paused = [paused("sample", sample=True)]
    bench.find()
    bench.screen.resume(bench.state.paused[0])
    assert isinstance(bench.asked[0], OpenSample) and bench.state.paused == ()


def test_discarding_two_builds_at_once_discards_both(bench):
    bench.find()
    for build in bench.state.paused:
        bench.screen.discard(build)
    # Looking for builds meanwhile does not stop the removal.
    bench.find()
    bench.slot("discarded builds").answer()
    bench.slot("paused builds").answer()
    assert sorted(out.name for out in bench.removed) == ["one", "two"] and bench.state.paused == ()


def test_a_build_that_cannot_be_removed_is_told(bench):
    bench.screen.discard(paused("locked"))
    bench.screen.discard(paused("one"))
    bench.slot("discarded builds").answer()
    assert "cannot be removed" in bench.state.notice and "locked" in bench.state.notice
    assert [out.name for out in bench.removed] == ["one"]


def test_a_build_that_ends_is_opened_and_changes_the_offers(bench, monkeypatch):
    class Made:
        skipped = {"binary files": 1}  # noqa: RUF012 - never changed

    monkeypatch.setattr(work, "build_in_process", lambda request, report, cancel: Made())
    bench.screen.build.add_sources(["/texts/a.txt"])
    bench.screen.build.start()
    bench.slot("build").answer()
    assert bench.asked == [OpenBuilt(str(Path("/texts/a-index")), left_out=True)]
    assert bench.slot("paused builds").busy


def test_the_list_of_what_was_left_out_does_not_end_a_check(bench, tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("words")
    (tmp_path / "texts" / "b.png").write_bytes(b"\x89PNG\0\0")
    build_index(tmp_path / "texts", tmp_path / "made", tokenizer="bytes")
    bench.screen.list_left_out()
    assert not bench.slot("left out").busy
    bench.screen.use_corpus(open_index(tmp_path / "made"))
    bench.screen.check.run()
    bench.screen.list_left_out()
    bench.slot("left out").answer()
    assert [Path(problem.path).name for problem in bench.state.left_out.current] == ["b.png"]
    assert bench.slot("verify").busy
    (tmp_path / "made" / "report.json").write_text("{")
    bench.screen.list_left_out()
    bench.slot("left out").answer()
    assert "report.json cannot be read" in bench.state.notice and bench.state.left_out.current is None


def test_a_list_of_one_index_is_not_opened_for_the_next(bench, tmp_path, small):
    (tmp_path / "b.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "a.txt").write_text("words")
    build_index(tmp_path, tmp_path.parent / "listed", tokenizer="bytes")
    bench.screen.use_corpus(open_index(tmp_path.parent / "listed"))
    bench.screen.list_left_out()
    bench.screen.use_corpus(small)
    assert not bench.slot("left out").busy and bench.state.left_out.value is None
