"""Files of the open index that change on the disk are noticed."""

from __future__ import annotations

import os
import threading

from PySide6.QtCore import QObject
from task_window import open_behind

from explorer.errors import CorpusError
from explorer.gui.index.watch import IndexWatch
from explorer.gui.presenting.requests import OpenRequest


def test_files_that_change_while_open_are_said(window, qtbot, small_index, tmp_path):
    import shutil

    folder = tmp_path / "copy"
    shutil.copytree(small_index, folder)
    open_behind(window, qtbot, folder)
    table = folder / "table.0"
    written = table.stat().st_mtime_ns
    table.write_bytes(table.read_bytes())
    # A second later, whatever the clock of the file system.
    os.utime(table, ns=(written + 10**9, written + 10**9))
    qtbot.waitUntil(lambda: "Changed on disk" in window.index_label.text())
    assert "was changed or replaced" in window.search.notice.text()
    # The window goes on: another index opens.
    window.open(OpenRequest((str(small_index),)))
    qtbot.waitUntil(lambda: "Changed" not in window.index_label.text())


def test_what_was_noticed_of_the_index_before_is_not_said_of_this_one(qtbot, small):
    asked, go, told = threading.Event(), threading.Event(), []

    def slow_check(corpus):
        asked.set()
        go.wait(120)
        return CorpusError("gone")

    parent = QObject()
    watch = IndexWatch(parent, slow_check)
    watch.changed.connect(told.append)
    watch.watch(small)
    watch.look()
    assert asked.wait(120)
    watch.watch(None)
    go.set()
    # Whatever it had to say was sent when its lane has closed.
    watch.runner.close(120)
    qtbot.wait(20)
    assert told == []
