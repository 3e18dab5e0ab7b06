"""What a user makes of items: thresholds that move, and marks. No Qt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from explorer.analyses.contamination.item_matches import Thresholds
from explorer.gui.asking.choices import TabChoices
from explorer.gui.screens.curation.contamination.items.item_presenter import ItemPresenter
from explorer.gui.screens.curation.contamination.items.judging import LEAST, MOST
from explorer.gui.screens.curation.contamination.items.marking import ItemKey, file_key, index_key
from explorer.gui.screens.curation.contamination.state import BenchState


class Bench(Protocol):
    """What has the items."""

    item: ItemPresenter
    choices: TabChoices

    @property
    def state(self) -> BenchState:
        """What was found, and the thresholds and marks."""

    def change(self, **changes: Any) -> None:
        """Change parts of the state."""


class Verdicts:
    """Changes thresholds and marks. Nothing is asked of the index."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def move(self, name: str, percent: int) -> None:
        """Move a threshold; this may follow a pointer."""
        moved: dict[str, Any] = {name: min(MOST, max(LEAST, percent)) / 100}
        thresholds = replace(self._bench.state.thresholds, **moved)
        if thresholds != self._bench.state.thresholds:
            with self._bench.choices.step(name):
                self._bench.change(thresholds=thresholds)

    def reset(self) -> None:
        """Judge by the usual thresholds."""
        with self._bench.choices.step():
            self._bench.change(thresholds=Thresholds())

    def mark(self, leaked: bool) -> None:
        """Mark the chosen item; the same mark once more takes it back."""
        key, marks = self._chosen(), self._bench.state.marks
        if key is not None:
            wanted = None if marks.of(key) is leaked else leaked
            with self._bench.choices.step():
                self._bench.change(marks=marks.marked(key, wanted))

    def _chosen(self) -> ItemKey | None:
        state, row = self._bench.state, self._bench.item.state.row - self._bench.state.first
        if state.corpus is None or state.shown is None or state.items is None or not 0 <= row < state.shown.items:
            return None
        return ItemKey(index_key(state.corpus), file_key(state.shown.file), *state.items[0].keys[row])
