"""Screens are made one after another behind the window, or at once when they are asked for."""

from __future__ import annotations

import threading

import pytest

from explorer.gui import screen_set
from explorer.gui.screen import Screen
from explorer.gui.screen_set import NAMES, ScreenSet


def test_modules_first_then_each_screen_in_two_calls(qtbot, monkeypatch):
    made, adopted, loaders = [], [], set()

    def fake(name):
        made.append(name)
        return Screen()

    def load(name):
        loaders.add(threading.current_thread().name)

    monkeypatch.setattr(screen_set, "_made", fake)
    monkeypatch.setattr(screen_set, "import_module", load)
    screens = ScreenSet(lambda name, _: adopted.append(name))
    assert screens.make_next() and made == []
    qtbot.waitUntil(lambda: len(screens._loaded) == len(NAMES))
    assert loaders == {"screens"}
    assert screens.make_next() and (made, adopted) == ([NAMES[0]], [])
    assert screens.make_next() and (made, adopted) == ([NAMES[0]], [NAMES[0]])
    # What is asked for is there at once, whether it was begun or not.
    screens.make_next()
    first, second = screens[NAMES[1]], screens[NAMES[2]]
    assert adopted == list(NAMES[:3]) == made
    while screens.make_next():
        pass
    assert made == adopted == list(NAMES)
    assert (screens[NAMES[1]], screens[NAMES[2]]) == (first, second)


def test_a_module_that_does_not_load_is_said_by_its_screen(qtbot, monkeypatch):
    def broken(name):
        raise ImportError(name)

    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    monkeypatch.setattr(screen_set, "import_module", broken)
    screens = ScreenSet(lambda name, _: None)
    screens.make_next()
    qtbot.waitUntil(lambda: NAMES[0] in screens._loaded)
    with pytest.raises(ImportError, match="search"):
        screens.make_next()
