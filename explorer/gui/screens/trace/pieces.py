"""The pieces of a conversation or of a long text, and which of them is in the editor. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorer.gui.presenter import Presenter
from explorer.gui.screens.trace.describe import conversation_text, parts_text
from explorer.trace.conversation import Piece, answers, looks_like_conversation, parse_conversation, parts_of

MOST_CHARACTERS = 60_000
"""A text that is longer is traced in parts: an editor with thousands of marks is slow."""


def is_large(text: str) -> bool:
    """Whether a pasted text is traced in pieces: a conversation, or a very long text."""
    return len(text) > MOST_CHARACTERS or looks_like_conversation(text)


def divide(text: str) -> tuple[tuple[Piece, ...], str]:
    """Divide a conversation into its answers, and any other text into parts.

    Parameters
    ----------
    text
        The text.

    Returns
    -------
    tuple[tuple[Piece, ...], str]
        At least one piece, and a note about them.

    Raises
    ------
    QueryError
        If it is a conversation that cannot be read, or without answers.
    """
    if looks_like_conversation(text):
        pieces = answers(parse_conversation(text))
        return pieces, conversation_text(len(pieces))
    parts = parts_of(text, MOST_CHARACTERS)
    return parts, parts_text(len(parts), len(text))


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
    """Goes from piece to piece.

    Parameters
    ----------
    put
        Called with each piece that is chosen.
    """

    def __init__(self, put: Callable[[Piece], None]) -> None:
        super().__init__(PiecesState())
        self._put = put

    def offer(self, text: str) -> None:
        """Divide a text, and put its first piece into the editor.

        Parameters
        ----------
        text
            The text.

        Raises
        ------
        QueryError
            If it is a conversation that cannot be read, or without answers.
        """
        pieces, note = divide(text)
        self.change(pieces=pieces, number=0, note=note)
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
