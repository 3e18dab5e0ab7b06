"""Leaves documents that contain most of a traced text out of the index. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.gui.presenter import Slot
from explorer.gui.screens.trace.work import leave_out
from explorer.overlap.copies import WithoutCopies

if TYPE_CHECKING:
    from explorer.gui.screens.trace.presenter import TracePresenter


class OwnDocuments:
    """Looks for them, and has the text traced without them.

    Parameters
    ----------
    slot
        Looks.
    presenter
        Has the text, and traces it.
    """

    def __init__(self, slot: Slot, presenter: TracePresenter) -> None:
        self._slot, self._presenter = slot, presenter

    def cancel(self) -> None:
        """Stop looking."""
        self._slot.cancel()

    def leave_out(self, own: bool) -> None:
        """Leave the documents that contain most of the text out of the index (True), or put them back."""
        answer = self._presenter.state.answer.value
        # Taken back while the documents are still being looked for: the answer must not leave them out after all.
        self._slot.cancel()
        if not own:
            self._use(None, "")
        elif answer is not None:
            request = answer.request
            self._slot.run(
                lambda cancel: leave_out(request, cancel),
                lambda less: self._use(less, request.text),
                self._presenter.fail,
            )

    def _use(self, less: WithoutCopies | None, text: str) -> None:
        self._presenter.change(less=less, less_text=text)
        self._presenter.run()
