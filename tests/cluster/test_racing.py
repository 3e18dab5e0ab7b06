"""One question to several workers: the next is asked if one is slow or lost, and the first answer counts."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import Future

import pytest
from cluster import started
from served import running

from explorer import build_index, open_index
from explorer.backends.cluster import asking, host, racing
from explorer.backends.cluster.directory import ClusterError
from explorer.backends.cluster.racing import Pace, Race, Ways
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, UnavailableError


class Workers:
    """Workers whose answers come after some seconds: None never comes, an exception is what the call raises."""

    def __init__(self, **answers):
        self.answers, self.called, self.futures = answers, [], {}
        self.there, self.silence = set(answers), dict.fromkeys(answers, 0.0)

    def call(self, worker):
        self.called.append(worker)
        seconds, answer = self.answers[worker]
        future = self.futures[worker] = Future()
        if seconds is not None:
            timer = threading.Timer(seconds, self._settle, (future, worker, answer))
            timer.daemon = True
            timer.start()
        return future

    def _settle(self, future, worker, answer):
        if future.cancelled():
            return
        if isinstance(answer, Exception) and isinstance(answer, ValueError):
            future.set_exception(answer)
        else:
            future.set_result({worker: answer})

    def race(self, hedge=0.1, cancel=None):
        return Race([*self.answers], Ways(self.call, lambda: self.there, hedge, self.silence.get, patience=1.0), cancel)


def test_one_that_answers_is_the_only_one_asked():
    workers = Workers(a=(0, {"answer": 5}), b=(0, {"answer": 6}))
    race = workers.race(hedge=5)
    assert race.run() == ("a", {"answer": 5}) and workers.called == ["a"] and race.asked == 1


def test_a_slow_one_is_overtaken():
    workers = Workers(a=(None, None), b=(0, {"answer": 6}))
    begun = time.monotonic()
    assert workers.race(hedge=0.1).run() == ("b", {"answer": 6})
    assert 0.1 <= time.monotonic() - begun < 1 and workers.called == ["a", "b"]
    assert workers.futures["a"].cancelled()


def test_the_slow_one_may_still_be_the_first():
    workers = Workers(a=(0.3, {"answer": 5}), b=(None, None))
    assert workers.race(hedge=0.1).run() == ("a", {"answer": 5}) and workers.called == ["a", "b"]


@pytest.mark.parametrize("lost", [OSError("gone"), TimeoutError(), ValueError("unknown worker")])
def test_a_lost_one_is_followed_at_once(lost):
    workers = Workers(a=(0, lost), b=(0, {"answer": 6}))
    race = workers.race(hedge=30)
    assert race.run() == ("b", {"answer": 6}) and race.lost


def test_one_that_the_scheduler_does_not_know_any_more():
    workers = Workers(a=(None, None), b=(0, {"answer": 6}))
    workers.there = {"b"}
    race = workers.race(hedge=30)
    assert race.run() == ("b", {"answer": 6}) and race.lost


def test_one_that_hangs_is_not_waited_for():
    workers = Workers(a=(None, None), b=(0, {"answer": 6}))
    workers.silence["a"] = 1.5
    race = workers.race(hedge=30)
    assert race.run() == ("b", {"answer": 6}) and race.lost
    assert race.silent == 1.5 and race.cause == "a hangs or cannot be reached."


def test_one_that_refuses_to_be_asked_may_come_back():
    workers = Workers(a=(None, None))
    workers.silence["a"] = float("inf")
    race = workers.race()
    assert race.run() is None and (race.lost, race.silent, race.cause) == (True, 0, "")


def test_one_that_works_for_too_long(monkeypatch):
    monkeypatch.setattr(racing, "DEADLINE", 0.5)
    race = Workers(a=(None, None)).race()
    assert race.run() is None and (race.late, race.lost) == ("a", False)


def test_one_without_the_folders_is_followed_and_told():
    workers = Workers(a=(0, {host.GONE: "moved"}), b=(0, {host.GONE: "never had"}))
    race = workers.race(hedge=30)
    assert race.run() is None and workers.called == ["a", "b"]
    assert (race.cause, race.lost) == ("moved", False)


def test_an_error_of_the_question_is_an_answer():
    failure = RuntimeError("no")
    assert Workers(a=(0, failure), b=(0, {"answer": 6})).race(hedge=30).run() == ("a", failure)


def test_nobody_to_ask():
    assert Workers().race().run() is None


def test_a_request_to_stop_ends_it():
    workers, cancel = Workers(a=(None, None)), CancelToken()
    threading.Timer(0.1, cancel.cancel).start()
    with pytest.raises(Cancelled):
        workers.race(cancel=cancel).run()
    assert workers.futures["a"].cancelled()


def test_how_long_answers_usually_take():
    pace = Pace()
    for _ in range(19):
        pace.took("count", 3.0)
    assert pace.usual("count") == 1.0
    pace.took("count", 3.0)
    assert pace.usual("count") == 3.0 and pace.usual("find") == 1.0
    # Only the last answers matter, and a thousandth of a second is not slow.
    for _ in range(200):
        pace.took("count", 0.001)
    assert pace.usual("count") == 0.05


@pytest.mark.nightly
@pytest.mark.local("asks folders on workers itself")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_a_worker_that_hangs_is_overtaken_by_its_replica(tmp_path):
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    build_index([{"text": "the cat sat"}], tmp_path / "part", tokenizer="bytes")
    with started({"one": tmp_path, "two": tmp_path}) as workers, open_index(workers.address) as corpus:
        assert corpus.count("cat") == 1
        for name in ("one", "two"):
            stopped = workers.pause(name)
            try:
                begun = time.monotonic()
                assert corpus.count("cat") == 1
                assert time.monotonic() - begun < 2
            finally:
                os.kill(stopped, signal.SIGCONT)


@pytest.mark.nightly
@pytest.mark.local("asks folders on workers itself")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_a_worker_that_hangs_without_a_replica_is_named(tmp_path, monkeypatch):
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    for name in ("one", "two"):
        build_index([{"text": f"the cat sat on {name}"}], tmp_path / name / f"part-{name}", tokenizer="bytes")
    monkeypatch.setattr(asking, "RECOVERY", 3.0)
    monkeypatch.setattr(asking, "_HANGS", 1.0)
    # A machine that is busy with other tests may take a second to answer.
    monkeypatch.setattr(asking, "_SILENT", 3.0)
    with started({"one": tmp_path / "one", "two": tmp_path / "two"}) as workers:
        opened = open_index(workers.address), open_index(workers.address, partial=True)
        whole, part = opened
        stopped = workers.pause("one")
        try:
            with pytest.raises(ClusterError, match=r"part-one answers, .*tcp://\S+ hangs or cannot be reached"):
                whole.count("cat")
            # A server passes the sentence on.
            with running([("news", whole)]) as asker, open_index(f"{asker.address}#news") as remote:
                with pytest.raises(UnavailableError, match="part-one answers"):
                    remote.count("cat")
                _, answer = asker.post({"index": "news", "query_type": "count", "query": "cat"})
                assert "part-one answers" in answer["error"] and asker.complaints
            assert part.count("cat") == 1 and part.index.missing == ("part-one",)
            with pytest.raises(ClusterError, match="does not tell what it has: it hangs or cannot be reached"):
                open_index(workers.address)
        finally:
            os.kill(stopped, signal.SIGCONT)
        assert whole.count("cat") == 2
        assert part.count("cat") == 2 and part.index.missing == ("part-one",)
        for corpus in opened:
            corpus.close()
