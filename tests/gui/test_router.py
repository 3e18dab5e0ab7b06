"""Every request has one taker, and a request that nobody takes is an error."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from explorer.gui import requests
from explorer.gui.requests import OpenSample, Request, SearchText, TraceText
from explorer.gui.router import Router


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
