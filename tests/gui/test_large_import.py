"""A large package is imported in parts, with the same result as at once."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from explorer.gui.app.large_import import import_in_parts
from explorer.gui.app.module_queue import ModuleQueue

BOTH = """
import json, sys
if sys.argv[1] == "parts":
    from explorer.gui.app.large_import import import_in_parts
    parts = sum(1 for _ in import_in_parts("pyqtgraph"))
else:
    parts = 0
import pyqtgraph
from pyqtgraph import PlotItem
print(json.dumps([parts, sorted(vars(pyqtgraph)), PlotItem.__module__, pyqtgraph.__file__]))
"""


def run(how):
    command = [sys.executable, "-P", "-c", BOTH, how]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of four statements, in `sys.modules` only as long as the test runs."""

    def made(name, source):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(source)
        (tmp_path / name / "inner.py").write_text("VALUE = 3\n")
        # Registered as missing, so that it is removed after the test, whatever happened to it.
        monkeypatch.delitem(sys.modules, name, raising=False)
        return name

    monkeypatch.syspath_prepend(str(tmp_path))
    yield made
    for name in [name for name in sys.modules if name.startswith("large_")]:
        del sys.modules[name]


WHOLE = "'''A package.'''\nfrom . import inner\nfrom .inner import VALUE\nDOUBLE = 2 * VALUE\n"


def test_the_plots_package_has_the_same_names_as_at_once():
    parts, names, place, file = run("parts")
    _, at_once, *where = run("at once")
    assert parts > 50
    # Only an import at once compiles the package as a whole.
    assert set(at_once) ^ set(names) <= {"__cached__", "__builtins__"}
    assert [place, file] == where


def test_each_statement_is_a_part(package):
    name = package("large_whole", WHOLE)
    seen = [sys.modules[name] for _ in import_in_parts(name) if name in sys.modules]
    assert len(seen) == 4 and len(set(map(id, seen))) == 1
    assert (seen[0].DOUBLE, seen[0].__doc__, seen[0].__spec__.name) == (6, "A package.", name)
    # A second time there is nothing left to do.
    assert list(import_in_parts(name)) == []


def test_half_a_package_is_not_found(package):
    name = package("large_left", WHOLE)
    parts = import_in_parts(name)
    while name not in sys.modules:
        next(parts)
    parts.close()
    assert name not in sys.modules
    assert __import__(name).DOUBLE == 6


def test_a_package_that_fails_is_not_found(package):
    name = package("large_broken", "ONE = 1\nraise ValueError('broken')\n")
    with pytest.raises(ValueError, match="broken"):
        list(import_in_parts(name))
    assert name not in sys.modules


def test_a_package_that_is_missing():
    with pytest.raises(ModuleNotFoundError):
        list(import_in_parts("large_missing"))


def large(monkeypatch, name):
    """A package that the queue takes for one of Qt, and for one that takes long."""
    monkeypatch.setattr("explorer.gui.app.module_queue.LARGE", {name})
    monkeypatch.setattr("explorer.gui.app.module_queue.needs_interface_thread", lambda _: True)


@pytest.mark.parametrize("finish", ["complete", "end", "step"])
def test_the_queue_finishes_what_it_began(qtbot, package, monkeypatch, finish):
    name = package("large_queued", WHOLE)
    large(monkeypatch, name)
    queue = ModuleQueue([name, "explorer.gui.style.theme"])
    queue.begin()
    qtbot.waitUntil(queue.step)
    assert queue.step() and not queue.ready(name)
    if finish == "step":
        while not queue.ready(name):
            assert queue.step()
    else:
        getattr(queue, finish)()
    assert queue.ready(name) and sys.modules[name].DOUBLE == 6
    assert queue.step() == (finish != "end")


def test_the_queue_reports_a_package_that_fails(qtbot, package, monkeypatch, caplog):
    name = package("large_failing", "raise ValueError('broken')\n")
    large(monkeypatch, name)
    queue = ModuleQueue([name])
    queue.begin()
    qtbot.waitUntil(queue.step)
    queue.complete()
    assert queue.ready(name) and name in caplog.text
