"""A benchmark that is in the index itself: told, left out at a click, and counted again at another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from explorer.analyses.contamination.table import OwnRecord
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.gui.screens.curation.contamination.state import BenchState
from explorer.gui.screens.screen import Notice
from explorer.gui.style.text_positions import short_text
from explorer.i18n import numeral, tr, trn

_LISTED = 3
"""Sources that are named in the sentence."""


class OwnNotice(Notice):
    """Shown while a source of the index is one of the benchmarks."""

    def __init__(self, presenter: ContaminationPresenter) -> None:
        super().__init__()
        self._presenter = presenter

    def draw(self, state: BenchState, before: BenchState | None) -> None:
        """Show what of an answer is the benchmark itself.

        before: The one that was drawn before; None for the first.
        """
        # This replaces the button, so not while somebody may be about to press it.
        if before is not None and state.answer.value is before.answer.value:
            return
        own = state.own
        out = any(each.left_out for each in own)
        count = len({each.file for each in own})
        words = (
            trn("Count it as well", "Count them as well", count)
            if out
            else trn("Leave it out", "Leave them out", count)
        )
        remedies = [(words, partial(self._leave_out, not out))] if own else []
        # The button that was pressed goes, and the one in its place is pressed next, if any.
        entered = any(button.hasFocus() for button in self.buttons())
        several = state.found is not None and bool(state.found.others)
        self.show_notice(_sentence(own, several), _title(own), "info" if out else "warn", remedies)
        if entered and own:
            self.buttons()[0].setFocus()

    def _leave_out(self, out: bool) -> None:
        """Look for the items again; at once, since nothing more is typed."""
        self._presenter.set(without_own=out)
        self._presenter.run()


def _title(own: Sequence[OwnRecord]) -> str:
    """What is the matter, in a few words; "" for nothing."""
    if not own:
        return ""
    # Without names: a title is not wrapped, and the window must not grow with somebody's file name.
    count = len({each.file for each in own})
    if any(each.left_out for each in own):
        return trn("A benchmark in the texts is left out", "{n:,} benchmarks in the texts are left out", count)
    return trn("A benchmark is in the texts itself", "{n:,} benchmarks are in the texts themselves", count)


def _sentence(own: Sequence[OwnRecord], several: bool) -> str:
    """Which documents these are; of which index, if the items were looked for in several."""
    if not own:
        return ""
    told = [_source(each, each.index if several else "") for each in own[:_LISTED]]
    more = len(own) - _LISTED
    told += [trn("and {n:,} more source", "and {n:,} more sources", more)] if more > 0 else []
    if not any(each.left_out for each in own):
        told.append(tr("their items are flagged, whatever else is in the texts"))
    return " · ".join(told)


def _source(own: OwnRecord, index: str) -> str:
    """The documents of a source; of an index, if there are several."""
    name = short_text(Path(own.file).name)
    return trn(
        "{name}: {n:,} document of {source} with {items} items ({share} %)",
        "{name}: {n:,} documents of {source} with {items} items ({share} %)",
        own.documents,
        name=tr("{name} in {index}", name=name, index=short_text(index)) if index else name,
        source=short_text(own.source) or tr("an unknown source"),
        items=numeral(own.items),
        share=numeral(100 * own.share, ".1f"),
    )
