"""The settings file: limits, migration, damage."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QApplication

from explorer.gui.index.recents import RecentIndex
from explorer.gui.settings.schema import BY_KEY, SETTINGS, VERSION, migrated
from explorer.gui.settings.store import Settings


def test_what_is_set_is_there_again(tmp_path):
    first = Settings(tmp_path / "s.json")
    first.set("text_size", 14)
    first.set_geometry(QByteArray(b"\x00\x01place"))
    first.add_query("one")
    first.toggle_pin("two")
    assert first.flush()
    again = Settings(tmp_path / "s.json")
    assert again.get("text_size") == 14
    assert again.geometry() == QByteArray(b"\x00\x01place")
    assert again.queries() == [("two", True), ("one", False)]
    assert json.loads((tmp_path / "s.json").read_text())["version"] == VERSION
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]


@pytest.mark.parametrize(
    ("key", "value"),
    [("text_size", 99), ("text_size", -1), ("text_size", True), ("scheme", "pink"), ("restore", 1), ("queries", [1]),
     ("queries", "x"), ("shortcuts", []), ("geometry", None), ("session", "x")],
)  # fmt: skip
def test_values_that_cannot_be(tmp_path, key, value):
    """Refused when set; counted as absent when they stand in the file."""
    settings = Settings(tmp_path / "s.json")
    with pytest.raises(ValueError, match=key):
        settings.set(key, value)
    (tmp_path / "s.json").write_text(json.dumps({"version": VERSION, "values": {key: value}}))
    assert Settings(tmp_path / "s.json").get(key) == BY_KEY[key].default
    assert Settings(tmp_path / "s.json").notice == ""


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"version": 99, "values": {}}',
        b'{"version": "x"}',
        b"[" * 90_000,
        b'{"version": 1e999, "values": {}}',
        b'{"version": -Infinity, "values": {}}',
    ],
)
def test_a_damaged_file_is_set_aside_and_said(tmp_path, content):
    (tmp_path / "s.json").write_bytes(content)
    settings = Settings(tmp_path / "s.json")
    assert settings.get("scheme") == "system"
    assert "could not be read" in settings.notice and "renamed to" in settings.notice
    aside = [path for path in tmp_path.iterdir() if path.name.startswith("settings-set-aside")]
    assert len(aside) == 1 and aside[0].read_bytes() == content
    settings.set("scheme", "dark")
    assert settings.flush()
    assert Settings(tmp_path / "s.json").scheme() == "dark"


def test_two_programs_keep_what_each_of_them_changed(tmp_path):
    first, second = (Settings(tmp_path / "s.json") for _ in range(2))
    first.toggle_pin("mine")
    first.set("scheme", "dark")
    assert first.flush()
    second.add_query("theirs")
    second.set("scheme", "light")
    assert second.flush()
    first.set("text_size", 14)
    assert first.flush()
    found = Settings(tmp_path / "s.json")
    assert found.queries() == [("mine", True), ("theirs", False)] and found.get("text_size") == 14
    # Both changed it: the last one to write.
    assert found.get("scheme") == "dark"


@pytest.mark.parametrize("damage", ["", "{", '{"version": 3}', "[" * 90_000])
def test_what_damages_the_file_meanwhile_is_replaced(tmp_path, damage):
    settings = Settings(tmp_path / "s.json")
    settings.set("text_size", 14)
    assert settings.flush()
    (tmp_path / "s.json").write_text(damage)
    settings.set("scheme", "dark")
    assert settings.flush()
    found = Settings(tmp_path / "s.json")
    assert (found.get("text_size"), found.get("scheme"), found.notice) == (14, "dark", "")


def test_a_newer_program_that_runs_beside_keeps_its_file(tmp_path):
    settings = Settings(tmp_path / "s.json")
    newer = json.dumps({"version": VERSION + 1, "values": {"scheme": "new"}})
    (tmp_path / "s.json").write_text(newer)
    settings.set("scheme", "dark")
    assert settings.flush()
    assert (tmp_path / "s.json").read_text() == newer
    assert (
        "a newer version of this program uses the file" in settings.notice
        and "CORPUS_EXPLORER_CONFIG" in settings.notice
    )


def test_the_file_is_written_beside_the_interface_thread(tmp_path, monkeypatch):
    writers, release = [], threading.Event()

    def slow(path, text):
        release.wait(120)
        writers.append(threading.current_thread().name)
        path.write_text(text, encoding="utf-8")

    monkeypatch.setattr("explorer.gui.settings.store.write_whole", slow)
    settings = Settings(tmp_path / "s.json")
    for size in range(8, 20):
        settings.set("text_size", size)
    assert not settings.flush(0.01)
    release.set()
    assert settings.flush(120)
    # The first one, and the last of those that came meanwhile.
    assert writers == ["apart-settings"] * len(writers) and len(writers) <= 2
    assert Settings(tmp_path / "s.json").get("text_size") == 19


def test_the_window_starts_and_says_it(qtbot, tmp_path):
    from explorer.gui.app.app import make_application, show_window
    from explorer.gui.app.startup import Startup

    (tmp_path / "s.json").write_text("{")
    settings = Settings(tmp_path / "s.json")
    make_application(settings)
    window = show_window(Startup(), settings)
    qtbot.addWidget(window)
    assert "could not be read" in window.index.notice.text()
    window.close()


def test_a_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    settings = Settings(tmp_path / "file" / "s.json")
    settings.set("scheme", "dark")
    assert settings.flush()
    assert settings.scheme() == "dark" and "cannot be written" in settings.notice


def test_a_window_says_at_once_that_settings_cannot_be_written(qtbot, tmp_path):
    from explorer.gui.app.app import make_application, show_window
    from explorer.gui.app.startup import Startup

    (tmp_path / "file").write_text("")
    settings = Settings(tmp_path / "file" / "s.json")
    make_application(settings)
    window = show_window(Startup(), settings)
    qtbot.addWidget(window)
    settings.set("restore", False)
    qtbot.waitUntil(lambda: "cannot be written" in window.statusBar().currentMessage())
    assert "cannot be written" in window.index.notice.text()
    window.close()
    # A window that is gone is told nothing more.
    settings.notice = ""
    settings.set("restore", True)
    assert settings.flush() and "cannot be written" in settings.notice


def test_older_settings_are_taken_over():
    old = {
        "appearance/scheme": "dark",
        "search/queries": ["a"],
        "search/pinned": ["b"],
        "window/geometry": b"x",
        "other": 1,
    }
    assert migrated(1, old) == {"scheme": "dark", "queries": ["a"], "pinned_queries": ["b"]}
    assert migrated(VERSION, {"scheme": "light"}) == {"scheme": "light"}


def test_settings_with_titles_of_screens_are_read(tmp_path):
    """As version 0.1 wrote them: screens by their titles."""
    stored = {
        "version": 2,
        "values": {
            "scheme": "dark",
            "shortcuts": {"Next token": "Ctrl+Alt+N", "open": "Ctrl+Alt+O"},
            "session": {
                "paths": ["/corpus"],
                "minus": [],
                "tokenizer": None,
                "screen": "Next token",
                "screens": {
                    "Search": {"query": "the cat"},
                    "Next token": {"prompt": "the"},
                    "Trace": {},
                    "Agreement": {"n": 3},
                    "Index": {},
                },
            },
        },
    }
    (tmp_path / "s.json").write_text(json.dumps(stored))
    settings = Settings(tmp_path / "s.json")
    assert settings.notice == "" and settings.scheme() == "dark"
    assert settings.get("shortcuts") == {"next_token": "Ctrl+Alt+N", "open": "Ctrl+Alt+O"}
    session = settings.get("session")
    assert session["paths"] == ["/corpus"] and session["screen"] == "next_token"
    assert session["screens"] == {
        "search": {"query": "the cat"},
        "next_token": {"prompt": "the"},
        "trace": {},
        "agreement": {"n": 3},
        "index": {},
    }


@pytest.mark.parametrize(
    "session", [{}, {"screen": 3}, {"screen": "Elsewhere", "screens": []}, {"screens": {"Elsewhere": 1}}, "none"]
)
def test_odd_sessions_of_earlier_versions_stay_as_they_are(session):
    found = migrated(2, {"session": session, "shortcuts": ["x"]})
    assert found["shortcuts"] == ["x"]
    assert found["session"] == session


def test_every_shown_setting_is_explained():
    for setting in SETTINGS:
        assert setting.valid(setting.default)
        if setting.section:
            assert setting.title and setting.help.endswith(".")


def test_queries_are_not_kept_unless_the_user_wants_it(tmp_path):
    settings = Settings(tmp_path / "s.json")
    settings.add_query("one")
    settings.set("remember_queries", False)
    settings.add_query("two")
    assert settings.queries() == [("one", False)]


MOMENT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def test_recent_indexes_are_pinned_and_forgotten(tmp_path):
    settings = Settings(tmp_path / "s.json")
    for path in ("/a", "/b", "/c"):
        settings.recents.add(path, MOMENT)
    settings.recents.toggle_pin("/a")
    assert settings.recents.paths() == ["/a", "/c", "/b"]
    settings.recents.forget("/c")
    settings.recents.toggle_pin("/a")
    assert settings.recents.paths() == ["/b", "/a"]


def test_names_and_times_follow_their_index(tmp_path):
    settings = Settings(tmp_path / "s.json")
    recents = settings.recents
    recents.add("/a", MOMENT)
    recents.add("/b", MOMENT)
    recents.rename("/a", "  Town archive ")
    recents.toggle_pin("/a")
    recents.move("/a", "/elsewhere")
    assert recents.all() == (
        RecentIndex("/elsewhere", pinned=True, name="Town archive", opened="2026-03-04T05:06:07+00:00"),
        RecentIndex("/b", opened="2026-03-04T05:06:07+00:00"),
    )
    # What is not listed leaves nothing in the file.
    assert set(settings.get("index_names")) == {"/elsewhere"}
    recents.rename("/elsewhere", " ")
    recents.forget("/b")
    assert settings.get("index_names") == {} and set(settings.get("recent_opened")) == {"/elsewhere"}
    # An index that was moved onto another one is listed once.
    recents.add("/b", MOMENT)
    recents.move("/b", "/elsewhere")
    assert recents.paths() == ["/elsewhere"]


def test_names_and_times_that_were_edited_by_hand_do_no_harm(tmp_path):
    settings = Settings(tmp_path / "s.json")
    settings.set("recent_indexes", ["/a"])
    settings.set("index_names", {"/a": 3})
    settings.set("recent_opened", {"/a": ["now"]})
    assert settings.recents.all() == (RecentIndex("/a"),)


def test_text_grows_by_keyboard(opened, qtbot):
    before = QApplication.font().pointSizeF()
    opened.book.actions["larger"].trigger()
    assert QApplication.font().pointSizeF() == round(before) + 1
    opened.book.actions["usual"].trigger()
    assert QApplication.font().pointSizeF() == before
