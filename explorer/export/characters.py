"""Which characters of its document's text an occurrence is."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from functools import lru_cache
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol import Backend
from explorer.documents.reading import length_of, tokens_of
from explorer.patterns.vocabulary import CHARACTER
from explorer.search.concordance import ConcordanceLine
from explorer.tokens.decode import character_starts
from explorer.tokens.tokenizer import TextTokenizer

BLOCK = 1 << 16
"""Tokens of a document that are read at a time."""
_KEPT = 1 << 21
"""Tokens of documents that are kept, as 16 bytes each."""
_STRAYS = 3
"""Bytes at the beginning of a document that are left out where they are the rest of a character."""

Numbers = NDArray[np.int64]


class CharacterPlaces:
    """Counts the characters before occurrences, without making the text.

    A document is read from its beginning up to the occurrence, once, as far as the last blocks that were used are kept.
    Cost: some 20 ns per token, more where tokens cut characters.
    """

    def __init__(self, index: Backend) -> None:
        self._index = index
        self._tokenizer = index.tokenizer
        # Where the blocks of a document begin: token, and characters before it.
        self._borders: dict[int, list[tuple[int, int]]] = {}
        self._blocks: OrderedDict[tuple[int, int], tuple[Numbers, Numbers]] = OrderedDict()
        self._kept = 0

    def span(self, line: ConcordanceLine) -> tuple[int, int]:
        """Find the characters of a line's match in its document.

        Parameters
        ----------
        line
            The line.

        Returns
        -------
        tuple[int, int]
            The first character of the match, and one past its last, in the document's text.
        """
        last = line.offset + line.length - 1
        start = self._character(line.document, line.offset, line.begin)
        if not line.rest:
            return start, self._character(line.document, last + 1, 0)
        tokens, _, first = self._block(line.document, last)
        size = len(self._tokenizer.token_bytes(int(tokens[last - first])))
        return start, self._character(line.document, last, size - line.rest)

    def _character(self, document: int, token: int, byte: int) -> int:
        """Characters before a byte of a token of a document."""
        _, before, first = self._block(document, token)
        found = int(before[token - first])
        if byte:
            run = tokens_of(self._index, document, token - CHARACTER, token + 1).tolist()
            pieces = [self._tokenizer.token_bytes(one) for one in run]
            data = b"".join(pieces[:-1])
            places = character_starts(data + pieces[-1][:byte])
            found += int(np.count_nonzero(places >= len(data)))
        return max(0, found)

    def _block(self, document: int, token: int) -> tuple[Numbers, Numbers, int]:
        """The block with a token (or the document's end): its tokens, the characters before each, its first token."""
        borders = self._borders.get(document) or [(0, -self._left_out(document))]
        number = bisect_right(borders, token, key=itemgetter(0)) - 1
        while True:
            first, characters = borders[number]
            tokens, before = self._read(document, first)
            if token - first <= len(tokens) and (token - first < len(tokens) or self._is_end(document, token)):
                return tokens, before + characters, first
            number += 1
            if number == len(borders):
                borders.append((first + len(tokens), characters + int(before[-1])))
                self._borders[document] = borders

    def _is_end(self, document: int, token: int) -> bool:
        return token >= length_of(self._index, document)

    def _read(self, document: int, first: int) -> tuple[Numbers, Numbers]:
        """Tokens from `first` on, up to one at which a character begins; characters before each, and of all."""
        key = (document, first)
        if key not in self._blocks:
            tokens = tokens_of(self._index, document, first, first + BLOCK)
            room = BLOCK
            while len(tokens) == room and not self._ends_between_characters(document, first + room):
                room += BLOCK
                tokens = tokens_of(self._index, document, first, first + room)
            self._keep(key, tokens)
        self._blocks.move_to_end(key)
        return self._blocks[key]

    def _keep(self, key: tuple[int, int], tokens: Numbers) -> None:
        self._blocks[key] = tokens, self._added_up(tokens)
        self._kept += len(tokens)
        while self._kept > _KEPT and len(self._blocks) > 1:
            _, (dropped, _) = self._blocks.popitem(last=False)
            self._kept -= len(dropped)

    def _ends_between_characters(self, document: int, token: int) -> bool:
        following = tokens_of(self._index, document, token, token + 1)
        begins = tables(self._tokenizer)[1]
        return not len(following) or bool(begins[min(int(following[0]), len(begins) - 1)])

    def _added_up(self, tokens: Numbers) -> Numbers:
        """Characters before each token, and of all of them."""
        counts, begins = tables(self._tokenizer)
        known = np.minimum(tokens, len(counts) - 1)
        found, begin = counts[known], begins[known]
        joined = ~begin
        if joined.any():
            # A token that continues a character is counted together with all from the last one that begins one.
            latest = np.maximum.accumulate(np.where(begin, np.arange(len(begin)), 0))
            joined[latest[joined]] = True
            pieces = [self._tokenizer.token_bytes(token) for token in tokens[joined].tolist()]
            at = np.cumsum([0, *map(len, pieces)])
            found[joined] = np.diff(np.searchsorted(character_starts(b"".join(pieces)), at, side="left"))
        return np.concatenate([[0], np.cumsum(found)])

    def _left_out(self, document: int) -> int:
        """Characters at the beginning of a document's tokens that are not in its text."""
        tokens = tokens_of(self._index, document, 0, CHARACTER).tolist()
        if tokens and self._tokenizer.artificial_bytes(tokens[0]):
            return 1
        strays = b"".join(map(self._tokenizer.token_bytes, tokens))[:_STRAYS]
        return len(strays) - len(strays.lstrip(bytes(range(0x80, 0xC0))))


@lru_cache(maxsize=4)
def tables(tokenizer: TextTokenizer) -> tuple[Numbers, NDArray[np.bool_]]:
    """For each token, its characters, and whether it begins with one; the last row is for invalid ids."""
    pieces = [tokenizer.token_bytes(token) for token in range(tokenizer.vocabulary_size + 1)]
    counts = [len(piece.decode("utf-8", "surrogateescape")) for piece in pieces]
    # A token without bytes neither begins nor ends a character.
    begins = [bool(piece) and not 0x80 <= piece[0] < 0xC0 for piece in pieces]
    return np.array(counts, dtype=np.int64), np.array(begins, dtype=np.bool_)
