"""The sources of a build as one sequence of documents that can be entered at any place."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from explorer.building.known import listed_files, skipped_files
from explorer.building.sources.archived import close_archives
from explorer.building.sources.readers import (
    Problem,
    ReadOptions,
    ReadState,
    SourceDocument,
    SourceFile,
    read_documents,
)
from explorer.building.sources.source import count_kinds
from explorer.core.files.json_text import own_json_text
from explorer.core.jobs import CancelToken
from explorer.text.tokens.training import SAMPLE_CHARACTERS, spread_sample


@dataclass(frozen=True, slots=True)
class Place:
    """A position between two documents of the sources.

    file: The number of files read before it.
    documents: The number of documents of the next file before it.
    read: Bytes of the sources up to here.
    skipped: What was left out or changed up to here: reasons with their numbers.
    problems: The number of problems noted up to here.
    """

    file: int = 0
    documents: int = 0
    read: int = 0
    skipped: tuple[tuple[str, int], ...] = ()
    problems: int = 0


class DocumentSource(Protocol):
    """What a build reads: documents in order, of files or of records in memory."""

    @property
    def state(self) -> ReadState:
        """The notes of the reading."""
        ...

    @property
    def total(self) -> int:
        """How much there is to read; 0 if unknown."""
        ...

    @property
    def unit(self) -> str:
        """What `total` and `Place.read` count, in the plural."""
        ...

    @property
    def found(self) -> int | None:
        """The number of files, with those that are left out; None for records in memory."""
        ...

    @property
    def kinds(self) -> dict[str, int]:
        """The number of files of each kind, by its name; empty for records in memory."""
        ...

    @property
    def start(self) -> Place:
        """The place before the first document."""
        ...

    def listed(self, cancel: CancelToken, documents: Mapping[str, int]) -> list[list[Any]]:
        """The files as the report of the build lists them, with their numbers of documents."""
        ...

    def left_out(self, problems: Sequence[Problem]) -> list[list[str]]:
        """The files of which nothing was read as the report of the build lists them."""
        ...

    def documents(
        self, start: Place | None = None, problems: Sequence[Problem] | None = None
    ) -> Iterator[tuple[SourceDocument, Place]]:
        """Yield every document from a place on, each with the place after it."""
        ...

    def end(self) -> Place:
        """The place after everything; valid once all documents have been read."""
        ...

    def beginning(self) -> Iterator[SourceDocument]:
        """Documents from the first on; they are read again for the index."""
        ...

    def sample(self) -> Iterator[str]:
        """Texts to train on; they are read again for the index."""
        ...

    def listing(self) -> str:
        """What a resumed build compares, as JSON."""
        ...

    def changed_since(self, listing: dict[str, Any]) -> str:
        """The name of what has changed since a listing; "" if nothing has."""
        ...


@dataclass(frozen=True)
class FileSource:
    """Documents of files, which can be read more than once (to train, then to tokenize).

    files: The files in their order.
    options: How they are read.
    state: The notes and the progress of the reading.
    found: The number of files that the sources have, with those that are left out.
    """

    files: Sequence[SourceFile]
    options: ReadOptions
    state: ReadState
    found: int | None = None

    unit = "bytes"

    @cached_property
    def total(self) -> int:
        """Bytes of all files on disk; asked for with every document."""
        return sum(file.size for file in self.files)

    @property
    def kinds(self) -> dict[str, int]:
        """The number of files of each kind."""
        return {count.kind: count.files for count in count_kinds(self.files)}

    @property
    def start(self) -> Place:
        """The place before the first document; files left out of the listing count as met before it."""
        return self._place(0, 0, 0)

    def documents(
        self, start: Place | None = None, problems: Sequence[Problem] | None = None
    ) -> Iterator[tuple[SourceDocument, Place]]:
        """Yield every document from a place on, in order, each with the place after it.

        start: Where to begin: the place that came with the last document of an earlier run. None: at the beginning.
        problems: What had been noted before that place. None: the notes of the listing.
        Yields: The document, and the place from which the next one can be read.
        Raises `SourceError` if a file cannot be read, unless such files are to be skipped.

        Notes
        -----
        To resume inside a file, its documents before the place are read again.
        """
        start = start or self.start
        problems = tuple(self.state.problems) if problems is None else problems
        try:
            yield from self._documents_from(start, problems)
        finally:
            close_archives()

    def _documents_from(self, start: Place, problems: Sequence[Problem]) -> Iterator[tuple[SourceDocument, Place]]:
        # Progress counts bytes on disk, so files that are not read again count as a whole.
        before = sum(file.size for file in self.files[: start.file])
        for number in range(start.file, len(self.files)):
            done = start.documents if number == start.file else 0
            reading = self._of_file(self.files[number])
            # Documents before the place are read again, and the notes about them are discarded.
            for _ in itertools.islice(reading, done):
                pass
            if number == start.file:
                self._restore(start, problems)
            for document in reading:
                done += 1
                yield document, self._place(number, done, before + self.state.bytes_done)
            before += self.files[number].size

    def end(self) -> Place:
        """The place after everything; valid once all documents have been read."""
        return self._place(len(self.files), 0, self.total)

    def _of_file(self, file: SourceFile) -> Iterator[SourceDocument]:
        return map(self.describe, read_documents([file], self.options, self.state))

    def describe(self, document: SourceDocument) -> SourceDocument:
        """A document with this source's data about it."""
        return document

    def _place(self, file: int, documents: int, read: int) -> Place:
        return Place(file, documents, read, tuple(self.state.skipped.items()), len(self.state.problems))

    def _restore(self, place: Place, problems: Sequence[Problem]) -> None:
        # In place: readers and the build hold the same state.
        self.state.skipped.clear()
        self.state.skipped.update(dict(place.skipped))
        # Of the problems that were noted, only those before this place: reading runs ahead of what is written.
        self.state.problems[:] = problems[: place.problems]

    def beginning(self) -> Iterator[SourceDocument]:
        """Documents from the first on; problems are reported only when they are read for the index."""
        return read_documents(self.files, self.options, ReadState())

    def sample(self) -> Iterator[str]:
        """Texts to train on: documents of every k-th file, to about SAMPLE_CHARACTERS."""
        chosen = spread_sample([file.size for file in self.files], SAMPLE_CHARACTERS)
        state = ReadState()
        seen = 0
        for document in read_documents([self.files[i] for i in chosen], self.options, state):
            yield document.text
            seen += len(document.text)
            # The files were chosen by their sizes on disk, and compressed ones contain more than these show.
            if seen > 2 * SAMPLE_CHARACTERS:
                return

    def listed(self, cancel: CancelToken, documents: Mapping[str, int]) -> list[list[Any]]:
        """The files as the report of the build lists them, with their numbers of documents."""
        return listed_files(self.files, cancel, documents)

    def left_out(self, problems: Sequence[Problem]) -> list[list[str]]:
        """The files of which nothing was read as the report of the build lists them."""
        return skipped_files(self.files, problems)

    def listing(self) -> str:
        """The files with their sizes and times of change, as JSON; a build is resumed only if they are the same."""
        return own_json_text({file.place: self._facts(file) for file in self.files})

    def changed_since(self, listing: dict[str, Any]) -> str:
        """Compare the files with an earlier listing.

        listing: The facts of each file by path, as `build.json` records them.
        Returns: The path of a file that has changed, is new or is gone; "" if there is none.
        """
        now = {file.place: self._facts(file) for file in self.files}
        # In both directions: a file that is new or gone moves all documents after it.
        differ = [path for path in now.keys() | listing.keys() if now.get(path) != listing.get(path)]
        return min(differ, default="")

    @staticmethod
    def _facts(file: SourceFile) -> list[int]:
        # Not the content: reading all sources for their checksums would take as long as a good part of the build.
        return [file.size, file.changed]
