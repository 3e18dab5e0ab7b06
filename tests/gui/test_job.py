"""How far a job is, from its reports, with a clock that a test moves."""

from __future__ import annotations

import pytest

from explorer.core.jobs import Progress
from explorer.gui.presenting.job import JobClock, progress_said, time_left


class Time:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_clock_tells_share_and_time_left():
    time = Time()
    clock = JobClock(time)
    assert (clock.seconds, clock.share, clock.left) == (0.0, None, None)
    clock.begin()
    time.now += 2
    # A report without a total tells that it works, not how far it is.
    clock.note(Progress("Looking", 3, 0))
    assert (clock.seconds, clock.share) == (2.0, None) and progress_said(clock) == "working"
    clock.note(Progress("Reading", 10, 100))
    assert clock.share == 0.1 and clock.left is None and progress_said(clock) == "10%"
    time.now += 10
    clock.note(Progress("Reading", 60, 100))
    assert clock.left == 8.0 and progress_said(clock) == "60%, ≈ 8 s left"
    clock.end()
    assert (clock.seconds, clock.share, clock.left) == (0.0, None, None)


def test_it_does_not_run_back_within_a_job_of_stages():
    clock = JobClock(Time())
    clock.begin()
    clock.note(Progress("Reading", 9, 10, share=0.5))
    clock.note(Progress("Sorting", 0, 10, before=0.4, share=0.5))
    assert clock.share == 0.45
    # A stage without a share of its own begins again.
    clock.note(Progress("Checking", 1, 10))
    assert clock.share == 0.1


def test_a_resumed_build_is_not_faster_than_it_is():
    time = Time()
    clock = JobClock(time)
    clock.begin()
    clock.note(Progress("Reading", 50, 100))
    time.now += 10
    clock.note(Progress("Reading", 60, 100))
    # Ten per cent in ten seconds: the fifty that were there count for nothing.
    assert clock.left == pytest.approx(40)


def test_time_left_in_words():
    assert [time_left(seconds) for seconds in (None, 0.2, 89, 300)] == [
        "",
        "≈ 1 s left",
        "≈ 89 s left",
        "≈ 5 min left",
    ]
