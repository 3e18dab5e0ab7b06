"""Every request has one taker, and a request that nobody takes is an error."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from pathlib import Path

import pytest

from explorer.backends.ranges import ranges_of
from explorer.errors import CorpusError
from explorer.gui.presenting import requests
from explorer.gui.presenting.requests import (
    BuildFrom,
    ContinueText,
    ExportCuts,
    IndexNotice,
    IndexProblem,
    NoTokenizer,
    OpenSample,
    ProfileToken,
    Request,
    ScoreText,
    SearchText,
    ShowIndexPage,
    ShowSettings,
    TraceText,
)
from explorer.gui.presenting.router import Router
from explorer.gui.screens.registry import SCREENS


@dataclass(frozen=True)
class Untaken(Request):
    """Nobody takes it."""


def test_a_request_reaches_its_taker():
    router, searched, traced = Router(), [], []
    router.add(SearchText, searched.append)
    router.add(TraceText, traced.append)
    router.deliver(TraceText("a text"))
    assert (searched, traced) == ([], [TraceText("a text")])


def test_a_request_has_one_taker():
    router = Router()
    router.add(OpenSample, print)
    with pytest.raises(ValueError, match="OpenSample has two takers"):
        router.add(OpenSample, print)


def test_a_request_that_nobody_takes_is_an_error_at_start_and_when_it_is_made():
    router = Router()
    router.add(SearchText, print)
    router.check([SearchText])
    with pytest.raises(LookupError, match="nobody takes TraceText, Untaken"):
        router.check([Untaken, SearchText, TraceText])
    with pytest.raises(LookupError, match="nobody takes Untaken"):
        router.deliver(Untaken())


def test_the_window_takes_every_request_that_is_defined(window):
    window.router.check(
        kind
        for kind in vars(requests).values()
        if isinstance(kind, type) and issubclass(kind, Request) and kind is not Request
    )
    with pytest.raises(LookupError, match="Untaken"):
        window.router.deliver(Untaken())
    for screen in window.screens.values():
        with pytest.raises(LookupError, match="does not take Untaken"):
            screen.take(Untaken())


def names_used(folder):
    """The requests that the modules of a folder import."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in folder.rglob("*.py")]
    imports = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {name.name for node in imports if node.module == "explorer.gui.presenting.requests" for name in node.names}


@pytest.mark.parametrize("spec", SCREENS, ids=lambda spec: spec.id)
def test_a_row_names_every_request_of_its_screen(spec):
    folder = Path(inspect.getfile(spec.load())).parent
    own = {kind.__name__ for kind in (*spec.takes, *spec.asks)}
    assert own == names_used(folder) - {"Request"}


TAKEN = (
    SearchText("the cat"),
    ScoreText("the cat sat"),
    ExportCuts("Cats", ranges_of([], [], [])),
    TraceText("the cat sat"),
    ProfileToken("the cat sat", 4),
    ContinueText("the cat"),
    ShowSettings(),
    ShowIndexPage(1),
    BuildFrom(("/texts",)),
    IndexProblem(CorpusError("it is damaged")),
    IndexNotice("a notice"),
    NoTokenizer(),
)


def test_every_screen_takes_what_its_row_names(all_screens, opened, qtbot):
    # Made before: one that is not comes to the front in a later turn.
    qtbot.waitUntil(lambda: opened.screens.complete and not opened.screens.prepare_next())
    assert {type(request) for request in TAKEN} == {kind for spec in SCREENS for kind in spec.takes}
    for spec in SCREENS:
        for request in TAKEN:
            if type(request) in spec.takes:
                opened.show_screen("next_token")
                opened.ask(request)
                assert (opened.current_screen() is opened.screens[spec.id]) == request.to_front
    assert opened.search.query.text() == '"the cat"' and opened.trace.text.editor.text() == "the cat sat"
