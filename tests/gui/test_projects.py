"""The project of a window, without a window: the test decides when files are read and written."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from by_hand import HandSlot

from explorer import open_index
from explorer.backends.places import HitPlace
from explorer.core.jobs import Kind
from explorer.gui.presenting.requests import OpenRequest, Saved
from explorer.gui.project.notices import REMEDIES, remedy_text
from explorer.gui.project.projects import Projects
from explorer.gui.project.views import Views
from explorer.gui.settings.store import Settings
from explorer.project import KeptLines, LineSet, Project, Query, open_project, save_project
from explorer.project.values import SavedQuery
from explorer.project.writing import project_text

PLACE = HitPlace(0, 1, 1)


class Desk:
    """The presenter, what it asked for, and the views that were shown."""

    def __init__(self, folder):
        self.files, self.reader = HandSlot("project", Kind.APART), HandSlot("fingerprint", Kind.QUICK)
        self.asked, self.shown = [], []
        self.settings = Settings(folder / "settings.json")
        self.views = Views("search", {"search": {"query": "the cat"}})
        self.projects = Projects(
            self.files, self.reader, self.settings, self.asked.append, lambda: self.views, self.shown.append
        )

    @property
    def state(self):
        return self.projects.state

    def use(self, folder):
        """As the window does when an index was opened."""
        self.projects.use_corpus(open_index(folder), OpenRequest((str(folder),)))
        self.reader.answer()

    def keep(self, name="cats"):
        """Keep one line in a set."""
        lines = KeptLines().with_mark([PLACE])
        return self.projects.edit(
            lambda project, index: project.with_set(
                LineSet(name, index.id, Query("the cat"), fingerprint=index.fingerprint, lines=lines)
            )
        )

    def open(self, path, with_views=True):
        self.projects.open(str(path), with_views)
        self.files.answer()

    def save(self, path=None, **options):
        self.projects.save(None if path is None else str(path), **options)
        self.files.answer()


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


@pytest.fixture
def index(tmp_path, small_index):
    folder = tmp_path / "work" / "corpora" / "small"
    shutil.copytree(small_index, folder)
    return folder


@pytest.fixture
def saved(desk, index):
    """A saved project with one set."""
    desk.use(index)
    desk.keep()
    path = index.parent.parent / "p.cxproj"
    desk.save(path)
    return path


def test_a_new_project_has_nothing_to_lose(desk, index):
    assert not desk.state.shown and not desk.state.changed
    desk.use(index)
    assert not desk.state.changed
    assert desk.keep()
    assert desk.state.shown and desk.state.changed
    assert desk.state.name == "Untitled project"
    assert desk.state.would_be_lost == "The changes would be lost; the project has 1 saved set."
    desk.projects.new()
    assert not desk.state.changed and desk.state.current is not None


def test_nothing_is_kept_before_the_index_is_known(desk, index):
    assert not desk.keep()
    desk.projects.use_corpus(open_index(index), OpenRequest((str(index),)))
    assert not desk.keep()
    desk.reader.answer()
    assert desk.keep()


def test_a_project_is_saved_with_its_index_and_views(desk, saved):
    assert not desk.state.changed and desk.state.name == "p"
    assert desk.asked == [Saved(saved, "Saved the project")]
    assert desk.state.recent == desk.settings.recent_projects() == [str(saved)]
    found = open_project(saved)
    assert [index.paths for index in found.indexes] == [("corpora/small",)]
    assert (found.screen, found.opened) == ("search", found.indexes[0].id)
    assert json.loads(dict(found.views)["search"]) == {"query": "the cat"}
    # Again, although the index has an id by now.
    assert desk.keep("more")
    desk.save()
    assert len(open_project(saved).indexes) == 1
    assert [kept.index for kept in open_project(saved).sets] == [found.opened] * 2


def test_what_is_changed_while_it_is_written_is_not_saved(desk, saved):
    desk.keep("two")
    desk.projects.save()
    desk.keep("three")
    desk.files.answer()
    assert desk.state.changed
    desk.save()
    assert not desk.state.changed
    assert [kept.name for kept in open_project(saved).sets] == ["cats", "two", "three"]


def test_an_index_in_the_folder_of_the_project_is_opened_and_then_its_views(desk, saved, index, tmp_path):
    other = Desk(tmp_path / "other")
    other.open(saved)
    assert other.asked == [OpenRequest((str(index),))]
    assert other.shown == []
    other.use(index)
    assert other.shown == [Views("search", {"search": {"query": "the cat"}})]
    assert other.state.notice is None and not other.state.changed
    assert other.state.fits(other.state.sets[0])


def test_a_session_opens_the_project_only(desk, saved, tmp_path):
    other = Desk(tmp_path / "other")
    other.open(saved, with_views=False)
    assert (other.asked, other.shown) == ([], [])
    assert other.state.name == "p"


def test_an_index_elsewhere_is_opened_only_if_the_user_agrees(desk, saved, index, tmp_path):
    away = tmp_path / "away" / "q.cxproj"
    away.parent.mkdir()
    desk.save(away)
    other = Desk(tmp_path / "other")
    other.open(away)
    assert other.asked == []
    notice = other.state.notice
    assert notice.title == "Open this index?" and str(index) in notice.sentence
    assert notice.remedies[0] == "open_index"
    other.projects.open_index()
    assert other.asked == [OpenRequest((str(index),))]
    other.use(index)
    assert other.shown and other.state.notice is None
    # An index that the user opened before is known.
    known = Desk(tmp_path / "known")
    known.settings.recents.add(str(index), datetime.now(UTC))
    known.open(away)
    assert known.asked == [OpenRequest((str(index),))]


def test_a_missing_index_is_named_and_located(desk, saved, index, tmp_path):
    moved = tmp_path / "moved"
    index.rename(moved)
    other = Desk(tmp_path / "other")
    other.open(saved)
    notice = other.state.notice
    assert (notice.kind, notice.title, notice.remedies[0]) == ("warn", "An index is missing", "locate")
    assert str(index) in notice.sentence
    # What is there is open.
    assert [kept.name for kept in other.state.sets] == ["cats"]
    other.projects.locate(str(moved))
    other.files.answer()
    assert other.asked == [OpenRequest((str(moved),))]
    other.use(moved)
    assert other.shown and other.state.notice is None
    other.save()
    assert open_project(saved).indexes[0].paths == ("../moved",)


def test_what_waits_for_a_missing_index_outlives_a_save(desk, saved, index, byte_index, tmp_path):
    moved = tmp_path / "moved"
    index.rename(moved)
    other = Desk(tmp_path / "other")
    other.views = Views("trace", {"trace": {"text": "typed meanwhile"}})
    other.open(saved)
    other.use(byte_index)
    other.keep("more")
    other.save()
    found = open_project(saved)
    assert (found.screen, len(found.indexes), len(found.sets)) == ("search", 2, 2)
    assert found.opened == found.sets[0].index and json.loads(dict(found.views)["search"]) == {"query": "the cat"}
    # With its index, it is shown, and what the window shows then is saved.
    other.use(moved)
    assert other.shown == [desk.views]
    other.save()
    assert dict(open_project(saved).views).keys() == {"trace"}


def test_opening_the_missing_index_elsewhere_locates_it(desk, saved, index, tmp_path):
    moved = tmp_path / "moved"
    index.rename(moved)
    other = Desk(tmp_path / "other")
    other.open(saved)
    other.use(moved)
    assert other.state.notice is None
    assert other.state.fits(other.state.sets[0])
    assert other.state.project.indexes[0].paths == ("../moved",)


def test_a_folder_with_other_contents_is_not_taken_for_the_index(desk, saved, index, byte_index, tmp_path):
    index.rename(tmp_path / "moved")
    other = Desk(tmp_path / "other")
    other.open(saved)
    other.projects.locate(str(byte_index))
    other.files.answer()
    assert other.asked == []
    assert other.state.notice.title == "Another index"
    assert other.state.notice.remedies == ("locate", "use_anyway", "dismiss")
    other.projects.use_anyway()
    assert other.asked == [OpenRequest((str(byte_index),))]
    other.use(byte_index)
    # Lines of the set would be other ones.
    assert not other.state.fits(other.state.sets[0])


def test_a_folder_that_is_not_an_index_is_an_error(desk, saved, index, tmp_path):
    index.rename(tmp_path / "moved")
    other = Desk(tmp_path / "other")
    other.open(saved)
    other.projects.locate(str(tmp_path))
    other.files.answer()
    assert other.state.notice.kind == "error"
    other.projects.dismiss()
    assert other.state.notice.title == "An index is missing"
    other.projects.dismiss()
    assert other.state.notice is None


def test_an_index_that_was_replaced_is_recognized(desk, saved, index, byte_index, tmp_path):
    shutil.rmtree(index)
    shutil.copytree(byte_index, index)
    other = Desk(tmp_path / "other")
    other.open(saved)
    other.use(index)
    assert other.state.notice.title == "An index has changed"
    assert not other.state.fits(other.state.sets[0])


def test_damage_leaves_the_project_that_is_open(desk, saved, tmp_path):
    bad = tmp_path / "bad.cxproj"
    bad.write_text(project_text(Project())[:-20])
    before = desk.state.project
    desk.open(bad)
    notice = desk.state.notice
    assert (notice.kind, notice.title) == ("error", "The project does not open")
    assert "line 10, column 13" in notice.sentence
    assert desk.state.project is before


def test_changes_of_others_are_not_overwritten_unasked(desk, saved):
    theirs = open_project(saved)
    save_project(replace(theirs, notes="theirs"))
    desk.keep("mine")
    desk.save()
    notice = desk.state.notice
    assert notice.title == "The file was changed" and notice.remedies == ("overwrite", "save_as", "dismiss")
    assert open_project(saved).notes == "theirs" and desk.state.changed
    desk.save(saved, overwrite=True)
    assert [kept.name for kept in open_project(saved).sets] == ["cats", "mine"]
    assert desk.state.notice is None and not desk.state.changed


def test_a_project_of_a_newer_version_is_shown_and_not_changed(desk, saved, index, tmp_path):
    whole = json.loads(saved.read_text())
    whole["version"] = 2
    whole["sets"].append({"name": 3})
    saved.write_text(json.dumps(whole))
    before = saved.read_bytes()
    other = Desk(tmp_path / "other")
    other.open(saved)
    other.use(index)
    assert other.state.notice.title == "This project is read-only"
    assert "One part is not shown." in other.state.notice.sentence
    assert not other.keep("more")
    other.save()
    assert other.state.notice.kind == "error"
    assert saved.read_bytes() == before
    for _ in range(2):
        other.projects.dismiss()
    assert other.state.notice is None


def test_marks_on_queries_are_something_to_lose(desk, index):
    desk.use(index)
    lines = KeptLines().with_note([PLACE], "why")
    desk.projects.edit(
        lambda project, index: replace(project, queries=(SavedQuery(index.id, Query("cat"), lines=lines),))
    )
    assert desk.state.would_be_lost == "The changes would be lost; the project has marks and notes on 1 line."


def test_every_remedy_has_a_text():
    assert all(text and not text.endswith(".") for text in REMEDIES.values())


def test_the_file_can_be_moved_with_its_folder(desk, saved, tmp_path):
    moved = tmp_path / "elsewhere"
    saved.parent.rename(moved)
    other = Desk(tmp_path / "other")
    other.open(moved / "p.cxproj")
    assert other.asked == [OpenRequest((str(moved / "corpora" / "small"),))]
    other.use(Path(other.asked[0].paths[0]))
    assert other.state.fits(other.state.sets[0])


# Files that views name.


def agreement(*files):
    return Views("agreement", {"agreement": {"n": 3, "files": [str(file) for file in files]}})


@pytest.fixture
def with_files(desk, saved, tmp_path):
    """Save the project with files in the view of Agreement, and open it as another user."""

    def made(*files):
        desk.views = agreement(*files)
        desk.save()
        return Desk(tmp_path / "other")

    return made


@pytest.fixture
def looked_at(monkeypatch):
    """The paths that are looked up or opened."""
    paths = []

    def watched(module, name):
        before = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda path, *more, **named: (paths.append(path), before(path, *more, **named))[1]
        )

    for name in ("stat", "lstat", "open", "readlink", "scandir"):
        watched(os, name)
    return lambda path: [each for each in paths if str(each).startswith(str(path))]


def test_files_beside_the_project_are_relative_and_found_where_it_is_moved(saved, with_files, index, tmp_path):
    text = saved.parent / "texts" / "a.txt"
    text.parent.mkdir()
    text.write_text("the cat", encoding="utf-8")
    other = with_files(text)
    assert json.loads(dict(open_project(saved).views)["agreement"])["files"] == ["texts/a.txt"]
    moved = tmp_path / "moved"
    saved.parent.rename(moved)
    other.open(moved / saved.name)
    other.use(moved / "corpora" / "small")
    assert other.shown == [agreement(moved / "texts" / "a.txt")]
    assert other.state.notice is None and other.state.file_notice is None


def test_a_project_of_an_earlier_version_has_absolute_paths(saved, with_files, index):
    text = saved.parent / "a.txt"
    other = with_files(text)
    saved.write_text(saved.read_text(encoding="utf-8").replace('"a.txt"', json.dumps(str(text))), encoding="utf-8")
    other.open(saved)
    other.use(index)
    assert other.shown == [agreement(text)] and other.state.file_notice is None


def test_other_files_are_not_even_looked_at_before_the_user_agrees(with_files, saved, index, tmp_path, looked_at):
    secret, near = tmp_path / "secret.txt", saved.parent / "near.txt"
    secret.write_text("secret", encoding="utf-8")
    other = with_files(secret, near)
    other.open(saved)
    other.use(index)
    assert other.shown == [agreement(near)] and looked_at(secret) == [] != looked_at(near)
    notice = other.state.file_notice
    assert notice.title == "Read this file or folder?" and notice.remedies == ("read_files", "leave_files")
    assert str(secret) in notice.sentence and str(near) not in notice.sentence
    assert remedy_text("read_files", notice) == "Read it"
    other.projects.read_files()
    assert other.state.file_notice is None
    assert other.shown[-1] == Views("", agreement(secret, near).screens)
    # Once: the user knows them from then on.
    other.open(saved)
    other.use(index)
    assert other.shown[-1] == agreement(secret, near) and other.state.file_notice is None


def test_files_are_asked_about_while_the_index_is_missing(with_files, saved, index, tmp_path, looked_at):
    secret = tmp_path / "secret.txt"
    other = with_files(secret, tmp_path / "more.txt")
    index.rename(tmp_path / "moved")
    other.open(saved)
    assert other.state.notice.title == "An index is missing"
    notice = other.state.file_notice
    assert notice.title == "Read these files and folders?" and "They are outside" in notice.sentence
    assert remedy_text("read_files", notice) == "Read them"
    # Each is answered by itself.
    other.projects.dismiss()
    assert other.state.notice is None and other.state.file_notice == notice
    assert looked_at(secret) == []
    other.projects.read_files()
    assert other.state.file_notice is None and other.shown == []
    other.use(tmp_path / "moved")
    assert other.shown == [agreement(secret, tmp_path / "more.txt")] and other.state.file_notice is None


def test_files_that_were_refused_before_the_index_came_are_not_asked_about_again(with_files, saved, index, tmp_path):
    other = with_files(tmp_path / "secret.txt")
    index.rename(tmp_path / "moved")
    other.open(saved)
    other.projects.read_files(agreed=False)
    other.use(tmp_path / "moved")
    assert other.shown == [agreement()] and other.state.file_notice is None


def test_views_that_wait_for_an_index_go_with_their_project(desk, saved, index, tmp_path):
    other = Desk(tmp_path / "other")
    other.use(index)
    # A project whose missing index has the same id, and other contents.
    whole = json.loads(saved.read_text(encoding="utf-8"))
    whole["indexes"][0] |= {"paths": ["gone"], "fingerprint": "another"}
    whole["views"]["search"]["query"] = "the dog"
    first = saved.with_name("first.cxproj")
    first.write_text(json.dumps(whole), encoding="utf-8")
    other.open(first)
    assert other.state.notice.title == "An index is missing" and other.shown == []
    other.open(saved)
    other.use(index)
    assert other.shown == [Views("search", {"search": {"query": "the cat"}})]


def test_a_link_does_not_lead_out_of_the_folder(with_files, saved, index, tmp_path):
    link = saved.parent / "link.txt"
    link.symlink_to(tmp_path / "secret.txt")
    other = with_files(link)
    other.open(saved)
    other.use(index)
    assert other.shown == [agreement()] and other.state.files == (str(link),)


def test_files_on_a_server_and_nonsense_are_asked_about_or_left_out(with_files, saved, index):
    other = with_files("a.txt")
    share = "//server/share/a.txt"
    wrong = ["https://a.example/x", share, "../up.txt", 5, None, ["x"], "a\u0000b", "", "x" * 9_000]
    text = json.loads(saved.read_text(encoding="utf-8"))
    text["views"]["agreement"]["files"] = wrong
    saved.write_text(json.dumps(text), encoding="utf-8")
    other.open(saved)
    other.use(index)
    assert other.shown == [agreement()]
    up = str(saved.parent.parent / "up.txt")
    assert other.state.files == ("https://a.example/x", os.path.normpath(share), up)


def test_files_that_were_not_agreed_to_stay_in_the_project(with_files, saved, index, tmp_path):
    other = with_files(tmp_path / "b.txt")
    other.open(saved)
    other.use(index)
    other.projects.read_files(agreed=False)
    assert other.state.file_notice is None
    other.views = agreement()
    other.save()
    assert json.loads(dict(open_project(saved).views)["agreement"])["files"] == ["../b.txt"]
    # Saving is not agreeing.
    other.open(saved)
    other.use(index)
    assert other.state.files == (str(tmp_path / "b.txt"),)
    other.projects.new()
    assert other.state.files == ()


def test_indexes_that_views_name_are_asked_about_and_kept_with_what_recognizes_them(desk, saved, index, tmp_path):
    near, away = saved.parent / "near", tmp_path / "away"
    beside = [{"path": str(path), "fingerprint": path.name} for path in (near, away)]
    desk.views = Views("search", {"search": {"query": "the cat", "beside": beside}})
    desk.save()
    stored = json.loads(dict(open_project(saved).views)["search"])["beside"]
    assert stored == [{"path": "near", "fingerprint": "near"}, {"path": "../away", "fingerprint": "away"}]
    other = Desk(tmp_path / "other")
    other.open(saved)
    other.use(index)
    assert other.state.files == (str(away),)
    assert other.shown[-1].screens["search"]["beside"] == beside[:1]
    # What was not agreed to stays in the file, beside what was.
    other.projects.read_files(agreed=False)
    other.views = other.shown[-1]
    other.save()
    assert json.loads(dict(open_project(saved).views)["search"])["beside"] == stored
    other.open(saved)
    other.projects.read_files()
    other.use(index)
    assert other.shown[-1].screens["search"]["beside"] == beside


def test_the_own_files_of_a_user_are_not_asked_about(desk, saved, index, tmp_path):
    desk.views = agreement(tmp_path / "b.txt")
    desk.save()
    desk.shown.clear()
    desk.open(saved)
    desk.use(index)
    assert desk.shown == [desk.views] and desk.state.file_notice is None


def test_the_views_of_a_copy_lead_to_the_same_files(desk, saved, tmp_path):
    desk.views = agreement(saved.parent / "a.txt")
    desk.save()
    (tmp_path / "copy").mkdir()
    copied = save_project(open_project(saved), tmp_path / "copy" / "q.cxproj")
    assert json.loads(dict(copied.views)["agreement"])["files"] == ["../work/a.txt"]
