"""Answers of services that are kept on disk: what was asked once is not asked again for a month."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import threading
import time
import weakref
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zstandard

from explorer.core.files.paths import cache_folder

DAY = 24 * 3600
DAYS = 30
MOST_BYTES = 256 << 20
_MOST_OF_RUN = 20_000
"""Answers that are kept for this run only."""
_LOOK_EVERY = 100
"""Answers that are written between two looks at the size."""

_TABLE = """
CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, data BLOB NOT NULL, fetched REAL NOT NULL, used REAL NOT NULL)
WITHOUT ROWID
"""


@dataclass(frozen=True)
class Kept:
    """A kept answer.

    fetched: When it came, in seconds since 1970.
    """

    value: Any
    fetched: float


def key_of(url: str, index: str, request: Any) -> bytes:
    """Make the key of an answer.

    Returns: 32 bytes, equal for equal requests.

    Examples
    --------
    >>> key_of("http://a", "b", {"x": 1, "y": 2}) == key_of("http://a", "b", {"y": 2, "x": 1})
    True
    """
    text = json.dumps([url, index, request], sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).digest()


class AnswerCache:
    """Answers by key, in a file of SQLite; the least recently used ones make room.

    path: The file; None for the one in the user's cache folder.
    most_bytes: Most bytes of all answers.
    days: How long an answer is kept.

    Notes
    -----
    A cache that cannot be read or written keeps answers for this run only: it costs time, and no answer. Several
    processes may use one file, and several threads one cache.
    """

    def __init__(self, path: Path | None = None, most_bytes: int = MOST_BYTES, days: float = DAYS) -> None:
        self.path = path or cache_folder() / "remote" / "answers.sqlite"
        self.most_bytes, self.days = most_bytes, days
        self._lock = threading.Lock()
        self._of_run: OrderedDict[bytes, Kept] = OrderedDict()
        self._written = 0
        self._file = self._opened()
        if self._file is not None:
            # Also at the end of the program, for the cache that it shares.
            weakref.finalize(self, self._file.close)

    def get(self, key: bytes) -> Kept | None:
        """Find an answer.

        Returns: The answer, if there is one that is not too old.
        """
        with self._lock:
            if (found := self._of_run.get(key)) is not None:
                self._of_run.move_to_end(key)
                return found
            return self._read(key)

    def put(self, key: bytes, value: Any, across_runs: bool = True) -> None:
        """Keep an answer.

        across_runs: Whether to keep it on disk; False for a random sample, which is another one next time.
        """
        now = time.time()
        with self._lock:
            if not (across_runs and self._write(key, value, now)):
                self._of_run[key] = Kept(value, now)
                while len(self._of_run) > _MOST_OF_RUN:
                    self._of_run.popitem(last=False)

    def remove(self, key: bytes) -> None:
        """Forget an answer."""
        with self._lock:
            self._of_run.pop(key, None)
            if self._file is not None:
                with contextlib.suppress(sqlite3.Error), self._file:
                    self._file.execute("DELETE FROM answers WHERE key = ?", (key,))

    def clear(self) -> None:
        """Forget all answers."""
        with self._lock:
            self._of_run.clear()
            if self._file is not None:
                with contextlib.suppress(sqlite3.Error), self._file:
                    self._file.execute("DELETE FROM answers")

    def close(self) -> None:
        """Close the file; what is asked afterwards is kept for this run only."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    @property
    def size(self) -> int:
        """Bytes of the answers on disk."""
        with self._lock:
            return self._size()

    def _opened(self) -> sqlite3.Connection | None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # What somebody asked is nobody else's business.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            return self._with_table()
        except sqlite3.DatabaseError:
            return self._made_again()
        except OSError:
            return None

    def _made_again(self) -> sqlite3.Connection | None:
        """A new file in place of a damaged one."""
        try:
            for end in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + end).unlink(missing_ok=True)
            return self._with_table()
        except (OSError, sqlite3.Error):
            return None

    def _with_table(self) -> sqlite3.Connection:
        made = sqlite3.connect(self.path, timeout=5, check_same_thread=False)
        try:
            # Readers do not wait for a writer, and a power failure costs the last answers, not the file.
            made.execute("PRAGMA journal_mode = WAL")
            made.execute("PRAGMA synchronous = NORMAL")
            with made:
                made.execute(_TABLE)
                made.execute("DELETE FROM answers WHERE fetched < ?", (time.time() - self.days * DAY,))
        except BaseException:
            made.close()
            raise
        return made

    def _read(self, key: bytes) -> Kept | None:
        if self._file is None:
            return None
        try:
            row = self._file.execute("SELECT data, fetched, used FROM answers WHERE key = ?", (key,)).fetchone()
            if row is None or row[1] < (now := time.time()) - self.days * DAY:
                return None
            # Which one is the least recently used needs no more than an hour's precision.
            if row[2] < now - 3600:
                with self._file:
                    self._file.execute("UPDATE answers SET used = ? WHERE key = ?", (now, key))
            return Kept(json.loads(zstandard.decompress(row[0])), row[1])
        except (sqlite3.Error, ValueError, zstandard.ZstdError):
            return None

    def _write(self, key: bytes, value: Any, now: float) -> bool:
        if self._file is None:
            return False
        data = zstandard.compress(json.dumps(value, separators=(",", ":")).encode())
        try:
            with self._file:
                self._file.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", (key, data, now, now))
                self._written += 1
                if self._written % _LOOK_EVERY == 1:
                    self._make_room()
        except sqlite3.Error:
            return False
        return True

    def _make_room(self) -> None:
        """Remove the least recently used answers if they are too large together."""
        if self._file is None or (size := self._size()) <= self.most_bytes:
            return
        rows = self._file.execute("SELECT key, length(data) FROM answers ORDER BY used").fetchall()
        for key, length in rows:
            # A tenth more than needed, so that the next answers find room without a look.
            if size <= self.most_bytes * 9 // 10:
                return
            self._file.execute("DELETE FROM answers WHERE key = ?", (key,))
            size -= length

    def _size(self) -> int:
        if self._file is None:
            return 0
        [total] = self._file.execute("SELECT coalesce(sum(length(data)), 0) FROM answers").fetchone()
        return int(total)


_shared: dict[Path, AnswerCache] = {}
_shared_lock = threading.Lock()


def shared_cache() -> AnswerCache:
    """Give the cache in the user's cache folder, the same for the whole program."""
    path = cache_folder() / "remote" / "answers.sqlite"
    with _shared_lock:
        if path not in _shared:
            _shared[path] = AnswerCache(path)
        return _shared[path]
