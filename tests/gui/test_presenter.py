"""The base of presenters, and the answer that all screens share."""

from __future__ import annotations

from dataclasses import dataclass

from by_hand import HandServices
from PySide6.QtCore import QObject

from explorer.core.jobs import Progress
from explorer.errors import QueryError
from explorer.gui.presenting.answer import Answer, Freshness
from explorer.gui.presenting.presenter import Presenter
from explorer.gui.threads.runner import Runner


@dataclass(frozen=True)
class Counter:
    number: int = 0
    doubled: int = 0


def test_each_change_is_drawn_with_what_was_drawn_before():
    presenter, drawn = Presenter(Counter()), []
    presenter.watch(lambda new, old: drawn.append((new.number, old.number)))
    presenter.change(number=1)
    presenter.change(number=5)
    assert drawn == [(1, 0), (5, 1)]


def test_a_change_made_while_drawing_is_drawn_after_it():
    presenter, drawn = Presenter(Counter()), []

    def draw(new, old):
        # As a widget whose signal calls the presenter again.
        presenter.change(doubled=2 * new.number)
        drawn.append((new, old))

    presenter.watch(draw)
    presenter.change(number=3)
    # The second draw sets what is there already, which must not be drawn for ever.
    assert drawn == [(Counter(3, 0), Counter(0, 0)), (Counter(3, 6), Counter(3, 0))]
    assert presenter.state == Counter(3, 6)


def test_an_answer_stays_until_the_next_good_one():
    old = Answer[int]().asked().arrived(1)
    assert old.current == 1 and not old.dimmed
    for after in (old.asked(), old.asked().failed(QueryError("no")), old.asked().stopped()):
        assert after.value == 1 and after.current is None and after.dimmed
    assert old.asked().failed(QueryError("no")).asked().arrived(2).error is None
    assert Answer[int]().asked().failed(QueryError("no")).dimmed is False
    assert Answer[int]().stopped().freshness is Freshness.UNASKED


def answers(slot, wait):
    """What two slots have to agree on: the newest request is answered, and no other."""
    got = []
    slot.run(lambda cancel: "first", got.append)
    slot.run(lambda cancel: "second", got.append)
    wait()
    slot.run(lambda cancel: "third", got.append)
    slot.cancel()
    slot.run(lambda cancel: raised(), got.append, lambda error: got.append(str(error)))
    wait()
    return got


def raised():
    raise QueryError("fourth")


def test_slots_by_hand_answer_as_runners_do(qtbot):
    parent = QObject()
    runner = Runner("test", parent)
    by_hand = HandServices()
    slot = by_hand.slot("test")
    expected = ["second", "fourth"]
    assert answers(slot, by_hand.answer_all) == expected
    assert answers(runner, lambda: qtbot.waitUntil(lambda: not runner.busy)) == expected
    runner.close(5)


def reports(slot, wait):
    """What a slot tells of the progress of two requests, the first of which is outdated."""
    told = []
    late = slot.reporter(lambda progress: told.append(("late", progress.done)))
    slot.run(lambda cancel: None, lambda _: None)
    report = slot.reporter(lambda progress: told.append(("newest", progress.done)))
    slot.run(lambda cancel: report(Progress("Reading", 2, 3)), lambda _: late(Progress("Reading", 9, 9)))
    wait()
    return told


def test_slots_tell_the_progress_of_the_newest_request_only(qtbot):
    parent = QObject()
    runner = Runner("test", parent)
    by_hand = HandServices()
    expected = [("newest", 2)]
    assert reports(by_hand.slot("test"), by_hand.answer_all) == expected
    assert reports(runner, lambda: qtbot.waitUntil(lambda: not runner.busy)) == expected
    runner.close(5)
