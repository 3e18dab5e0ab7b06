"""The process in which libraries in native code read files; `explorer.documents.library_process` starts it."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import date, time, timedelta
from typing import IO, Any

from explorer.documents.library_process import DAMAGED, LOCKED, MEMORY
from explorer.documents.office.sheet_rows import sheets_of
from explorer.documents.pdf.pages import pages_of
from explorer.documents.skipped import LockedError

READERS: dict[str, Callable[[str], Iterator[dict[str, Any]]]] = {"pdf": pages_of, "spreadsheet": sheets_of}


def _limit() -> None:
    """Limit what a file may make this process do, if the system can limit it."""
    if sys.platform == "win32":
        return
    import resource

    # No file is written, and no image of the memory when it crashes.
    for name, most in (("RLIMIT_AS", MEMORY), ("RLIMIT_FSIZE", 0), ("RLIMIT_CORE", 0)):
        kind = getattr(resource, name)
        _, highest = resource.getrlimit(kind)
        if highest == resource.RLIM_INFINITY or highest > most:
            # macOS refuses some of them.
            try:
                resource.setrlimit(kind, (most, highest))
            except (ValueError, OSError):
                continue


def _take(requests: IO[bytes], waiting: queue.SimpleQueue[bytes]) -> None:
    """Receive requests; end the process with the one that asks, even while a library is busy."""
    for line in requests:
        waiting.put(line)
    os._exit(0)


def _answer(request: bytes, answers: IO[bytes]) -> None:
    reason, words = "", ""
    try:
        reader, path = json.loads(request)
        for part in READERS[reader](path):
            _say(part, answers)
    except LockedError:
        reason = LOCKED
    except (KeyboardInterrupt, SystemExit):
        raise
    # Libraries in Rust raise a subclass of it where their own code fails.
    except BaseException as error:  # noqa: BLE001
        reason, words = DAMAGED, " ".join(str(error).split()) or type(error).__name__
    _say([reason, words], answers)


def _say(value: Any, answers: IO[bytes]) -> None:
    answers.write(json.dumps(value, default=_as_text).encode("ascii") + b"\n")
    answers.flush()


def _as_text(value: date | time | timedelta) -> str:
    """A date or time in the form of ISO 8601, and a length of time as hours, minutes and seconds."""
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return value.isoformat()


def main() -> None:
    """Answer requests until there are no more."""
    # What a library prints must not come between the lines.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _limit()
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_take, args=(sys.stdin.buffer, waiting), daemon=True).start()
    while True:
        _answer(waiting.get(), answers)


if __name__ == "__main__":
    main()
