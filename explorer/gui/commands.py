"""What each command of the table does to a window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QApplication

from explorer.gui.actions import ACTIONS, plain
from explorer.gui.bugs import LogDialog, log_path
from explorer.gui.guide import ABOUT
from explorer.gui.palette import Command
from explorer.gui.requests import OpenRequest
from explorer.gui.settings_dialog import SETTINGS_TAB, SHORTCUTS_TAB
from explorer.gui.theme import SCHEMES
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.main_window import MainWindow
    from explorer.gui.screens.search.screen import SearchScreen

BUILD_PAGE, CHECK_PAGE = range(2)


def handlers_of(window: MainWindow) -> dict[str, Callable[[], object]]:
    """A function for each command, by its name."""
    return {
        "open": window.ask_open,
        "tokenizer": window.ask_tokenizer,
        "sample": window.open_sample,
        "build": partial(window.show_index_page, BUILD_PAGE),
        "verify": partial(window.show_index_page, CHECK_PAGE),
        "new_window": window.new_window_wanted.emit,
        "settings": partial(window.open_settings, SETTINGS_TAB),
        "close_window": window.close,
        "quit": QApplication.closeAllWindows,
        "input": lambda: window.current_screen().focus_input(),
        "panel": window.toggle_panel,
        "larger": partial(window.change_text_size, 1),
        "smaller": partial(window.change_text_size, -1),
        "usual": partial(window.change_setting, "text_size", 0),
        **{scheme: partial(window.set_scheme, scheme) for scheme in SCHEMES},
        **{id: partial(window.show_screen, id) for id in window.screens},
        "next_line": partial(_step, window, 1),
        "previous_line": partial(_step, window, -1),
        "history": partial(_show_history, window),
        "builder": partial(_toggle_builder, window),
        "whole_words": partial(_turn, window, "whole_words"),
        "ignore_case": partial(_turn, window, "ignore_case"),
        "match": partial(_show_matches, window),
        "watch": partial(_open_watch_list, window),
        "find": partial(_find, window),
        "palette": window.open_palette,
        "help": window.open_help,
        "shortcuts": partial(window.open_settings, SHORTCUTS_TAB),
        "log": lambda: LogDialog(log_path(window.settings.path.parent), window).show(),
        "about": partial(window.show_page, ABOUT.name),
    }


def _search(window: MainWindow) -> SearchScreen:
    return cast("SearchScreen", window.screens["search"])


def _step(window: MainWindow, by: int) -> None:
    window.show_screen("search")
    _search(window).step(by)


def _show_history(window: MainWindow) -> None:
    window.show_screen("search")
    _search(window).bar.history.showMenu()


def _toggle_builder(window: MainWindow) -> None:
    window.show_screen("search")
    _search(window).bar.build.click()


def _turn(window: MainWindow, switch: str) -> None:
    window.show_screen("search")
    getattr(_search(window).bar.choice, switch).click()


def _show_matches(window: MainWindow) -> None:
    window.show_screen("search")
    _search(window).bar.choice.menu_button.showMenu()


def _open_watch_list(window: MainWindow) -> None:
    window.show_screen("search")
    _search(window).open_watch_list()


def _find(window: MainWindow) -> None:
    if window.panel.isVisible():
        window.panel.find_bar.open()


def palette_commands(window: MainWindow) -> list[Command]:
    """Every command except the palette itself, and the recent indexes."""
    book = window.book
    commands = [
        Command(plain(tr(spec.text)), f"{book.key_of(spec)}  {tr(spec.help)}".strip(), book.actions[spec.name].trigger)
        for spec in ACTIONS
        if spec.name in book.actions and spec.name != "palette"
    ]
    recent = window.settings.recent_indexes()
    return commands + [
        Command(tr("Open {name}", name=Path(path).name), path, partial(window.open, OpenRequest((path,))))
        for path in recent
    ]
