"""Work in a child process: results, errors, bugs and the child's end come back; it is killed when cancelled."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import childwork
import pytest

from explorer import i18n
from explorer.building import process
from explorer.building.request import BuildRequest
from explorer.core.jobs import CancelToken, Progress
from explorer.core.jobs.child import ChildEndedError, run_in_child
from explorer.errors import Cancelled, QueryError, SourceError


@pytest.fixture(autouse=True)
def its_path(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(childwork.__file__).parent))


def test_result_and_progress_whatever_is_printed():
    reports = []
    assert run_in_child(childwork.double, 21, reports.append) == 42
    assert reports == [Progress("Doubling", 1, 2)]


def test_expected_errors_are_the_same_here():
    with pytest.raises(QueryError, match="not so"):
        run_in_child(childwork.refuse, "not so")


def test_the_fields_of_an_error_cross_the_boundary():
    with pytest.raises(SourceError) as raised:
        run_in_child(childwork.refuse_line, 12)
    assert (raised.value.path, raised.value.line, raised.value.reason) == ("/a", 12, "bad-line")
    assert str(raised.value) == "/a, line 12"


def test_a_bug_comes_with_its_traceback():
    with pytest.raises(RuntimeError, match=r"(?s)break_down.*ZeroDivisionError"):
        run_in_child(childwork.break_down, None)


def test_the_end_of_the_child_is_noticed():
    with pytest.raises(ChildEndedError, match="exit code 7"):
        run_in_child(childwork.vanish, 7)


def test_cancelling_kills_it():
    cancel, children = CancelToken(), []

    def stop(progress):
        children.append(progress.total)
        cancel.cancel()

    with pytest.raises(Cancelled):
        run_in_child(childwork.sleep, 600, stop, cancel)
    (child,) = children
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="no niceness there")
def test_it_yields_to_the_window():
    assert run_in_child(childwork.niceness, None) == min(19, os.nice(0) + 5)
    assert run_in_child(childwork.niceness, None, is_awaited=True) == os.nice(0)


@pytest.mark.skipif(sys.platform == "win32", reason="no niceness there")
def test_who_looks_at_sources_does_not_wait_for_other_programs(monkeypatch):
    asked = []
    monkeypatch.setattr(process, "run_in_child", lambda *work, **how: asked.append(how))
    process.recognize_in_process(BuildRequest((Path("a.txt"),), Path("out")))
    assert asked[0]["is_awaited"]


def test_the_child_ends_in_order_though_its_input_stays_open(monkeypatch):
    """Its listening thread must not make the interpreter abort when the work is done."""
    command = [sys.executable, "-P", "-m", "explorer.core.jobs.child"]
    # Where Python does not buffer its output, nothing could be lost.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    for _ in range(5):
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        pickle.dump((childwork.double, 21, i18n.chosen(), 0), child.stdin)
        child.stdin.flush()
        assert [pickle.load(child.stdout) for _ in range(2)][1] == ("done", 42)
        assert child.wait(timeout=120) == 0
        assert child.stderr.read() == b"a library says something\n"
        for stream in (child.stdin, child.stdout, child.stderr):
            stream.close()
