"""A table of f-grams as files that numpy reads: sorted ids and counts of each n, and what they are of.

A table that was written is read again, checked, without its index.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from explorer.analyses.fgrams.compute import FgramRows, FgramSize, FgramTable, keys_of
from explorer.errors import CorpusError
from explorer.export.new_folder import new_folder
from explorer.i18n import mark

META = "meta.json"
KIND = "corpus-explorer/fgrams/1"
TIES = "everything with a count of at least the cutoff is kept"
SEPARATORS = "no f-gram contains a separator, so none crosses the border of two documents"
ORDER = "rows ascend by their ids; of the whole table, those of the smallest n come first"


def write_fgrams(folder: Path, table: FgramTable, about: Mapping[str, Any]) -> None:
    """Write a table of f-grams to a new folder, completely or not at all.

    folder: The folder, which must not exist.
    about: What else `meta.json` states.
    Raises `ExportError` if the folder exists or cannot be written.
    """
    with new_folder(folder) as partial:
        _write(partial, table, about)


def _write(folder: Path, table: FgramTable, about: Mapping[str, Any]) -> None:
    # The least width that holds every token, as tables of embeddings are looked up by.
    width = np.uint16 if table.separator < 1 << 16 else np.uint32
    # A file for each n, since numpy has no arrays of rows of different lengths.
    for n, part in enumerate(table.parts, 2):
        np.save(folder / f"fgrams-{n}.npy", part.ids.astype(width))
        np.save(folder / f"counts-{n}.npy", part.counts)
    # Everything that a reader must know to use the arrays, in words where it is a rule.
    facts = {
        "kind": KIND,
        **about,
        "max_n": table.max_n,
        "cutoff": table.cutoff,
        "separator": table.separator,
        "kept": table.kept,
        "by_n": [vars(each) for each in table.by_n],
        "order": ORDER,
        "ties": TIES,
        "separators": SEPARATORS,
    }
    (folder / META).write_text(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class StoredTable:
    """A table that was written.

    table: The table; the ids and counts are mapped, the keys in memory.
    fingerprint: Of the index that it was made of.
    tokenizer: The SHA-256 of the index's tokenizer; "" for bytes, None where the index had none.
    """

    folder: Path
    table: FgramTable
    fingerprint: str
    tokenizer: str | None


def read_fgrams(folder: Path) -> StoredTable:
    """Read a table of f-grams.

    Raises `CorpusError` if it is not such a folder, or a file is missing, cut short, or not sorted.

    Notes
    -----
    Every id is read once, to make the keys: eight bytes of memory per f-gram.
    """
    try:
        meta: dict[str, Any] = json.loads((folder / META).read_text(encoding="utf-8"))
        if meta["kind"] != KIND:
            raise ValueError(meta["kind"])
        parts: list[FgramRows] = []
        for each in meta["by_n"]:
            parts.append(_read_part(folder, each["n"], each["at_least"], parts))
        sizes = tuple(FgramSize(each["n"], each["distinct"], each["at_least"]) for each in meta["by_n"])
        table = FgramTable(meta["max_n"], meta["cutoff"], sizes, tuple(parts), meta["separator"])
        if [each.n for each in sizes] != list(range(2, table.max_n + 1)) or not isinstance(meta["separator"], int):
            raise ValueError(sizes)
        return StoredTable(folder, table, meta["fingerprint"], meta["tokenizer"])
    except FileNotFoundError as error:
        raise CorpusError(
            mark("{path} is not a table of f-grams: {file} is missing."),
            reason="not-a-table-of-fgrams",
            path=folder,
            file=Path(str(error.filename)).name,
        ) from error
    except (OSError, EOFError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise CorpusError(
            mark("The table of f-grams {path} is damaged or cut short."), reason="damaged-fgrams", path=folder
        ) from error


def _read_part(folder: Path, n: int, rows: int, smaller: list[FgramRows]) -> FgramRows:
    ids = np.load(folder / f"fgrams-{n}.npy", mmap_mode="r" if rows else None, allow_pickle=False)
    counts = np.load(folder / f"counts-{n}.npy", mmap_mode="r" if rows else None, allow_pickle=False)
    if ids.shape != (rows, n) or counts.shape != (rows,) or ids.dtype.kind != "u" or counts.dtype != np.int64:
        raise ValueError(ids.shape)
    keys = keys_of(ids, smaller)
    # The beginning of each f-gram is an f-gram, unless the files do not belong together; and a look-up needs order.
    beginnings = len(smaller[-1].ids) if smaller else 1 << 32
    if len(keys) and (int(keys.max()) >> 32 >= beginnings or not (keys[1:] > keys[:-1]).all()):
        raise ValueError(n)
    return FgramRows(ids, counts, keys)
