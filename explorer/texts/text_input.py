"""Texts to trace or to analyze, from a file or standard input: one reader for all commands and the window.

The format is detected from the content, so that a file and the same bytes from standard input give the same texts.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import IO, Any

from explorer.errors import QueryError, SourceError
from explorer.files.encoding import UTF8, Decoded, NotTextError, decode_text, wide_encoding
from explorer.files.json_text import parse_json
from explorer.files.records import Record, csv_records, json_records, jsonl_records, lines_of, parquet_records
from explorer.files.streams import CHUNK, BrokenStreamError, chunks, inner_name, unpacked
from explorer.files.text_field import (
    PROMPT_NAMES,
    TEXT_NAMES,
    Part,
    chat_parts,
    lm_eval_parts,
    look_up,
    looks_like_chat,
    looks_like_lm_eval,
    shown_fields,
    text_at,
    text_paths,
)
from explorer.i18n import mark, tr

FORMATS = ("auto", "text", "jsonl", "json", "csv", "parquet", "lm-eval", "chat")
Source = str | PathLike[str] | IO[bytes]
_PRESETS: dict[str, Callable[[dict[str, Any]], list[Part]]] = {"lm-eval": lm_eval_parts, "chat": chat_parts}
_WHAT = {"lm-eval": "lm-evaluation-harness samples", "chat": "chat turns"}
# The first four bytes of every Parquet file.
_PARQUET = b"PAR1"
_MOST_LOOKED_AT = 100
"""Number of records to check for one that shows where the text is."""


@dataclass(frozen=True)
class InputText:
    """One text of an input.

    Attributes
    ----------
    source
        The name of the input.
    line
        The line or row, counted from 1; 0 for the whole input.
    text
        The text; "" if there is a problem.
    prompt
        What it answers; "" if that is not known.
    path
        The path of the text in the record; "" for the whole input.
    fields
        The whole record.
    problem
        Why there is no text, as a message that can follow "line N:"; "" if there is one.
    done
        Bytes of the input that have been read so far.
    """

    source: str
    line: int
    text: str
    prompt: str = ""
    path: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    problem: str = ""
    done: int = 0


@dataclass(frozen=True)
class TextInput:
    """An opened input: what was detected, and its texts, which can be read once.

    Attributes
    ----------
    source
        The name of the input.
    format
        One of FORMATS but "auto".
    text_field
        The path of the text in the first record; "" if there is none.
    prompt_field
        The path of the prompt in the first record; "" if there is none.
    fields
        The paths of all texts in the first record.
    encoding
        The encoding of a plain text.
    size
        Bytes of the input; 0 if unknown.
    notes
        What was chosen, to be shown (the command line prints them on standard error).
    texts
        The texts.
    broken
        Places of a plain text that could not be decoded.
    """

    source: str
    format: str
    text_field: str
    prompt_field: str
    fields: tuple[str, ...]
    encoding: str
    size: int
    notes: tuple[str, ...]
    texts: Iterator[InputText]
    broken: int = 0


def open_input(source: Source, format: str = "auto", text_field: str = "", prompt_field: str = "") -> TextInput:
    """Open a file, standard input ("-") or a binary stream of texts.

    Parameters
    ----------
    source
        A path, "-" for standard input, or a stream opened for bytes. Compressed data (gzip, Zstandard, bzip2, xz)
        is detected from its first bytes.
    format
        One of FORMATS. "auto": Parquet by its first bytes; JSON lines where the first line that is not blank is a
        JSON object; JSON where the whole is an array of objects or one object; CSV by the ending .csv, .tsv or
        .tab; else one plain text. Records of lm-evaluation-harness ("lm-eval": each response of a model is a
        text, never the expected answer) and of conversations ("chat": each turn of a model is a text) are detected from
        their fields, unless text_field is given.
    text_field, prompt_field
        Where text and prompt are in a record: a name, or a path such as `a.b[0][0]`. "": the first of TEXT_NAMES and
        PROMPT_NAMES in the first record that has any, among the first 100.

    Returns
    -------
    TextInput
        Its `texts` yields a problem instead of a text for each line or row that cannot be used, and continues.

    Raises
    ------
    SourceError
        If the input cannot be read, or is truncated or damaged; also while texts are read, after those before the
        damage were yielded.
    QueryError
        If the format is unknown, or the text's field is not given and not among TEXT_NAMES; the error lists the fields.
    """
    if format not in FORMATS:
        raise QueryError(
            mark('"{format}" is not an input format. The formats are {formats}.'),
            reason="unknown-format",
            format=format,
            formats=", ".join(FORMATS),
        )
    # From here on the file is open: whoever fails closes it, and otherwise the texts do.
    opened = _open(source)
    try:
        with _translated(opened.name):
            return _inspect(opened, format, text_field, prompt_field)
    except BaseException:
        opened.close()
        raise


def open_lines(source: Source) -> tuple[str, Iterator[bytes | str]]:
    """Open a file, standard input ("-") or a binary stream as lines, whatever they hold.

    Parameters
    ----------
    source
        As in `open_input`, compressed or not.

    Returns
    -------
    tuple[str, Iterator[bytes | str]]
        The name of the input, and its lines, as from `explorer.files.records.lines_of`.

    Raises
    ------
    SourceError
        If the input cannot be read; also while lines are read.
    """
    opened = _open(source)
    lines = _lines(opened)
    # The lines need not be read: the last reference also closes the file.
    weakref.finalize(lines, opened.close)
    return opened.name, lines


def _lines(opened: _Opened) -> Iterator[bytes | str]:
    try:
        with _translated(opened.name):
            yield from lines_of(opened.stream, opened.name)
    finally:
        opened.close()


def _inspect(opened: _Opened, format: str, text_field: str, prompt_field: str) -> TextInput:
    found = _find(opened, format)
    if found.records is None:
        return _as_text(opened, found)
    # Records are read once, so those that were looked at are put before the rest again.
    seen = list(_to_telling(found.records, format, text_field))
    # At most one, the last. Without one, the first record that can be read decides.
    telling = [record for record in seen if _tells(record, format, text_field)]
    fields = next((record.fields for record in telling or seen if not record.problem), {})
    chosen = _choose(opened.name, fields, format, text_field, prompt_field)
    texts = _texts(opened, chain(seen, found.records), chosen)
    # The texts need not be read: the last reference also closes the file.
    weakref.finalize(texts, opened.close)
    return TextInput(
        source=opened.name,
        format=chosen.preset or found.format,
        text_field=chosen.text,
        prompt_field=chosen.prompt,
        fields=tuple(text_paths(fields)),
        encoding=UTF8,
        # Compressed bytes on disk, as `done` of each text counts them.
        size=opened.size,
        notes=(*found.notes, *chosen.notes),
        texts=texts,
    )


def _to_telling(records: Iterator[Record], format: str, text_field: str) -> Iterator[Record]:
    """Records up to and including the first that shows where the text is; at most 100."""
    for record in islice(records, _MOST_LOOKED_AT):
        yield record
        if _tells(record, format, text_field):
            return


def _tells(record: Record, format: str, text_field: str) -> bool:
    """Whether a record shows where the text is in similar records: a bad one must not decide for the others."""
    if record.problem:
        return False
    return bool(text_field or _preset(record.fields, format) or _known_texts(record.fields))


def _known_texts(fields: dict[str, Any]) -> list[str]:
    return [name for name in TEXT_NAMES if isinstance(fields.get(name), str)]


@dataclass(frozen=True)
class _Opened:
    """An input: `stream` has its decompressed content, `raw` its bytes as stored on disk."""

    name: str
    raw: IO[bytes]
    size: int
    ours: bool
    stream: io.BufferedReader

    def done(self) -> int:
        """Bytes read so far; 0 for what has no size."""
        return self.raw.tell() if self.size else 0

    def close(self) -> None:
        """Close what was opened here."""
        if self.ours:
            self.raw.close()


@contextmanager
def _translated(name: str) -> Iterator[None]:
    try:
        yield
    except BrokenStreamError as error:
        raise SourceError(mark("{path} {cause}."), reason="input-damaged", path=name, cause=error) from error
    except NotTextError as error:
        raise SourceError(mark("{path} is not text: {cause}."), reason="not-text", path=name, cause=error) from error
    except OSError as error:
        raise SourceError(
            mark("{path} cannot be read: {cause}."),
            reason="unreadable",
            path=name,
            cause=error.strerror or error,
        ) from error


def _open(source: Source) -> _Opened:
    # A stream of the caller: it is read, but stays open, and its size is not known.
    if not isinstance(source, str | PathLike):
        name = str(getattr(source, "name", "")) or tr("the stream")
        with _translated(name):
            return _Opened(name, source, 0, False, unpacked(source))
    if str(source) == "-":
        name = tr("standard input")
        if sys.stdin is None:
            raise SourceError(mark("Standard input is closed."), reason="no-standard-input")
        with _translated(name):
            return _Opened(name, sys.stdin.buffer, 0, False, unpacked(sys.stdin.buffer))
    path = Path(source)
    with _translated(str(path)):
        raw = open(path, "rb")  # noqa: SIM115 - closed when its texts were read, or with the last reference
        try:
            return _Opened(str(path), raw, os.fstat(raw.fileno()).st_size, True, unpacked(raw, path.name))
        except BaseException:
            raw.close()
            raise


@dataclass(frozen=True)
class _Found:
    """The content of an input: records of a format, or (None) the bytes of a text."""

    format: str
    records: Iterator[Record] | None
    data: bytes = b""
    notes: tuple[str, ...] = ()


def _find(opened: _Opened, format: str) -> _Found:
    stream, name = opened.stream, inner_name(opened.name)
    # In memory as a whole: Parquet is read from its end, and the input may be a pipe.
    if format == "parquet" or (format == "auto" and stream.peek(4)[:4] == _PARQUET):
        return _Found("parquet", parquet_records(io.BytesIO(b"".join(chunks(stream)))))
    if format == "csv" or (format == "auto" and name.endswith((".csv", ".tsv", ".tab"))):
        decoded = decode_text(b"".join(chunks(stream)))
        return _Found("csv", csv_records(decoded.text, name), notes=_encoding_notes(decoded))
    if format == "text":
        return _Found("text", None, b"".join(chunks(stream)))
    return _lines_or_json(opened, format, name.endswith((".jsonl", ".ndjson")))


def _lines_or_json(opened: _Opened, format: str, named_so: bool) -> _Found:
    """JSON Lines if requested or if the first line is an object; JSON if the whole is JSON; else a text."""
    # Before the lines are read, which consume the beginning.
    wide = wide_encoding(opened.stream.peek(CHUNK))
    notes = (_read_as(wide),) if wide else ()
    lines = lines_of(opened.stream, opened.name)
    seen = list(_to_first(lines))
    # By the first line that is not blank, and by the name: a file named .jsonl whose first line is bad is one bad line,
    # not a text.
    if format == "jsonl" or (format != "json" and (named_so or (seen and _is_object(seen[-1])))):
        return _Found("jsonl", jsonl_records(chain(seen, lines)), notes=notes)
    # The lines that were taken, and the rest as it comes.
    parts = [*seen, *(chunks(opened.stream) if wide is None else lines)]
    data = b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)
    must_be = format == "json" or inner_name(opened.name).endswith(".json")
    value = _json(opened.name, data, must_be)
    return _Found("text", None, data, notes) if value is None else _Found("json", json_records(value), notes=notes)


def _to_first(lines: Iterator[bytes | str]) -> Iterator[bytes | str]:
    """Lines up to and including the first that is not blank."""
    for line in lines:
        yield line
        if line.strip():
            return


def _is_object(line: bytes | str) -> bool:
    try:
        return isinstance(parse_json(line), dict)
    except ValueError:
        return False


def _json(name: str, data: bytes, must_be: bool) -> Any:
    """A JSON text that is an object, or an array of objects or texts; None for anything else.

    A single conversation, given as an array of turns, is treated as an object with these "messages".
    """
    # Only an array or an object can hold records. Most texts are told apart by this, without a parser.
    if data.removeprefix(codecs.BOM_UTF8).lstrip()[:1] not in (b"[", b"{") and not must_be:
        return None
    try:
        value = parse_json(data)
    except ValueError as error:
        if must_be:
            raise SourceError(
                mark("{path}: {cause}."), reason="not-json", path=name, cause=error, option="format"
            ) from error
        return None
    if isinstance(value, list) and looks_like_chat({"messages": value}):
        return {"messages": value}
    if isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], dict | str)):
        return value
    if must_be:
        raise SourceError(
            mark("{path} contains neither a JSON object nor an array of objects."), reason="no-records", path=name
        )
    return None


def _as_text(opened: _Opened, found: _Found) -> TextInput:
    decoded = decode_text(found.data)
    size = opened.size or len(found.data)
    opened.close()
    whole = InputText(opened.name, 0, decoded.text, done=size)
    # UTF-16 was decoded before, line by line.
    broken = decoded.broken or (decoded.text.count("\ufffd") if found.notes else 0)
    notes = (*found.notes, *_encoding_notes(replace(decoded, broken=broken)))
    return TextInput(opened.name, "text", "", "", (), decoded.encoding, size, notes, iter([whole]), broken)


def _read_as(encoding: str) -> str:
    return tr("read as {encoding}", encoding=encoding)


def _encoding_notes(decoded: Decoded) -> tuple[str, ...]:
    """Notes on everything that is not plain UTF-8."""
    notes = [] if decoded.encoding == UTF8 else [_read_as(decoded.encoding)]
    if decoded.broken:
        notes.append(tr("invalid bytes replaced by U+FFFD: {broken:,}", broken=decoded.broken))
    return tuple(notes)


@dataclass(frozen=True)
class _Chosen:
    """Where text and prompt are, or the name of the preset that determines it."""

    text: str
    prompt: str
    preset: str = ""
    notes: tuple[str, ...] = ()


def _choose(name: str, record: dict[str, Any], format: str, text_field: str, prompt_field: str) -> _Chosen:
    """Where the text is in records like this one (empty: there is none)."""
    # A field that was named takes precedence over the known forms of records.
    preset = "" if text_field else _preset(record, format)
    if preset:
        try:
            part = _PRESETS[preset](record)[0]
        except ValueError:
            # Reported with the line; the next one may be better.
            return _Chosen("", "", preset)
        what = tr(_WHAT[preset])
        return _Chosen(part.path, "", preset, (tr('text from "{path}" ({what})', path=part.path, what=what),))
    known = _known_texts(record)
    # A known name whose value is a text, or else one that exists at all: then each bad record is reported with its
    # line.
    text = text_field or next(iter(known), "") or next((name for name in TEXT_NAMES if name in record), "")
    if record and not text:
        raise QueryError(
            mark("{path}: cannot tell which field contains the text (fields: {fields})."),
            reason="unknown-text-field",
            path=name,
            fields=shown_fields(record),
            option="text_field",
        )
    prompts = [known for known in PROMPT_NAMES if isinstance(record.get(known), str) and known != text]
    prompt = prompt_field or next(iter(prompts), "")
    return _Chosen(text, prompt, "", _choice_notes(text, prompt, [] if text_field else known[1:]) if record else ())


def _preset(record: dict[str, Any], format: str) -> str:
    if format in _PRESETS:
        return format
    if looks_like_lm_eval(record):
        return "lm-eval"
    return "chat" if looks_like_chat(record) else ""


def _choice_notes(text: str, prompt: str, others: list[str]) -> tuple[str, ...]:
    also = tr(" (also present: {others})", others=", ".join(others)) if others else ""
    notes = [tr('text from "{text}"', text=text) + also]
    return (*notes, tr('prompt from "{prompt}"', prompt=prompt)) if prompt else tuple(notes)


def _texts(opened: _Opened, records: Iterable[Record], chosen: _Chosen) -> Iterator[InputText]:
    try:
        with _translated(opened.name):
            for record in records:
                # An error of the input ends the texts here; a bad record is a text with a problem.
                yield from _texts_of(opened, record, chosen)
    finally:
        opened.close()


def _texts_of(opened: _Opened, record: Record, chosen: _Chosen) -> Iterator[InputText]:
    name, line, done = opened.name, record.number + 1, opened.done()
    try:
        parts = _parts(record, chosen)
    except ValueError as error:
        yield InputText(name, line, "", fields=record.fields, problem=str(error), done=done)
        return
    for part in parts:
        yield InputText(name, line, part.text, part.prompt, part.path, record.fields, done=done)


def _parts(record: Record, chosen: _Chosen) -> list[Part]:
    """The texts of a record; raises ValueError with the reason if there are none."""
    if record.problem:
        raise ValueError(record.problem)
    if chosen.preset:
        return _PRESETS[chosen.preset](record.fields)
    text = text_at(record.fields, chosen.text)
    # The prompt is a help and not required: a record without it has an empty one.
    prompt = look_up(record.fields, chosen.prompt) if chosen.prompt else ""
    return [Part(chosen.text, text, prompt if isinstance(prompt, str) else "")]
