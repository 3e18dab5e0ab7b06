"""Leaves documents that contain most of a traced text out of the index. No Qt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from explorer.errors import CorpusError
from explorer.gui.presenter import Slot
from explorer.gui.screens.trace.work import TraceRequest, leave_out
from explorer.overlap.copies import WithoutCopies

if TYPE_CHECKING:
    from explorer.gui.screens.trace.presenter import TracePresenter


class OwnDocuments:
    """Looks for them, and has the text traced without them."""

    def __init__(self, slot: Slot, presenter: TracePresenter) -> None:
        self._slot, self._presenter = slot, presenter
        # The text whose documents are left out, or are to be; None: nothing is left out.
        self._text: str | None = None
        # Whether a session left documents out that are not found yet: nothing is traced with them meanwhile.
        self._restores = False

    def forget(self) -> None:
        """Leave nothing out, and stop looking; nothing is traced again."""
        self._slot.cancel()
        self._text, self._restores = None, False
        self._presenter.change(less=None, less_text="", not_left_out=None)

    def again(self) -> None:
        """Look for them again before the next trace, which is in the words of the index, or in its tokens."""
        if self._text is not None:
            self._slot.cancel()
            self._restores = True
            self._presenter.change(less=None)

    def leave_out(self, own: bool) -> None:
        """Leave the documents that contain most of the text out of the index (True), or put them back."""
        answer = self._presenter.state.answer.value
        if not own:
            # Also taken back while they are still being looked for: the answer must not leave them out after all.
            self.forget()
            self._presenter.run()
        elif answer is not None:
            self._look(answer.request)

    def looks_first(self, request: TraceRequest) -> bool:
        """Whether documents that a session left out must be found before anything is traced."""
        if self._restores and self._text is not None and not self._slot.busy:
            self._look(replace(request, text=self._text))
        return self._restores

    def _look(self, request: TraceRequest) -> None:
        self._text = request.text
        self._slot.run(
            lambda cancel: leave_out(request, cancel), lambda less: self._use(less, request.text), self._fail
        )

    def _use(self, less: WithoutCopies, text: str) -> None:
        self._restores = False
        self._presenter.change(less=less, less_text=text, not_left_out=None)
        self._presenter.run()

    def _fail(self, error: CorpusError) -> None:
        # What was left out before for another text still is.
        state, restored = self._presenter.state, self._restores
        self._text, self._restores = (None if state.less is None else state.less_text), False
        if restored:
            # The reason stays beside the trace, which is of other documents than the one that was saved.
            self._presenter.change(not_left_out=error)
            self._presenter.run()
        else:
            self._presenter.fail(error)

    def session(self) -> dict[str, Any]:
        """What is left out, as JSON values; the text is not repeated if it is the one in the editor."""
        other = self._text is not None and self._text != self._presenter.state.text
        return {"without_own": self._text is not None, "without_text": self._text if other else ""}

    def restore(self, values: dict[str, Any]) -> None:
        """Leave out what a session left out, when its text is traced.

        values: As `session` gave them, beside the text.
        """
        if isinstance(without := values.get("without_own"), bool):
            self.forget()
            text = next((each for each in (values.get("without_text"), values.get("text")) if each), None)
            if without and isinstance(text, str):
                self._text, self._restores = text, True
