"""A second kind of backend: documents as Python lists, and every answer by plain loops.

It proves that nothing above the seam needs shards, ranks or the engine, and it is the slow reference that other
backends are compared with. Hits are numbered in the order of documents and offsets.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
from list_ngrams import grown, listed, shared
from list_repeats import profiled, repeated
from list_text import TextHits
from list_words import lines_alike, ranks_of_words
from numpy.typing import NDArray

from explorer.backends.defaults.hints import hints_by_counts
from explorer.backends.metadata import flat_metadata
from explorer.backends.places import Located, Places
from explorer.backends.protocol.protocol import (
    Capabilities,
    Cut,
    FieldNames,
    Followed,
    GrowthRule,
    HintArrays,
    HintRule,
    Holding,
    Ids,
    Level,
    LocalFacts,
    Matches,
    NextTokens,
    NgramGrowth,
    NgramList,
    NgramRows,
    NgramRule,
    Numbers,
    Part,
    RepeatPiece,
    RepeatProfile,
    Subtracted,
    TextMatches,
)
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import QueryError, TokenizerError
from explorer.text.patterns.automaton import Automaton
from explorer.text.patterns.pattern import Pattern, any_of
from explorer.text.tokens.tokenizer import TextTokenizer

_NOTHING = -1
"""Between tokens of which none follows the other."""


@dataclass(frozen=True)
class Contents:
    """What a `ListBackend` holds.

    volumes: documents as lists of token ids, grouped so that nothing follows the last document of a group. metadata:
    one dictionary per document, in the order of all volumes.
    """

    volumes: Sequence[Sequence[Sequence[int]]]
    metadata: Sequence[dict[str, Any]]
    separator: int
    tokenizer: TextTokenizer | None = None
    name: str = "lists"
    remark: str = ""
    fields: FieldNames | None = None
    source: str = ""


class _Stream:
    """All remaining documents one after the other, each after its separator.

    Where a document was left out, the text is interrupted, but a document before the gap is still followed by the next
    one's separator: as the last token of an n-gram only, since that separator is also where it belongs.
    """

    def __init__(self, contents: Contents, left_out: frozenset[int]) -> None:
        self.tokens: list[int] = []
        self.document_at: list[int] = []
        self.first_of: dict[int, int] = {}
        self.places_of: dict[int, list[int]] = {}
        number = 0
        for volume in contents.volumes:
            numbers = range(number, number + len(volume))
            self._add_volume(dict(zip(numbers, volume, strict=True)), left_out, contents.separator)
            number += len(volume)

    def _add_volume(self, volume: dict[int, Sequence[int]], left_out: frozenset[int], separator: int) -> None:
        remaining = [number for number in volume if number not in left_out]
        for number, following in zip_longest(remaining, remaining[1:]):
            self.first_of[number] = len(self.tokens) + 1
            for token in (separator, *volume[number]):
                self.places_of.setdefault(token, []).append(len(self.tokens))
                self._append(number, token)
            if following != number + 1:
                gap = (_NOTHING,) if following is None else (separator, _NOTHING)
                for token in gap:
                    self._append(number, token)

    def _append(self, number: int, token: int) -> None:
        self.tokens.append(token)
        self.document_at.append(number)

    def places(self, ids: Sequence[int]) -> list[int]:
        """Positions of an n-gram, ascending; the empty one is at every token."""
        if not ids:
            return sorted(place for places in self.places_of.values() for place in places)
        size, wanted = len(ids), list(ids)
        return [at for at in self.places_of.get(ids[0], []) if self.tokens[at : at + size] == wanted]

    def following(self, ids: Sequence[int]) -> Counter[int]:
        """What follows an n-gram, with counts."""
        after = (self.tokens[at + len(ids)] for at in self.places(ids))
        return Counter(token for token in after if token != _NOTHING)

    def longest(self, ids: Sequence[int]) -> int:
        """Length of the longest prefix that occurs."""
        places, length = self.places_of.get(ids[0], []), 0
        while places and length < len(ids):
            length += 1
            if length < len(ids):
                places = [at for at in places if self.tokens[at + length] == ids[length]]
        return length


class ListBackend:
    """An index of documents in lists; left_out: numbers of documents that are not in it."""

    asks_elsewhere = False

    def __init__(self, contents: Contents, left_out: frozenset[int] = frozenset()) -> None:
        self._contents = contents
        self._left_out = left_out
        self._documents = [list(document) for volume in contents.volumes for document in volume]
        self._stream = _Stream(contents, left_out)
        self._text = TextHits(self)

    # --- what it is ----------------------------------------------------------------------------

    # Loops need no parts: one object answers the questions of all four topics.

    @property
    def counts(self) -> ListBackend:
        return self

    @property
    def hits(self) -> ListBackend:
        return self

    @property
    def documents(self) -> ListBackend:
        return self

    @property
    def lists(self) -> ListBackend:
        return self

    @property
    def name(self) -> str:
        return self._contents.name

    @property
    def fingerprint(self) -> str:
        known = (self._documents, sorted(self._left_out), list(self._contents.metadata), self.separator)
        return hashlib.sha256(repr(known).encode()).hexdigest()

    @property
    def sources(self) -> tuple[str, ...]:
        return (self._contents.source or self.name,)

    @property
    def subtracted(self) -> Subtracted:
        return Subtracted()

    def holdings(self) -> tuple[Holding, ...]:
        return ()

    @property
    def missing(self) -> tuple[str, ...]:
        return ()

    @property
    def remark(self) -> str:
        return self._contents.remark

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities()

    @property
    def local(self) -> LocalFacts | None:
        return None

    @property
    def token_count(self) -> int:
        return sum(self.sizes().tolist())

    @property
    def document_count(self) -> int:
        return len(self._documents) - len(self._left_out)

    @property
    def document_slots(self) -> int:
        return len(self._documents)

    @property
    def separator(self) -> int:
        return self._contents.separator

    @property
    def has_tokenizer(self) -> bool:
        return self._contents.tokenizer is not None

    @property
    def tokenizer(self) -> TextTokenizer:
        if self._contents.tokenizer is None:
            raise TokenizerError(f"No tokenizer is known for {self.name}, so text cannot be searched for or shown.")
        return self._contents.tokenizer

    def check_storage(self) -> None:
        """Lists do not change."""

    # --- counts --------------------------------------------------------------------------------

    def check_ids(self, ids: Ids, allow_empty: bool = False) -> Numbers:
        found = [self._checked(value) for value in _listed(ids)]
        if not found and not allow_empty:
            raise QueryError("The query is empty.", reason="no-tokens-given")
        return np.array(found, dtype=np.int64)

    def _checked(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise QueryError(f"A query must be a sequence of whole numbers (token ids), not {value!r}.")
        if not 0 <= value <= self.separator:
            message = f"Token id {value!r} is out of range: the ids of this index are 0 to {self.separator}."
            raise QueryError(message)
        return int(value)

    def _ids(self, ids: Ids) -> list[int]:
        checked: list[int] = self.check_ids(ids, allow_empty=True).tolist()
        return checked

    def count(self, ids: Ids) -> int:
        return len(self._stream.places(self._ids(ids)))

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        before = self._ids(context)
        return self.count(before), self.count([*before, *self._ids([token])])

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        before = self._ids(context)
        length = self.longest_suffix(before)
        return length, *self.continuation(before[len(before) - length :], token)

    def longest_suffix(self, context: Ids) -> int:
        ids = self._ids(context)
        return next(size for size in range(len(ids), -1, -1) if not size or self.count(ids[len(ids) - size :]))

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        ids = self._ids(context)
        ids = ids[len(ids) - self.longest_suffix(ids) :] if backoff else ids
        places = self._stream.places(ids)
        if limit is not None and limit < 1:
            raise QueryError("limit must be at least 1 occurrence, not {limit}.", reason="bad-limit", limit=limit)
        if limit is None or len(places) <= limit:
            return _next_tokens(self._stream.following(ids), len(places), len(ids))
        spread = [places[number * len(places) // limit] for number in range(limit)]
        after = (self._stream.tokens[at + len(ids)] for at in spread)
        sample = Counter(self.separator if token == _NOTHING else token for token in after)
        return _next_tokens(sample, len(places), len(ids), limit)

    def count_many(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> Numbers:
        _check(cancel)
        text = self._ids(ids)
        pairs = zip(starts.tolist(), ends.tolist(), strict=True)
        return np.array([len(self._stream.places(text[start:end])) for start, end in pairs], dtype=np.int64)

    def followers(
        self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Numbers]:
        _check(cancel)
        text = self._ids(ids)
        found = [
            self._stream.following(text[start:end]) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
        for each in found:
            each.pop(self.separator, None)
        return (
            np.array([sum(each.values()) for each in found], dtype=np.int64),
            np.array([len(each) for each in found], dtype=np.int64),
        )

    def levels(
        self, context: Ids, least: int, most: int | None, selective: bool, cancel: CancelToken | None = None
    ) -> tuple[tuple[Level, ...], bool]:
        _check(cancel)
        ids = self._ids(context)
        found: list[Level] = []
        longest = self.longest_suffix(ids)
        for size in range(longest, least - 1, -1):
            suffix = ids[len(ids) - size :]
            after = self._stream.following(suffix)
            after.pop(self.separator, None)
            before = found[-1].followed if found and selective and size else 0
            if after.total() > before:
                ends = len(self._stream.places(suffix)) - after.total() if size else 0
                tokens = sorted(after)
                found.append(Level(size, np.array(tokens), np.array([after[token] for token in tokens]), ends))
        is_end = longest > 0 and (not found or found[0].length < longest)
        return tuple(found[:most]), is_end

    def greedy(self, context: Ids, most: int, least: float, cancel: CancelToken | None = None) -> tuple[int, list[int]]:
        _check(cancel)
        ids = self._ids(context)
        match = self.longest_suffix(ids)
        suffix, tokens, product = ids[len(ids) - match :], list[int](), 1.0
        while match and len(tokens) < min(most, match):
            after = self._stream.following([*suffix, *tokens])
            best = min(after, key=lambda token: (-after[token], token), default=self.separator)
            product *= after[best] / max(1, after.total())
            if best == self.separator or product < least:
                break
            tokens.append(best)
        return match, tokens

    def hints(
        self,
        ids: Numbers,
        places: Numbers,
        begins: Numbers,
        numbers: Numbers,
        rule: HintRule,
        cancel: CancelToken | None = None,
    ) -> HintArrays:
        return hints_by_counts(self, self.separator, ids, places, begins, numbers, rule, cancel)

    def ngrams(
        self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
    ) -> tuple[NgramList, ...]:
        _check(cancel)
        return listed((self._documents[number] for number in self.numbers().tolist()), rule, self.separator)

    def ngram_rows(
        self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
    ) -> Iterator[NgramRows]:
        # One row at a time: whoever asks must not depend on how many come together.
        [found] = self.ngrams(rule, report, cancel)
        for row in range(len(found.ids)):
            some = slice(row, row + 1)
            yield NgramRows(
                found.ids[some], found.counts[some], None if found.documents is None else found.documents[some]
            )

    def shared_prefixes(self, report: Report = no_report, cancel: CancelToken | None = None) -> Numbers:
        return shared(self._own_documents(cancel))

    def growth(self, rule: GrowthRule, report: Report = no_report, cancel: CancelToken | None = None) -> NgramGrowth:
        return grown(self._own_documents(cancel), rule)

    def repeats(
        self, least: int, report: Report = no_report, cancel: CancelToken | None = None
    ) -> Iterator[RepeatPiece]:
        yield repeated(self._own_documents(cancel), self.numbers(), least)

    def repeat_profile(
        self,
        least: int,
        report: Report = no_report,
        cancel: CancelToken | None = None,
        preferred: NDArray[np.bool_] | None = None,
    ) -> RepeatProfile:
        return profiled(self._own_documents(cancel), self.numbers(), least, preferred)

    def _own_documents(self, cancel: CancelToken | None) -> list[list[int]]:
        _check(cancel)
        return [list(self._documents[number]) for number in self.numbers().tolist()]

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> Numbers:
        _check(cancel)
        text = self._ids(ids)
        return np.array([self._stream.longest(text[start:]) for start in range(len(text))], dtype=np.int64)

    def followed(
        self, ids: Ids, orders: Sequence[int | None], longest: Numbers | None = None, cancel: CancelToken | None = None
    ) -> tuple[Followed, ...]:
        _check(cancel)
        text = self._ids(ids)
        known = self.longest_matches(text) if longest is None else longest
        return tuple(self._followed(text, order, known.tolist()) for order in orders)

    def _followed(self, text: list[int], order: int | None, longest: list[int]) -> Followed:
        starts, context, continuation, sparse = [], [], [], []
        start = 0
        for end, token in enumerate(text):
            # The context of a token begins where that of the token before it does, or later.
            while start < end and (start + longest[start] < end or (order is not None and end - start >= order)):
                start += 1
            before = text[start:end]
            following = self._stream.following(before)
            starts.append(start)
            context.append(self.count(before))
            continuation.append(self.count([*before, token]))
            sparse.append(len(following) == 1)
        firsts, before_it, with_it = (np.array(column, dtype=np.int64) for column in (starts, context, continuation))
        return Followed(firsts, before_it, with_it, np.array(sparse, dtype=np.bool_))

    # --- occurrences ---------------------------------------------------------------------------

    def find(self, ids: Ids) -> Matches:
        checked = self._ids(ids)
        return Matches(tuple(checked), self.count(checked))

    def find_text(self, *patterns: Pattern, cancel: CancelToken | None = None) -> TextMatches:
        _check(cancel)
        # Refuses what has no meaning, such as a pattern that matches nothing at every place.
        Automaton(any_of(patterns))
        return TextMatches(patterns, len(self._text.find(patterns)))

    def occurrences(self, parts: Sequence[Part]) -> ListOccurrences:
        texts = [part for part in parts if isinstance(part, TextMatches)]
        if texts and len(parts) > 1:
            raise ValueError("several text patterns are one: see `find_text`")
        if texts:
            return ListOccurrences(self._text.find(texts[0].patterns))
        ngrams = [part.ids for part in parts if isinstance(part, Matches)]
        return ListOccurrences([row for ids in _distinct(ngrams) for row in self._rows(ids)], is_text=False)

    def _rows(self, ids: Sequence[int]) -> list[tuple[int, int, int, int, int]]:
        """Document, offset, length, begin and rest of each occurrence."""
        return [(*self._place(at), len(ids), 0, 0) for at in self._stream.places(ids)]

    def _place(self, at: int) -> tuple[int, int]:
        document = self._stream.document_at[at]
        return document, at - self._stream.first_of[document]

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        _check(cancel)
        text, found = self._ids(ids), []
        for number, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
            places = self._stream.places(text[start:end])
            if len(places) > most:
                places = [places[i] for i in sorted(random.Random(seed).sample(range(len(places)), most))]
            found += [(number, *self._place(at)) for at in places]
        which, documents, offsets = _columns(found, 3)
        return which, Places(documents, offsets)

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        _check(cancel)
        pairs = zip(places.documents.tolist(), places.offsets.tolist(), strict=True)
        return np.array([self._is_near(*pair, ngrams, distance) for pair in pairs], dtype=np.bool_)

    def _is_near(self, document: int, offset: int, ngrams: Sequence[Sequence[int]], distance: int) -> bool:
        tokens = self._documents[document]
        around = range(max(0, offset - distance), offset + distance + 1)
        return any(tokens[at : at + len(ngram)] == list(ngram) for ngram in ngrams for at in around)

    def word_ranks(self, located: Located, number: int, cancel: CancelToken | None = None) -> Numbers:
        _check(cancel)
        return ranks_of_words(self, located, number)

    def surroundings(self, located: Located, width: int, cancel: CancelToken | None = None) -> NDArray[np.uint64]:
        _check(cancel)
        return lines_alike(self, located, int(width))

    def cuts(self, matches: TextMatches, cancel: CancelToken | None = None) -> tuple[Cut, ...]:
        _check(cancel)
        rows = self._text.find(matches.patterns)
        counts = Counter((tuple(self._documents[d][at : at + n]), begin) for d, at, n, begin, _ in rows)
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return tuple(Cut(tokens, begin, count) for (tokens, begin), count in ordered)

    # --- documents -----------------------------------------------------------------------------

    def numbers(self) -> Numbers:
        kept = [number for number in range(self.document_slots) if number not in self._left_out]
        return np.array(kept, dtype=np.int64)

    def sizes(self) -> Numbers:
        sizes = [0 if n in self._left_out else 1 + len(ids) for n, ids in enumerate(self._documents)]
        return np.array(sizes, dtype=np.int64)

    def check(self, number: int) -> None:
        if not 0 <= number < self.document_slots:
            message = f"There is no document {number:,}: documents are numbered 0 to {self.document_slots - 1:,}."
            raise QueryError(message)
        if number in self._left_out:
            message = f"Document {number:,} has been subtracted and is not shown."
            raise QueryError(message)

    def document(self, number: int) -> list[int]:
        """The tokens of a document, for the loops of this backend."""
        self.check(number)
        return self._documents[number]

    def lengths(self, documents: Numbers) -> Numbers:
        return np.array([len(self.document(number)) for number in documents.tolist()], dtype=np.int64)

    def windows(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> list[Numbers]:
        rows = zip(documents.tolist(), firsts.tolist(), lasts.tolist(), strict=True)
        parts = [self.document(number)[max(0, first) : max(0, first, last)] for number, first, last in rows]
        return [np.array(part, dtype=np.int64) for part in parts]

    def tokens_at(self, documents: Numbers, offsets: Numbers) -> Numbers:
        rows = zip(documents.tolist(), offsets.tolist(), strict=True)
        return np.array([self._token_at(number, at) for number, at in rows], dtype=np.int64)

    def _token_at(self, number: int, at: int) -> int:
        tokens = self._documents[number]
        return tokens[at] if 0 <= at < len(tokens) else self.separator

    def metadata(self, documents: Numbers) -> list[dict[str, Any]]:
        for number in documents.tolist():
            self.check(number)
        return [dict(self._contents.metadata[number]) for number in documents.tolist()]

    def field_names(self) -> FieldNames:
        if self._contents.fields is not None:
            return self._contents.fields
        return FieldNames(tuple(dict.fromkeys(self._every_field())), complete=True)

    def has_field(self, name: str, cancel: CancelToken | None = None) -> bool:
        _check(cancel)
        return name in self._every_field()

    def _every_field(self) -> Iterable[str]:
        return (name for record in self._contents.metadata for name in flat_metadata(record))

    def like(self, number: int) -> list[int]:
        wanted = self.document(number)
        return [other for other in self.numbers().tolist() if self._documents[other] == wanted]

    def without(self, documents: Sequence[int], cancel: CancelToken | None = None) -> ListBackend:
        _check(cancel)
        more = frozenset(copy for number in documents for copy in self.like(number))
        return ListBackend(self._contents, self._left_out | more) if more else self

    def within(self, documents: Numbers, cancel: CancelToken | None = None) -> ListBackend:
        _check(cancel)
        return ListBackend(
            self._contents, frozenset(self.numbers().tolist()) - set(documents.tolist()) | self._left_out
        )


class ListOccurrences:
    """Hits as rows of document, offset, length, begin and rest."""

    def __init__(self, rows: Sequence[tuple[int, int, int, int, int]], is_text: bool = True) -> None:
        self._rows = rows
        self._is_text = is_text
        self._ends = {(d, at, begin): (length, rest) for d, at, length, begin, rest in rows} if is_text else {}

    @property
    def total(self) -> int:
        return len(self._rows)

    @property
    def count(self) -> int:
        return len(self._rows)

    @property
    def sieved(self) -> bool:
        return False

    def locate(self, numbers: Numbers) -> Located:
        chosen = [self._rows[number] for number in numbers.tolist()]
        if self._is_text:
            chosen = [(document, offset, 1, begin, 0) for document, offset, _, begin, _ in chosen]
        documents, offsets, lengths, begins, rests = _columns(chosen, 5)
        return Located(documents, offsets, lengths, begins, rests, np.zeros(len(numbers), dtype=np.int64))

    def shown(self, located: Located) -> NDArray[np.bool_]:
        return np.ones(len(located), dtype=np.bool_)

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        _check(cancel)
        if not self._is_text:
            return located
        keys = zip(located.documents.tolist(), located.offsets.tolist(), located.begins.tolist(), strict=True)
        lengths, rests = _columns([self._ends[key] for key in keys], 2)
        return Located(located.documents, located.offsets, lengths, located.begins, rests, located.sources)


def _next_tokens(counts: Counter[int], count: int, length: int, sample_size: int = 0) -> NextTokens:
    pairs = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    tokens, times = _columns(pairs, 2)
    return NextTokens(tokens, times, count, length, exact=not sample_size, sample_size=sample_size)


def _columns(rows: Sequence[Sequence[int]], count: int) -> tuple[Numbers, ...]:
    array = np.array(rows, dtype=np.int64).reshape(-1, count)
    return tuple(np.ascontiguousarray(array[:, number]) for number in range(count))


def _distinct(ngrams: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Without those that extend, or equal, another one."""
    kept: list[tuple[int, ...]] = []
    for ids in sorted(ngrams, key=len):
        if not any(ids[: len(other)] == other for other in kept):
            kept.append(ids)
    return sorted(kept, key=list(ngrams).index)


def _listed(ids: Ids) -> list[Any]:
    """The values one by one; raises QueryError for what is not a flat sequence."""
    if isinstance(ids, np.ndarray) and ids.dtype.kind not in "iuO":
        message = f"A query must be a sequence of whole numbers (token ids), not {ids.dtype} values."
        raise QueryError(message)
    try:
        return ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
    except TypeError as error:
        message = f"A query must be a sequence of whole numbers (token ids), not {ids!r}."
        raise QueryError(message) from error


def _check(cancel: CancelToken | None) -> None:
    if cancel is not None:
        cancel.check()
