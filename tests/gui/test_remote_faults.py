"""Every screen on an index elsewhere whose connection is bad: right figures or a sentence, and never a bug."""

from __future__ import annotations

import pytest
from remote_use import is_busy, steps
from served import running
from slow_proxy import SlowProxy

from explorer import open_index
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.widgets.notices.notice import Notice
from explorer.http import cache as cache_module
from explorer.http import client as client_module
from explorer.http import pace

TEXT = "We walked to the harbor in the morning. The letter said that the storm came in the morning."


@pytest.fixture(autouse=True)
def afresh(tmp_path, monkeypatch):
    """Nothing is kept from another test, and nobody waits between attempts."""
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(client_module, "wait_until", lambda moment, check: check())
    pace._paces.clear()
    yield
    for kept in cache_module._shared.values():
        kept.close()
    cache_module._shared.clear()


@pytest.mark.parametrize(
    "hidden", [(), pytest.param(("/healthz",), marks=pytest.mark.nightly)], ids=["ours", "infini-gram"]
)
def test_every_screen_is_used_over_a_bad_connection(all_screens, window, qtbot, letters, monkeypatch, hidden):
    bugs = []
    monkeypatch.setattr(window.bugs, "report", bugs.append)
    corpus = open_index(letters)
    with running([("letters", corpus)]) as server, SlowProxy(server.address, 0.005, 0.05, 1, hidden) as proxy:
        window.open(OpenRequest((f"{proxy.url}#letters",), tokenizer=str(letters / "tokenizer.json")))
        qtbot.waitUntil(lambda: window.corpus is not None)
        for name, act in steps(window, "the morning", TEXT):
            act()
            qtbot.waitUntil(lambda: not is_busy(window))
            assert bugs == [], name
            for notice in window.current_screen().findChildren(Notice):
                assert "Traceback" not in notice.text() and "HTTP" not in notice.text(), name
        assert proxy.failed, "the connection was bad"
    check_figures(window, corpus)


def check_figures(window, corpus):
    """What is shown is what the index says."""
    search, hits = window.search, corpus.count("the morning")
    assert search.presenter.state.query.found.count == search.model.rowCount() == hits > 0
    trace, own = window.trace.presenter.state.trace, corpus.trace(TEXT)
    assert [*map(_facts, trace.spans)] == [*map(_facts, own.spans)] != []
    answer = window.next_token.presenter.state.answer.current
    assert answer.exact and answer.context_count == corpus.count("the morning")


def _facts(span):
    return span.start, span.end, span.count
