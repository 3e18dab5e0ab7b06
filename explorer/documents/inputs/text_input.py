"""Texts to trace or to analyze, from a file or standard input: one reader for all commands and the window.

The format is detected from the content, so that a file and the same bytes from standard input give the same texts.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

from explorer.core.files.encoding import UTF8, decode_text
from explorer.core.files.streams import inner_name
from explorer.core.files.text_field import (
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
from explorer.documents.declared import declared_set
from explorer.documents.inputs.opened import (
    Found,
    Opened,
    Source,
    encoding_notes,
    find_records,
    open_stream,
    translated,
)
from explorer.documents.kinds import KINDS, kind_named
from explorer.documents.lines import lines_of
from explorer.documents.record import Document, Record
from explorer.errors import QueryError
from explorer.i18n import mark, tr

_PRESETS: dict[str, Callable[[dict[str, Any]], list[Part]]] = {"lm-eval": lm_eval_parts, "chat": chat_parts}
FORMATS = ("auto", *(kind.name for kind in KINDS), *_PRESETS)
_WHAT = {"lm-eval": "lm-evaluation-harness samples", "chat": "chat turns"}
_HEAD = 1 << 13
"""Bytes in which a text may declare its character set."""
_MOST_LOOKED_AT = 100
"""Number of records to check for one that shows where the text is."""


@dataclass(frozen=True)
class InputText:
    """One text of an input.

    line: The line or row, counted from 1; 0 for the whole input.
    text: The text; "" if there is a problem.
    prompt: What it answers; "" if that is not known.
    path: The path of the text in the record; "" for the whole input.
    problem: Why there is no text, as a message that can follow "line N:"; "" if there is one.
    done: Bytes of the input that have been read so far.
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

    format: One of FORMATS but "auto".
    text_field: The path of the text in the first record; "" if there is none.
    prompt_field: The path of the prompt in the first record; "" if there is none.
    fields: The paths of all texts in the first record.
    size: Bytes of the input; 0 if unknown.
    notes: What was chosen, to be shown (the command line prints them on standard error).
    broken: Places of a plain text that could not be decoded.
    skipped: How many records of each kind have been skipped so far, such as pictures of a crawl.
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
    skipped: Counter[str] = field(default_factory=Counter)


def open_input(source: Source, format: str = "auto", text_field: str = "", prompt_field: str = "") -> TextInput:
    """Open a file, standard input ("-") or a binary stream of texts.

    source: A path, "-" for standard input, or a stream opened for bytes. Compressed data (gzip, Zstandard, bzip2, xz)
        is detected from its first bytes.
    format: One of FORMATS. "auto": Parquet by its first bytes; JSON lines where the first line that is not blank is a
        JSON object; JSON where the whole is an array of objects or one object; CSV by the ending .csv, .tsv or .tab;
        any other kind of file as builds recognize it. Records of lm-evaluation-harness ("lm-eval": each response of a
        model is a text, never the expected answer) and of conversations ("chat": each turn of a model is a text) are
        detected from their fields, unless text_field is given.
    text_field, prompt_field: Where text and prompt are in a record: a name, or a path such as `a.b[0][0]`. "": the
        first of TEXT_NAMES and PROMPT_NAMES in the first record that has any, among the first 100.
    Returns: Its `texts` yields a problem instead of a text for each line or row that cannot be used, and continues.
    Raises `SourceError` if the input cannot be read, or is truncated or damaged; also while texts are read, after those
        before the damage were yielded.
    Raises `QueryError` if the format is unknown, or the text's field is not given and not among TEXT_NAMES; the error
        lists the fields.
    """
    if format not in FORMATS:
        raise QueryError(
            mark('"{format}" is not an input format. The formats are {formats}.'),
            reason="unknown-format",
            format=format,
            formats=", ".join(FORMATS),
        )
    # From here on the file is open: whoever fails closes it, and otherwise the texts do.
    opened = open_stream(source)
    try:
        with translated(opened.name):
            return _inspect(opened, format, text_field, prompt_field)
    except BaseException:
        opened.close()
        raise


def open_lines(source: Source) -> tuple[str, Iterator[bytes | str]]:
    """Open a file, standard input ("-") or a binary stream as lines, whatever they hold.

    source: As in `open_input`, compressed or not.
    Raises `SourceError` if the input cannot be read; also while lines are read.
    """
    opened = open_stream(source)
    lines = _lines(opened)
    # The lines need not be read: the last reference also closes the file.
    weakref.finalize(lines, opened.close)
    return opened.name, lines


def _lines(opened: Opened) -> Iterator[bytes | str]:
    try:
        with translated(opened.name):
            yield from lines_of(opened.stream, opened.name)
    finally:
        opened.close()


def _inspect(opened: Opened, format: str, text_field: str, prompt_field: str) -> TextInput:
    found = find_records(opened, format)
    if found.documents is not None:
        return _as_documents(opened, found, found.documents)
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


def _as_text(opened: Opened, found: Found) -> TextInput:
    decoded = decode_text(found.data, declared=declared_set(found.data[:_HEAD], inner_name(opened.name)))
    size = opened.size or len(found.data)
    opened.close()
    whole = InputText(opened.name, 0, decoded.text, done=size)
    # UTF-16 was decoded before, line by line.
    broken = decoded.broken or (decoded.text.count("\ufffd") if found.notes else 0)
    notes = (*found.notes, *encoding_notes(replace(decoded, broken=broken)))
    return TextInput(opened.name, "text", "", "", (), decoded.encoding, size, notes, iter([whole]), broken)


def _as_documents(opened: Opened, found: Found, documents: Iterator[Document]) -> TextInput:
    """Texts as the reader of their kind finds them; a file that is one document is a text."""
    is_one = kind_named(found.format).document == "file"
    skipped: Counter[str] = Counter()
    texts = _texts_of_documents(opened, documents, is_one, skipped)
    # The texts need not be read: the last reference also closes the file.
    weakref.finalize(texts, opened.close)
    format = "text" if is_one else found.format
    return TextInput(opened.name, format, "", "", (), UTF8, opened.size, found.notes, texts, skipped=skipped)


def _texts_of_documents(
    opened: Opened, documents: Iterator[Document], is_one: bool, skipped: Counter[str]
) -> Iterator[InputText]:
    try:
        with translated(opened.name):
            for document in documents:
                if document.skipped:
                    skipped[document.skipped] += 1
                    continue
                line = 0 if is_one else document.place + 1
                yield InputText(
                    opened.name,
                    line,
                    document.text,
                    fields=dict(document.metadata),
                    problem=document.problem,
                    done=opened.done(),
                )
    finally:
        opened.close()


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


def _texts(opened: Opened, records: Iterable[Record], chosen: _Chosen) -> Iterator[InputText]:
    try:
        with translated(opened.name):
            for record in records:
                # An error of the input ends the texts here; a bad record is a text with a problem.
                yield from _texts_of(opened, record, chosen)
    finally:
        opened.close()


def _texts_of(opened: Opened, record: Record, chosen: _Chosen) -> Iterator[InputText]:
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
