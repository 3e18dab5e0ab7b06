"""A second start of the program hands what it was asked for to the first one."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from multiprocessing.connection import Client

import pytest
from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QFileOpenEvent

from explorer import version
from explorer.gui.app import app, launch
from explorer.gui.app.arrivals import Arrivals
from explorer.gui.app.running import FILE, REFUSED, Door, hand_over
from explorer.gui.app.startup import Startup, startup_of
from explorer.version import VERSION


@pytest.fixture
def door(tmp_path, qtbot):
    """An open door, and what came through it."""
    came = []
    door = Door(tmp_path, came.append)
    door.open()
    qtbot.waitUntil((tmp_path / FILE).exists)
    yield came
    door.close()
    assert not (tmp_path / FILE).exists()


def row(folder):
    return json.loads((folder / FILE).read_text())["programs"][VERSION]


def leave(folder, **values):
    """A file with a row of this version, as a program leaves it that was killed or is another one."""
    folder.mkdir()
    (folder / FILE).write_text(json.dumps({"programs": {VERSION: values}}))
    return folder


def told(folder):
    found = row(folder)
    return found["address"], bytes.fromhex(found["secret"])


def test_what_is_asked_for_arrives(door, tmp_path, monkeypatch):
    (tmp_path / "index").mkdir()
    monkeypatch.chdir(tmp_path)
    asked = Startup(("index", "https://x.invalid#y"), ("index",), "bytes", allow_remote=True).from_anywhere()
    assert hand_over(tmp_path, asked)
    assert door == [
        Startup((f"{tmp_path}/index", "https://x.invalid#y"), (f"{tmp_path}/index",), "bytes", allow_remote=True)
    ]


@pytest.mark.parametrize("alone", [False, True])
def test_what_is_opened_is_found_from_any_folder(tmp_path, monkeypatch, alone):
    """Also by the next start, which has another current folder: the window keeps what it was asked for."""
    for name in ("index", "tok.json"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    asked = []
    monkeypatch.setattr(app, "run_app", lambda startup: asked.append(startup) or 0)
    monkeypatch.setattr(launch, "prepare_imports", lambda: None)
    monkeypatch.setenv("CORPUS_EXPLORER_CONFIG", str(tmp_path))
    assert launch.launch(("index", "x" * 5000), ("index",), "tok.json", alone=alone) == 0
    index = f"{tmp_path}/index"
    assert asked == [Startup((index, "x" * 5000), (index,), f"{tmp_path}/tok.json")]


def test_no_program_runs(tmp_path):
    assert not hand_over(tmp_path, Startup())


def test_a_program_that_was_killed_leaves_its_file(door, tmp_path):
    values = row(tmp_path)
    left = leave(tmp_path / "left", **{**values, "address": f"{values['address']}-gone"})
    assert not hand_over(left, Startup()) and door == []


@pytest.mark.parametrize("change", [{"secret": "00"}, {"address": 3}, {"secret": "no"}])
def test_programs_that_do_not_fit_stay_apart(door, tmp_path, change):
    other = leave(tmp_path / "other", **{**row(tmp_path), **change})
    assert not hand_over(other, Startup()) and door == []
    assert hand_over(tmp_path, Startup()), "whoever did not know the secret leaves the door open"


@pytest.mark.parametrize("content", ["", "[]", "{", '{"programs": []}', '{"programs": {"": 1}}', "[" * 100_000])
def test_a_damaged_file_is_no_program_and_is_replaced(tmp_path, qtbot, content):
    (tmp_path / FILE).write_text(content)
    assert not hand_over(tmp_path, Startup())
    door = Door(tmp_path, print)
    door.open()
    qtbot.waitUntil(lambda: hand_over(tmp_path, Startup()))
    door.close()


def test_programs_of_two_versions_are_both_found(door, tmp_path, monkeypatch, qtbot):
    came = []
    monkeypatch.setattr(version, "VERSION", "9.9")
    assert not hand_over(tmp_path, Startup()), "another version is not asked"
    newer = Door(tmp_path, came.append)
    newer.open()
    qtbot.waitUntil(lambda: hand_over(tmp_path, Startup(demo=True)))
    assert came == [Startup(demo=True)] and door == []
    newer.close()
    monkeypatch.undo()
    # The newer one ended, and the older one is still there.
    assert hand_over(tmp_path, Startup(restore=True)) and door == [Startup(restore=True)]


@pytest.mark.parametrize("text", [b"", b"\xff", b"[]", b'{"startup": {}, "activation": ""}', b"[" * 100_000])
def test_nonsense_is_refused(door, tmp_path, text):
    address, secret = told(tmp_path)
    with Client(address, authkey=secret) as connection:
        connection.send_bytes(text)
        assert connection.recv_bytes() == REFUSED
    assert door == [] and hand_over(tmp_path, Startup())


def test_a_start_that_leaves_does_not_close_the_door(tmp_path, qtbot):
    came = []

    def take(startup):
        came.append(startup)
        # The first one is gone before its answer.
        gone.wait(60)

    gone = threading.Event()
    door = Door(tmp_path, take)
    door.open()
    qtbot.waitUntil((tmp_path / FILE).exists)
    address, secret = told(tmp_path)
    with Client(address, authkey=secret) as connection:
        connection.send_bytes(json.dumps({"startup": Startup().as_json(), "activation": ""}).encode())
        qtbot.waitUntil(lambda: bool(came))
    gone.set()
    assert hand_over(tmp_path, Startup(demo=True), patience=60) and came[-1].demo
    door.close()


def test_a_program_that_hangs_is_not_waited_for(tmp_path, qtbot):
    release = threading.Event()
    door = Door(tmp_path, lambda _: release.wait(60))
    door.open()
    qtbot.waitUntil((tmp_path / FILE).exists)
    assert not hand_over(tmp_path, Startup(), patience=0.2)
    release.set()
    door.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_only_the_owner_reads_the_secret(door, tmp_path):
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_a_folder_that_cannot_be_written(tmp_path, caplog, qtbot):
    (tmp_path / "file").write_text("")
    Door(tmp_path / "file", print).open()
    qtbot.waitUntil(lambda: "Later starts will not find this window" in caplog.text)


def test_a_file_of_a_later_program_stays(tmp_path, qtbot):
    first, second = (Door(tmp_path, print) for _ in range(2))
    first.open()
    qtbot.waitUntil((tmp_path / FILE).exists)
    address, _ = told(tmp_path)
    second.open()
    qtbot.waitUntil(lambda: told(tmp_path)[0] != address)
    first.close()
    assert (tmp_path / FILE).exists()
    second.close()
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize("name", ["paths", "minus", "tokenizer", "demo", "project", "allow_remote", "token_file"])
def test_values_of_other_types_are_none(name):
    assert startup_of({**Startup().as_json(), name: 3.5}) is None


def test_an_index_is_opened_beside_the_first(opened, settings, qtbot, small_index, monkeypatch):
    monkeypatch.setattr(app, "_windows", {opened})
    first = opened.corpus
    second = app.open_as_well(Startup((str(small_index),)), settings)
    assert second is not None and second is not opened
    qtbot.waitUntil(lambda: second.corpus is not None)
    assert opened.corpus is first, "nothing that is open is replaced"
    second.close()


def test_a_window_without_an_index_is_used(window, settings, qtbot, small_index, monkeypatch):
    monkeypatch.setattr(app, "_windows", {window})
    assert app.open_as_well(Startup((str(small_index),)), settings) is window
    qtbot.waitUntil(lambda: window.corpus is not None)
    assert app.open_as_well(Startup(restore=True), settings) is window


def test_files_of_the_desktop(qapp, qtbot, tmp_path):
    arrivals = Arrivals(qapp, tmp_path)
    for url, asked in ((tmp_path, Startup((str(tmp_path),))), ("/a/b.cxproj", Startup(project="/a/b.cxproj"))):
        with qtbot.waitSignal(arrivals.arrived) as signal:
            QCoreApplication.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(url))))
        assert signal.args == [asked]
    qapp.removeEventFilter(arrivals)


def test_two_starts_of_the_program(tmp_path, small_index, qtbot):
    """The second one ends at once, and the window of the first has its index."""
    kinds = ("CACHE", "DATA", "CONFIG")
    places = {f"CORPUS_EXPLORER_{kind}": str(tmp_path / kind) for kind in kinds}
    environment = {**os.environ, **places, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-P", "-m", "explorer"]
    said = tmp_path / "said"
    with said.open("wb") as errors, subprocess.Popen(command, env=environment, stderr=errors) as first:
        try:
            qtbot.waitUntil((tmp_path / "CONFIG" / FILE).exists)
            second = subprocess.run([*command, small_index], env=environment, timeout=120, check=False)
            assert second.returncode == 0 and first.poll() is None
            settings = tmp_path / "CONFIG" / "settings.json"
            qtbot.waitUntil(lambda: settings.exists() and str(small_index) in settings.read_text())
        finally:
            first.terminate()
            print(said.read_text())
