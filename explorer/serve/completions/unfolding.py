"""Text that is written token by token: decoded as it comes, and held back where it may be the beginning of a stop."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from explorer.core.files.encoding import replace_surrogates
from explorer.text.tokens.tokenizer import TextTokenizer

_UNFINISHED = 4
"""Bytes of a character, at most."""


class Unfolding:
    """A text that grows by tokens.

    prompt: Ids before the text: it may begin inside a character of theirs.
    stops: Texts before which it ends.

    Examples
    --------
    >>> text = Unfolding(TextTokenizer.raw_bytes(), [195], ("ab",))
    >>> [text.add(token) for token in (169, 97, 99, 97, 98)]
    [0, 1, 2, 3, 4]
    >>> text.text, text.stopped, text.take()
    ('éacab', 3, 'éac')
    """

    def __init__(self, tokenizer: TextTokenizer, prompt: Sequence[int], stops: Sequence[str] = ()) -> None:
        self._tokenizer, self._stops, self._first = tokenizer, tuple(stops), not prompt
        # Bytes that are not a part of any character become U+FFFD one by one, as everywhere in the program.
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._decoder.decode(b"".join(tokenizer.bytes_of[token] for token in prompt[-_UNFINISHED:]))
        self.text, self._sent = "", 0
        self.stopped: int | None = None

    def add(self, token: int) -> int:
        """Append a token."""
        begin = len(self.text)
        data = self._tokenizer.bytes_of[token]
        if self._first:
            # The space that encoding puts before a text is not a part of it.
            data, self._first = data[self._tokenizer.artificial_bytes(token) :], False
        self.text += replace_surrogates(self._decoder.decode(data))
        found = [at for at in (self.text.find(stop, self._sent) for stop in self._stops) if at >= 0]
        self.stopped = min(found, default=None)
        return begin

    @property
    def safe(self) -> int:
        """The number of characters that are not, and will not become, a part of a stop."""
        if self.stopped is not None:
            return self.stopped
        # Of each stop, the longest beginning that the text ends with.
        held = (
            size
            for stop in self._stops
            for size in range(min(len(stop) - 1, len(self.text) - self._sent), 0, -1)
            if self.text.endswith(stop[:size])
        )
        return len(self.text) - max(held, default=0)

    def take(self, everything: bool = False) -> str:
        """Take what was not taken before.

        everything: Whether nothing follows, so that the beginning of a stop is not one.
        Returns: The characters up to `safe`, or all up to a stop.
        """
        end = len(self.text) if everything and self.stopped is None else self.safe
        taken, self._sent = self.text[self._sent : end], end
        return taken
