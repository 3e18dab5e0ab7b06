"""Which characters of its document's text an occurrence is."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from functools import lru_cache
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.search.concordance import ConcordanceLine
from explorer.backends.documents.reading import length_of, tokens_of
from explorer.backends.protocol.protocol import Backend
from explorer.text.patterns.vocabulary import CHARACTER
from explorer.text.tokens.decode import character_starts
from explorer.text.tokens.tokenizer import TextTokenizer

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
    Cost: about 20 ns per token, more where tokens cut characters.
    """

    def __init__(self, index: Backend) -> None:
        self._index = index
        self._tokenizer = index.tokenizer
        # Where the blocks of a document begin: token, and characters before it.
        # They are kept for all documents, one pair per block, although the blocks themselves are dropped: a place far
        # inside a long document then costs one block and not all before it.
        self._borders: dict[int, list[tuple[int, int]]] = {}
        # Blocks by document and first token, the least recently used first.
        self._blocks: OrderedDict[tuple[int, int], tuple[Numbers, Numbers]] = OrderedDict()
        self._kept = 0

    def span(self, line: ConcordanceLine) -> tuple[int, int]:
        """Find the characters of a line's match in its document.

        Returns: The first character of the match, and one past its last, in the document's text.
        """
        # `begin` counts the bytes of the first token before the match, `rest` those of the last token after it: a match
        # of text may begin and end within tokens.
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
            # A character can begin in a token before the one in which it ends. It has at most CHARACTER bytes, so that
            # many tokens before are enough.
            run = tokens_of(self._index, document, token - CHARACTER, token + 1).tolist()
            pieces = [self._tokenizer.token_bytes(one) for one in run]
            data = b"".join(pieces[:-1])
            places = character_starts(data + pieces[-1][:byte])
            # Characters that begin before this token are in `before` already; only those that begin within it, and
            # before the byte, are added.
            found += int(np.count_nonzero(places >= len(data)))
        # A place within the bytes that the text leaves out is before its first character.
        return max(0, found)

    def _block(self, document: int, token: int) -> tuple[Numbers, Numbers, int]:
        """The block with a token (or the document's end): its tokens, the characters before each, its first token."""
        # Negative: every count of the document is less by the characters that its tokens have and its text has not.
        borders = self._borders.get(document) or [(0, -self._left_out(document))]
        number = bisect_right(borders, token, key=itemgetter(0)) - 1
        while True:
            first, characters = borders[number]
            tokens, before = self._read(document, first)
            # The place after a block's last token belongs to the next block, unless the document ends there.
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
            # A block that ended inside a character would count it twice, or not at all. The loop ends soon: characters
            # have four bytes at most, except in damaged text, where a block may grow to the document's size.
            while len(tokens) == room and not self._ends_between_characters(document, first + room):
                room += BLOCK
                tokens = tokens_of(self._index, document, first, first + room)
            self._keep(key, tokens)
        self._blocks.move_to_end(key)
        return self._blocks[key]

    def _keep(self, key: tuple[int, int], tokens: Numbers) -> None:
        self._blocks[key] = tokens, self._added_up(tokens)
        self._kept += len(tokens)
        # The block in use stays, even if it is larger than the limit by itself.
        while self._kept > _KEPT and len(self._blocks) > 1:
            _, (dropped, _) = self._blocks.popitem(last=False)
            self._kept -= len(dropped)

    def _ends_between_characters(self, document: int, token: int) -> bool:
        following = tokens_of(self._index, document, token, token + 1)
        begins = tables(self._tokenizer)[1]
        # Ids from other tokenizers can be larger than the table, whose last row is for all of them.
        return not len(following) or bool(begins[min(int(following[0]), len(begins) - 1)])

    def _added_up(self, tokens: Numbers) -> Numbers:
        """Characters before each token, and of all of them."""
        counts, begins = tables(self._tokenizer)
        # Most tokens hold whole characters, and one lookup counts them. Only runs that cut characters are decoded.
        known = np.minimum(tokens, len(counts) - 1)
        found, begin = counts[known], begins[known]
        joined = ~begin
        if joined.any():
            # A token that continues a character is counted together with all from the last one that begins one.
            latest = np.maximum.accumulate(np.where(begin, np.arange(len(begin)), 0))
            joined[latest[joined]] = True
            # Different runs are decoded as one text. A run begins with the beginning of a character, so none joins the
            # run before it.
            pieces = [self._tokenizer.token_bytes(token) for token in tokens[joined].tolist()]
            at = np.cumsum([0, *map(len, pieces)])
            found[joined] = np.diff(np.searchsorted(character_starts(b"".join(pieces)), at, side="left"))
        return np.concatenate([[0], np.cumsum(found)])

    def _left_out(self, document: int) -> int:
        """Characters at the beginning of a document's tokens that are not in its text."""
        tokens = tokens_of(self._index, document, 0, CHARACTER).tolist()
        # The space that the tokenizer puts before a text is a token's byte but not a character of the text.
        if tokens and self._tokenizer.artificial_bytes(tokens[0]):
            return 1
        # A document can begin with the rest of a character if its tokens were cut; decoding leaves these bytes out, at
        # most three of them.
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
