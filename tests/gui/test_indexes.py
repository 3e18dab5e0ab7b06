"""Opening indexes, without a window: the test decides when an index is open."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from by_hand import HandSlot

from explorer.building.own_places import sample_folder
from explorer.core.jobs import Kind
from explorer.errors import CorpusError
from explorer.gui.index.indexes import Indexes
from explorer.gui.index.recents import RecentIndex
from explorer.gui.presenting.requests import IndexProblem, OpenBuilt, OpenRequest, ShowOpened, ShowStart, Warn
from explorer.gui.settings.store import Settings

MOMENT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


class Desk:
    """The presenter, what it asked for, and the lines that the status bar showed."""

    def __init__(self, path):
        self.slot, self.asked, self.lines = HandSlot("open", Kind.APART), [], []
        self.settings = Settings(path)
        self.indexes = Indexes(self.slot, self.settings.recents, self.settings.hosts, self.asked.append, lambda: MOMENT)
        self.indexes.watch(lambda state, _: self.lines.append(state.status))

    @property
    def state(self):
        return self.indexes.state


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path / "settings.json")


def test_an_index_opens(desk, small_index, small):
    assert desk.state.status == "No index is open" and desk.state.title == "Corpus Explorer"
    desk.indexes.open(OpenRequest((str(small_index),)))
    assert desk.state.opening and desk.state.corpus is None
    desk.slot.answer()
    assert desk.lines == ["Opening small …", desk.state.described]
    assert f"{small.token_count:,} tokens" in desk.state.status and desk.state.title == "Small – Corpus Explorer"
    assert desk.asked == [ShowOpened(readable=True)]
    # Known before a page is drawn with it: a large vocabulary takes long to read.
    assert "vocabulary_size" in vars(desk.state.corpus.index.tokenizer)
    assert desk.state.recent == (
        RecentIndex(str(small_index.resolve()), False, "", "2026-03-04T05:06:07+00:00", "Small", 133),
    )


def test_what_is_to_follow_takes_the_place_of_showing_the_index(desk, small_index):
    followed = []
    desk.indexes.open(OpenRequest((str(small_index),)), lambda: followed.append(desk.state.corpus))
    desk.slot.answer()
    assert followed == [desk.state.corpus] and desk.asked == []


def test_a_new_index_is_described_before_anything_is_searched(desk, small_index):
    desk.indexes.open_built(OpenBuilt(str(small_index), "Small", 133, wanted=True))
    desk.slot.answer()
    assert desk.asked == [ShowStart()]


def test_a_new_index_that_is_not_opened_is_on_the_list(desk, small_index):
    desk.indexes.list_built(OpenBuilt(str(small_index), "Small", 133, wanted=False))
    assert desk.state.recent == (RecentIndex(str(small_index), opened="", own="Small", tokens=133),)
    assert not desk.slot.busy and desk.asked == []


def test_a_failure_leaves_the_open_index(desk, small_index, tmp_path):
    desk.indexes.open(OpenRequest((str(small_index),)))
    desk.slot.answer()
    before, followed = desk.state.corpus, []
    desk.indexes.open(OpenRequest((str(tmp_path),)), lambda: followed.append(1))
    desk.slot.answer()
    problem = desk.asked[-1]
    assert isinstance(problem, IndexProblem) and "is not an infini-gram index" in str(problem.error)
    assert desk.state.corpus is before and desk.state.status == desk.state.described and followed == []


def test_the_newest_request_wins(desk, small_index, byte_index):
    desk.indexes.open(OpenRequest((str(small_index),)))
    desk.indexes.open(OpenRequest((str(byte_index),)))
    desk.slot.answer()
    assert desk.slot.asked == 2 and [path.name for path in desk.state.corpus.folders] == [byte_index.name]


def test_what_is_canceled_is_no_longer_said_to_open(desk, small_index):
    followed = []
    desk.indexes.open(OpenRequest((str(small_index),)), lambda: followed.append(1))
    desk.indexes.cancel()
    assert desk.state.status == "No index is open" and not desk.slot.busy and followed == []


def test_a_change_on_the_disk_is_stated_until_another_index_opens(desk, small_index, tmp_path):
    desk.indexes.open(OpenRequest((str(small_index),)))
    desk.slot.answer()
    error = CorpusError("a file was replaced")
    desk.indexes.files_changed(error)
    assert desk.state.status == f"Changed on disk: {desk.state.described}"
    # With the line itself, which may be cut on the screen.
    assert "a file was replaced" in desk.state.status_tip and desk.state.status_tip.startswith(desk.state.status)
    assert desk.asked[-1] == Warn(error)
    # Failing to open something else does not repair the files.
    desk.indexes.open(OpenRequest((str(tmp_path),)))
    desk.slot.answer()
    assert desk.state.status.startswith("Changed on disk")
    desk.indexes.open(OpenRequest((str(small_index),)))
    desk.slot.answer()
    assert desk.state.status == desk.state.described and desk.state.status_tip == ""


def test_the_sample_is_built_first_if_it_is_missing(desk, monkeypatch):
    for missing in (True, False):
        monkeypatch.setattr("explorer.gui.index.indexes.sample_is_built", lambda missing=missing: not missing)
        desk.indexes.open_sample()
        assert desk.state.builds_sample == missing
        assert desk.state.status.startswith("Building the sample" if missing else "Opening ")
        desk.indexes.cancel()
        assert not desk.state.builds_sample


def test_recent_indexes_are_pinned_and_forgotten(tmp_path):
    settings = Settings(tmp_path / "settings.json")
    for path in ("/a", "/b"):
        settings.recents.add(path, MOMENT)
    indexes = Indexes(HandSlot("open", Kind.APART), settings.recents, settings.hosts, print)

    def listed():
        return [(recent.path, recent.pinned) for recent in indexes.state.recent]

    assert listed() == [("/b", False), ("/a", False)]
    indexes.toggle_pin("/a")
    assert listed() == [("/a", True), ("/b", False)]
    indexes.rename("/a", "Mine")
    assert indexes.state.recent[0].name == "Mine"
    indexes.forget("/b")
    assert listed() == [("/a", True)]


def test_a_recent_index_keeps_the_figures_it_had_alone(tmp_path):
    settings = Settings(tmp_path / "settings.json")
    recents = settings.recents
    recents.add("/data/town", MOMENT, "Town archive", 2_170)
    # With others, only the sum is known.
    recents.add("/data/town", MOMENT)
    recents.add("/", MOMENT)
    assert [(recent.shown, recent.tokens) for recent in recents.all()] == [("/", None), ("Town archive", 2_170)]
    recents.move("/data/town", "/archive")
    assert [recent.shown for recent in recents.all()] == ["/", "Town archive"]
    settings.set("recent_tokens", {"/archive": "many"})
    assert recents.all()[1].tokens is None
    recents.forget("/archive")
    assert settings.get("recent_names") == {}


def test_an_index_that_was_moved_is_opened_where_it_is(desk, small_index):
    desk.settings.recents.add("/gone", MOMENT)
    desk.indexes.locate("/gone", str(small_index))
    assert [recent.path for recent in desk.state.recent] == [str(small_index)] and desk.state.opening
    assert desk.state.request == OpenRequest((str(small_index),))


@pytest.mark.parametrize("keep", [True, False])
def test_the_build_of_the_sample_is_paused_or_removed(desk, monkeypatch, keep):
    removed = []
    monkeypatch.setattr("explorer.gui.index.indexes.sample_is_built", lambda: False)
    monkeypatch.setattr("explorer.building.paused.discard_builds", removed.extend)
    monkeypatch.setattr("explorer.gui.index.indexes.open_or_stop", lambda request, report, cancel: None)
    desk.indexes.stop(keep)
    assert not desk.state.stopping
    desk.indexes.open_sample()
    desk.indexes.stop(keep)
    # The first way of stopping counts.
    desk.indexes.stop(not keep)
    assert desk.state.stopping and desk.state.builds_sample
    desk.slot.answer()
    if not keep:
        # It ends only when the files are gone.
        assert desk.state.builds_sample
        desk.slot.answer()
    assert removed == ([] if keep else [sample_folder()])
    assert not desk.state.opening and not desk.state.stopping and desk.asked == []
