"""The text of documents that are cut: the original where its file is as it was, else what the tokens spell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.documents.original import files_of
from explorer.backends.documents.reading import records_of, whole_documents
from explorer.backends.metadata import flat_metadata
from explorer.backends.places import Places
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.ranges import Ranges
from explorer.building.sources.readers import ReadOptions, ReadState, SourceDocument, read_documents, source_file
from explorer.core.arrays import ArrayValue
from explorer.core.files.encoding import replace_surrogates
from explorer.core.files.json_text import write_json
from explorer.core.files.streams import inner_name
from explorer.documents.kinds import endings, kinds_of_records
from explorer.errors import CorpusError
from explorer.text.tokens.decode import character_starts

_PAGE = 1_000
"""Documents whose metadata are read at once."""
Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class CutText(ArrayValue):
    """The text of a document, and where cuts between its tokens lie.

    A border inside a character has two places: a cut that begins there begins after the character, and one that ends
    there ends before it.

    begins, ends: The character at which a cut begins or ends that begins or ends before each token, and after the last,
        int64 [tokens + 1].

    Examples
    --------
    >>> text = CutText("the cat", np.array([0, 3, 7]), np.array([0, 3, 7]))
    >>> text.spans(np.array([1]), np.array([2]))
    [(3, 7)]
    """

    text: str
    begins: Numbers
    ends: Numbers

    def spans(self, starts: Numbers, ends: Numbers) -> list[Span]:
        """Find the characters of ranges of tokens.

        starts, ends: The ranges, half-open, ascending and apart, int64.
        Returns: The characters of each that holds a whole one, half-open.
        """
        kept = self.hold(starts, ends)
        first, last = self.begins[starts[kept]], self.ends[ends[kept]]
        return list(zip(first.tolist(), last.tolist(), strict=True))

    def hold(self, starts: Numbers, ends: Numbers) -> NDArray[np.bool_]:
        """Whether each of some ranges of tokens holds a whole character."""
        return self.begins[starts] < self.ends[ends]


@dataclass(frozen=True)
class CutDocument:
    """A document with what is to be cut of it.

    Attributes
    ----------
    number
        Its number in the index.
    record
        Its metadata as the index stores them.
    row
        The text under the name of its field, then all other fields.
    field
        The name of the field with the text.
    text
        The whole text.
    spans
        The characters to cut, half-open, ascending and apart.
    tokens, tokens_cut
        Its tokens, and those of them that are to be cut.
    original
        Whether the text is that of the source, and not what the tokens spell.
    copies
        For each span, the document and its token where what is cut occurs first, or None where that is not known;
        nothing where it was not asked for.
    """

    number: int
    record: dict[str, Any]
    row: dict[str, Any]
    field: str
    text: str
    spans: tuple[Span, ...]
    tokens: int
    tokens_cut: int
    original: bool
    copies: tuple[tuple[int, int] | None, ...] = ()

    @property
    def kept(self) -> str:
        """The text without what is cut."""
        borders = [0, *(place for span in self.spans for place in span), len(self.text)]
        return "".join(self.text[first:last] for first, last in zip(borders[::2], borders[1::2], strict=True))

    def byte_spans(self) -> list[Span]:
        """What is to be cut in bytes of UTF-8 from the beginning of the text."""
        found: list[Span] = []
        at = done = 0
        for first, last in self.spans:
            begin = done + len(self.text[at:first].encode())
            at, done = last, begin + len(self.text[first:last].encode())
            found.append((begin, done))
        return found


@dataclass(frozen=True, eq=False)
class Cuts(ArrayValue):
    """What is to be cut.

    first: For each, where what it begins with occurs first, -1 for nowhere; None if they are not copies.
    """

    ranges: Ranges
    first: Places | None = None

    def copies_of(self, number: int, kept: NDArray[np.bool_]) -> tuple[tuple[int, int] | None, ...]:
        """The first places of some ranges of a document."""
        if self.first is None:
            return ()
        low, high = np.searchsorted(self.ranges.documents, [number, number + 1])
        found = self.first[low:high][kept]
        places = zip(found.documents.tolist(), found.offsets.tolist(), strict=True)
        return tuple(None if place[0] < 0 else place for place in places)


def cut_documents(index: Backend, cuts: Cuts, numbers: Numbers | None = None) -> Iterator[CutDocument]:
    """Yield documents with their texts and what is to be cut.

    numbers: Which documents, ascending; None for all.
    Raises `TokenizerError` if no tokenizer is known.
    """
    originals = _Originals(index)
    wanted = index.documents.numbers() if numbers is None else numbers
    for first in range(0, len(wanted), _PAGE):
        page = wanted[first : first + _PAGE]
        records = records_of(index, page)
        for record, (number, ids) in zip(records, whole_documents(index, page), strict=True):
            yield _document(index, cuts, originals, record, (number, ids))


def _document(
    index: Backend, cuts: Cuts, originals: _Originals, record: dict[str, Any], one: tuple[int, Numbers]
) -> CutDocument:
    number, ids = one
    found = originals.find(number, record, lambda text: _aligned(index, ids, text))
    name, row = ("text", flat_metadata(record)) if found is None else found.row()
    shown = _spelled(index, ids) if found is None else found.text
    starts, ends = cuts.ranges.of_document(number)
    return CutDocument(
        number=number,
        record=record,
        row={name: shown.text, **{key: value for key, value in row.items() if key != name}},
        field=name,
        text=shown.text,
        spans=tuple(shown.spans(starts, ends)),
        tokens=len(ids),
        tokens_cut=int((ends - starts).sum()),
        original=found is not None,
        copies=cuts.copies_of(number, shown.hold(starts, ends)),
    )


def _spelled(index: Backend, ids: Numbers) -> CutText:
    """The text that the tokens spell."""
    known = index.tokenizer.bytes_of
    pieces = [known[token] for token in ids.tolist()]
    if pieces:
        pieces[0] = pieces[0][index.tokenizer.artificial_bytes(int(ids[0])) :]
    data = b"".join(pieces)
    places = np.cumsum([0, *map(len, pieces)])
    borders = np.append(character_starts(data), len(data))
    begins, after = (np.searchsorted(borders, places, side) for side in ("left", "right"))
    text = replace_surrogates(data.decode("utf-8", "surrogateescape"))
    return CutText(text, begins.astype(np.int64), after.astype(np.int64) - 1)


def _aligned(index: Backend, ids: Numbers, text: str) -> CutText | None:
    """A text with the places of its tokens; None if it has become another text."""
    text = replace_surrogates(text)
    spelled = _spelled(index, ids)
    # Without tokenizing again, where decoding loses nothing.
    if spelled.text == text:
        return spelled
    encoded = index.tokenizer.encode_with_offsets(text)
    if not np.array_equal(encoded.ids, ids):
        return None
    # What no token holds, such as a blank that a tokenizer leaves out, goes with the token after it.
    begins = np.maximum.accumulate(np.concatenate([[0], encoded.ends]))
    # Tokens inside one character have the same place.
    ends = np.minimum(begins, np.append(encoded.starts, len(text)))
    ends[-1] = len(text)
    return CutText(text, begins, ends)


@dataclass(frozen=True)
class _Found:
    """A document of a source, its text with the places of its tokens, and how it was read."""

    document: SourceDocument
    text: CutText
    options: ReadOptions

    def row(self) -> tuple[str, dict[str, Any]]:
        """The name of the text's field, and the other fields."""
        if inner_name(self.document.path).endswith(endings(kinds_of_records())):
            return self.options.text_field, self.document.metadata
        return "text", {"path": self.document.path, **self.document.metadata}


