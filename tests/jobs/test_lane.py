"""Lanes: the newest request wins, stale answers are dropped."""

from __future__ import annotations

import queue
import threading

import pytest

from explorer.core.jobs import CancelToken, Lane, Progress
from explorer.errors import Cancelled

PATIENCE = 120
"""Seconds that a test waits for what must come: only one that fails waits so long."""


@pytest.fixture
def lane():
    delivered = queue.Queue()
    made = Lane("test", delivered.put)
    made.delivered = delivered
    yield made
    made.close()


def test_a_result_and_an_error_are_delivered(lane):
    ticket = lane.submit(lambda token: 42)
    outcome = lane.delivered.get(timeout=PATIENCE)
    assert (outcome.ticket, outcome.result, outcome.error) == (ticket, 42, None)
    lane.submit(lambda token: 1 / 0)
    assert isinstance(lane.delivered.get(timeout=PATIENCE).error, ZeroDivisionError)


def test_only_the_newest_of_many_is_delivered(lane):
    started, release, seen = threading.Event(), threading.Event(), []

    def first(token):
        started.set()
        release.wait(PATIENCE)
        seen.append(("first", token.cancelled))

    lane.submit(first)
    assert started.wait(PATIENCE)
    for number in range(10):
        lane.submit(lambda token, number=number: seen.append(number) or number)
    release.set()
    assert lane.delivered.get(timeout=PATIENCE).result == 9
    assert seen == [("first", True), 9]
    assert lane.delivered.empty()


def test_cancelling_delivers_nothing(lane):
    started, release = threading.Event(), threading.Event()

    def work(token):
        started.set()
        release.wait(PATIENCE)
        token.check()

    lane.submit(work)
    assert started.wait(PATIENCE)
    lane.cancel()
    release.set()
    last = lane.submit(lambda token: "next")
    outcome = lane.delivered.get(timeout=PATIENCE)
    assert (outcome.ticket, outcome.result) == (last, "next")


def test_a_closed_lane_takes_nothing():
    delivered = queue.Queue()
    lane = Lane("closed", delivered.put)
    lane.close()
    lane.submit(lambda token: 1)
    assert not lane.busy
    assert delivered.empty()


def test_tokens_and_progress():
    token = CancelToken()
    token.check()
    token.cancel()
    with pytest.raises(Cancelled):
        token.check()
    assert token.flag[0] == 1
    assert Progress("x", 1, 4).fraction == 0.25
    assert Progress("x", 9, 4).fraction == 1.0
    assert Progress("x", 9, 0).fraction == 0.0
