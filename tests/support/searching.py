"""What the Search screen shows, for tests."""

from __future__ import annotations

from explorer.analyses.search.concordance import Concordance
from explorer.gui.screens.search.screen import SearchScreen


def lines(search: SearchScreen) -> Concordance:
    """The lines that are shown, old or new; there must be some answer."""
    answer = search.presenter.state.lines.answer.value
    assert answer is not None, "nothing was listed yet"
    return answer.lines


def listed(search: SearchScreen) -> str | None:
    """The query whose lines are shown and belong to what is typed; None while they are awaited or unknown."""
    answer = search.presenter.state.listed
    return None if search.busy or answer is None else answer.request.found.query


def found(search: SearchScreen) -> str | None:
    """The query that was found last; None without any."""
    result = search.presenter.state.query.found
    return None if result is None else result.query


def sort_by_levels(search: SearchScreen, *levels: str) -> None:
    """Sort by these keys, first level first; with a - before it, in the other direction."""
    presenter = search.presenter.lines
    for number in range(3):
        key = levels[number] if number < len(levels) else ""
        presenter.sort_level(number, key.removeprefix("-"), key.startswith("-"))
