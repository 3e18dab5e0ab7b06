"""The indexes beside the open one in which items are looked for: added and removed. No Qt."""

from __future__ import annotations

from typing import Any, Protocol

from explorer.gui.screens.curation.contamination.state import INDEXES_OF, BenchState


class Bench(Protocol):
    """What looks for the items."""

    @property
    def state(self) -> BenchState:
        """What is looked for."""

    def change(self, **changes: Any) -> None:
        """Change parts of the state."""

    def set(self, **values: Any) -> None:
        """Change what is asked for."""

    def run(self) -> None:
        """Ask now."""


class Beside:
    """Changes which indexes these are, and looks for the items again.

    bench: Looks for the items.
    """

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def add(self, place: str) -> None:
        """Look for the items in another index, too, and show the indexes side by side."""
        self._bench.change(by=INDEXES_OF)
        self._ask((*self._bench.state.rule.against, place))

    def remove(self, place: str) -> None:
        """Look for the items in an index no more."""
        self._ask(tuple(each for each in self._bench.state.rule.against if each != place))

    def _ask(self, places: tuple[str, ...]) -> None:
        wanted = tuple(dict.fromkeys(places))
        if wanted != self._bench.state.rule.against:
            self._bench.set(against=wanted)
            # At once: nothing more is typed.
            self._bench.run()
