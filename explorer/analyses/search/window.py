"""A run of a document's tokens as text, in which places are found to the character."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.backends.documents.reading import decode_ids
from explorer.backends.places import HitPlace
from explorer.backends.protocol.protocol import Backend
from explorer.text.patterns.vocabulary import CHARACTER
from explorer.text.tokens.decode import DecodedText, character_starts


class Window:
    """Tokens of a document from token `first` on, decoded.

    Places are counted in characters of `text`. A place within a token is given by its bytes in it.
    """

    def __init__(self, index: Backend, first: int, tokens: NDArray[np.int64]) -> None:
        self.first = first
        self._index = index
        self._tokens = tokens

    @cached_property
    def decoded(self) -> DecodedText:
        """The text, with the character at which each token begins."""
        # Only a document's first token may begin with the space that the tokenizer put before the text.
        return decode_ids(self._index, self._tokens, begins=self.first == 0)

    @property
    def text(self) -> str:
        """All of it."""
        return self.decoded.text

    def characters_of(self, hit: HitPlace) -> tuple[int, int]:
        """Find the characters of a hit.

        Returns: The first character in the window's text, and one past the last; what is outside the window is cut off.
        """
        last = hit.offset + hit.length - 1
        start = self._character(hit.offset, hit.begin)
        # As a rule a hit ends where a token does, which is where the next one begins.
        if not hit.rest:
            return start, self._character(last + 1, 0)
        return start, self._character(last, len(self._piece(last)) - hit.rest)

    def _piece(self, token: int) -> bytes:
        return self._index.tokenizer.token_bytes(int(self._tokens[token - self.first]))

    def _character(self, token: int, byte: int) -> int:
        """The character that begins `byte` bytes into a token."""
        starts = self.decoded.starts
        # Cut to the window; the last entry of `starts` is the length of the text.
        at = min(max(token - self.first, 0), len(starts) - 1)
        if not byte or at == len(starts) - 1:
            return int(starts[at])
        # A character that begins in an earlier token is not one of this token. Its first bytes have to be known, or its
        # other bytes would count as characters of their own.
        before = b"".join(map(self._piece, range(max(self.first, token - CHARACTER), token)))
        places = character_starts(before + self._piece(token)[:byte])
        # That space is a byte of the token, but not a character of the text.
        artificial = 0 if token else self._index.tokenizer.artificial_bytes(int(self._tokens[0]))
        return int(starts[at]) + int(np.count_nonzero(places >= len(before))) - artificial
