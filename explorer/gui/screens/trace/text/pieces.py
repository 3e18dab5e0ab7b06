"""The pieces of a very long text, and which of them is in the editor. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorer.analyses.trace.conversation import Piece, looks_like_conversation, parts_of
from explorer.gui.presenting.presenter import Presenter
from explorer.gui.screens.trace.describe import parts_text

MOST_CHARACTERS = 60_000
"""A text that is longer is traced in parts: an editor with thousands of marks is slow."""


def is_large(text: str) -> bool:
    """Whether a pasted text is not put into the editor as it is: a conversation, or a very long text."""
    return len(text) > MOST_CHARACTERS or looks_like_conversation(text)


@dataclass(frozen=True)
class PiecesState:
    """The pieces, the number of the one in the editor, and a note about them."""

    pieces: tuple[Piece, ...] = ()
    number: int = 0
    note: str = ""

    @property
    def shown(self) -> bool:
        """Whether there is a choice."""
        return len(self.pieces) > 1

    @property
    def is_first(self) -> bool:
        """Whether there is none before."""
        return self.number == 0

    @property
    def is_last(self) -> bool:
        """Whether there is none after it."""
        return self.number + 1 >= len(self.pieces)


class PiecesPresenter(Presenter[PiecesState]):
    """Goes from piece to piece."""

    def __init__(self, put: Callable[[Piece], None]) -> None:
        super().__init__(PiecesState())
        self._put = put

    def offer(self, text: str) -> None:
        """Divide a text into parts, and put the first one into the editor."""
        pieces = parts_of(text, MOST_CHARACTERS)
        self.change(pieces=pieces, number=0, note=parts_text(len(pieces), len(text)))
        self._put(pieces[0])

    def choose(self, number: int) -> None:
        """Put another piece into the editor."""
        if 0 <= number < len(self.state.pieces) and number != self.state.number:
            # First the number: putting a piece asks for its trace, and the bar must name the piece by then.
            self.change(number=number)
            self._put(self.state.pieces[number])

    def step(self, by: int) -> None:
        """Go to the next piece (1) or the one before (-1)."""
        self.choose(self.state.number + by)

    def forget(self) -> None:
        """The editor contains a single text again."""
        self.change(pieces=(), number=0, note="")
