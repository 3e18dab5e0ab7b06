"""The log of unexpected errors: a file beside the settings."""

from __future__ import annotations

import logging
from functools import cached_property
from pathlib import Path

from explorer import version

_LOG = logging.getLogger("explorer")
_MOST_BYTES = 512_000


def log_path(folder: Path) -> Path:
    """The path of the log, in the folder of the settings."""
    return folder / "corpus-explorer.log"


def start_log(folder: Path) -> None:
    """Write errors of the program to the log; if it cannot be written, they are only shown."""
    # Several windows share one process and one log; a second handler would write every line twice.
    if any(isinstance(handler, _LateFile) for handler in _LOG.handlers):
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    _LOG.addHandler(_LateFile(log_path(folder)))


class _LateFile(logging.Handler):
    """Writes to a file that is opened for the first record: most runs have none.

    A new file is begun at half a megabyte, and the one before is kept.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    @cached_property
    def _file(self) -> logging.Handler:
        # Its module also serves sockets and queues: the window is shown without it.
        from logging.handlers import RotatingFileHandler

        file = RotatingFileHandler(self.path, maxBytes=_MOST_BYTES, backupCount=1, encoding="utf-8", delay=True)
        file.setFormatter(logging.Formatter(f"%(asctime)s {version.VERSION} %(levelname)s %(message)s"))
        return file

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        self._file.emit(record)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()
