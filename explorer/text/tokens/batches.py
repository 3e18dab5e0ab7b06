"""Many texts at once: in groups whose tokens fit into memory, and with what was tokenized before where that helps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
import tokenizers
from numpy.typing import NDArray

from explorer.text.tokens.chunks import ChunkEncoder
from explorer.text.tokens.long_texts import PIECE, cut_long
from explorer.text.tokens.seams import seams_of

_AT_ONCE = 4 * PIECE
"""Characters that are encoded at a time: enough for all cores, and little enough for their memory."""

_WORTH = 50_000
"""Characters for which it is worth while to look for words that were tokenized before."""


class BatchEncoder:
    """Tokenizes many texts with a tokenizer of the `tokenizers` library.

    sizes: Gives the bytes of text that each id represents.
    adds_space: Whether it puts a space before each text.
    """

    def __init__(self, backend: tokenizers.Tokenizer, sizes: Callable[[], NDArray[np.int64]], adds_space: bool) -> None:
        self._backend, self._sizes, self._adds_space = backend, sizes, adds_space

    @cached_property
    def chunks(self) -> ChunkEncoder | None:
        """Looks for words that were tokenized before; None if it is not known how the tokenizer cuts texts."""
        seams = seams_of(self._backend)
        return ChunkEncoder(self._backend, seams, self._sizes()) if seams.starters else None

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Tokenize texts, on all cores.

        texts: The texts, without surrogates. Those over 64,000 characters are tokenized piece by piece (see
            `long_texts`).
        """
        found: list[NDArray[np.int64]] = []
        for group in _groups(texts):
            # A long text is a group of its own, so the first one decides.
            found += self._encode_all(group) if len(group[0]) <= PIECE else [self._encode_long(group[0])]
        return found

    def _encode_all(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        if sum(map(len, texts)) >= _WORTH and self.chunks is not None:
            return self.chunks.encode_batch(texts)
        batch = self._backend.encode_batch_fast([*texts], add_special_tokens=False)
        return [np.array(encoding.ids, dtype=np.int64) for encoding in batch]

    def _encode_long(self, text: str) -> NDArray[np.int64]:
        # Four bytes per id until all are known: the ids take most of the memory of a long text.
        parts: list[NDArray[np.uint32]] = []
        for group in _groups(cut_long(text, self._adds_space)):
            parts += [ids.astype(np.uint32) for ids in self._encode_all(group)]
        return np.concatenate(parts, dtype=np.int64)


def _groups(texts: Iterable[str]) -> Iterator[list[str]]:
    """The texts in order, in batches whose tokens fit into memory; a long text is a batch of its own."""
    group: list[str] = []
    size = 0
    for text in texts:
        if group and (size + len(text) > _AT_ONCE or len(text) > PIECE):
            yield group
            group, size = [], 0
        group.append(text)
        size += len(text)
        if len(text) > PIECE:
            yield group
            group, size = [], 0
    if group:
        yield group
