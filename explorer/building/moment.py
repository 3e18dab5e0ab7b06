"""When an index was made and how long that took, as it records it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from explorer.building.sources.source import Problem
from explorer.core.files.json_text import write_json
from explorer.core.files.paths import write_whole
from explorer.errors import BuildError
from explorer.i18n import mark
from explorer.index.layout import REPORT_NAME

# Rooms above the seam name the report, too.
__all__ = ["REPORT_NAME", "VARIABLE", "is_reproducible", "now", "write_report"]

VARIABLE = "SOURCE_DATE_EPOCH"
"""The moment that reproducible builds state, in seconds since 1970 (https://reproducible-builds.org)."""


def is_reproducible() -> bool:
    """Whether the same sources must give the same bytes, so that nothing is recorded that differs from run to run."""
    return bool(os.environ.get(VARIABLE))


def now() -> str:
    """Give the moment to record.

    Returns: The moment of SOURCE_DATE_EPOCH if it is set, or else now; in ISO 8601, UTC, to the second.
    Raises `BuildError` if the variable is not a number of seconds.
    """
    if not is_reproducible():
        return datetime.now(UTC).isoformat(timespec="seconds")
    text = os.environ[VARIABLE]
    try:
        if not text.isascii() or not text.isdigit():
            raise ValueError(text)
        return datetime.fromtimestamp(int(text), UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError) as error:
        raise BuildError(
            mark("{variable} is {text}, which is not a number of seconds since 1970."),
            reason="bad-moment",
            variable=VARIABLE,
            text=text,
        ) from error


def write_report(
    folder: Path,
    seconds: float,
    problems: Sequence[Problem] = (),
    files: Sequence[Sequence[Any]] = (),
    read: Mapping[str, int | None] | None = None,
    skipped: Sequence[Sequence[Any]] = (),
) -> None:
    """Write `report.json`: what may differ between two builds of the same sources, and what was left out.

    seconds: How long the work took; not recorded if the build must be reproducible.
    files: The files that were read, as `explorer.building.known` lists them.
    read: How much was found, and how much of it was skipped, by the names of `explorer.building.sources.source.Tally`.
    skipped: The files of which nothing was read, as `explorer.building.known` lists them.
    Raises `OSError` if it cannot be written.
    """
    took = None if is_reproducible() else seconds
    value = {
        "seconds": took,
        "read": dict(read or {}),
        "problems": [vars(problem) for problem in problems],
        "files": [*map(list, files)],
        "skipped": [*map(list, skipped)],
    }
    write_whole(folder / REPORT_NAME, write_json(value, indent=1) + "\n")
