"""The whole window under random use: nothing unexpected happens, memory does not grow, it closes at once."""

from __future__ import annotations

import logging
import random

import pytest
from changing_files import ChangingFiles
from monkey import Monkey

from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.settings.matching import Matching

pytestmark = pytest.mark.usefixtures("all_screens")

MOST_GROWN = 60
"""Megabytes."""
SEEDS = (0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in (1, 2)))


@pytest.mark.parametrize("seed", SEEDS)
def test_random_use(seed, opened, qtbot, dialogs, tmp_path, byte_index, scale, caplog):
    monkey = Monkey(opened, seed, tmp_path, byte_index)
    with caplog.at_level(logging.WARNING, logger="explorer"):
        monkey.act(scale(100, 2_000))
        grown = growth(monkey, scale(100, 6_000))
        monkey.act(20)
        seconds = monkey.finish()
    assert [record.getMessage() for record in caplog.records] == []
    assert len(monkey.done) > 30
    assert grown < MOST_GROWN
    assert not opened.isVisible() or opened.departure.question is not None
    if scale(False, True):
        check_times([hold.worked for hold in monkey.held], seconds)


def growth(monkey, number):
    """Megabytes that a round of use leaves behind, in the best of three: a leak leaves them each time, while what the
    system's allocator, a pool or a cache takes for good is taken once, in any of them."""
    left, before = [], monkey.settle()
    while not left or (left[-1] >= MOST_GROWN and len(left) < 3):
        monkey.act(number)
        needed = monkey.settle()
        left.append(needed - before)
        before = needed
    return left[-1]


def check_times(worked, seconds):
    """Bounds for a quiet machine. They are of the interface thread's own work, which a busy machine lengthens least."""
    # Up to four beats in a thousand are over 50 ms.
    assert sum(ms > 50 for ms in worked) <= len(worked) / 50
    assert sum(ms > 100 for ms in worked) <= len(worked) / 200
    assert max(worked) < 500
    # The bound that is promised for closing is a second.
    assert seconds < 5


# Qt warns when what it watches is a loop of links by now.
@pytest.mark.qt_log_ignore("inotify_add_watch", extend=True)
@pytest.mark.parametrize("seed", SEEDS[:2])
def test_random_use_while_files_change(seed, opened, qtbot, dialogs, tmp_path, small_index, scale, caplog):
    """An index and sources change under the window: nothing unexpected, and the index opens when it is whole again."""
    files = ChangingFiles(random.Random(seed), small_index, tmp_path / "index", tmp_path / "sources")
    monkey = Monkey(opened, seed, tmp_path, tmp_path / "index", files=files)
    opened.open(OpenRequest((str(tmp_path / "index"),)))
    with caplog.at_level(logging.ERROR, logger="explorer"):
        monkey.act(scale(150, 5_000))
        files.put_back()
        monkey.settle()
    assert [record.getMessage() for record in caplog.records] == []
    assert len(monkey.changes) > 3
    opened.show_screen("search")
    opened.search.presenter.query.set_options(Matching(), 100)
    opened.search.search_for("the cat")

    def found():
        return (
            opened.search.presenter.state.query.found is not None
            and opened.search.presenter.state.query.found.query == "the cat"
        )

    # The number on the screen is of what is listed, and a filter or a sample of before may be on.
    qtbot.waitUntil(lambda: found() and opened.search.presenter.state.query.found.count == 7)
    monkey.finish()
    assert not opened.isVisible() or opened.departure.question is not None
