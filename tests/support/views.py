"""Every view of the window with something in it, and every dialog: for tests that look at all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import cast

from driven import DrivenWindow
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.gui.screens.index.state import Page
from explorer.gui.screens.model.generate.page import GeneratePage
from explorer.gui.screens.settings.state import PAGES

TEXT = "the dog sat on the mat, and the dog saw the cat on the rug.\nA dog that nobody knows sat on the mat."
QUERY = "the cat"


@dataclass(frozen=True)
class View:
    """A name, and what brings it to the front and gives the window to look at; calling it again changes nothing."""

    name: str
    show: Callable[[], QWidget]


def fill(window: DrivenWindow, qtbot: QtBot, text: str = TEXT, query: str = QUERY) -> None:
    """Ask every screen something and wait for the answers."""
    window.trace.presenter.trace_text(text, "A prompt")
    window.next_token.bar.prompt.setPlainText(query)
    window.agreement.analyze_text(text)
    writing = cast(GeneratePage, window.model.page("generate")).presenter
    writing.typed(query)
    writing.choose(length=60)
    writing.run()
    for tab in ("perplexity", "drafts"):
        window.model.page(tab).restore_session({"text": text})
    window.search.search_for(query)
    window.search.presenter.comparison.add(query)
    qtbot.waitUntil(lambda: not busy(window), timeout=60_000)
    window.search.presenter.show_view(1)
    window.search.presenter.show_view(2)
    window.search.presenter.show_view(3)
    window.search.presenter.show_view(0)
    if window.search.model.rowCount():
        window.search.pages.lines.step(1)
    window.index.presenter.check_now()
    qtbot.waitUntil(lambda: not busy(window), timeout=60_000)


def busy(window: DrivenWindow) -> bool:
    """Whether an answer is awaited somewhere, or a plot is being drawn."""
    parts = (*window.screens.made().values(), window.panel)
    waiting = any(part.busy for part in parts) or not window.agreement.halves.plots.plot.drawn
    return waiting or not window.screens.settled


def screen_views(window: DrivenWindow) -> Iterator[View]:
    """The views of all screens."""
    search, trace, agreement = window.search, window.trace, window.agreement

    def at(name: str, screen: str, *changes: Callable[[], object], panel: bool = False) -> View:
        return View(name, partial(_show, window, screen, changes, panel))

    for number in range(5):
        yield at(f"search {number}", "search", partial(search.presenter.show_view, number))
    yield at("document", "search", panel=True)
    yield at("next token", "next_token")
    for number in range(4):
        yield at(f"trace {number}", "trace", partial(trace.tabs.setCurrentIndex, number))
    for number in range(4):
        yield at(f"agreement {number}", "agreement", partial(agreement.halves.plots.tabs.setCurrentIndex, number))
    yield at("model perplexity", "model", partial(window.model.turn_to, "perplexity"))
    yield at("model drafts", "model", partial(window.model.turn_to, "drafts"))
    yield at("model generate", "model", partial(window.model.turn_to, "generate"))
    for number in Page:
        yield at(f"index {number.name.lower()}", "index", partial(window.index.presenter.show_page, number))
    for page in PAGES:
        yield at(f"settings {page}", "settings", partial(window.open_settings, page))


def _show(window: DrivenWindow, screen: str, changes: Iterable[Callable[[], object]], panel: bool) -> QWidget:
    window.show_screen(screen)
    window.panel.setVisible(panel)
    for change in changes:
        change()
    return window


def open_dialogs(window: DrivenWindow, qtbot: QtBot) -> list[View]:
    """All dialogs, opened without waiting for any; to be closed by the caller."""
    window.show_screen("agreement")
    button = window.agreement.figure_button
    button.open()
    qtbot.waitUntil(lambda: button.dialog is not None and not button.dialog.preview.image.isNull(), timeout=60_000)
    window.report_bug("Traceback (most recent call last):\n  …\nValueError: an example of a report")
    from explorer.gui.app.log_dialog import LogDialog

    log = LogDialog(window.settings.path.with_name("nothing.log"), window)
    log.show()
    made: dict[str, QWidget | None] = {
        "figure": button.dialog,
        "palette": window.open_palette(),
        "help": window.open_help(),
        "bug": window.bugs.box,
        "log": log,
    }
    return [_dialog(name, dialog) for name, dialog in made.items()]


def _dialog(name: str, dialog: QWidget | None) -> View:
    assert dialog is not None, f"{name} did not open"
    return View(name, lambda: dialog)
