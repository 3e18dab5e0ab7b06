"""Numbers of documents of services, which are kept on this machine: the protocol has no address by number.

A document gets the next number when it is first met, and keeps it in later runs, so that saved lines stay what they
were. The file has an identity of its own, which is part of the fingerprint of the index: numbers of another machine are
those of another index.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import uuid
import weakref
from dataclasses import dataclass
from pathlib import Path

from explorer.core.files.paths import data_folder
from explorer.errors import CorpusError
from explorer.i18n import mark

SLOTS = 1 << 20
"""Documents of one index that can be met. Arrays with an entry per document have this length."""

_TABLES = """
CREATE TABLE IF NOT EXISTS identity (name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS documents (
    source TEXT NOT NULL, number INTEGER NOT NULL, part INTEGER NOT NULL, shard INTEGER NOT NULL,
    place INTEGER NOT NULL, rank INTEGER NOT NULL,
    PRIMARY KEY (source, number), UNIQUE (source, part, shard, place)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class DocumentKey:
    """What a number means.

    part: Whether it is the part of a long document around one hit, and not a whole document.
    place: The number of the document in the answers of the service; of a part, the rank of its hit.
    """

    part: bool
    shard: int
    place: int


class Numbering:
    """Numbers of the documents of one index.

    source: The address of the index.
    path: The file; None for the one in the user's folder of data.

    Notes
    -----
    Without a file that can be written, numbers hold for this run.
    """

    def __init__(self, source: str, path: Path | None = None) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._numbers: dict[DocumentKey, int] = {}
        self._ranks: list[tuple[int, int]] = []
        self._file = _opened(path or data_folder() / "remote" / "documents.sqlite")
        self.identity = uuid.uuid4().hex
        if self._file is not None:
            # Corpora and their results share a backend, which ends with the last of them.
            weakref.finalize(self, self._file.close)
            [self.identity] = self._file.execute("SELECT name FROM identity").fetchone()
            self._read()

    def __len__(self) -> int:
        return len(self._ranks)

    def number_of(self, key: DocumentKey, rank: int) -> int:
        """Give the number of a document.

        Raises `CorpusError` if there are more documents than numbers.
        """
        with self._lock:
            if (known := self._numbers.get(key)) is not None:
                return known
            return self._added(key, rank)

    def rank_of(self, number: int) -> tuple[int, int]:
        """Give the shard and rank by which a document with a number can be read; raises IndexError for others."""
        with self._lock:
            if number < 0:
                raise IndexError(number)
            return self._ranks[number]

    def close(self) -> None:
        """Close the file; further numbers hold for this run."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def _added(self, key: DocumentKey, rank: int) -> int:
        if self._file is not None:
            with contextlib.suppress(sqlite3.Error):
                self._write(self._file, key, rank)
                if key in self._numbers:
                    return self._numbers[key]
        if len(self._ranks) == SLOTS:
            raise CorpusError(
                mark("More than {most:,} documents of {source} were met, which is as many as can be numbered."),
                reason="too-many-documents",
                most=SLOTS,
                source=self._source,
            )
        return self._keep(key, key.shard, rank)

    def _write(self, file: sqlite3.Connection, key: DocumentKey, rank: int) -> None:
        """Write a document into the file, after what other processes have written since."""
        file.execute("BEGIN IMMEDIATE")
        try:
            self._read()
            if key not in self._numbers and len(self._ranks) < SLOTS:
                row = (self._source, len(self._ranks), key.part, key.shard, key.place, rank)
                file.execute("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)", row)
                self._keep(key, key.shard, rank)
        finally:
            file.execute("COMMIT")

    def _read(self) -> None:
        assert self._file is not None
        ask = "SELECT part, shard, place, rank FROM documents WHERE source = ? AND number >= ? ORDER BY number"
        for part, shard, place, rank in self._file.execute(ask, (self._source, len(self._ranks))).fetchall():
            self._keep(DocumentKey(bool(part), shard, place), shard, rank)

    def _keep(self, key: DocumentKey, shard: int, rank: int) -> int:
        self._numbers[key] = len(self._ranks)
        self._ranks.append((shard, rank))
        return self._numbers[key]


def _opened(path: Path) -> sqlite3.Connection | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Transactions are begun by hand: reading and adding must be one.
        made = sqlite3.connect(path, timeout=5, check_same_thread=False, isolation_level=None)
    except (OSError, sqlite3.Error):
        return None
    try:
        made.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; {_TABLES}")
        made.execute("BEGIN IMMEDIATE")
        if made.execute("SELECT count(*) FROM identity").fetchone() == (0,):
            made.execute("INSERT INTO identity VALUES (?)", (uuid.uuid4().hex,))
        made.execute("COMMIT")
    except sqlite3.Error:
        made.close()
        return None
    return made
