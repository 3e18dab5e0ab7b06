"""What the tabs that ask about texts do alike. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, TypeVar

from explorer.corpus import Corpus
from explorer.gui.asking.asker import Asker
from explorer.gui.presenting.answer import Answer
from explorer.gui.screens.model.state import LEAVE, BySourceState, TextsState
from explorer.gui.sources.inputs import REMEDIES, TextInputs
from explorer.gui.sources.presenter import TextsPresenter

S = TypeVar("S", bound=TextsState[Any, Any])
G = TypeVar("G", bound=BySourceState[Any, Any])


class ModelPresenter(Asker[S], TextsPresenter[S]):
    """A tab without its widgets."""

    @property
    def inputs(self) -> TextInputs:
        """The texts."""
        return self.state.inputs

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Ask the same of another index."""
        self.forget()
        self.change(corpus=corpus)
        self.run()

    def forget(self) -> None:
        """Drop the answer, and what is under way."""
        # First of all: an answer that arrives later would bring back what is forgotten here.
        self.asking.cancel()
        self.change(answer=Answer(), error=None, place=0, token=-1)

    @abstractmethod
    def choose_source(self, key: str) -> None:
        """Show one source, or all together."""

    def remedy(self, name: str) -> None:
        """Do something about what the notice tells, and ask again."""
        if name in REMEDIES:
            self.enter(**REMEDIES[name])
        if name == LEAVE:
            self.change(leave_one_out=True)
        self.run()

    def go(self, place: int) -> None:
        """Show another text of what is chosen."""
        place = min(max(0, place), max(0, len(self.state.texts) - 1))
        if place != self.state.number:
            self.change(place=place, token=-1)

    def choose_token(self, token: int) -> None:
        """Set a token of the text off that is shown."""
        self.change(token=token)


class BySourcePresenter(ModelPresenter[G]):
    """A tab whose answer can be shown by source."""

    def choose_source(self, key: str) -> None:
        """Show one source, or all together; a key of the state's `choices`."""
        if key != self.state.chosen and key in {known for known, _ in self.state.choices}:
            self.change(source=key, place=0, token=-1)
