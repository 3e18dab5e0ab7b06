"""The threads of a server: a queue that is full, work that is late, and work that fails."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest
from served import running

from explorer import open_index
from explorer.errors import Cancelled, DamagedIndexError, QueryError, UnavailableError
from explorer.http.wire.errors import RefusedError
from explorer.serve.settings import Settings
from explorer.serve.work import Pool

SETTINGS = Settings(threads=2, queue=3, deadline=20.0)


def asked(work, settings=SETTINGS):
    """What one piece of work gives, and the complaints."""
    complaints: list[str] = []

    async def ask():
        return await pool.ask(work)

    pool = Pool(settings, complaints.append)
    try:
        return asyncio.run(ask()), complaints
    except RefusedError as refused:
        return refused, complaints
    finally:
        pool.stop()


def fails(error):
    def work(cancel):
        raise error

    return work


class PanicError(BaseException):
    """As the tokenizers' Rust code raises them."""


def test_results_come_from_another_thread():
    name, complaints = asked(lambda cancel: threading.current_thread().name)
    assert name.startswith("answers") and complaints == []


@pytest.mark.parametrize(
    ("error", "status", "sentence", "complaint"),
    [
        (QueryError("Too broad."), 200, "Too broad.", None),
        (QueryError("{path} is odd.", path="/secret"), 500, "[Flask] Internal server error", "/secret is odd."),
        (DamagedIndexError("{path} is cut.", path="/x"), 500, "[Flask] Internal server error", "/x is cut."),
        (UnavailableError("No worker has part-3."), 500, "[Flask] No worker has part-3.", "No worker has part-3."),
        (UnavailableError("{path} is gone.", path="/x"), 500, "[Flask] Internal server error", "/x is gone."),
        (KeyError("/secret"), 500, "[Flask] Internal server error", "Unexpected KeyError: '/secret'"),
        (PanicError("rust"), 500, "[Flask] Internal server error", "Unexpected RuntimeError: PanicError: rust"),
        (RefusedError("No.", 400), 400, "[Flask] No.", None),
    ],
)
def test_failures_are_told_to_whoever_runs_the_server(error, status, sentence, complaint):
    refused, complaints = asked(fails(error))
    assert (refused.status, str(refused)) == (status, sentence)
    assert complaints == ([complaint] if complaint else [])


def test_late_work_is_stopped():
    stopped = threading.Event()

    def works(cancel):
        while not cancel.cancelled:
            threading.Event().wait(0.001)
        stopped.set()
        raise Cancelled

    refused, complaints = asked(works, replace(SETTINGS, deadline=0.05))
    assert refused.status == 500 and "timed out" in str(refused)
    assert stopped.is_set() and complaints == []


def test_work_that_does_not_stop_is_given_up(monkeypatch):
    monkeypatch.setattr("explorer.serve.work._GRACE", 0.01)
    release = threading.Event()
    settings = replace(SETTINGS, deadline=0.01, threads=1, queue=0)
    pool = Pool(settings, [].append)

    async def ask():
        with pytest.raises(RefusedError, match="timed out"):
            await pool.ask(lambda cancel: release.wait(20))
        # Its thread is still taken.
        with pytest.raises(RefusedError, match="busy"):
            await pool.ask(lambda cancel: None)
        release.set()
        while pool._running:
            await asyncio.sleep(0.001)
        assert await pool.ask(lambda cancel: 5, deadline=20) == 5

    asyncio.run(ask())
    pool.stop()


def test_the_queue_is_short():
    release = threading.Event()
    pool = Pool(SETTINGS, [].append)

    async def ask():
        waiting = [asyncio.create_task(pool.ask(lambda cancel: release.wait(20))) for _ in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(RefusedError) as found:
            await pool.ask(lambda cancel: None)
        assert found.value.status == 503
        release.set()
        assert await asyncio.gather(*waiting) == [True] * 5
        assert await pool.ask(lambda cancel: 5) == 5

    asyncio.run(ask())
    pool.stop()


def test_a_busy_server_says_when_to_come_back(small_index, monkeypatch):
    release, begun = threading.Event(), threading.Event()

    def waits(*arguments, **named):
        begun.set()
        release.wait(20)
        return {}

    monkeypatch.setattr("explorer.serve.infini_gram.infini_gram.answer", waits)
    question = {"index": "Small", "query_type": "count", "query": "the"}
    with running([("", open_index(small_index))], Settings(threads=1, queue=0)) as asker:
        first = threading.Thread(target=asker.post, args=(question,))
        first.start()
        assert begun.wait(20)
        response = asker.http.request("POST", asker.address, json=question)
        assert response.status == 503 and response.headers["Retry-After"] == "1"
        assert response.json() == {"error": "[Flask] The server is busy. Please try again later."}
        # Others are answered: only work takes threads.
        assert asker.get("/healthz")[0] == 200
        release.set()
        first.join()


def test_a_fault_of_an_endpoint_is_an_answer(small_index, monkeypatch):
    def breaks(payload, limits):
        raise ValueError("/secret")

    monkeypatch.setattr("explorer.serve.infini_gram.infini_gram.read_question", breaks)
    with running([("", open_index(small_index))]) as asker:
        found = asker.post({"index": "Small", "query_type": "count", "query": "the"})
        assert found == (500, {"error": "[Flask] Internal server error"})
    # It complains after it has answered, so the answer does not show that it has.
    assert asker.complaints == ["Unexpected ValueError: /secret"]
