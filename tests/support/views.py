"""Every view of the window with something in it, and every dialog: for tests that look at all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

TEXT = "the dog sat on the mat, and the dog saw the cat on the rug.\nA dog that nobody knows sat on the mat."
QUERY = "the cat"


@dataclass(frozen=True)
class View:
    """A name, and what brings it to the front and gives the window to look at; calling it again changes nothing."""

    name: str
    show: Callable[[], QWidget]


def fill(window, qtbot, text: str = TEXT, query: str = QUERY) -> None:
    """Ask every screen something and wait for the answers."""
    window.trace.trace_text(text, "A prompt")
    window.next_token.prompt.setPlainText(query)
    window.agreement.analyze_text(text)
    window.search.search_for(query)
    window.search.compare.add(query)
    qtbot.waitUntil(lambda: not busy(window), timeout=60_000)
    window.next_token.show_view(1)
    window.next_token.show_view(2)
    window.search.show_view(1)
    window.search.show_view(2)
    window.search.show_view(3)
    window.search.show_view(0)
    if window.search.model.rowCount():
        window.search.step(1)
    window.index.show_page(1)
    window.index.verify.run()
    qtbot.waitUntil(lambda: not busy(window), timeout=60_000)
    window.index.show_page(0)


def busy(window) -> bool:
    """Whether an answer is awaited somewhere, or a plot is being drawn."""
    parts = (*window.screens.made().values(), window.panel)
    waiting = [part._debounce for part in parts if hasattr(part, "_debounce")]
    return (
        any(runner.busy for part in parts for runner in part.runners())
        or any(timer.isActive() for timer in waiting)
        or not window.agreement.plot.drawn
    )


def _at(window, name: str, change: Callable[[], object] = lambda: None, panel: bool = False) -> View:
    def show() -> QWidget:
        window.show_screen(name)
        window.panel.setVisible(panel)
        change()
        return window

    return View(name, show)


def screen_views(window) -> Iterator[View]:
    """The views of all screens."""
    search, next_token, trace, agreement = window.search, window.next_token, window.trace, window.agreement
    for number in range(5):
        view = _at(window, "Search", lambda number=number: search.show_view(number))
        yield View(f"search {number}", view.show)
    yield View("search options", _at(window, "Search", lambda: (search.show_view(0), _open(search, True))).show)
    yield View("search plain", _at(window, "Search", lambda: _open(search, False)).show)
    yield View("document", _at(window, "Search", panel=True).show)
    for number in range(3):
        view = _at(window, "Next token", lambda number=number: next_token.show_view(number))
        yield View(f"next token {number}", view.show)
    for number in range(2):
        view = _at(window, "Trace", lambda number=number: trace.tabs.button(number).click())
        yield View(f"trace {number}", view.show)
    for number in range(4):
        view = _at(window, "Agreement", lambda number=number: agreement.views.button(number).click())
        yield View(f"agreement {number}", view.show)
    for number in range(2):
        yield View(f"index {number}", _at(window, "Index", lambda number=number: window.index.show_page(number)).show)


def _open(search, on: bool) -> None:
    """The builder, the options and the levels of sorting."""
    search.bar.build.setChecked(on)
    search.view_button.setChecked(on)


def open_dialogs(window, qtbot) -> list[View]:
    """All dialogs, opened without waiting for any; to be closed by the caller."""
    window.show_screen("Agreement")
    button = window.agreement.figure_button
    button.open()
    qtbot.waitUntil(lambda: button.dialog is not None and not button.dialog.preview.image.isNull(), timeout=60_000)
    window.report_bug("Traceback (most recent call last):\n  …\nValueError: an example of a report")
    from explorer.gui.bugs import LogDialog

    log = LogDialog(window.settings.path.with_name("nothing.log"), window)
    log.show()
    made = {
        "figure": button.dialog,
        "settings": window.open_settings(0),
        "shortcuts": window.open_settings(1),
        "palette": window.open_palette(),
        "help": window.open_help(),
        "filter": window.search.filters.ask(),
        "bug": window.bugs.box,
        "log": log,
    }
    return [View(name, lambda dialog=dialog: dialog) for name, dialog in made.items()]
