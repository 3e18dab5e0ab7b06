"""Embeddings of f-grams as a database of LMDB, by the package lmdb: for programs that look f-grams up one by one."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from explorer.analyses.fgrams.compute import FgramTable
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.export.destination import ExportError
from explorer.export.fgrams.embeddings import EmbeddingRows
from explorer.export.new_folder import check_new_folder
from explorer.i18n import mark
from explorer.version import install_command

_AT_ONCE = 4096
"""Rows of one transaction."""
# A value that does not fit into half a page of 4,096 bytes takes whole pages, beside the tree of the keys.
_PAGE, _TREE = 4096, 256


def write_lmdb(
    folder: Path,
    table: FgramTable,
    rows: EmbeddingRows,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> None:
    """Write a database: the ids of an f-gram, four bytes each with the highest first, lead to its row as it is stored.

    Raises `QueryError` if the package lmdb is not installed.
    Raises `ExportError` if the folder exists or cannot be written.
    """
    lmdb = _package()
    partial = folder.with_name(f"{folder.name}.partial")
    made = False
    try:
        check_new_folder(folder)
        partial.mkdir(parents=True)
        made = True
        row_bytes = rows.kind.row_bytes(rows.facts.dimension)
        # A limit and not a size: the file grows as far as it is written.
        limit = (1 << 24) + 2 * table.kept * (_TREE + (row_bytes // _PAGE + 1) * _PAGE)
        # One flush at the end: until then the folder has another name.
        with lmdb.open(str(partial), map_size=limit, sync=False, lock=False) as database:
            _write(database, table, rows, report, cancel)
            database.sync(True)
        partial.rename(folder)
    except (OSError, lmdb.Error) as error:
        raise ExportError(
            mark("{path} cannot be written: {cause}."),
            reason="unwritable",
            path=folder,
            cause=getattr(error, "strerror", None) or error,
        ) from error
    finally:
        if made:
            shutil.rmtree(partial, ignore_errors=True)


def _write(database: Any, table: FgramTable, rows: EmbeddingRows, report: Report, cancel: CancelToken | None) -> None:
    done = 0
    for part in table.parts:
        for first in range(0, len(part.ids), _AT_ONCE):
            if cancel is not None:
                cancel.check()
            ids = part.ids[first : first + _AT_ONCE].astype(">u4")
            stored = np.ascontiguousarray(rows.stored[done : done + len(ids)])
            with database.begin(write=True) as transaction:
                for key, row in zip(ids, stored, strict=True):
                    transaction.put(key.tobytes(), row.tobytes())
            done += len(ids)
            report(Progress("writing the database", done, table.kept, "f-grams"))


def _package() -> Any:
    try:
        # Here: it is an extra that few need.
        return importlib.import_module("lmdb")
    except ImportError as error:
        raise QueryError(
            mark("A database of LMDB needs the package lmdb, which is not installed: {command}"),
            reason="no-lmdb",
            command=install_command("lmdb"),
        ) from error
