"""What an estimate reads of the sources: a little of many files, and a few pieces of long documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from explorer.building.sources.archived import close_archives
from explorer.building.sources.readers import ReadOptions, ReadState, SourceDocument, SourceFile, read_documents
from explorer.building.sources.record_source import RecordSource, Rows
from explorer.building.sources.token_ids import TokenIds
from explorer.core.files.encoding import READ_AS, UTF8, NotTextError, decode_text
from explorer.core.files.streams import inner_name
from explorer.core.jobs import CancelToken
from explorer.documents.declared import declared_set
from explorer.documents.kinds import PLAIN
from explorer.errors import SourceError
from explorer.index.tokenizer_check import SAMPLED_TOKENS
from explorer.text.tokens.decode import decode

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CHARACTERS = 2_000_000
_FILES, _FAR_FILES = 160, 8
"""Files that are looked at; those elsewhere are the fewer, since each costs requests and megabytes."""
_DOCUMENTS = 20_000
_PIECES = 4
_LEAST_PIECE = 4_096


class Sample:
    """Texts of the sources, up to about two million characters, and what they represent.

    texts: What to tokenize, of `characters` in all.
    documents: The documents that were read, with shortened texts.
    files: The file of each document; empty for records in memory.
    all_documents: The number of all documents, as estimated.
    all_characters: The characters of all documents, as estimated.
    largest: Characters of the longest document that was read.
    complete: Whether everything was read.
    source_bytes: Bytes of all files on disk; of records in memory, their characters.
    stops_at: The error at which a build would stop; None if there is none.
    notes: What was changed or left out in the files that were read.
    id_tokens: Tokens of the documents whose ids are in the sources; they count as characters in all other figures.
    """

    def __init__(self) -> None:
        self.documents: list[SourceDocument] = []
        self.files: list[SourceFile] = []
        self.texts: list[str] = []
        self.characters = 0
        self.all_documents = self.all_characters = self.largest = 0.0
        self.complete = True
        self.source_bytes = 0
        self.stops_at: SourceError | None = None
        self.notes = ReadState()
        self.id_tokens = 0
        self._ids: TokenIds | None = None
        self._share = _CHARACTERS

    @cached_property
    def encodings(self) -> dict[str, str]:
        """The character sets of files that are not in UTF-8, by their labels; asked for once all are read."""
        notes = ((note.path, note.kind) for note in self.notes.problems)
        return {path: kind.removeprefix(READ_AS) for path, kind in notes if kind.startswith(READ_AS)}

    def _add(self, document: SourceDocument) -> int:
        """Add a document, in pieces if it is long; returns how many of its characters are in the sample."""
        if document.ids is not None:
            return self._add_ids(document, document.ids)
        text = document.text
        size = max(_LEAST_PIECE, self._share // _PIECES)
        # A long text as a whole would be most of the sample, and its beginning alone may be a title page.
        pieces = [text] if len(text) <= _PIECES * size else [text[at : at + size] for at in _spread(len(text), size)]
        self._add_pieces(SourceDocument(pieces[0], document.path, document.linenum, document.metadata), pieces)
        self.largest = max(self.largest, len(text))
        self.complete = self.complete and len(pieces) == 1
        return sum(map(len, pieces))

    def _add_ids(self, document: SourceDocument, ids: NDArray[Any]) -> int:
        """Add a document of token ids, of which only the beginning is kept, with its text."""
        assert self._ids is not None
        some = ids[:SAMPLED_TOKENS].copy()
        shown = decode(self._ids.tokenizer, some.tolist()).text
        self.documents.append(replace(document, text=shown, ids=some))
        self.id_tokens += len(ids)
        self.characters += len(ids)
        self.largest = max(self.largest, len(ids))
        return len(ids)

    def _add_pieces(self, document: SourceDocument, pieces: list[str]) -> None:
        self.documents.append(document)
        self.texts += pieces
        self.characters += sum(map(len, pieces))


class RowSample(Sample):
    """The first rows of records in memory; where their number is unknown, the others are counted.

    rows: The records, which can be read again.
    options: How they are read.
    """

    def __init__(self, rows: Rows, options: ReadOptions, cancel: CancelToken) -> None:
        super().__init__()
        self._ids = options.ids
        self._cancel = cancel
        try:
            self._take(rows, options)
        except SourceError as error:
            # The estimate always reads on, to have figures to show beside the error.
            self.stops_at = error
            self._take(rows, replace(options, skip_bad=True))
        self.source_bytes = round(self.all_characters)

    def _take(self, rows: Rows, options: ReadOptions) -> None:
        # Again from the beginning, if an error ended the first reading.
        self.documents, self.texts, self.characters, self.id_tokens = [], [], 0, 0
        self.all_documents = self.all_characters = self.largest = 0.0
        number = taken = 0
        for document, place in RecordSource(rows, options, ReadState()).documents():
            number += 1
            self.all_characters += document.size
            if taken < self._share and number <= _DOCUMENTS:
                taken += self._add(document)
                continue
            self._cancel.check()
            self.complete = False
            if rows.total:
                scale = rows.total / place.read
                self.all_documents, self.all_characters = number * scale, self.all_characters * scale
                return
        self.all_documents = number


class FileSample(Sample):
    """A sample of files spread over the sources.

    options: How they are read.
    """

    def __init__(self, files: Sequence[SourceFile], options: ReadOptions, cancel: CancelToken) -> None:
        super().__init__()
        self._ids = options.ids
        self.source_bytes = sum(file.size for file in files)
        # Every k-th file, since neighbors in a folder resemble each other more than the whole.
        most = _FAR_FILES if any(file.far is not None for file in files) else _FILES
        chosen = files[:: -(-len(files) // most)]
        # Characters that each file may add. A small file leaves part of its share unused, so the sample may stay
        # smaller.
        self._share = _CHARACTERS // len(chosen) + 1
        for file in chosen:
            cancel.check()
            self._take(file, options)
        close_archives()
        scale = self.source_bytes / max(1, sum(file.size for file in chosen))
        # Documents grow with the number of files, characters with their bytes: a corpus of one text per file and one of
        # a million lines in a file are both estimated well.
        self.all_documents *= len(files) / len(chosen)
        self.all_characters *= scale
        self.complete = self.complete and len(chosen) == len(files)

    def _take(self, file: SourceFile, options: ReadOptions) -> None:
        """Part of a file; an error at which a build would stop is skipped, and the first one is kept."""
        if _is_long_text(file, self._share):
            self._take_pieces(file, options.encoding)
        else:
            self._take_documents(file, options)
        self.files += [file] * (len(self.documents) - len(self.files))

    def _take_documents(self, file: SourceFile, options: ReadOptions) -> None:
        # The build skips a bad line and reads on only if it was told to. The estimate always does, to have figures to
        # show beside the error; so what was taken before the error is dropped, and the file is taken again.
        kept = len(self.documents), len(self.texts), self.characters, self.all_documents, self.all_characters
        id_tokens = self.id_tokens
        try:
            self._take_beginning(file, options)
        except SourceError as error:
            self.stops_at = self.stops_at or error
            documents, texts, self.characters, self.all_documents, self.all_characters = kept
            del self.documents[documents:], self.texts[texts:]
            self.id_tokens = id_tokens
            self._take_beginning(file, replace(options, skip_bad=True))

    def _take_beginning(self, file: SourceFile, options: ReadOptions) -> None:
        """The first documents of a file; the rest is assumed to be similar."""
        state = ReadState()
        number = characters = taken = 0
        scale = 1.0
        for document in read_documents([file], options, state):
            number += 1
            characters += document.size
            taken += self._add(document)
            # The position in the file tells what share of it these documents are; of compressed files too, since it
            # counts bytes on disk.
            if taken >= self._share or number >= _DOCUMENTS:
                # A file that is a single document has been read completely.
                scale = max(1.0, file.size / state.bytes_done) if state.bytes_done else 1.0
                self.complete = self.complete and scale == 1.0
                break
        self.notes.skipped.update(state.skipped)
        self.notes.problems += state.problems
        self.all_documents += number * scale
        self.all_characters += characters * scale

    def _take_pieces(self, file: SourceFile, encoding: str) -> None:
        """A few pieces of a long text, without reading the rest of it."""
        size = max(_LEAST_PIECE, self._share // _PIECES)
        try:
            pieces, found = _read_pieces(file, size, encoding)
        except (OSError, NotTextError):
            # The build reads it again and reports what is wrong with it.
            self.complete = False
            return
        if found != UTF8:
            self.notes.note(READ_AS + found, file.label)
        self._add_pieces(SourceDocument(pieces[0], file.name, 0, {}), pieces)
        characters = sum(map(len, pieces)) * file.size / (_PIECES * size)
        self.largest = max(self.largest, characters)
        self.all_characters += characters
        self.all_documents += 1
        self.complete = False


def _is_long_text(file: SourceFile, share: int) -> bool:
    """Whether a file is a single uncompressed document of which the sample needs only a part."""
    # Compressed data cannot be entered in the middle, and a piece of a record is not a document.
    plain = file.kind == PLAIN.name and not file.inner and inner_name(file.name) == file.name.lower()
    return plain and file.size > _PIECES * max(2 * _LEAST_PIECE, share // _PIECES + 1)


def _spread(length: int, size: int) -> list[int]:
    """Start positions of pieces at the beginning, at the end and evenly in between."""
    return [(length - size) * number // (_PIECES - 1) for number in range(_PIECES)]


def _read_pieces(source: SourceFile, size: int, encoding: str) -> tuple[list[str], str]:
    """Pieces of a text, and its encoding."""
    parts = []
    with source.open() as file:
        for start in _spread(source.size, size):
            # Pieces start at a multiple of the character width in encodings of two or four bytes.
            file.seek(start - start % 4)
            parts.append(file.read(size))
    declared = declared_set(parts[0], inner_name(source.name))
    found = decode_text(parts[0], encoding, declared, whole=False).encoding
    return [part.decode(found, "ignore") for part in parts], found
