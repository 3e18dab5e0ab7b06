"""Widgets that nobody uses any more are destroyed on the interface thread, whichever thread allocates."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from explorer.gui.app.garbage import GarbageSearch, due, search_here


class Circle(QWidget):
    """A widget that refers to itself."""

    def __init__(self):
        super().__init__()
        self.me = self


def allocate():
    """As a query does: far more objects than start a search."""
    kept = [[number] for number in range(20_000)]
    assert len(kept) == 20_000


def test_a_thread_that_allocates_destroys_no_widget(qtbot):
    destroyed = []
    weakref.finalize(Circle(), lambda: destroyed.append(threading.get_ident()))
    for _ in range(3):
        thread = threading.Thread(target=allocate)
        thread.start()
        thread.join()
    assert destroyed == []
    # As many new objects as make it time for a search.
    kept = [[number] for number in range(20_000)]
    qtbot.waitUntil(lambda: destroyed != [])
    assert destroyed == [threading.get_ident()] and kept


def test_old_garbage_is_found_in_its_turn(qtbot):
    found = []
    circle = Circle()
    weakref.finalize(circle, found.append, True)
    # It is in the oldest generation now.
    gc.collect()
    del circle
    parent = QObject()
    search = GarbageSearch(parent)
    limits = gc.get_threshold()
    gc.set_threshold(0, 0, 0)
    try:
        for _ in range(6):
            search.look()
    finally:
        gc.set_threshold(*limits)
    assert found == [True]


def test_it_looks_less_often_while_nothing_comes():
    parent = QObject()
    search = GarbageSearch(parent)
    search.look()
    pauses = []
    for _ in range(6):
        search.look()
        pauses.append(search.timer.interval())
    assert pauses[-1] == 400 and pauses == sorted(pauses)


def test_one_search_per_application():
    parent = QObject()
    search_here(parent)
    search_here(parent)
    assert len(parent.findChildren(GarbageSearch)) == 1 and not gc.isenabled()


@pytest.mark.parametrize(
    ("counts", "generation"), [((0, 0, 0), None), ((701, 0, 0), 0), ((701, 11, 0), 1), ((0, 0, 11), 2)]
)
def test_turns(counts, generation):
    assert due(counts, (700, 10, 10)) == generation
