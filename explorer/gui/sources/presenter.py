"""What all presenters of screens that ask about texts do with their inputs. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from explorer.gui.presenting.presenter import Delay, Presenter
from explorer.gui.sources.inputs import TextInputs

S = TypeVar("S")
_TYPED = frozenset({"text", "prompt"})


class TextsPresenter(Presenter[S]):
    """Changes the field `inputs` of a state, and asks again: at once, or after a pause while somebody types.

    `typing` is the delay after which `run` is called; the subclass makes it.
    """

    typing: Delay

    @property
    @abstractmethod
    def inputs(self) -> TextInputs:
        """What is asked about now."""

    @abstractmethod
    def run(self) -> None:
        """Ask about the inputs as they are now."""

    def enter(self, **inputs: Any) -> None:
        """Change some of the inputs, by their names in `TextInputs`."""
        if "files" in inputs:
            # A remedy is chosen for the files in which something was wrong, not for those that come after them.
            inputs = {"format": "auto", "on_bad": "fail"} | inputs
        changed = replace(self.inputs, **inputs)
        if changed == self.inputs:
            return
        self.change(inputs=changed)
        if inputs.keys() <= _TYPED:
            self.typing.start()
        else:
            self.run()

    def add_files(self, *paths: Path) -> None:
        """Ask about more files, as sources beside those that are there."""
        self.enter(files=tuple(dict.fromkeys((*self.inputs.files, *paths))))

    def remove(self, source: str) -> None:
        """Ask about a source no longer, by its name."""
        # Not by `enter`: given other files, it forgets the remedies that were chosen for those that remain.
        changed = self.inputs.without(source)
        if changed != self.inputs:
            self.change(inputs=changed)
            self.run()
