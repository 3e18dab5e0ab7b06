"""What precedes occurrences: the character before them, or the space that a tokenizer put before a document.

Where the first token does not tell, there are two ways, both exact. Either the tokens before each occurrence are read,
or the n-gram is looked up with every token before it that ends with a character of a wanted kind. The first takes as
long as there are occurrences, the second as the vocabulary is large, whatever the size of the corpus; each n-gram takes
the shorter one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.backends.local.patterns.text_ranges import Finds
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.index.shard import MappedShard
from explorer.text.patterns.kinds import KINDS, OTHER
from explorer.text.patterns.vocabulary import CHARACTER, UNKNOWN, Vocabulary, last_kind
from explorer.text.tokens.tokenizer import TextTokenizer

READS_PER_LOOK_UP = 8
"""Occurrences that are read in the time in which an n-gram with one token before it is looked up."""

_AT_ONCE = 1 << 20
"""Occurrences that are read at a time."""


@dataclass(frozen=True, eq=False)
class Ranges(ArrayValue):
    """Rank ranges in one shard: of each token, then of the separator.

    opening_firsts, opening_lasts: of the separator followed by each token (not in a reversed shard).
    """

    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    opening_firsts: NDArray[np.int64]
    opening_lasts: NDArray[np.int64]


def read_ranges(shard: MappedShard, token_count: int, cancel: CancelToken | None = None) -> Ranges:
    """Look up every token of a vocabulary in a shard."""
    flag = cancel.flag if cancel else None
    separator = shard.separator
    # A vocabulary may have ids that this width cannot store; these never occur.
    tokens = np.arange(min(token_count, separator), dtype=np.int64)
    # The query of a reversed shard is turned round; here each token is a query of its own.
    query = shard.query_bytes(np.append(tokens, separator)[:: -1 if shard.reversed_text else 1])
    numbers = np.arange(len(tokens) + 1, dtype=np.int64)
    with shard.guarded() as engine:
        found = engine.find_many(query, numbers, numbers + 1, flag)
        firsts, lasts = (np.zeros(token_count + 1, dtype=np.int64) for _ in range(2))
        for whole, some in zip((firsts, lasts), found, strict=True):
            whole[: len(tokens)], whole[token_count] = some[:-1], some[-1]
        opening_firsts, opening_lasts = np.zeros_like(firsts), np.zeros_like(lasts)
        if not shard.reversed_text:
            first, last = int(firsts[token_count]), int(lasts[token_count])
            # What follows a separator begins a document. In a reversed shard it ends one.
            opening, counts = engine.next_tokens(first, last, 1, flag)
            known = opening < len(tokens)
            # A separator at the very end of the text is followed by nothing, and is the first of all.
            ends = last - int(counts.sum()) + np.cumsum(counts)
            opening_firsts[opening[known]], opening_lasts[opening[known]] = (ends - counts)[known], ends[known]
    return Ranges(firsts, lasts, opening_firsts, opening_lasts)


@dataclass(frozen=True, eq=False)
class Ngrams(ArrayValue):
    """N-grams before whose occurrences the kind of the character matters, as arrays of one length.

    firsts, lasts, lengths, skipped, offsets: as in `Finds`. needs: the wanted kinds, a bit for each. prefixes: which of
    `texts` is between the tokens before the n-gram and the occurrence; these bytes begin no character. spaced: whether
    the occurrence begins with a space that is artificial where a document begins with the n-gram.
    """

    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    skipped: NDArray[np.int64]
    offsets: NDArray[np.int64]
    needs: NDArray[np.int64]
    prefixes: NDArray[np.int64]
    spaced: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.firsts)

    def __getitem__(self, which: NDArray[np.bool_] | NDArray[np.int64] | slice) -> Ngrams:
        return Ngrams(*(getattr(self, item.name)[which] for item in fields(self)))


class Preceding:
    """Keeps those occurrences in one shard before which a character of a wanted kind is.

    texts: what the prefixes of `Ngrams` are; the first is empty.
    """

    def __init__(
        self,
        shard: MappedShard,
        tokenizer: TextTokenizer,
        vocabulary: Vocabulary,
        ranges: Ranges,
        texts: list[bytes],
        cancel: CancelToken | None,
    ) -> None:
        self.shard = shard
        self.tokenizer = tokenizer
        self.vocabulary = vocabulary
        self.ranges = ranges
        self.texts = texts
        self.cancel = cancel
        self.flag = cancel.flag if cancel else None

    def kept(self, ngrams: Ngrams) -> Iterator[Finds]:
        """The occurrences that are wanted; artificial ones are left out."""
        # A single one may be the text's end after fewer tokens than make the occurrence certain: no n-gram to look up.
        most = np.maximum(1, READS_PER_LOOK_UP * self._candidates(ngrams))
        # The cheaper of the two ways, for each n-gram by itself.
        few = ngrams.lasts - ngrams.firsts <= most
        yield from self._read(ngrams[few])
        for number in np.flatnonzero(~few):
            look_up = self._in_runs if self.shard.reversed_text else self._looked_up
            yield from look_up(ngrams[number : number + 1])

    def _candidates(self, ngrams: Ngrams) -> NDArray[np.int64]:
        """How many tokens each n-gram would be looked up with."""
        distinct, which = np.unique(ngrams.prefixes << len(KINDS) | ngrams.needs, return_inverse=True)
        keys = [divmod(key, 1 << len(KINDS)) for key in distinct.tolist()]
        found = [self.vocabulary.before(self.texts[prefix], needs) for prefix, needs in keys]
        sizes = np.array([len(wanted) + len(unclear) for wanted, unclear in found], dtype=np.int64)
        found_sizes: NDArray[np.int64] = sizes[which.reshape(-1)]
        return found_sizes

    # --- looking up ----------------------------------------------------------------------------

    def _looked_up(self, ngram: Ngrams) -> Iterator[Finds]:
        """One n-gram, with each token before it that comes into question."""
        wanted, unclear = self.vocabulary.before(self.texts[int(ngram.prefixes[0])], int(ngram.needs[0]))
        if ngram.spaced[0]:
            # After a separator the space is artificial, so the text does not begin there.
            wanted = wanted[wanted != len(self.vocabulary.last_kinds)]
        tokens = np.concatenate([wanted, unclear])
        ranks, lengths = (np.full(len(tokens), array[0]) for array in (ngram.firsts, ngram.lengths))
        lows, highs = self.ranges.firsts[tokens], self.ranges.lasts[tokens]
        with self.shard.guarded() as engine:
            firsts, lasts = _fastsa.ranges_before(engine, lows, highs, ranks, lengths, self.flag)
        yield from self._with_tokens(ngram, tokens, firsts, lasts, len(wanted))

    def _in_runs(self, ngram: Ngrams) -> Iterator[Finds]:
        """One n-gram of a reversed shard: the token before it is stored after it."""
        wanted, unclear = self.vocabulary.before(self.texts[int(ngram.prefixes[0])], int(ngram.needs[0]))
        first, last = int(ngram.firsts[0]), int(ngram.lasts[0])
        with self.shard.guarded() as engine:
            found, counts = engine.next_tokens(first, last, int(ngram.lengths[0]), self.flag)
        ends = last - int(counts.sum()) + np.cumsum(counts)
        # In the tables of the vocabulary the separator comes after all tokens.
        separator = len(self.vocabulary.last_kinds)
        tokens = np.where(found == self.shard.separator, separator, np.minimum(found, separator)).astype(np.int64)
        # The beginning of a document counts as a character of the kind OTHER.
        at_start = int(ngram.needs[0]) >> OTHER & 1 and not ngram.spaced[0]
        if at_start and counts.sum() < last - first:
            # The text ends after the first of them: nothing is before it.
            yield Finds(ngram.firsts, ngram.firsts + 1, ngram.lengths, ngram.skipped, ngram.offsets)
        plain = np.isin(tokens, wanted) & ~((tokens == separator) & ngram.spaced[0])
        cut = np.isin(tokens, unclear)
        order = np.concatenate([np.flatnonzero(plain), np.flatnonzero(cut)])
        yield from self._with_tokens(ngram, tokens[order], (ends - counts)[order], ends[order], int(plain.sum()))

    def _with_tokens(
        self,
        ngram: Ngrams,
        tokens: NDArray[np.int64],
        firsts: NDArray[np.int64],
        lasts: NDArray[np.int64],
        clear: int,
    ) -> Iterator[Finds]:
        """The ranges of an n-gram with tokens before it, of which the first `clear` ones decide, and the others not."""
        there = np.flatnonzero(firsts < lasts)
        sure = there[there < clear]
        lengths, skipped, offsets = (
            np.full(len(sure), array[0] + more)
            for array, more in ((ngram.lengths, 1), (ngram.skipped, 1), (ngram.offsets, 0))
        )
        yield Finds(firsts[sure], lasts[sure], lengths, skipped, offsets)
        for number in there[there >= clear].tolist():
            yield from self._further(ngram, int(tokens[number]), firsts[number], lasts[number])

    def _further(self, ngram: Ngrams, token: int, first: np.int64, last: np.int64) -> Iterator[Finds]:
        """An n-gram after a token that has but a part of the character before it."""
        prefix = self.tokenizer.token_bytes(token) + self.texts[int(ngram.prefixes[0])]
        ends = np.array([[first], [last]])
        # No character has more bytes: these are not UTF-8, and count as OTHER.
        if len(prefix) >= CHARACTER:
            if int(ngram.needs[0]) >> OTHER & 1:
                yield Finds(ends[0], ends[1], ngram.lengths + 1, ngram.skipped + 1, ngram.offsets)
            return
        # Further back: the n-gram grows by the token, and its bytes become part of the prefix.
        self.texts.append(prefix)
        number = np.array([len(self.texts) - 1])
        no = np.zeros(1, dtype=np.bool_)
        yield from self.kept(
            Ngrams(ends[0], ends[1], ngram.lengths + 1, ngram.skipped + 1, ngram.offsets, ngram.needs, number, no)
        )

    # --- reading -------------------------------------------------------------------------------

    def _read(self, ngrams: Ngrams) -> Iterator[Finds]:
        """The wanted occurrences of n-grams of which there are few, by the tokens before each."""
        ends = np.cumsum(ngrams.lasts - ngrams.firsts)
        start = 0
        while start < len(ngrams):
            # At least one n-gram, also if it alone has more occurrences than are read at once.
            upto = max(start + 1, int(np.searchsorted(ends, (ends[start - 1] if start else 0) + _AT_ONCE)))
            if self.cancel is not None:
                self.cancel.check()
            yield self._read_some(ngrams[start:upto])
            start = upto

    def _read_some(self, ngrams: Ngrams) -> Finds:
        number, ranks = _listed(ngrams.firsts, ngrams.lasts)
        with self.shard.guarded() as engine:
            positions = engine.positions(ranks, self.flag)
        tokens = _tokens_before(self.shard, positions, ngrams.lengths[number])
        kinds = self._kinds(positions, ngrams.lengths[number], ngrams.prefixes[number], tokens)
        kept = (ngrams.needs[number] >> kinds & 1).astype(np.bool_)
        # Directly after a separator the leading space is artificial, so this is not an occurrence.
        kept &= ~(ngrams.spaced[number] & (tokens[:, 0] == self.shard.separator))
        number, ranks = number[kept], ranks[kept]
        # Neighbors of one n-gram are one range again.
        begins = np.flatnonzero((np.diff(ranks, prepend=-2) != 1) | (np.diff(number, prepend=-1) != 0))
        lasts = np.append(ranks, 0)[np.append(begins[1:], len(ranks))[: len(begins)] - 1] + 1
        rows = number[begins]
        return Finds(ranks[begins], lasts, ngrams.lengths[rows], ngrams.skipped[rows], ngrams.offsets[rows])

    def _kinds(
        self,
        positions: NDArray[np.int64],
        lengths: NDArray[np.int64],
        prefixes: NDArray[np.int64],
        tokens: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Kind of the character before each occurrence."""
        known = np.append(self.vocabulary.last_kinds, OTHER)
        kinds = known[np.minimum(tokens[:, 0], len(known) - 1)].astype(np.int64)
        unclear = np.flatnonzero((kinds == UNKNOWN) | (prefixes > 0))
        if len(unclear):
            # Each combination of tokens is decoded once, however many occurrences it precedes.
            rows = np.column_stack([prefixes[unclear], tokens[unclear]])
            distinct, which = np.unique(rows, axis=0, return_inverse=True)
            found = [self._decoded(row) for row in distinct.tolist()]
            kinds[unclear] = np.array(found)[which.reshape(-1)]
            # Tokens without bytes do not count among those that must hold a character.
            for number in np.flatnonzero(kinds == UNKNOWN).tolist():
                kinds[number] = self._far_back(int(positions[number]), int(lengths[number]), int(prefixes[number]))
        return kinds

    def _decoded(self, row: list[int]) -> int:
        """Kind of the character before a prefix and the tokens before it, nearest first; UNKNOWN where they are too few
        bytes to tell.
        """
        data = self.texts[row[0]]
        for token in row[1:]:
            if token == self.shard.separator:
                return last_kind(data)
            data = self.tokenizer.token_bytes(token) + data
        return last_kind(data) if len(data) >= CHARACTER else UNKNOWN

    def _far_back(self, position: int, length: int, prefix: int) -> int:
        data = self.texts[prefix]
        step = -1
        place = np.array([position])
        while len(data) < CHARACTER:
            token = int(_tokens_before(self.shard, place, np.array([length]))[0, 0])
            if token == self.shard.separator:
                break
            data = self.tokenizer.token_bytes(token) + data
            if self.shard.reversed_text:
                length += 1
            else:
                place = place + step
        return last_kind(data)

    # --- the artificial space ------------------------------------------------------------------

    def artificial(self, tokens: NDArray[np.int64], finds: Finds) -> int:
        """Count the documents that begin with some n-grams.

        tokens: The first token of each n-gram, int64.
        finds: The n-grams; nothing in them may be skipped.
        """
        if not len(tokens):
            return 0
        with self.shard.guarded() as engine:
            if self.shard.reversed_text:
                ends = _fastsa.ranges_to_end(
                    engine, finds.firsts, finds.lasts, finds.lengths, self.shard.separator, self.flag
                )
                return int(ends.sum())
            # One that ends with the text is not an n-gram that could be looked up, and is alone.
            single = finds.lasts - finds.firsts == 1
            positions = engine.positions(finds.firsts[single], self.flag)
            firsts, lasts = _fastsa.ranges_before(
                engine,
                self.ranges.opening_firsts[tokens[~single]],
                self.ranges.opening_lasts[tokens[~single]],
                finds.firsts[~single],
                finds.lengths[~single],
                self.flag,
            )
        before = _tokens_before(self.shard, positions, finds.lengths[single])[:, 0]
        return int((lasts - firsts).sum()) + int((before == self.shard.separator).sum())


def _listed(firsts: NDArray[np.int64], lasts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All ranks of some ranges, and the range that each is of."""
    sizes = lasts - firsts
    number = np.repeat(np.arange(len(firsts)), sizes)
    return number, np.arange(len(number)) - np.repeat(np.cumsum(sizes) - sizes - firsts, sizes)


def _tokens_before(shard: MappedShard, positions: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The tokens before each occurrence of an n-gram, nearest first; at a document's beginning the separator."""
    back = np.arange(1, CHARACTER + 1)
    places = positions[:, None] + (lengths[:, None] - 1 + back if shard.reversed_text else -back)
    # Outside of the stored text, position 0 is read and replaced: the array must not be indexed beyond its ends.
    inside = (places >= 0) & (places < len(shard.tokens))
    with shard.guarded():
        tokens: NDArray[np.int64] = shard.tokens[np.where(inside, places, 0)].astype(np.int64)
    tokens[~inside] = shard.separator
    return tokens
