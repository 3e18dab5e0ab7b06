"""A crew of processes."""

from __future__ import annotations

import os
from pathlib import Path

import childwork
import pytest

from explorer.core.jobs import CancelToken
from explorer.core.jobs.child import ChildEndedError
from explorer.core.jobs.crew import in_processes
from explorer.errors import Cancelled, QueryError


@pytest.fixture(autouse=True)
def modules(monkeypatch):
    """The processes find the work of these tests."""
    monkeypatch.setenv("PYTHONPATH", str(Path(childwork.__file__).parent))


def test_answers_come_in_the_order_of_the_items():
    answers = list(in_processes(childwork.multiplied, 3, range(40), 2))
    assert [answer for answer, _ in answers] == [3 * number for number in range(40)]
    assert os.getpid() not in {process for _, process in answers}


def test_items_are_taken_as_they_are_needed():
    taken = []

    def items():
        for number in range(1_000):
            taken.append(number)
            yield number

    answers = in_processes(childwork.multiplied, 1, items(), 2)
    assert next(answers)[0] == 0
    answers.close()
    assert len(taken) < 20


def test_an_error_of_the_work_is_the_callers():
    answers = in_processes(childwork.refused, "seven", range(9), 1)
    with pytest.raises(QueryError, match="seven"):
        list(answers)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        list(in_processes(childwork.divided, 1, [1, 0], 1))


def test_a_process_that_ends():
    with pytest.raises(ChildEndedError):
        list(in_processes(childwork.ended, None, [1, 2], 2))


def test_a_cancelled_crew():
    cancel = CancelToken()
    answers = in_processes(childwork.multiplied, 1, range(100), 1, cancel)
    next(answers)
    cancel.cancel()
    with pytest.raises(Cancelled):
        list(answers)
