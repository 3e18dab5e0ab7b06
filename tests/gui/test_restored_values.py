"""Views of a project or session with values of any type: what does not fit is left alone, and nothing is raised."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication

from explorer.gui.project.views import Views
from explorer.gui.screens.tabbed_screen import TabbedScreen
from explorer.gui.settings.session import Session

ODD = (None, True, -1, 1.5, float("nan"), 2**80, "x", "\0", [], [1], [[1]], {}, {"a": 1})
FULL = {
    "search": {
        "query": "the AND cat",
        "filters": [
            {"field": "path", "operator": "~", "value": "one"},
            {"near": "mat", "distance": 5, "wanted": False},
        ],
        "compared": ["cat"],
        "beside": [{"path": "/no/such/folder", "fingerprint": "x"}],
        "columns": {"/index": {"fields": ["path"], "hidden": ["left"], "order": ["match"], "widths": {"left": 3.0}}},
        "layout": {"fields": ["path"], "hidden": ["left"], "order": ["match"], "widths": {"left": 3.0}},
        "breakdown": "path",
        "set": "cats",
    },
    "trace": {
        "text": "the cat sat",
        "conversation": "User: the cat",
        "without_own": True,
        "without_text": "the cat sat on",
        "ask": {"sides": [{"url": "http://127.0.0.1:9", "model": "m", "turns": [["user", "the cat"]]}]},
    },
    "next_token": {"prompt": "the cat", "beside": [{"path": "/no/such/folder", "fingerprint": "x"}]},
    "agreement": {"text": "the cat sat", "files": ["/no/such/file"], "removed": ["a"], "neural": "/no/such/file"},
    "model": {
        "tabs": {
            "perplexity": {
                "text": "the cat",
                "files": ["/no/such/file"],
                "method": "levels",
                "settings": {"levels": 3},
            },
            "mix": {"text": "the cat", "file": "/no/such/file", "from_file": True, "log_base": 2.0},
        }
    },
    "statistics": {"tabs": {"keywords": {"reference": "list", "list": "/no/such/file", "stop": "/no/such/file"}}},
    "curation": {
        "tabs": {
            "contamination": {
                "files": ["/no/such/file"],
                "against": ["/no/such/folder"],
                "marks": [["a", "b", "c", "d", True]],
            },
            "export": {"handed": {"index": ["x"], "cuts": [{"title": "t", "asked": [["a", "b"]], "ranges": "AAAA"}]}},
            "duplicates": {"never": [[1, 2]]},
        }
    },
}
"""What views have beside the usual values."""
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def ways_in(value, way=()):
    """The keys that lead to each value."""
    if way:
        yield way
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from ways_in(each, (*way, key))


def joined(one, other):
    """A view with the values of another."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other
    return one | {key: joined(one.get(key), value) for key, value in other.items()}


def put(view, way, value):
    made = copy.deepcopy(view)
    place = made
    for key in way[:-1]:
        place = place[key]
    place[way[-1]] = value
    return made


@pytest.fixture
def screen_of(opened, qtbot):
    """A screen with all its pages; no work of its lanes may end in an unexpected error."""
    bugs = []

    def made(id):
        screen = opened.screens[id]
        screen.bug.connect(bugs.append)
        if isinstance(screen, TabbedScreen):
            for tab in screen.session()["tabs"].keys() | screen._rows.keys():
                screen.page(tab)
        # As a window does it, also with a project.
        return screen, lambda view: opened.session.show(Views("", {id: view}))

    yield made
    assert not bugs, bugs[0]


def check_a_value_of_another_type_is_left_alone(screen_of, qtbot, scale, id):
    screen, restore = screen_of(id)
    view = joined(json.loads(json.dumps(screen.session())), FULL[id])
    ways = list(ways_in(view))
    assert ways
    # Of many values, each gets some of the odd ones: every restored query is asked.
    every = scale(len(ODD), 1 if len(ways) < 30 else 3)
    for number, way in enumerate(ways):
        for value in ODD[number % every :: every]:
            restore(put(view, way, copy.deepcopy(value)))
            # Work begins between them, as it does in a window.
            QCoreApplication.processEvents()
            # What was restored can be saved.
            json.dumps(screen.session())
    qtbot.waitUntil(lambda: not screen.busy, timeout=30_000)


def test_a_value_of_another_type_is_left_alone(screen_of, qtbot, scale):
    for id in FULL:
        check_a_value_of_another_type_is_left_alone(screen_of, qtbot, scale, id)


def check_any_view_can_be_restored(screen_of, qtbot, id):
    screen, restore = screen_of(id)
    view = joined(json.loads(json.dumps(screen.session())), FULL[id])
    ways = list(ways_in(view))

    @given(st.sampled_from(ways), json_values)
    @settings(deadline=None, max_examples=20, suppress_health_check=list(HealthCheck))
    def restored(way, value):
        restore(put(view, way, value))
        json.dumps(screen.session())

    restored()
    qtbot.waitUntil(lambda: not screen.busy, timeout=30_000)


def test_any_view_can_be_restored(screen_of, qtbot):
    for id in FULL:
        check_any_view_can_be_restored(screen_of, qtbot, id)


def check_a_window_shows_views_of_any_type(opened, odd):
    session: Session = opened.session
    session.restore({"paths": odd, "screens": odd, "screen": odd})
    session.show(Views("search", {"search": {}, "statistics": {"tab": odd, "tabs": odd}}))
    session.show(Views(odd, dict.fromkeys(FULL, odd)))
    # What is left can be stored again, and nothing failed.
    assert json.dumps(session.views().screens) and opened.bugs.box is None


def test_a_window_shows_views_of_any_type(opened):
    for odd in ODD:
        check_a_window_shows_views_of_any_type(opened, odd)
