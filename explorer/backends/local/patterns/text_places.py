"""Where the hits of a text pattern are, and where they end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.backends.local.patterns.text import ShardTextMatches
from explorer.backends.local.reading import ShardDocuments
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.places import Located
from explorer.core.jobs import CancelToken
from explorer.text.patterns.pattern import Pattern
from explorer.text.patterns.scan import Scanner, scanner
from explorer.text.patterns.vocabulary import CHARACTER
from explorer.text.tokens.tokenizer import TextTokenizer

_ROOM = 16
"""Tokens in which the end of a match is looked for at first."""
_TOGETHER = 1 << 14
"""Hits whose surroundings are read at once."""

Numbers = NDArray[np.int64]


class TextOccurrences:
    """The hits of patterns, numbered by shard, n-gram and rank: see `explorer.backends.protocol.protocol.Occurrences`.

    total: of the numbers; `count`: less hits of subtracted documents and hits that begin in the space that the
    tokenizer puts before each text. sieved: whether some numbers are such hits.
    """

    def __init__(
        self, shards: ShardSet, documents: ShardDocuments, tokenizer: TextTokenizer, matches: ShardTextMatches
    ) -> None:
        self.matches = matches
        self._set = shards
        self._documents = documents
        self._tokenizer = tokenizer
        finds = matches.shards
        # One row per n-gram, over all shards. `sources` of a `Located` are numbers of these rows.
        self._shards = np.repeat(np.arange(len(finds)), [len(found.firsts) for found in finds])
        self._firsts = np.concatenate([found.firsts for found in finds])
        self._lengths = np.concatenate([found.lengths for found in finds])
        self._skipped = np.concatenate([found.skipped for found in finds])
        self._begins = np.concatenate([found.offsets for found in finds])
        sizes = np.concatenate([found.lasts - found.firsts for found in finds])
        self._ends = np.cumsum(sizes)
        # Hit numbers of row i are [_starts[i], _ends[i]).
        self._starts = self._ends - sizes
        self.total = int(sizes.sum())
        self.count = matches.count
        self.sieved = len(shards.subtraction.left_out) > 0 or any(found.artificial for found in finds)

    def locate(self, numbers: Numbers) -> Located:
        """Places of these hits; their ends are not looked for: see `measured`."""
        which = np.searchsorted(self._ends, numbers, side="right")
        ranks = self._firsts[which] + numbers - self._starts[which]
        documents, offsets = np.empty_like(numbers), np.empty_like(numbers)
        shards = self._shards[which]
        for number in np.unique(shards).tolist():
            chosen = np.flatnonzero(shards == number)
            shard, some = self._set.shards[number], which[chosen]
            positions = shard.positions(np.ascontiguousarray(ranks[chosen]))
            # Tokens from the beginning of the n-gram to the one in which the hit begins.
            ahead = self._skipped[some]
            if shard.reversed_text:
                ahead = self._lengths[some] - 1 - ahead
            places = self._set.token_places(number, positions + ahead)
            documents[chosen], offsets[chosen] = places.documents, places.offsets
        return Located(documents, offsets, np.ones_like(numbers), self._begins[which], np.zeros_like(numbers), which)

    def shown(self, located: Located) -> NDArray[np.bool_]:
        """Which of the hits count."""
        return ~(self._set.is_left_out(located.documents) | self._is_artificial(located))

    def _is_artificial(self, located: Located) -> NDArray[np.bool_]:
        """Which hits begin in the space that the tokenizer put before the text."""
        # Only the first byte of a document can be the space that a tokenizer put there.
        found = (located.offsets == 0) & (located.begins == 0)
        if not self._tokenizer.adds_space or not self.sieved:
            return np.zeros(len(located), dtype=np.bool_)
        where = np.flatnonzero(found)
        tokens = self._documents.tokens_at(located.documents[where], located.offsets[where])
        found[where] = [self._tokenizer.artificial_bytes(token) for token in tokens.tolist()]
        return np.asarray(found)

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """Find the ends of hits: those of the longest match at each place.

        Notes
        -----
        For a literal text, a few reads per hit and per n-gram that contains it. For an expression each hit is read as
        text, about ten microseconds.
        """
        if len(self.matches.patterns) == 1 and self.matches.patterns[0].match == "text":
            sizes = self._sizes(located.sources, cancel)
            if (sizes > 0).all():
                return self._by_size(located, sizes)
        found = scanner(self.matches.patterns)
        parts = [
            self._by_reading(located[first : first + _TOGETHER], found, cancel)
            for first in range(0, len(located), _TOGETHER)
        ]
        return Located.join(parts)

    def _sizes(self, sources: Numbers, cancel: CancelToken | None) -> Numbers:
        """Bytes of the text in each of these n-grams, which differ where the same text has several forms; 0 if what is
        after an n-gram decides.
        """
        pattern = self.matches.patterns[0]
        # Usual, and then nothing is read at all.
        size = pattern.size
        if size is not None:
            return np.full(len(sources), size, dtype=np.int64)
        distinct, where = np.unique(sources, return_inverse=True)
        sizes = np.empty(len(distinct), dtype=np.int64)
        for number, source in enumerate(distinct.tolist()):
            if cancel is not None and number % 256 == 0:
                cancel.check()
            sizes[number] = text_size(*self._ngram(source), int(self._begins[source]), pattern)
        return np.asarray(sizes[where])

    def _ngram(self, source: int) -> tuple[bytes, bool]:
        """The bytes of an n-gram from the first token of the text on, and whether the document ends with them."""
        shard, length = self._set.shards[int(self._shards[source])], int(self._lengths[source])
        position = int(shard.positions(self._firsts[source : source + 1])[0])
        stored = shard.stored(position, position + length).tolist()
        tokens = (stored[::-1] if shard.reversed_text else stored)[int(self._skipped[source]) :]
        bytes_of, separator = self._tokenizer.token_bytes, self._set.separator
        return b"".join(bytes_of(token) for token in tokens if token != separator), separator in tokens

    def _by_size(self, located: Located, sizes: Numbers) -> Located:
        """Ends of hits, from their sizes in bytes: tokens are added until they contain these."""
        of_tokens = self._tokenizer.token_sizes
        # Bytes that are still to be covered, counted from the beginning of the first token.
        left = located.begins + sizes
        lengths = np.zeros_like(left)
        while len(active := np.flatnonzero(left > 0)):
            tokens = self._documents.tokens_at(located.documents[active], located.offsets[active] + lengths[active])
            left[active] -= of_tokens[np.minimum(tokens, len(of_tokens) - 1)]
            lengths[active] += 1
        return replace(located, lengths=lengths, rests=-left)

    def _by_reading(self, located: Located, found: Scanner, cancel: CancelToken | None) -> Located:
        """Ends of hits that are looked for in the tokens around each; in more of them where these are not enough."""
        around = range(-CHARACTER, _ROOM)
        # One column per step, so that each read is of many documents at once.
        columns = [self._documents.tokens_at(located.documents, located.offsets + step) for step in around]
        rows = np.stack(columns, axis=1).tolist()
        ends = []
        for number, (row, begin) in enumerate(zip(rows, located.begins.tolist(), strict=True)):
            if cancel is not None and number % 256 == 0:
                cancel.check()
            end = self._end_in(row, begin, found)
            if end is None:
                end = self._end_beyond(int(located.documents[number]), int(located.offsets[number]), begin, found)
            ends.append(end)
        lengths, rests = np.array(ends, dtype=np.int64).reshape(-1, 2).T
        return replace(located, lengths=lengths.copy(), rests=rests.copy())

    def _end_in(self, row: list[int], begin: int, found: Scanner) -> tuple[int, int] | None:
        """Tokens from the hit's first to the end of the match, and bytes of the last one after it.

        row: tokens from CHARACTER before the hit on; separators outside of the document. None where they are too few.
        """
        separator, bytes_of = self._set.separator, self._tokenizer.token_bytes
        before = b"".join(b"" if token == separator else bytes_of(token) for token in row[:CHARACTER])
        after = row[CHARACTER:]
        whole = separator in after
        pieces = list(map(bytes_of, after[: after.index(separator)] if whole else after))
        match = found.longest(before + b"".join(pieces), len(before) + begin, whole=whole)
        # match[1]: the match might continue after the end of these tokens.
        if match is None or (match[1] and not whole):
            return None
        left = match[0] - len(before)
        for number, piece in enumerate(pieces):
            left -= len(piece)
            if left <= 0:
                return number + 1, -left
        raise AssertionError("a match ends beyond its text")

    def _end_beyond(self, document: int, offset: int, begin: int, found: Scanner) -> tuple[int, int]:
        """The same in as many tokens as it takes."""
        separator, room = self._set.separator, 4 * _ROOM
        length = int(self._documents.lengths(np.array([document]))[0])
        while True:
            first = max(0, offset - CHARACTER)
            tokens = self._documents.window(document, first, offset + room).tolist()
            row = [separator] * (CHARACTER - offset + first) + tokens
            if offset + room >= length:
                row.append(separator)
            end = self._end_in(row, begin, found)
            if end is not None:
                return end
            if row[-1] == separator:
                raise AssertionError(f"no match begins at byte {begin} of token {offset} of document {document}")
            # Four times as many each time: the work stays within a third more than that of the last round.
            room *= 4


def text_size(data: bytes, whole: bool, begin: int, pattern: Pattern) -> int:
    """Count the bytes of a literal text that is known to begin somewhere.

    whole: Whether the document ends with them.
    pattern: The text; `data` need not show that a word begins and ends there.
    Returns: The number of bytes; 0 if it depends on what follows.

    Examples
    --------
    >>> text_size("Straße,".encode(), True, 0, Pattern("STRASSE", ignore_case=True))
    7
    """
    text = replace(pattern, whole_words=False)
    # Characters before the place decide about a run of white space only; one that begins there is not divided.
    found = scanner((text,)).longest(data[begin:], 0, whole=whole)
    return 0 if found is None or (found[1] and not whole) else found[0]
