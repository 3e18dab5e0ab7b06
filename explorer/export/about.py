"""The facts about an exported table, in a file beside it: the table itself contains only rows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from explorer.export.destination import is_plain, save_text
from explorer.export.jsonable import to_json

About = Literal["beside", "inline", "none"]
ABOUT: tuple[About, ...] = ("beside", "inline", "none")
Facts = Iterable[tuple[str, str]]


def about_path(path: Path) -> Path:
    """Where the facts about a table are."""
    return path.with_name(f"{path.name}.about.json")


def facts_object(facts: Facts) -> dict[str, str | list[str]]:
    """Facts by name; a list if there are several with the same name."""
    # Some facts occur several times: one `filter` per condition of a search.
    found: dict[str, list[str]] = {}
    for name, value in facts:
        found.setdefault(name, []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def facts_text(facts: Facts) -> str:
    """Facts as JSON, as they are written beside a file or into a picture; "" if there are none."""
    found = facts_object(facts)
    return to_json(found) + "\n" if found else ""


def save_about(path: Path, facts: Facts) -> None:
    """Write the facts about a table into a file beside it: PATH.about.json.

    path: The file of the table. A device, a pipe or a stream gets no file beside it.
    facts: Names and values; nothing is written if there are none.
    Raises `ExportError` if the file cannot be written.
    """
    text = facts_text(facts)
    # What is written to /dev/stdout or a pipe has no folder of its own in which a second file would be found.
    if text and is_plain(path):
        save_text(about_path(path), text)
