"""Texts to analyze from files, each with the name of its group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from explorer.analyses.metadata.values import Value, labels, plain_value
from explorer.building.sources.readers import ReadState, list_files
from explorer.core.files.paths import is_folder
from explorer.core.files.text_field import MISSING, look_up, missing, text_at
from explorer.documents.inputs.on_bad import BadText, Reading, described, skipped_lines
from explorer.documents.inputs.text_input import TextInput, open_input
from explorer.errors import QueryError
from explorer.i18n import mark, tr

_STDIN = "-"
_LOOKED_AT = 20
"""Records of a file whose fields are offered."""
_DEEPEST = 3


@dataclass(frozen=True)
class InputChoice:
    """How inputs are read.

    text_field: A name or a path; "" for a known name.
    group_field: The field with the name of each text's group; None for the name of the file.
    prompt_field: The field with the prompt of each text; None for no prompts.
    """

    format: str = "auto"
    text_field: str = ""
    group_field: str | None = None
    on_bad: str = "fail"
    prompt_field: str | None = None


@dataclass(frozen=True)
class SourceTexts:
    """Texts with their groups.

    notes: The choices made while reading.
    problems: What was left out.
    prompts: The prompt of each text; empty if no field has them.
    """

    texts: tuple[str, ...]
    groups: tuple[str, ...]
    notes: tuple[str, ...] = ()
    problems: tuple[BadText, ...] = ()
    prompts: tuple[str, ...] = ()


def read_texts(sources: Sequence[Path | str], choice: InputChoice = InputChoice()) -> SourceTexts:
    """Read texts from files, folders and standard input.

    choice: The format, the fields of text and group, and what to do with lines that cannot be read.
    Returns: The texts with their groups: the value of the group's field, or the name of the file if there is no such
        field.
    Raises `SourceError` if something cannot be read, or there is no text.
    Raises `QueryError` if it is unclear which field has the text.
    """
    reading = Reading(choice.on_bad)
    found: list[tuple[str, Value, str]] = []
    # A dictionary as a set that keeps its order: many files make the same choice.
    notes: dict[str, None] = {}
    for source in sources:
        name = tr("standard input") if str(source) == _STDIN else Path(source).name
        for opened in _inputs(source, choice):
            notes[described(opened)] = None
            found += _found(opened, reading, name, choice)
            notes |= dict.fromkeys(skipped_lines(opened))
    if not found:
        # Texts without a group are read as good, but there is nothing to analyze in them; this makes `require_texts`
        # raise.
        reading.good = 0
        reading.require_texts(", ".join(map(str, sources)))
    # The check above leaves at least one text to unpack.
    texts, values, prompts = zip(*found, strict=True)
    # Groups follow the rule for metadata values: 1 and 1.0 are the same group, and true is another.
    groups = values if choice.group_field is None else labels(values)
    return SourceTexts(
        texts,
        groups,
        tuple(filter(None, notes)),
        tuple(reading.problems),
        prompts if choice.prompt_field is not None else (),
    )


@dataclass(frozen=True)
class InputFields:
    """The fields that files have.

    single: Paths of single values: what texts can be grouped by.
    texts: Those of them that hold texts: what can be a prompt.
    """

    single: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


def input_fields(sources: Sequence[Path | str], format: str = "auto") -> InputFields:
    """Find the fields of files, from the first records of each.

    Returns: The fields, in the order in which they occur; none for plain texts.
    Raises `SourceError` if a file cannot be read.
    """
    single: dict[str, None] = {}
    texts: dict[str, None] = {}
    for source in sources:
        for opened in _inputs(source, InputChoice(format)):
            for found in islice(opened.texts, _LOOKED_AT):
                for path, value in _single_values(found.fields):
                    single[path] = None
                    if isinstance(value, str):
                        texts[path] = None
    return InputFields(tuple(single), tuple(texts))


def _single_values(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The paths of values other than lists, at most three levels deep."""
    if isinstance(value, dict):
        for name, part in value.items() if depth < _DEEPEST else ():
            yield from _single_values(part, f"{path}.{name}" if path else str(name), depth + 1)
    elif not isinstance(value, list):
        yield path, value


def _inputs(source: Path | str, choice: InputChoice) -> Iterator[TextInput]:
    files: Iterable[Path | str] = [source]
    if str(source) != _STDIN and is_folder(Path(source)):
        files = dict.fromkeys(file.path for file in list_files([Path(source)], ReadState()))
    for file in files:
        opened = open_input(file, choice.format, choice.text_field)
        # A text file has no fields: nothing in it is a group, and no part of it is the text.
        if opened.format == "text" and (field := choice.group_field or choice.text_field or choice.prompt_field):
            raise QueryError(
                mark('{path} is a single text and has no field "{field}".'),
                reason="no-fields",
                path=opened.source,
                field=field,
                option="field",
            )
        yield opened


def _found(opened: TextInput, reading: Reading, name: str, choice: InputChoice) -> Iterator[tuple[str, Value, str]]:
    """Each readable text of an input with its group and its prompt."""
    for found in reading.texts(opened):
        # `Reading.texts` has noted the problem, or raised it.
        if found.problem:
            continue
        field = choice.group_field
        group = name if field is None else look_up(found.fields, field)
        # Not None: null is a value of the field, and so a group of its own.
        if group is MISSING:
            reading.bad(found, missing(found.fields, str(field)))
            continue
        try:
            prompt = _prompt(found.fields, choice.prompt_field)
        except ValueError as error:
            # A text without its prompt would be scored from less context than the others.
            reading.bad(found, str(error))
            continue
        yield found.text, plain_value(group), prompt


def _prompt(fields: dict[str, Any], field: str | None) -> str:
    """The prompt of a record; raises ValueError if it has none."""
    # Looked up here, since `open_input` takes a prompt from any field with a known name, and a missing one for empty.
    return "" if field is None else text_at(fields, field)
