"""Which prompt belongs to which of the texts that were pasted over each other. No Qt."""

from __future__ import annotations


class ReplacedPrompts:
    """Gives each text its own prompt when pasting over it is undone, or done again."""

    def __init__(self) -> None:
        # The prompt of each text, as it was when the text was left.
        self._prompts: dict[str, str] = {}
        self._last = ""

    def replace(self, old: str, prompt: str, text: str) -> None:
        """Note that a text was pasted over another one, whose prompt it does not answer.

        old: The text that was there.
        prompt: Its prompt.
        """
        self._prompts.update({old: prompt, text: ""})
        self._last = text

    def of(self, text: str, prompt: str) -> str:
        """Give the prompt of a text that the editor shows now.

        prompt: The one that is shown.
        Returns: The prompt of the text, if pasting led away from it; otherwise the one that is shown.
        """
        if text not in self._prompts:
            return prompt
        # The one that is left may have got a prompt, or another one.
        self._prompts[self._last] = prompt
        self._last = text
        return self._prompts[text]

    def forget(self) -> None:
        """Another text was put into the editor, which cannot be undone."""
        self._prompts.clear()
