"""The commands of the Search screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.gui.chrome.actions import GO, CommandSpec, OnScreen

if TYPE_CHECKING:
    from explorer.gui.screens.search.screen import SearchScreen


def _search(act: Callable[[SearchScreen], object]) -> OnScreen:
    return OnScreen("search", act)


COMMANDS = (
    CommandSpec(
        "next_line",
        GO,
        "&Next line",
        "Select the next line and open its document",
        _search(lambda s: s.pages.lines.step(1)),
        "F3",
    ),
    CommandSpec(
        "previous_line",
        GO,
        "&Previous line",
        "Select the previous line and open its document",
        _search(lambda s: s.pages.lines.step(-1)),
        "Shift+F3",
    ),
    CommandSpec(
        "history",
        GO,
        "&Recent queries",
        "Recent and pinned queries",
        _search(lambda s: s.bar.history.showMenu()),
        "Ctrl+H",
        group=1,
    ),
    CommandSpec(
        "builder",
        GO,
        "Query &builder",
        "Build a query from clauses with AND, OR and NOT",
        _search(lambda s: s.bar.open_builder()),
        "Ctrl+B",
        group=1,
    ),
    CommandSpec(
        "whole_words",
        GO,
        "&Whole words",
        "Find whole words only, or parts of words too",
        _search(lambda s: s.bar.choice.whole_words.click()),
        "Alt+W",
        group=2,
    ),
    CommandSpec(
        "ignore_case",
        GO,
        "Ignore &case",
        "Treat uppercase and lowercase letters as equal, or not",
        _search(lambda s: s.bar.choice.ignore_case.click()),
        "Alt+C",
        group=2,
    ),
    CommandSpec(
        "as_typed",
        GO,
        "&Exactly as typed",
        "Tell line breaks, quotation marks and forms of characters apart, or not",
        _search(lambda s: s.bar.choice.as_typed.click()),
        "Alt+X",
        group=2,
    ),
    CommandSpec(
        "match",
        GO,
        "&Text, expression or tokens …",
        "Choose how a query is read: as text, a regular expression with wildcards, or tokens",
        _search(lambda s: s.bar.choice.menu_button.showMenu()),
        "Alt+T",
        group=2,
    ),
    CommandSpec(
        "sort",
        GO,
        "S&ort lines …",
        "Choose the order of the lines, a sample, or merging of identical lines",
        _search(lambda s: s.tools.open_sort()),
        "Alt+S",
        group=2,
        picture="sort",
    ),
    CommandSpec(
        "filter",
        GO,
        "&Filter lines …",
        "Keep lines by metadata, such as year or author, or by words near the match",
        # Without a query there are no lines yet.
        _search(lambda s: s.answer.filters.form.ask() if s.answer.filters.isVisible() else s.focus_input()),
        group=2,
        picture="filter",
    ),
    CommandSpec(
        "watch",
        GO,
        "Watch &list …",
        "Count all patterns in a file",
        _search(lambda s: s.pages.open_watch_list()),
        group=2,
    ),
)
