"""A table of f-grams as files that numpy reads: sorted ids and counts of each n, and what they are of."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from explorer.export.destination import ExportError
from explorer.i18n import mark
from explorer.statistics.fgrams import FgramTable

META = "meta.json"
TIES = "everything with a count of at least the cutoff is kept"
SEPARATORS = "no f-gram contains a separator, so none crosses the border of two documents"
ORDER = "rows ascend by their ids; of the whole table, those of the smallest n come first"


def write_fgrams(folder: Path, table: FgramTable, about: Mapping[str, Any]) -> None:
    """Write a table of f-grams to a new folder, completely or not at all.

    Parameters
    ----------
    folder
        The folder, which must not exist.
    table
        The table.
    about
        What else `meta.json` states.

    Raises
    ------
    ExportError
        If the folder exists or cannot be written.
    """
    partial = folder.with_name(f"{folder.name}.partial")
    made = False
    try:
        check_new(folder)
        # A folder of this name that somebody else writes stays as it is: this raises.
        partial.mkdir(parents=True)
        made = True
        _write(partial, table, about)
        # Only now: a folder of this name has all of its files.
        partial.rename(folder)
    except OSError as error:
        raise ExportError(
            mark("{path} cannot be written: {cause}."), reason="unwritable", path=folder, cause=error.strerror or error
        ) from error
    finally:
        if made:
            shutil.rmtree(partial, ignore_errors=True)


def _write(folder: Path, table: FgramTable, about: Mapping[str, Any]) -> None:
    # The least width that holds every token, as tables of embeddings are looked up by.
    width = np.uint16 if table.separator < 1 << 16 else np.uint32
    # A file for each n, since numpy has no arrays of rows of different lengths.
    for n, part in enumerate(table.parts, 2):
        np.save(folder / f"fgrams-{n}.npy", part.ids.astype(width))
        np.save(folder / f"counts-{n}.npy", part.counts)
    # Everything that a reader must know to use the arrays, in words where it is a rule.
    facts = {
        "kind": "corpus-explorer/fgrams/1",
        **about,
        "max_n": table.max_n,
        "cutoff": table.cutoff,
        "kept": table.kept,
        "by_n": [vars(each) for each in table.by_n],
        "order": ORDER,
        "ties": TIES,
        "separators": SEPARATORS,
    }
    (folder / META).write_text(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def check_new(folder: Path) -> None:
    """Raise ExportError if a folder exists: before the work, which may take minutes."""
    if folder.exists():
        raise ExportError(mark("{path} exists already."), reason="out-exists", path=folder)
