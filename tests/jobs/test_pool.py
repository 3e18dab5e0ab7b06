"""The pool: few threads, the visible first, and no work that keeps another from its turn for good."""

from __future__ import annotations

import os
import queue
import sys
import threading

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from explorer.core.jobs import Kind, Lane, Pool

PATIENCE = 120
"""Seconds that a test waits for what must come: only one that fails waits so long."""


class Job:
    """Work that tells when it begins, and goes on when it is let go."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.begun, self.go = threading.Event(), threading.Event()
        self.thread = ""

    def __call__(self, token):
        self.thread = threading.current_thread().name
        self.begun.set()
        assert self.go.wait(PATIENCE)
        return self.name

    def has_begun(self) -> bool:
        return self.begun.wait(PATIENCE)


class Office:
    """A pool with lanes, what they delivered, and the jobs that were begun, which all end with the test."""

    def __init__(self, workers: int = 3) -> None:
        self.pool = Pool(workers)
        self.delivered: queue.Queue = queue.Queue()
        self._lanes: list[Lane] = []
        self._jobs: list[Job] = []

    def lane(self, kind: Kind = Kind.ANSWER, hidden: bool = False) -> Lane:
        lane = Lane(f"{kind.name}-{len(self._lanes)}", self.delivered.put, kind, self.pool)
        lane.hidden = hidden
        self._lanes.append(lane)
        return lane

    def submit(self, lane: Lane, name: str = "") -> Job:
        job = Job(name)
        self._jobs.append(job)
        lane.submit(job)
        return job

    def begin(self, kind: Kind = Kind.ANSWER) -> Job:
        """A job of a lane of its own, which has begun."""
        job = self.submit(self.lane(kind))
        assert job.has_begun()
        return job

    def results(self, count: int) -> list[str]:
        return [self.delivered.get(timeout=PATIENCE).result for _ in range(count)]

    def close(self) -> None:
        for job in self._jobs:
            job.go.set()
        for lane in self._lanes:
            lane.close(PATIENCE)
            assert not lane.busy
        self.pool.close()


@pytest.fixture
def office():
    made = Office()
    yield made
    made.close()


def test_thirty_lanes_share_three_threads(office):
    lanes = [office.lane() for _ in range(30)]
    jobs = [office.submit(lane, str(number)) for number, lane in enumerate(lanes)]
    for job in jobs:
        job.go.set()
    assert sorted(office.results(30), key=int) == [str(number) for number in range(30)]
    assert len({job.thread for job in jobs}) <= 3 and office.pool.threads <= 3


def test_a_page_is_fetched_while_answers_take_their_time(office):
    """However many answers run or wait, a thread is left to what takes a moment."""
    running = [office.begin() for _ in range(2)]
    waiting = [office.submit(office.lane()) for _ in range(5)]
    page = office.begin(Kind.QUICK)
    page.go.set()
    office.results(1)
    # The thread that is free now takes none of those that wait: this page finds it free, too.
    again = office.begin(Kind.QUICK)
    assert not any(job.begun.is_set() for job in waiting)
    assert not any(job.go.is_set() for job in running)
    again.go.set()


def test_what_nobody_waits_for_runs_one_at_a_time(office):
    first = office.begin(Kind.LATER)
    second = office.submit(office.lane(Kind.LATER))
    answer = office.begin()
    assert not second.begun.is_set()
    first.go.set()
    assert second.has_begun()
    answer.go.set()


def test_long_work_takes_no_place(office):
    builds = [office.begin(Kind.APART) for _ in range(4)]
    assert office.pool.threads == 0
    assert len({job.thread for job in builds}) == 4 and all(job.thread.startswith("apart-") for job in builds)
    office.begin(), office.begin(), office.begin(Kind.QUICK)
    assert office.pool.threads == 3


def test_the_visible_goes_first_then_what_is_quick_then_the_older(office):
    _, held = office.begin(), office.begin()
    lanes = [
        (office.lane(Kind.LATER), "later"),
        (office.lane(Kind.ANSWER, hidden=True), "hidden answer"),
        (office.lane(), "answer"),
        (office.lane(), "second answer"),
    ]
    jobs = [office.submit(lane, name) for lane, name in lanes]
    for job in jobs:
        job.go.set()
    # One of the two places is free from now on, so the four take it one after the other.
    held.go.set()
    assert office.results(5)[1:] == ["answer", "second answer", "hidden answer", "later"]


def test_a_view_that_becomes_visible_overtakes(office):
    _, held = office.begin(), office.begin()
    early, late = office.lane(hidden=True), office.lane(hidden=True)
    for lane, name in ((early, "early"), (late, "late")):
        office.submit(lane, name).go.set()
    late.hidden = False
    held.go.set()
    assert office.results(3)[1:] == ["late", "early"]


def test_a_lane_that_is_busy_and_asked_again_takes_one_place(office):
    lane = office.lane()
    first, other = office.submit(lane, "first"), office.begin()
    assert first.has_begun()
    jobs = [office.submit(lane, str(number)) for number in range(5)]
    first.go.set()
    assert jobs[-1].has_begun()
    jobs[-1].go.set(), other.go.set()
    assert sorted(office.results(2)) == ["", "4"]
    assert not any(job.begun.is_set() for job in jobs[:-1])


def test_stuck_work_of_a_stopped_lane_gives_its_place_back(office):
    """As when a drive hangs and the window is closed: the next window has all its threads."""
    lanes = [office.lane(), office.lane()]
    stuck = [office.submit(lane) for lane in lanes]
    assert all(job.has_begun() for job in stuck)
    for lane in lanes:
        lane.stop()
    office.begin(), office.begin(), office.begin(Kind.QUICK)
    assert not any(job.go.is_set() for job in stuck)
    assert office.pool.threads == 3


def test_closing_waits_for_what_runs_and_no_longer_than_it_may(office):
    lane, ended = office.lane(), []
    job = Job()
    lane.submit(lambda token: ended.append(job(token)))
    assert job.has_begun()
    lane.close(0.01)
    assert ended == []
    job.go.set()
    lane.close(PATIENCE)
    assert ended == [""]
    assert office.delivered.empty()


@pytest.mark.parametrize("kind", Kind)
def test_a_lane_that_is_cancelled_in_the_queue_runs_nothing(office, kind):
    lane, ran = office.lane(kind), []
    with office.pool.lock:
        # No thread can take it meanwhile.
        lane.submit(lambda token: ran.append(1))
        lane.cancel()
    lane.submit(lambda token: "next")
    assert office.results(1) == ["next"] and ran == []


def test_an_error_in_a_delivery_costs_no_place(office, monkeypatch):
    """It ends its thread, as any error of a thread, and the next request starts another."""
    reported: queue.Queue = queue.Queue()
    monkeypatch.setattr(threading, "excepthook", reported.put)

    def refuse(outcome):
        raise ZeroDivisionError

    for _ in range(5):
        Lane("refused", refuse, pool=office.pool).submit(lambda token: 1)
        assert reported.get(timeout=PATIENCE).exc_type is ZeroDivisionError
    office.begin(), office.begin(), office.begin(Kind.QUICK)


@pytest.mark.parametrize("kind", Kind)
def test_a_pool_that_holds_serves_nothing_until_it_is_released(office, kind):
    office.pool.hold()
    lane = office.lane(kind)
    replaced, newest = office.submit(lane, "replaced"), office.submit(lane, "newest")
    newest.go.set()
    # No thread exists that could begin.
    assert lane.busy and office.pool.threads == 0
    assert not any(thread.name == f"apart-{lane.name}" for thread in threading.enumerate())
    office.pool.release()
    assert office.results(1) == ["newest"] and not replaced.begun.is_set()
    # Once more, and nothing is served twice.
    office.pool.release()
    assert office.submit(lane).has_begun() and office.delivered.empty()


@pytest.mark.parametrize("kind", Kind)
def test_a_lane_that_is_stopped_while_a_pool_holds_is_never_served(office, kind):
    office.pool.hold()
    lane = office.lane(kind)
    job = office.submit(lane)
    # Its end does not wait for the release.
    lane.close(PATIENCE)
    assert not lane.busy
    office.pool.release()
    assert office.begin(Kind.APART) and not job.begun.is_set()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a priority belongs to the process")
@pytest.mark.parametrize("kind", Kind)
def test_threads_step_back_behind_the_one_that_answers_the_user(office, kind):
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    office.lane(kind).submit(lambda token: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
    # 19 is the last step that there is.
    assert office.results(1) == [min(own + 5, 19)]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == own


class PoolMachine(RuleBasedStateMachine):
    """Any order of requests, cancellations, ends and stops: the limits hold, and the newest of each lane arrives."""

    def __init__(self) -> None:
        super().__init__()
        self.pool, self.lanes = Pool(3), []
        self.jobs: list[tuple[Lane, Job]] = []
        self.delivered: dict[Lane, list[str]] = {}
        self.expected: dict[Lane, str] = {}

    @rule(kind=st.sampled_from(list(Kind)), hidden=st.booleans())
    @precondition(lambda self: len(self.lanes) < 8)
    def make(self, kind, hidden):
        got: list[str] = []
        lane = Lane(str(len(self.lanes)), lambda outcome: got.append(outcome.result), kind, self.pool)
        lane.hidden = hidden
        self.lanes.append(lane)
        self.delivered[lane] = got

    @rule(data=st.data())
    @precondition(lambda self: self.lanes)
    def submit(self, data):
        lane = data.draw(st.sampled_from(self.lanes))
        job = Job(str(len(self.jobs)))
        self.jobs.append((lane, job))
        lane.submit(job)
        self.expected[lane] = job.name

    @rule(data=st.data())
    @precondition(lambda self: self.lanes)
    def cancel(self, data):
        lane = data.draw(st.sampled_from(self.lanes))
        lane.cancel()
        self.expected.pop(lane, None)

    @rule(data=st.data())
    @precondition(lambda self: self.jobs)
    def let_go(self, data):
        data.draw(st.sampled_from(self.jobs))[1].go.set()

    @rule(data=st.data())
    @precondition(lambda self: self.lanes)
    def stop(self, data):
        lane = data.draw(st.sampled_from(self.lanes))
        lane.stop()
        self.lanes.remove(lane)
        self.expected.pop(lane, None)

    @invariant()
    def limits_hold(self):
        with self.pool.lock:
            serving = [lane.kind for lane in self.pool._serving]
            assert len(serving) <= self.pool._threads <= 3
            assert sum(kind is not Kind.QUICK for kind in serving) <= 2
            assert serving.count(Kind.LATER) <= 1
            assert len(set(map(id, self.pool._serving))) == len(serving)

    def teardown(self):
        for _, job in self.jobs:
            job.go.set()
        with self.pool.lock:
            assert self.pool.lock.wait_for(lambda: not any(lane.busy for lane in self.lanes), PATIENCE)
        for lane in self.lanes:
            # After this no delivery is under way.
            lane.close(PATIENCE)
            if lane in self.expected:
                assert self.delivered[lane][-1] == self.expected[lane]
            # Tickets never go back.
            assert self.delivered[lane] == sorted(self.delivered[lane], key=int)
        self.pool.close()


TestPoolMachine = PoolMachine.TestCase
TestPoolMachine.settings = settings(stateful_step_count=30)
