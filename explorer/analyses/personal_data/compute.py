"""Personal data and secrets in a corpus: the index tells which documents can hold some, and these are read."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.personal_data.kinds import KINDS, REACH, PersonalKind
from explorer.backends.documents.reading import decode_ids, decode_ngrams, tokens_of, whole_documents
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.ranges import Ranges, ranges_of
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError

PIECE = 1 << 14
"""Tokens of a longer document that are read at once, besides those around them."""
_BEFORE = 64
"""Tokens before a piece that are read with it: more than any expression looks back."""
_TOGETHER = 1 << 16
"""Places that are looked up at once."""
_AT_ONCE = 1 << 10
"""Documents that are asked for at once."""
_AROUND, _FAR = 48, 200
"""Characters that are given on each side of a finding, and in which other personal data is looked for."""
_DENSE = 16
"""With more than one place in this number of tokens, reading everything is faster than looking the places up."""

Bits = NDArray[np.uint16]


@dataclass(frozen=True)
class Finding:
    """One piece of personal data.

    kind, detail: Its kind, and the variant of it; "" without.
    token, tokens: The first token that holds some of it, from the document's first, and how many do.
    character: Where it begins, in characters from the document's beginning.
    around: The text before and after it.
    veiled: The same with dots for what looks like personal data of any kind.
    """

    kind: str
    detail: str
    document: int
    token: int
    tokens: int
    character: int
    text: str
    around: tuple[str, str] = ("", "")
    veiled: tuple[str, str] = ("", "")


@dataclass(frozen=True, eq=False)
class PersonalData(ArrayValue):
    """All personal data of some kinds in a corpus.

    kinds: The kind of each finding, as a place in `names`, int8; in the order of the corpus.
    documents, starts, ends: Its document and tokens, int64.
    rows: The first findings with their texts.
    documents_read: How many documents were read.
    """

    names: tuple[str, ...]
    kinds: NDArray[np.int8]
    documents: Numbers
    starts: Numbers
    ends: Numbers
    rows: tuple[Finding, ...]
    documents_read: int

    def __len__(self) -> int:
        return len(self.kinds)

    def ranges(self) -> Ranges:
        """Give the tokens that hold some of it, to be cut."""
        return ranges_of(self.documents, self.starts, self.ends)


def find_personal_data(
    index: Backend,
    kinds: Sequence[str],
    top: int | None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> PersonalData:
    """Find personal data and secrets.

    kinds: Names of `KINDS`, in their order.
    top: How many findings are kept with their texts; None for all.
    Returns: What the expressions find in the texts of all documents, from left to right.
    Raises `TokenizerError` if the index has no tokenizer.

    Notes
    -----
    Cost: reading the documents that hold a core of a kind. Memory: 25 bytes for each finding, 2 for each document, and
    a few megabytes.
    """
    chosen = tuple(KINDS[name] for name in kinds)
    index.tokenizer  # noqa: B018 - refuses before any work
    cancel = cancel or CancelToken()
    marks = _marks(index, chosen, report, cancel)
    numbers = np.flatnonzero(marks)
    found = _Found(chosen, top)
    for done, text in enumerate(_texts(index, numbers, cancel)):
        if not done % 256:
            report(
                Progress("Reading documents", int(np.searchsorted(numbers, text.document)), len(numbers), "documents")
            )
        found.add(text, int(marks[text.document]))
    return found.data(len(numbers))


def veil(text: str) -> str:
    """Put dots in place of the letters and digits of all that looks like personal data, of any kind."""
    found = [
        match.span()
        for kind in KINDS.values()
        for match in kind.expression.finditer(text)
        if kind.check(kind.detail(match), match[0])
    ]
    return _veiled(text, found)


def _veiled(text: str, spans: Sequence[tuple[int, int]]) -> str:
    letters = list(text)
    for start, end in spans:
        letters[start:end] = ["•" if letter.isalnum() else letter for letter in letters[start:end]]
    return "".join(letters)


def _marks(index: Backend, kinds: Sequence[PersonalKind], report: Report, cancel: CancelToken) -> Bits:
    """For each document the kinds that it can hold, as bits."""
    marks = np.zeros(index.document_slots, np.uint16)
    for place, kind in enumerate(kinds):
        report(Progress("Looking for the cores", place, len(kinds), "kinds"))
        _mark(index, kind, marks, np.uint16(1 << place), cancel)
    return marks


def _mark(index: Backend, kind: PersonalKind, marks: Bits, bit: np.uint16, cancel: CancelToken) -> None:
    try:
        matches = index.hits.find_text(*kind.cores, cancel=cancel)
    except QueryError as error:
        if error.reason != "too-broad":
            raise
        marks[index.documents.numbers()] |= bit
        return
    hits = index.hits.occurrences([matches])
    if hits.total * _DENSE > index.token_count:
        marks[index.documents.numbers()] |= bit
        return
    for first in range(0, hits.total, _TOGETHER):
        cancel.check()
        located = hits.locate(np.arange(first, min(first + _TOGETHER, hits.total), dtype=np.int64))
        documents = located.documents[hits.shown(located)] if hits.sieved else located.documents
        marks[documents] |= bit


@dataclass
class _Text:
    """A document, or a piece of a long one.

    Matches that begin at `begin` or later, and before `end`, are of this piece; both are characters of `text`.
    """

    index: Backend
    document: int
    ids: Numbers
    text: str
    begin: int
    end: int
    first: int = 0
    """The document's token that `ids` begin with."""
    character: int = 0
    """The document's character that `text` begins with."""
    is_last: bool = True

    @cached_property
    def _starts(self) -> Numbers:
        # Only texts with a finding need them.
        return decode_ids(self.index, self.ids, begins=self.first == 0).starts[:-1]

    def tokens(self, start: int, end: int) -> tuple[int, int]:
        """The tokens of the document that hold these characters of `text`."""
        low = int(np.searchsorted(self._starts, start, side="right")) - 1
        return self.first + low, self.first + int(np.searchsorted(self._starts, end, side="left"))


