"""Modules of the window are imported on the interface thread, after all that they need, and never on another."""

from __future__ import annotations

import json
import subprocess
import sys
import threading

import pytest

from explorer.gui.app.module_queue import ModuleQueue, needs_interface_thread

CLASSES = """
import builtins
import json
import sys
import threading
from pathlib import Path

from shiboken6 import Shiboken

made = {True: [], False: []}
build = builtins.__build_class__


def recorded(body, name, *bases, **named):
    made_class = build(body, name, *bases, **named)
    if isinstance(made_class, type) and issubclass(made_class, Shiboken.Object):
        made[threading.current_thread() is threading.main_thread()].append(f"{made_class.__module__}.{name}")
    return made_class


builtins.__build_class__ = recorded

from PySide6.QtCore import QEventLoop
from explorer.gui.app.app import make_application, show_window
from explorer.gui.app.startup import Startup
from explorer.gui.presenting.requests import ContinueText, OpenRequest, SearchText, TraceText
from explorer.gui.settings.store import Settings

application = make_application(Settings(Path(sys.argv[1]) / "settings.json"))


def wait(until):
    while not until():
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 100)


window = show_window(Startup(), Settings(Path(sys.argv[1]) / "settings.json"))
before = set(sys.modules)
wait(lambda: window.screens.complete)
later = sorted(name for name in set(sys.modules) - before if name.startswith("explorer.gui."))
window.open(OpenRequest((sys.argv[2],)))
wait(lambda: window.corpus is not None and window.screens.settled)


def idle():
    return not any(screen.lanes.busy for screen in (*window.screens.values(), window.stage.panel))


for request in (SearchText("the cat"), ContinueText("the"), TraceText("the cat saw the dog")):
    window.ask(request)
for number in range(5):
    window.screens["search"].presenter.show_view(number)
    wait(idle)
agreement = window.show_screen("agreement")
agreement.presenter.enter(text="the cat saw the dog on the rug")
agreement.presenter.run()
window.show_screen("index").presenter.check_now()
wait(idle)
window.departure.pause_and_close()
wait(lambda: not window.isVisible())
print(json.dumps({"here": made[True], "elsewhere": made[False], "later": later}))
"""
"""Starts the program, makes all screens and asks on each; prints which classes of Qt were made, and on which thread."""

MEANWHILE = """
import sys
import threading
import time

begun = threading.Event()


class Slow:
    def find_spec(self, name, path, target=None):
        if name == "explorer.corpus.statistics.clusters":
            begun.set()
            time.sleep(0.5)


sys.meta_path.insert(0, Slow())
found = []


def lane():
    from explorer.corpus import Corpus

    found.append(Corpus)


thread = threading.Thread(target=lane)
thread.start()
begun.wait()
# As the interface thread does, which does not know what lanes import.
import explorer.corpus.statistics.around
import explorer.corpus.results.model.fgrams

thread.join()
print("whole" if found and explorer.corpus.statistics.around.AnyQuery else "in part")
"""
"""A lane is in the middle of the library when another thread needs one of its modules."""

ORDER = """
import json
import sys
import threading

order = []
wanted = "explorer.gui.screens.settings.screen"


class Seen:
    def find_spec(self, name, path=None, target=None):
        # Also called to learn where a module is: only what `import` asks for counts.
        frame = sys._getframe(1)
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            order.append((name, threading.current_thread() is threading.main_thread()))
        return None


from explorer.gui.app.module_queue import ModuleQueue, needs_interface_thread

sys.meta_path.insert(0, Seen())
queue = ModuleQueue([wanted])
queue.begin()
steps = 0
while not queue.ready(wanted):
    own = sum(name.startswith("explorer.gui.") for name in list(sys.modules))
    if queue.step():
        steps = max(steps, sum(name.startswith("explorer.gui.") for name in list(sys.modules)) - own)
print(json.dumps({
    "wrong": [name for name, here in order if needs_interface_thread(name) != here and name.startswith("explorer.")],
    "steps": steps,
    "apart": [name for name, here in order if not here],
}))
"""
"""Imports one screen in a new program; prints who imported what, and the most modules that one step imported."""

ALL = """
import json
import sys

from explorer.gui.app.module_queue import ModuleQueue
from explorer.gui.screens.registry import SCREENS

wanted = [spec.module for spec in SCREENS]
queue = ModuleQueue(wanted)
queue.begin()
while not all(map(queue.ready, wanted)):
    queue.step()
print(json.dumps(sorted(sys.modules)))
"""
"""Imports all screens in a new program; prints all modules."""


def run(script, *args):
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, *map(str, args)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.nightly
def test_every_class_of_qt_is_made_on_the_interface_thread(small_index, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "data"))
    found = run(CLASSES, tmp_path, small_index)
    assert found["elsewhere"] == []
    # The hook sees them, those of the screens too, whose modules came after the window.
    assert "explorer.gui.app.main_window.MainWindow" in found["here"]
    assert "explorer.gui.screens.trace.conversation.turns_text.TurnsText" in found["here"]
    assert "explorer.gui.screens.trace.conversation.turns_text" in found["later"]


def test_one_module_of_the_window_in_a_step_and_all_others_on_the_thread():
    found = run(ORDER)
    assert found["wrong"] == []
    assert found["steps"] == 1
    assert any(name.startswith("explorer.") for name in found["apart"])


def test_what_only_type_checkers_see_or_few_runs_need_is_not_imported():
    found = set(run(ALL))
    assert "explorer.gui.screens.agreement.screen" in found
    # They take 30 MiB, of which the window needs nothing to be shown.
    assert {"pyarrow", "xlsxwriter", "http.client", "ssl"} & found == set()


@pytest.mark.parametrize(
    ("name", "here"),
    [
        ("explorer.gui", True),
        ("explorer.gui.screens.trace.screen", True),
        ("PySide6.QtSvg", True),
        ("pyqtgraph", True),
        ("explorer.guide", False),
        ("explorer.analyses.trace", False),
        ("numpy", False),
    ],
)
def test_what_needs_the_interface_thread(name, here):
    assert needs_interface_thread(name) == here


def test_a_name_becomes_ready_in_its_turn_even_if_it_is_missing_or_broken(qtbot, tmp_path, monkeypatch, caplog):
    (tmp_path / "broken_here.py").write_text("raise ValueError('broken')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    names = ["json", "broken_here", "explorer.gui.no_such_module", "explorer.gui.style.theme"]
    queue = ModuleQueue(names)
    assert not queue.step() and not any(map(queue.ready, names))
    queue.begin()
    queue.begin()
    for number in range(len(names)):
        qtbot.waitUntil(queue.step)
        assert [queue.ready(name) for name in names] == [place <= number for place in range(len(names))]
    assert not queue.step()
    assert "broken_here" in caplog.text and "no_such_module" in caplog.text


def test_a_package_that_a_lane_is_in_the_middle_of_is_waited_for():
    done = subprocess.run(
        [sys.executable, "-P", "-c", MEANWHILE], capture_output=True, text=True, timeout=100, check=True
    )
    assert done.stdout == "whole\n", done.stdout


def test_nothing_is_imported_after_the_end():
    queue = ModuleQueue(["explorer.gui.style.theme"])
    queue.end()
    queue.begin()
    for thread in threading.enumerate():
        if thread.name == "modules":
            thread.join()
    assert not queue.step() and not queue.ready("explorer.gui.style.theme")
