"""What is imported before the window is shown: neither arrays nor the engine, nor what reads, searches or builds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

import explorer
from explorer.gui.app.app import begin_window, begin_work
from explorer.gui.app.first_paint import when_painted
from explorer.gui.app.main_window import MainWindow
from explorer.gui.app.startup import Startup
from explorer.gui.screens.screen_set import Preload

SHOWN = """
import json
import sys
from pathlib import Path

from explorer.cli.session import answer
from explorer.cli.commands import read_command_line
from explorer.gui.app.launch import prepare_imports

read_command_line([])
prepare_imports()

from explorer.gui.app.app import begin_window, make_application
from explorer.gui.app.startup import Startup
from explorer.gui.settings.store import Settings

settings = Settings(Path(sys.argv[1]) / "settings.json")
application = make_application(settings)
window = begin_window(Startup(restore=True), settings)
# No background lane has begun.
print(json.dumps(sorted(sys.modules)))
window.close()
"""
LATER = {
    "numpy", "_fastsa", "tokenizers", "zstandard", "pyarrow", "pyqtgraph", "xlsxwriter", "multiprocessing", "email",
    "socket",
}  # fmt: skip
"""Packages that take long to import."""
ROOMS = (
    "explorer.analyses.agreement",
    "explorer.analyses.overlap",
    "explorer.backends",
    "explorer.building.verify",
    "explorer.corpus",
    "explorer.export",
    "explorer.index",
    "explorer.recipes",
    "explorer.text.tokens",
)
"""Rooms of which nothing is needed."""
MOST = 210
"""Modules of the program, of which each takes about a millisecond."""


def test_what_is_imported_before_the_window_is_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "data"))
    done = subprocess.run(
        [sys.executable, "-P", "-c", SHOWN, str(tmp_path)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    found = set(json.loads(done.stdout))
    assert {name.partition(".")[0] for name in found} & LATER == set()
    ours = [name for name in found if name.startswith("explorer.")]
    assert [name for name in ours if name.startswith(ROOMS)] == []
    assert "explorer.gui.screens.index.screen" in ours and len(ours) <= MOST


def test_a_thread_that_needs_types_of_arrays_waits_for_another_that_imports_arrays():
    # `import numpy` waits until another thread has imported it; `numpy.typing` alone begins in the middle, and fails.
    for path in Path(explorer.__file__).parent.rglob("*.py"):
        before, found, _ = path.read_text(encoding="utf-8").partition("\nfrom numpy.typing import")
        assert not found or re.search("^import numpy", before, re.MULTILINE), path


PREPARED = """
import builtins, gc, json, linecache, sys

before = builtins.__import__
from explorer.gui.app.launch import prepare_imports

prepare_imports()
import explorer.gui.app.app
names = {}
exec("from PySide6.QtWidgets import *", names)
print(json.dumps([builtins.__import__.__name__, gc.isenabled(), sorted(linecache.cache), "QPushButton" in names]))
"""


def test_a_start_reads_no_sources_and_searches_for_no_garbage():
    done = subprocess.run(
        [sys.executable, "-P", "-c", PREPARED], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    name, searched, sources, star = json.loads(done.stdout)
    assert name != "__feature_import__" and not searched
    # A few that PySide itself reads, and none of ours.
    assert not [source for source in sources if Path(explorer.__file__).parent in Path(source).parents]
    # PySide has another import of its own, without which its star imports lack most names.
    assert star


@pytest.fixture
def new_window(all_screens, qtbot, settings):
    """One that has not been shown."""
    made = MainWindow(settings)
    yield made
    made.departure.pause_and_close()
    made.deleteLater()


def test_what_waits_for_the_first_paint_comes_after_it_once(new_window, qtbot):
    called, preload = [], new_window.findChild(Preload)
    when_painted(new_window, lambda: called.append("first"))
    when_painted(new_window, lambda: called.append("second"))
    QCoreApplication.processEvents()
    assert not called and not preload.isActive()
    new_window.show()
    qtbot.waitUntil(lambda: sorted(called) == ["first", "second"] and preload.isActive())
    new_window.repaint()
    qtbot.waitUntil(lambda: new_window.screens.complete)
    assert sorted(called) == ["first", "second"]


def test_work_begins_when_the_window_was_painted(monkeypatch, qtbot, settings, small_index):
    calls = []
    monkeypatch.setattr("explorer.gui.app.app.search_here", calls.append)
    monkeypatch.setattr("explorer.gui.app.app.leave_to_itself", lambda window: None)
    try:
        window = begin_window(Startup((str(small_index),)), settings)
        # Nothing that was asked for has begun: a thread that opens the index would import while the window is painted.
        assert not calls and window.indexes.state.opening
        qtbot.waitUntil(lambda: window.corpus is not None)
    finally:
        begin_work()
    # At the first paint, and at the end of this test.
    assert set(calls) == {QCoreApplication.instance()}
    window.departure.pause_and_close()
    window.deleteLater()