@dataclass
class _Reader:
    """Reads one file of the sources again, in the order of its documents."""

    path: Path
    name: str
    options: ReadOptions
    _line: int = -1
    _ahead: SourceDocument | None = None
    _left: Iterator[SourceDocument] | None = None

    def at(self, line: int) -> SourceDocument | None:
        """The document of a line as it is now; None if it is gone."""
        if self._left is None or line < self._line:
            self._ahead, self._left = None, _read(self.path, self.name, self.options)
        self._line = line
        # The next document is kept: after a line that is gone, the file is not read from its beginning again.
        while self._ahead is None or self._ahead.linenum < line:
            self._ahead = next(self._left, None)
            if self._ahead is None:
                return None
        return self._ahead if self._ahead.linenum == line else None


@dataclass
class _Originals:
    """Reads the sources again, file by file, in the order in which the index has their documents."""

    index: Backend
    _key: tuple[Any, ...] = ()
    _line: int = -1
    _readers: tuple[_Reader, ...] = ()
    _now: int = 0

    def find(self, number: int, record: dict[str, Any], fit: Callable[[str], CutText | None]) -> _Found | None:
        """The document as its source has it now, if its text fits; None if it is gone or has changed."""
        name, line = record.get("path"), record.get("linenum")
        manifest = self.index.local.manifest_of(number) if self.index.local else None
        if not isinstance(name, str) or not isinstance(line, int) or manifest is None:
            return None
        key = (manifest.sources, name)
        if key != self._key:
            options = _options(manifest.parameters)
            self._key, self._now = key, 0
            self._readers = tuple(_Reader(path, name, options) for path in files_of(manifest.sources, name))
        elif line <= self._line:
            # Where lines begin again, the next file of the same name does.
            self._now += 1
        self._line = line
        return self._fitting(line, record.get("metadata"), fit)

    def _fitting(self, line: int, stored: object, fit: Callable[[str], CutText | None]) -> _Found | None:
        """The document of the file that is read now or, if it does not fit, of another one of the same name."""
        for step in range(len(self._readers)):
            place = (self._now + step) % len(self._readers)
            document = self._readers[place].at(line)
            # Of several files, a text alone may be that of another row.
            if document is None or (len(self._readers) > 1 and not _agrees(stored, document.metadata)):
                continue
            if (text := fit(document.text)) is not None:
                self._now = place
                return _Found(document, text, self._readers[place].options)
        return None


def _agrees(stored: object, now: dict[str, Any]) -> bool:
    """Whether a row has the values that the index has of it; both may have fields that the other has not."""
    kept = stored if isinstance(stored, dict) else {}
    # As the index wrote them: a date is a text there.
    return all(write_json(now[name]) == write_json(value) for name, value in kept.items() if name in now)


def _options(parameters: dict[str, Any]) -> ReadOptions:
    """As the build read them, but with all fields, and past what is bad now."""
    text_field, encoding = parameters.get("text_field", "text"), parameters.get("encoding", "")
    return ReadOptions(text_field=str(text_field), encoding=str(encoding), skip_bad=True)


def _read(path: Path, name: str, options: ReadOptions) -> Iterator[SourceDocument]:
    try:
        yield from read_documents([source_file(path, name)], options, ReadState())
    except (CorpusError, OSError):
        # It changed into something else: what is left of its documents is taken from the tokens.
        return
