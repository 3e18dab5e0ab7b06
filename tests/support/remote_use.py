"""Every screen of a window, used on whatever index is open: on other machines, it may be slow or fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from driven import DrivenWindow

from explorer.gui.screens.search.state import View
from explorer.gui.screens.tabbed_screen import TabbedScreen

Step = tuple[str, Callable[[], Any]]
TABBED = ("model", "statistics", "curation")
USED = ("generate", "perplexity", "drafts")
"""Tabs that ask nothing before a person has typed."""


def is_busy(window: DrivenWindow) -> bool:
    """Whether an answer is awaited on some screen, or the page of a tab is being made."""
    made = window.screens.made().values()
    turning = any(isinstance(screen, TabbedScreen) and screen.current not in screen._made for screen in made)
    return turning or any(screen.busy for screen in made) or window.panel.busy


def steps(window: DrivenWindow, query: str, text: str) -> Iterator[Step]:
    """What a user does, a step at a time; whoever takes a step waits for its answers before the next one."""
    search = window.search

    def show(id: str, act: Callable[[], Any]) -> Callable[[], Any]:
        def do() -> None:
            window.show_screen(id)
            act()

        return do

    yield "search", show("search", lambda: search.search_for(query))
    yield "search, a line", lambda: search.pages.lines.step(1)
    for view in View:
        if not search.presenter.state.why_not(view):
            yield f"search, {view.name.lower()}", partial(search.presenter.show_view, view)
    yield "search, lines again", lambda: search.presenter.show_view(View.LINES)
    yield "next token", show("next_token", lambda: window.next_token.bar.prompt.setPlainText(query))
    yield "trace", show("trace", lambda: window.trace.presenter.trace_text(text))
    yield "agreement", show("agreement", lambda: window.agreement.analyze_text(text))
    for id in TABBED:
        screen = window.screens[id]
        assert isinstance(screen, TabbedScreen)
        yield f"{id}, its screen", show(id, lambda: None)
        for number, tab in enumerate(screen._rows):
            yield f"{id}, {tab}", partial(screen.tabs.setCurrentIndex, number)
            if tab in USED:
                yield f"{id}, {tab} used", partial(_use_tab, screen.page(tab), tab, query, text)
    yield "index", show("index", lambda: None)
    yield "index, its files", window.index.presenter.check_now


def _use_tab(page: Any, tab: str, query: str, text: str) -> None:
    if tab == "generate":
        page.presenter.typed(query)
        page.presenter.choose(length=20)
        page.presenter.run()
    else:
        page.restore_session({"text": text})
