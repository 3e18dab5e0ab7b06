"""Which prompt belongs to which of the texts that were pasted over each other. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.gui.screens.trace.presenter import TracePresenter


class ReplacedPrompts:
    """Gives each text its own prompt when pasting over it is undone, or done again."""

    def __init__(self, screen: TracePresenter) -> None:
        self._screen = screen
        # The prompt of each text, as it was when the text was left.
        self._prompts: dict[str, str] = {}
        self._last = ""

    def replace(self, old: str) -> None:
        """Take the prompt of a text away, since another text was pasted over it.

        old: The text that was there. If it had only space, the prompt was written for what was pasted.
        """
        screen = self._screen
        text = screen.state.text
        if not old.strip() or text == old:
            return
        # Neither a row of a file nor a piece of a long text any more.
        screen.batch.leave_row()
        screen.pieces.forget()
        self._prompts.update({old: screen.state.prompt, text: ""})
        self._last = text
        screen.typed_prompt("")

    def of(self, text: str) -> str:
        """Give the prompt of a text that the editor shows now.

        Returns: The prompt of the text, if pasting led away from it; otherwise the one that is shown.
        """
        prompt = self._screen.state.prompt
        if text not in self._prompts:
            return prompt
        # The one that is left may have got a prompt, or another one.
        self._prompts[self._last] = prompt
        self._last = text
        return self._prompts[text]

    def forget(self) -> None:
        """Another text was put into the editor, which cannot be undone."""
        self._prompts.clear()
