"""Leaves documents that contain most of a traced text out of the index. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from explorer.analyses.overlap.copies import WithoutCopies
from explorer.errors import CorpusError
from explorer.gui.presenting.presenter import Presenter, Slot
from explorer.gui.screens.trace.work import TraceRequest, leave_out


@dataclass(frozen=True, eq=False)
class LeftOut:
    """What is left out of the index.

    less: The index without the documents that contain most of a text; None: nothing is left out.
    text: The text.
    failed: Why documents that a session left out are in the trace.
    """

    less: WithoutCopies | None = None
    text: str = ""
    failed: CorpusError | None = None


class OwnDocuments(Presenter[LeftOut]):
    """Looks for them, and has the text traced without them.

    run: Traces the text again.
    fail: Called with the reason why they were not found.
    """

    def __init__(self, slot: Slot, run: Callable[[], None], fail: Callable[[CorpusError], None]) -> None:
        super().__init__(LeftOut())
        self._slot, self._trace, self._fail_with = slot, run, fail
        # The text whose documents are left out, or are to be; None: nothing is left out.
        self._text: str | None = None
        # Whether a session left documents out that are not found yet: nothing is traced with them meanwhile.
        self._restores = False

    def forget(self) -> None:
        """Leave nothing out, and stop looking; nothing is traced again."""
        self._slot.cancel()
        self._text, self._restores = None, False
        self.change(less=None, text="", failed=None)

    def again(self) -> None:
        """Look for them again before the next trace, which is in the words of the index, or in its tokens."""
        if self._text is not None:
            self._slot.cancel()
            self._restores = True
            self.change(less=None)

    def leave_out(self, request: TraceRequest | None) -> None:
        """Leave the documents that contain most of a text out of the index; None: put them back."""
        if request is None:
            # Also taken back while they are still being looked for: the answer must not leave them out after all.
            self.forget()
            self._trace()
        else:
            self._look(request)

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
        self.change(less=less, text=text, failed=None)
        self._trace()

    def _fail(self, error: CorpusError) -> None:
        # What was left out before for another text still is.
        restored = self._restores
        self._text, self._restores = (None if self.state.less is None else self.state.text), False
        if restored:
            # The reason stays beside the trace, which is of other documents than the one that was saved.
            self.change(failed=error)
            self._trace()
        else:
            self._fail_with(error)

    def session(self, text: str) -> dict[str, Any]:
        """What is left out, as JSON values; its text is not repeated if it is the one in the editor.

        text: The text in the editor.
        """
        other = self._text is not None and self._text != text
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