def _texts(index: Backend, numbers: Numbers, cancel: CancelToken) -> Iterator[_Text]:
    """The documents in their order, the long ones in pieces."""
    # With their separators.
    sizes = index.documents.sizes()[numbers] - 1
    before = 0
    for place in [*np.flatnonzero(sizes > PIECE).tolist(), len(numbers)]:
        # Each request looks up the lengths of all of its documents: with few of them, the search can be stopped.
        for first in range(before, place, _AT_ONCE):
            for document, ids in whole_documents(index, numbers[first : min(first + _AT_ONCE, place)]):
                cancel.check()
                [text] = decode_ngrams(index, ids[np.newaxis], begins=True)
                yield _Text(index, document, ids, text, 0, len(text))
        if place < len(numbers):
            yield from _pieces(index, int(numbers[place]), int(sizes[place]), cancel)
        before = place + 1


def _pieces(index: Backend, document: int, size: int, cancel: CancelToken) -> Iterator[_Text]:
    """The pieces of a long document, each with what a match that begins in it can reach."""
    done = 0
    for begin in range(0, size, PIECE):
        cancel.check()
        first, end = max(0, begin - _BEFORE), min(begin + PIECE, size)
        # No token is empty but in damaged tokenizers, and matches are of ASCII: a character is a token or less.
        ids = tokens_of(index, document, first, end + REACH)
        decoded = decode_ids(index, ids, begins=first == 0)
        low, high = int(decoded.starts[begin - first]), int(decoded.starts[end - first])
        yield _Text(index, document, ids, decoded.text, low, high, first, done - low, end == size)
        done += high - low


@dataclass
class _Found:
    """What was found so far, and where the search continues in a document of several pieces."""

    kinds: tuple[PersonalKind, ...]
    top: int | None
    rows: list[Finding] = field(default_factory=list)
    columns: tuple[array[int], ...] = field(default_factory=lambda: (array("b"), array("q"), array("q"), array("q")))
    ends: dict[int, int] = field(default_factory=dict)
    """Of each kind the end of the last match, in characters of the document."""

    def add(self, text: _Text, bits: int) -> None:
        """Search a text for some kinds."""
        found: list[tuple[int, int, int, str]] = []
        for place, kind in enumerate(self.kinds):
            if bits >> place & 1:
                found += self._matches(text, place, kind)
        veiled = _veiled(text.text, [(start, end) for start, end, *_ in found]) if found and self._has_room else ""
        for start, end, place, detail in sorted(found):
            self._keep(text, start, end, place, detail, veiled)
        if text.is_last:
            self.ends.clear()

    def _matches(self, text: _Text, place: int, kind: PersonalKind) -> Iterator[tuple[int, int, int, str]]:
        # A match of the piece before may end in this one; what begins within it is not another.
        begin = max(text.begin, self.ends.get(place, 0) - text.character)
        for match in kind.expression.finditer(text.text, begin):
            if match.start() >= text.end:
                break
            self.ends[place] = match.end() + text.character
            detail = kind.detail(match)
            if kind.check(detail, match[0]):
                yield match.start(), match.end(), place, detail

    @property
    def _has_room(self) -> bool:
        return self.top is None or len(self.rows) < self.top

    def _keep(self, text: _Text, start: int, end: int, place: int, detail: str, veiled: str) -> None:
        first, last = text.tokens(start, end)
        for column, value in zip(self.columns, (place, text.document, first, last), strict=True):
            column.append(value)
        if self._has_room:
            tokens, character = last - first, start + text.character
            kind, found = self.kinds[place].name, text.text[start:end]
            # Within the piece: what is found in the next one, or was in the one before, is not veiled here.
            low, high = max(text.begin, start - _AROUND), len(text.text) if text.is_last else text.end
            around = text.text[low:start], text.text[end : min(high, end + _AROUND)]
            left, right = veil(veiled[max(0, start - _FAR) : start]), veil(veiled[end : end + _FAR])
            hidden = left[len(left) - len(around[0]) :], right[: len(around[1])]
            self.rows.append(Finding(kind, detail, text.document, first, tokens, character, found, around, hidden))

    def data(self, documents_read: int) -> PersonalData:
        """Everything that was found."""
        places = np.array(self.columns[0], np.int8)
        documents, starts, ends = (np.array(column, np.int64) for column in self.columns[1:])
        names = tuple(kind.name for kind in self.kinds)
        return PersonalData(names, places, documents, starts, ends, tuple(self.rows), documents_read)
