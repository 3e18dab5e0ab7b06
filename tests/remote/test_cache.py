"""Answers on disk: the same for the same request, not too old, not too many, and never in the way."""

from __future__ import annotations

import sqlite3
import stat
import threading

import pytest

from explorer.http import cache as cache_module
from explorer.http.cache import DAY, AnswerCache, key_of


@pytest.fixture
def clock(monkeypatch):
    """What time it is."""
    now = [1_000_000_000.0]
    monkeypatch.setattr(cache_module.time, "time", lambda: now[0])
    return now


@pytest.fixture
def opened(tmp_path):
    """Opens the file of a test, and closes it in the end."""
    made = []

    def open_it(**options):
        made.append(AnswerCache(tmp_path / "cache" / "answers.sqlite", **options))
        return made[-1]

    yield open_it
    for each in made:
        each.close()


def test_an_answer_is_found_again_in_the_next_run_with_its_date(opened, clock):
    key = key_of("http://a", "pile", {"query_type": "count", "query_ids": [1, 2]})
    opened().put(key, {"count": 3})
    clock[0] += 5 * DAY
    found = opened().get(key)
    assert (found.value, found.fetched) == ({"count": 3}, 1_000_000_000.0)
    assert opened().get(key_of("http://a", "other", {"query_type": "count", "query_ids": [1, 2]})) is None


def test_after_a_month_it_is_asked_again(opened, clock):
    cache = opened()
    cache.put(b"k" * 32, 1)
    clock[0] += 30 * DAY + 1
    assert cache.get(b"k" * 32) is None
    assert opened().size == 0


def test_samples_are_kept_for_one_run(opened):
    cache = opened()
    cache.put(b"k" * 32, {"approx": True}, across_runs=False)
    assert cache.get(b"k" * 32).value == {"approx": True}
    assert opened().get(b"k" * 32) is None


def test_the_least_recently_used_make_room(opened, clock, monkeypatch):
    cache = opened(most_bytes=400)
    # Values that do not compress, of about 60 bytes each.
    values = [key_of("", "", number).hex() for number in range(12)]
    monkeypatch.setattr(cache_module, "_LOOK_EVERY", 2)
    for number, value in enumerate(values):
        clock[0] += 2 * 3600
        cache.put(bytes([number]), value)
        # The first one is used all the time.
        assert cache.get(bytes([0])).value == values[0]
    assert cache.get(bytes([1])) is None and cache.get(bytes([11])).value == values[11]
    assert cache.size <= 400 + 2 * 80


def test_nobody_else_can_read_it(opened):
    cache = opened()
    cache.put(b"k", 1)
    assert stat.S_IMODE(cache.path.stat().st_mode) == 0o600


def test_a_damaged_file_is_made_again(opened, tmp_path):
    path = tmp_path / "cache" / "answers.sqlite"
    path.parent.mkdir()
    path.write_bytes(b"not a database" * 1000)
    cache = opened()
    cache.put(b"k", 1)
    assert opened().get(b"k").value == 1


def test_a_damaged_answer_is_not_an_answer(opened):
    cache = opened()
    cache.put(b"k", 1)
    with sqlite3.connect(cache.path) as file:
        file.execute("UPDATE answers SET data = x'00'")
    file.close()
    assert cache.get(b"k") is None


def test_without_a_place_answers_are_kept_for_the_run(tmp_path):
    (tmp_path / "file").write_text("in the way")
    cache = AnswerCache(tmp_path / "file" / "answers.sqlite")
    cache.put(b"k", 1)
    assert cache.get(b"k").value == 1 and cache.size == 0


def test_its_file_is_closed_with_it(tmp_path):
    cache = AnswerCache(tmp_path / "answers.sqlite")
    file = cache._file
    del cache
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        file.execute("SELECT count(*) FROM answers")


def test_many_threads_may_use_it(opened):
    cache = opened()

    def work(number):
        for at in range(50):
            cache.put(bytes([number, at]), [number, at])
            assert cache.get(bytes([number, at])).value == [number, at]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(cache.get(bytes([n, at])).value == [n, at] for n in range(4) for at in range(50))
    cache.clear()
    assert cache.get(bytes([0, 0])) is None
