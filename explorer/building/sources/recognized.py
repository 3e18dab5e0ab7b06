"""What the sources of a build are: kinds of files, fields of records, and which field may be the text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from explorer.building.estimate.estimate import BuildEstimate, estimate_requested
from explorer.building.request import BuildRequest
from explorer.building.sources.archived import close_archives
from explorer.building.sources.given import listed_files, source_of
from explorer.building.sources.readers import (
    Problem,
    Reading,
    ReadOptions,
    ReadState,
    SourceDocument,
    SourceFile,
    read_documents,
)
from explorer.building.sources.side_metadata import Proposal, propose_tables
from explorer.building.sources.source import FILES_LEFT_OUT, KindCount, count_kinds, left_out
from explorer.building.sources.token_ids import ID_FIELDS, is_ids
from explorer.core.files.encoding import NotTextError
from explorer.core.files.streams import BrokenStreamError
from explorer.core.files.text_field import TEXT_NAMES
from explorer.core.jobs import CancelToken
from explorer.documents.record import Document, Record
from explorer.errors import Cancelled, CorpusError, SourceError
from explorer.text.graphemes import beginning

_FILES, _RECORDS = 24, 100
"""Files that are looked at, and records of each: neighbors have the same fields."""
_SHOWN, _LONGEST = 6, 40
"""Different values that are kept of a field, and characters of each."""
_DEEPEST = 3
_USUAL = "text"


@dataclass(frozen=True)
class SeenField:
    """A field of the records that were looked at.

    path: Its name, or a path such as `a.b[0]`.
    different: Its different values, up to the number of records.
    values: The first of them, as they are shown; long ones are cut.
    characters: The mean length of its texts; 0 if it does not always hold a text.
    is_ids: Whether it always holds a list of whole numbers, and has a name that token ids have.
    """

    path: str
    records: int
    different: int
    values: tuple[str, ...]
    characters: float = 0.0
    is_ids: bool = False


@dataclass(frozen=True)
class SeenFields:
    """What was looked at.

    fields: Their fields, in the order in which they were met.
    complete: Whether these are all records of the sources.
    """

    records: int = 0
    fields: tuple[SeenField, ...] = ()
    complete: bool = True

    @property
    def texts(self) -> tuple[str, ...]:
        """Paths that may be the text: those with usual names first, then those with the longest texts."""
        able = [field for field in self.fields if field.characters]

        def rank(field: SeenField) -> tuple[int, float]:
            usual = TEXT_NAMES.index(field.path) if field.path in TEXT_NAMES else len(TEXT_NAMES)
            # By all of its characters: a field that few records have is hardly the text, however long it is there.
            return usual, -field.characters * field.records

        return tuple(field.path for field in sorted(able, key=rank))

    @property
    def proposed(self) -> str:
        """The most likely text; "" if no field holds texts."""
        return next(iter(self.texts), "")


@dataclass
class _Found:
    """A field while records are read."""

    records: int = 0
    texts: int = 0
    ids: int = 0
    characters: int = 0
    values: dict[str, None] = field(default_factory=dict)

    def add(self, value: Any) -> None:
        self.records += 1
        self.ids += is_ids(value)
        if isinstance(value, str):
            self.texts += 1
            self.characters += len(value)
        # A whole text would be kept for every record of the text's own field.
        # Four times what is shown, since runs of spaces are joined after the cut.
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        self.values[" ".join(shown[: 4 * _LONGEST].split())] = None


class _Peek(Reading):
    """Reads records as they are, whatever their text is; plain texts are left out."""

    def of_records(self, records: Iterable[Record], unit: str, table: bool = False) -> Iterator[SourceDocument]:
        """Every good record, with all its fields as metadata."""
        # A single object is more likely a configuration, which a build reads as plain text.
        several = list(records) if unit == "object" else records
        for record in several if not isinstance(several, list) or len(several) > 1 else ():
            if not record.problem:
                yield SourceDocument("", self.file.name, record.number, record.fields)

    def of_documents(self, documents: Iterable[Document]) -> Iterator[SourceDocument]:
        """Nothing: a text has no fields."""
        return iter(())


def look_at_fields(files: Sequence[SourceFile], cancel: CancelToken | None = None) -> SeenFields:
    """Look at the first records of some files.

    files: All files of a build; up to 24 of them, spread evenly, are looked at.
    Returns: The fields of up to 100 records of each file. What cannot be read is left out: the build reports it.

    Notes
    -----
    CSV and JSON files are read as a whole, others to the last of these records.
    """
    found: dict[str, _Found] = {}
    records, complete = 0, len(files) <= _FILES
    # Rounded up, so that at most `_FILES` are taken.
    for file in files[:: max(1, -(-len(files) // _FILES))]:
        if cancel is not None:
            cancel.check()
        before = records
        for record in _records(file):
            records += 1
            for path, value in _flat(record):
                found.setdefault(path, _Found()).add(value)
        # A file with exactly that many records may have more.
        complete = complete and records - before < _RECORDS
    close_archives()
    return SeenFields(records, tuple(_seen(path, each) for path, each in found.items()), complete)


def _records(file: SourceFile) -> Iterator[Mapping[str, Any]]:
    # "": no record has it, so a file that may be any JSON is read as records if it has the form of records.
    # A state of its own: the estimate reads the same files, and reports what is wrong with them.
    reading = _Peek(file, ReadOptions(text_field="", skip_bad=True), ReadState(), 0)
    try:
        for document in islice(reading.documents(), _RECORDS):
            yield document.metadata
    except (BrokenStreamError, NotTextError, CorpusError, OSError):
        return


def _flat(record: Mapping[str, Any], before: str = "", depth: int = 1) -> Iterator[tuple[str, Any]]:
    """The values of a record by their paths; objects in it are entered, to some depth."""
    for name, value in record.items():
        path = f"{before}.{name}" if before else name
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from _flat(value, path, depth + 1)
        else:
            yield path, value


def _seen(path: str, found: _Found) -> SeenField:
    shown = (
        value if len(value) <= _LONGEST else beginning(value, _LONGEST) + "…" for value in islice(found.values, _SHOWN)
    )
    # A field that holds something else in some records is not offered as the text.
    always = found.texts == found.records
    characters = found.characters / found.records if always else 0.0
    ids = path in ID_FIELDS and found.ids == found.records
    return SeenField(path, found.records, len(found.values), tuple(shown), characters, ids)


@dataclass(frozen=True)
class Recognized:
    """What the sources of a build are, as far as it shows before the build.

    text_field: The field that is read as the text: the request's, or else the proposed one.
    kinds: The files that would be read, by kind, most frequent first.
    skipped: What would be left out or changed, by reason.
    left_out: The first 1,000 of these things, each with its place.
    estimate: What the build would need; None if it cannot be estimated.
    tables: Tables among the files that name others, so that they may be their metadata.
    files_found: The number of files, with those that would be left out; None if it is unknown.
    """

    text_field: str
    fields: SeenFields = SeenFields()
    kinds: tuple[KindCount, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    left_out: tuple[Problem, ...] = ()
    estimate: BuildEstimate | None = None
    problem: CorpusError | None = None
    tables: tuple[Proposal, ...] = ()
    files_found: int | None = None


def recognize(request: BuildRequest, cancel: CancelToken | None = None) -> Recognized:
    """Find out what the sources of a build are, and what the build would need.

    request: The build. With "" as its text field, a field is proposed.
    Returns: What was found. An error that would prevent the build is part of it, beside what was found before.

    Notes
    -----
    Takes a second or two, as `estimate_requested`, however large the sources are.
    """
    state = ReadState()
    try:
        # `again`: a pipe can be read only once, and the build lists the sources a second time.
        files = listed_files(request, state, again=True)
    # A `Cancelled` is a `CorpusError`, too, but tells nothing about the sources.
    except Cancelled:
        raise
    except CorpusError as error:
        return _found(Recognized(request.text_field or _USUAL, problem=error), state)
    tables = propose_tables(files, request.encoding) if not request.metadata else ()
    # A table of the files' metadata has no text: none of its columns is proposed as one.
    about = {table.path for table in tables if not set(table.fields) & set(TEXT_NAMES)}
    fields = look_at_fields([file for file in files if file.path not in about], cancel)
    text_field = request.text_field or text_field_of(fields)
    found = Recognized(
        text_field,
        fields,
        count_kinds(files),
        tables=tables,
        files_found=len(files) + left_out(state.skipped, FILES_LEFT_OUT),
    )
    reading = replace(request, text_field=text_field)
    try:
        source = source_of(reading, files, state)
        # Without the copies that are skipped.
        found = replace(found, kinds=count_kinds(source.files), files_found=source.found)
        estimate = estimate_requested(reading, cancel, source=source)
    except Cancelled:
        raise
    except CorpusError as error:
        return _found(replace(found, problem=error), state)
    # The sample may have missed the table, and the build would stop at it.
    if estimate.stops_at is None:
        stops = next(filter(None, (_stop_at(file, reading) for file in files if file.path in about)), None)
        estimate = replace(estimate, stops_at=stops)
    return _found(replace(found, estimate=estimate), state)


def _stop_at(file: SourceFile, request: BuildRequest) -> SourceError | None:
    """The error with which a build would stop at a file; None if it would not."""
    try:
        for _ in read_documents([file], request.options(), ReadState()):
            break
    except SourceError as error:
        return error
    return None


def _found(found: Recognized, state: ReadState) -> Recognized:
    return replace(found, skipped=dict(state.skipped), left_out=tuple(state.problems))


def text_field_of(fields: SeenFields) -> str:
    """Choose the field that is read as the text where nobody has chosen one.

    Returns: "text" if some record has it, or if no record was seen; otherwise the proposed field, or token ids, unless
        the proposed field has the name of a text.
    """
    names = {field.path for field in fields.fields}
    ids = next((field.path for field in fields.fields if field.is_ids), "")
    if _USUAL in names:
        return _USUAL
    return (ids if fields.proposed not in TEXT_NAMES else "") or fields.proposed or _USUAL
