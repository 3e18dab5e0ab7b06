"""The gate between lanes and the interface thread: what is stopped says nothing more, and nobody waits long for it."""

from __future__ import annotations

import threading
import time

import pytest

from explorer.gui.runner import Runner, close_all
from explorer.jobs import Progress


@pytest.fixture
def stuck(qtbot):
    """Four runners whose work does not look at its cancel token, and what lets it go on."""
    release = threading.Event()
    made = [Runner(f"stuck-{number}") for number in range(4)]
    for runner in made:
        runner.run(lambda cancel: release.wait(20), lambda result: None)
    yield made, release
    release.set()
    close_all(made, 20)


def test_stopping_waits_for_nothing(stuck):
    runners, _ = stuck
    started = time.monotonic()
    for runner in runners:
        runner.stop()
    assert time.monotonic() - started < 0.25


def test_all_share_one_deadline(stuck):
    runners, _ = stuck
    started = time.monotonic()
    close_all(runners, 0.3)
    assert 0.25 < time.monotonic() - started < 1.0


def test_after_it_is_stopped_it_may_be_deleted(stuck, qtbot):
    runners, release = stuck
    first = runners[0]
    report, told = first.reporter(), []
    first.progressed.connect(told.append)
    first.stop()
    first.deleteLater()
    qtbot.wait(20)
    # The thread goes on, and would speak through an object that is gone.
    report(Progress("Working", 1, 2))
    release.set()
    qtbot.wait(50)
    assert told == []
