"""Sources of a build: files become documents with metadata, as the readers of `explorer.documents.kinds` find them.

Every field but the text is kept as metadata. Whatever is skipped, changed or read in another encoding is noted with
its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import IO, TYPE_CHECKING, Any

from explorer.building.sources.archived import open_file
from explorer.building.sources.broken import refuse
from explorer.building.sources.side_metadata import fields_of
from explorer.building.sources.source import (
    CUT,
    FILES_LEFT_OUT,
    MOST_PROBLEMS,
    NO_COLUMN,
    NO_DOCUMENT,
    NOTHING_READ,
    UNREADABLE,
    Problem,
    ReadOptions,
    ReadState,
    SourceFile,
    left_out,
)
from explorer.building.sources.token_ids import ids_field, is_ids, take_ids
from explorer.building.sources.walk import list_files, note_not_text, source_file
from explorer.core.files.encoding import NotTextError
from explorer.core.files.json_text import write_json
from explorer.core.files.streams import BrokenStreamError, inner_name, unpacked
from explorer.core.files.text_field import MISSING, look_up, nearest_name, shown_names, take_text
from explorer.documents.content import PEEKED, Content
from explorer.documents.ids.token_ids import without_end
from explorer.documents.kind import Kind
from explorer.documents.kinds import kind_named, kind_of
from explorer.documents.mojibake import repaired
from explorer.documents.record import Document, Record, Records
from explorer.errors import SourceError
from explorer.i18n import mark, tr
from explorer.index.layout import MAX_METADATA_LINE
from explorer.index.writer import SourceDocument
from explorer.text.special_tokens import TREATMENTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "MOST_PROBLEMS",
    "Problem",
    "ReadOptions",
    "ReadState",
    "SourceDocument",
    "SourceFile",
    "list_files",
    "read_documents",
    "source_file",
]

_BROKEN = (CUT, UNREADABLE)
REPAIRED = mark("documents with wrongly decoded lines (repaired)")
_HEAVY = 64
"""The most bytes that a number, a name or a bracket of metadata takes."""


def read_documents(files: Sequence[SourceFile], options: ReadOptions, state: ReadState) -> Iterator[SourceDocument]:
    """Yield the documents of the files, in order.

    options: Where the text of a record is, whether bad lines are skipped, and metadata from a table.
    state: Receives the progress, and notes about what was left out or changed.
    Raises `SourceError` for what cannot be read. With `skip_bad` it is noted instead, and what came before it is kept.
    """
    done = 0
    for file in files:
        state.bytes_done = done
        known, broken, documents = left_out(state.skipped, FILES_LEFT_OUT), left_out(state.skipped, _BROKEN), 0
        for document in _read_file(file, options, state, done):
            documents += 1
            yield document
        if not documents and left_out(state.skipped, FILES_LEFT_OUT) == known:
            # What is found must be what is read and what is left out.
            faulty = left_out(state.skipped, _BROKEN) > broken
            state.note(NOTHING_READ if faulty else NO_DOCUMENT, file.label)
        # The whole file counts as read, also if it was left out or ended early.
        done += file.size
        state.bytes_done = done


def _read_file(file: SourceFile, options: ReadOptions, state: ReadState, done: int) -> Iterator[SourceDocument]:
    try:
        # One reading per file: an error ends this file only, if such files are to be skipped.
        yield from Reading(file, options, state, done).documents()
    except BrokenStreamError as error:
        refuse(file, options.skip_bad, state, CUT if error.cut else UNREADABLE, str(error))
    except NotTextError as error:
        # A file that does not begin as text was left out before; this one turns into something else further on.
        note_not_text(file, error, state, options.skip_bad)
    except OSError as error:
        reason = tr("cannot be read: {reason}", reason=error.strerror or error)
        refuse(file, options.skip_bad, state, UNREADABLE, reason)
    else:
        _note_change(file, state)


def _note_change(file: SourceFile, state: ReadState) -> None:
    """A file that is written while it is read may have been read half old and half new."""
    if file.far is not None:
        return  # its parts are compared with the file that was listed
    try:
        found = file.path.stat()
    except OSError:
        state.note("files that vanished after they were read", file.label)
        return
    if not file.is_as(found):
        state.note("files that changed since the build began", file.label)


@dataclass(frozen=True)
class Reading:
    """The reading of one file.

    state: Receives the progress, and notes about what was left out or changed.
    before: Bytes of the files that were read before it.
    """

    file: SourceFile
    options: ReadOptions
    state: ReadState
    before: int

    def documents(self) -> Iterator[SourceDocument]:
        """Every document of the file, as the reader of its kind finds them."""
        with open_file(self.file) as raw:
            content = self._content(raw)
            kind = self._kind_of(content)
            if kind.only_piped and self.file.is_pipe and not content.name.endswith(kind.endings):
                self.state.note(f"pipes read as {kind.label}", self.file.label)
            found = kind.read(content)
            if isinstance(found, Records):
                yield from self.of_records(found.records, found.unit, found.is_table)
            else:
                yield from self.of_documents(found)

    def _content(self, raw: IO[bytes]) -> Content:
        return Content(
            name=inner_name(self.file.name),
            label=self.file.label,
            raw=raw,
            stream=unpacked(raw, self.file.stored_name),
            path=None if self.file.inner or self.file.far is not None else self.file.path,
            size=self.file.size,
            encoding=self.options.encoding,
            text_field=self.options.text_field,
            skip_bad=self.options.skip_bad,
            reading=self.options.reading,
            ids=self.options.ids.form if self.options.ids is not None else None,
            note=lambda kind, reason: self.state.note(kind, self.file.label, reason=reason),
            moved=self._moved,
        )

    def _kind_of(self, content: Content) -> Kind:
        if self.file.kind:
            return kind_named(self.file.kind)
        return kind_of(content.stream.peek(PEEKED)[:PEEKED], content.name, self.file.is_pipe)

    def _moved(self, done: int) -> None:
        self.state.bytes_done = self.before + done

    def of_documents(self, documents: Iterable[Document]) -> Iterator[SourceDocument]:
        """Yield the documents of a file that has texts, with what the table of metadata has about the file."""
        side: dict[str, Any] | None = None
        for document in documents:
            side = self._side_fields() if side is None else side
            if document.skipped:
                self.state.note(document.skipped, self.file.label, document.place + 1, document.problem)
                continue
            try:
                if document.problem:
                    raise ValueError(document.problem)
                fields = self.options.kept({**document.metadata, **side})
                self._check_size(fields)
                ids = self._checked(document.ids)
            except ValueError as error:
                self._refuse_record(document.place, "document", str(error))
                continue
            place = document.place + 1 if document.place else 0
            text = self._repaired(document.text, place)
            self._count_special(text, place)
            yield SourceDocument(text, self.file.name, document.place, fields, ids)

    def _repaired(self, text: str, place: int) -> str:
        """A text with repaired lines, if that is asked for; they are noted."""
        if not self.options.reading.fix_encoding:
            return text
        text, lines = repaired(text)
        if lines:
            self.state.note(REPAIRED, self.file.label, place, tr("repaired lines: {lines:,}", lines=lines))
        return text

    def _count_special(self, text: str, place: int) -> None:
        """Note special tokens of the build's tokenizer in a text."""
        special = self.options.ids.special if self.options.ids is not None else None
        if special is not None and (found := Counter(special.findall(text))):
            self.state.note_each(TREATMENTS[self.options.special_tokens], found, self.file.label, place)

    def _checked(self, ids: NDArray[Any] | None) -> NDArray[Any] | None:
        """Token ids, if the build's tokenizer has them all; raises ValueError if not."""
        if ids is None:
            return None
        if self.options.ids is None:
            raise ValueError(tr("this file holds token ids and no text"))
        return self.options.ids.checked(ids)

    def _side_fields(self) -> dict[str, Any]:
        fields = fields_of(self.options.side, self.file)
        if fields is None and self.options.side:
            self.state.note("files without a row in the metadata", self.file.label)
        return fields or {}

    def of_records(self, records: Iterable[Record], unit: str, table: bool = False) -> Iterator[SourceDocument]:
        """Yield the documents of records.

        unit: What a record is in messages: "line", "row" or "object".
        table: Whether all records have the same fields, and an empty field is a missing value.
        Yields: The text of a record, with its other fields as metadata.
        Raises `SourceError` for a bad record, or a table without the text's column. With `skip_bad` it is noted
            instead.
        """
        records = iter(records)
        first = next(records, None)
        if first is None:
            return
        field = self._ids_field(first)
        # Every row has the same columns, so the first one decides, and the error names the file and not a row.
        if table and not field and not first.problem and look_up(first.fields, self.options.text_field) is MISSING:
            self._refuse_table(first)
            return
        for record in chain([first], records):
            try:
                document = self._document_of_ids(record, field) if field else self._document(record)
            except ValueError as error:
                self._refuse_record(record.number, unit, str(error))
                continue
            if table:
                gaps = [name for name, value in document.metadata.items() if value == ""]
                for name in gaps:
                    del document.metadata[name]
            yield document

    def _document(self, record: Record) -> SourceDocument:
        """A record as a document; raises ValueError with the reason if it is not one."""
        if record.problem:
            raise ValueError(record.problem)
        # This removes the text from the record: what is left is the metadata.
        text = self._repaired(take_text(record.fields, self.options.text_field), record.number + 1)
        fields = self.options.kept(self._with_side(record.fields))
        self._check_size(fields, record.most)
        self._count_special(text, record.number + 1)
        return SourceDocument(text, self.file.name, record.number, fields)

    def _with_side(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields of a record, after what the table of metadata has about its file and the record does not."""
        about = fields_of(self.options.side, self.file) if self.options.side else None
        return fields if about is None else {**about, **fields}

    def _ids_field(self, first: Record) -> str:
        """The field with the token ids of the records; "" if they have texts, or if only texts are read."""
        if self.options.ids is None or first.problem:
            return ""
        chosen = look_up(first.fields, self.options.text_field)
        if chosen is MISSING:
            return ids_field(first.fields)
        return self.options.text_field if is_ids(chosen) and self.options.text_field in first.fields else ""

    def _document_of_ids(self, record: Record, field: str) -> SourceDocument:
        """A record as a document with token ids; raises ValueError with the reason if it is not one."""
        assert self.options.ids is not None
        if record.problem:
            raise ValueError(record.problem)
        ids = without_end(take_ids(record.fields, field), self.options.ids.form.eos)
        fields = self.options.kept(self._with_side(record.fields))
        self._check_size(fields)
        return SourceDocument("", self.file.name, record.number, fields, self.options.ids.checked(ids))

    def _check_size(self, fields: dict[str, Any], most: int = 0) -> None:
        """Raise ValueError for metadata that are too large; `most`: the most bytes that they can take, if known."""
        # A bound first, so that the JSON is written only to measure records that are near the limit.
        if (most or _most_bytes(fields)) > MAX_METADATA_LINE:
            size = len(write_json(fields).encode("utf-8")) + 4 * len(self.file.name) + _HEAVY
            if size > MAX_METADATA_LINE:
                limit = MAX_METADATA_LINE
                raise ValueError(
                    tr("its metadata has {size:,} bytes, and the limit is {most:,}", size=size, most=limit)
                )

    def _refuse_record(self, number: int, unit: str, reason: str) -> None:
        place = number + 1
        if self.options.skip_bad:
            self.state.note(f"bad {unit}s", self.file.label, place, reason)
            return
        raise SourceError(
            mark("{name}, {unit} {line}: {cause}."),
            reason="bad-record",
            option="skip_bad",
            name=self.file.label,
            unit=tr(unit),
            line=place,
            cause=reason,
            path=self.file.path,
        )

    def _refuse_table(self, first: Record) -> None:
        column = self.options.text_field
        names = shown_names(first.fields, column)
        if self.options.skip_bad:
            reason = tr('has no column "{column}" (columns: {names})', column=column, names=names)
            self.state.note(NO_COLUMN, self.file.label, reason=reason)
            return
        near = nearest_name(column, first.fields)
        raise SourceError(
            mark('{name} has no column "{column}" (columns: {names}). Did you mean {near}?')
            if near
            else mark('{name} has no column "{column}" (columns: {names}).'),
            reason="no-text-column",
            option="text_field",
            name=self.file.label,
            column=column,
            names=names,
            near=near,
            path=self.file.path,
        )


def _most_bytes(value: object) -> int:
    """The most bytes that a value can take as JSON."""
    if isinstance(value, str):
        # A control character is written with six characters, any other with at most four bytes.
        return 6 * len(value) + _HEAVY
    if isinstance(value, dict):
        return _HEAVY + sum(map(_most_bytes, value)) + sum(map(_most_bytes, value.values()))
    if isinstance(value, list):
        return _HEAVY + sum(map(_most_bytes, value))
    return _HEAVY if not isinstance(value, int) else _HEAVY + value.bit_length() // 3
