"""The gate between lanes and the interface thread: what is stopped says nothing more, and nobody waits long for it."""

from __future__ import annotations

import threading

import pytest
import shiboken6

from explorer.core.jobs import Kind, Progress
from explorer.gui.threads import runner as runner_module
from explorer.gui.threads.runner import Runner, close_all

PATIENCE = 120
"""Seconds that stuck work waits for the test; only a test that fails lets it."""


@pytest.fixture
def stuck(qtbot):
    """Four runners whose work does not look at its cancel token, what lets it go on, and which of it has ended."""
    begun, release, ended = threading.Semaphore(0), threading.Event(), []

    def work(cancel):
        begun.release()
        ended.append(release.wait(PATIENCE))

    # On threads of their own: a pool leaves work waiting that it has no thread for.
    made = [Runner(f"stuck-{number}", kind=Kind.APART) for number in range(4)]
    for runner in made:
        runner.run(work, lambda result: None)
    # Work that has not begun when its runner is stopped never does.
    assert all(begun.acquire(timeout=PATIENCE) for _ in made)
    yield made, release, ended
    release.set()
    close_all(made, PATIENCE)


def test_stopping_waits_for_nothing(stuck):
    runners, _, ended = stuck
    for runner in runners:
        runner.stop()
    assert not ended


def test_closing_leaves_alone_what_does_not_end(stuck):
    runners, _, ended = stuck
    close_all(runners, 0.01)
    assert not ended


def test_all_share_one_deadline(monkeypatch):
    """Each may wait for what the ones before it have left over."""
    now, allowed = [100.0], []

    class Clock:
        monotonic = staticmethod(lambda: now[0])

    class Slow:
        def stop(self):
            assert allowed == []

        def close(self, timeout):
            allowed.append(timeout)
            now[0] += 2.0

    monkeypatch.setattr(runner_module, "time", Clock)
    close_all([Slow() for _ in range(4)], 5.0)
    assert allowed == [5.0, 3.0, 1.0, 0.0]


def test_after_it_is_stopped_it_may_be_deleted(stuck, qtbot):
    runners, release, ended = stuck
    first = runners[0]
    report, told = first.reporter(), []
    first.progressed.connect(told.append)
    first.stop()
    first.deleteLater()
    qtbot.waitUntil(lambda: not shiboken6.isValid(first))
    # The thread goes on, and would speak through an object that is gone.
    report(Progress("Working", 1, 2))
    release.set()
    qtbot.waitUntil(lambda: len(ended) == len(runners))
    qtbot.wait(50)
    assert told == []
