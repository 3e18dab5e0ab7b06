"""Libraries in native code read untrusted files in a process apart, which may crash, hang or run out of memory.

One such process serves all files, one after the other, and is replaced when it has ended. A request is the name of a
reader and a path as a line of JSON; the answer is lines of JSON, of which the last one has the outcome. The other side
is `explorer.documents.library_child`.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from explorer.core.files.encoding import NotTextError
from explorer.core.files.streams import chunks
from explorer.core.jobs.programs import command_of
from explorer.documents.content import Content
from explorer.documents.skipped import UNOPENED
from explorer.i18n import tr

PATIENCE = 10.0
"""Seconds to the next line of an answer, and one more for each megabyte of the file: calamine reads a sheet at once."""
MEMORY = 1 << 30
"""Bytes of address space that the process may take, if the system can limit them."""
_POLL = 0.25
_LAST = b"["
"""Begins the last line of an answer: a reason of `_sentence`, "" for none, and the library's own words."""
LOCKED, DAMAGED = "locked", "damaged"


@dataclass
class _Process:
    """The process, and since when it has been silent.

    moment: When a request was sent or a line was received; 0 while nothing is awaited.
    patience: Seconds that may pass since then.
    answers: The number of complete answers.
    is_late: Whether it was ended because no line came.
    """

    child: subprocess.Popen[bytes]
    moment: float = 0.0
    patience: float = PATIENCE
    answers: int = 0
    is_late: bool = False

    def watch(self) -> None:
        """End the process if it is silent for too long; runs on a thread of its own, which ends with the process."""
        # A thread that kills, since reading a pipe has no time limit on every system.
        while self.child.poll() is None:
            if self.moment and time.monotonic() - self.moment > self.patience:
                self.is_late = True
                self.child.kill()
            time.sleep(_POLL)

    def end(self) -> int:
        """End the process; returns its exit code."""
        self.child.kill()
        code = self.child.wait()
        for pipe in (self.child.stdin, self.child.stdout):
            if pipe is not None:
                # What was not sent goes nowhere.
                with suppress(OSError):
                    pipe.close()
        return code


_lock = threading.Lock()
_current: list[_Process] = []


def answer_of(reader: str, content: Content, most: int) -> list[bytes]:
    """Let a library read a file in the process apart.

    most: The most bytes of the answer: a small file may expand to any number, by naming one page many times.
    Returns: The parts of the answer in JSON, as the reader yields them.
    Raises `NotTextError` if the library does not open the file, or the process ended, was silent for too long or
        answered too much.
    Raises `BrokenStreamError` if the file is compressed, and the compression is damaged.
    """
    with _stored(content) as path, _lock:
        return _ask(reader, path, most)


@contextmanager
def _stored(content: Content) -> Iterator[Path]:
    """The path of a file; what is compressed or comes as a stream is stored for the time of the reading."""
    if content.path is not None and content.stream is content.raw and _is_unicode(content.path):
        yield content.path
        return
    with tempfile.TemporaryDirectory(prefix="corpus-explorer-") as folder:
        path = Path(folder, "document")
        with open(path, "wb") as copy:
            copy.writelines(chunks(content.stream))
        yield path


def _is_unicode(path: Path) -> bool:
    """Whether a name can be given to libraries, which take it as UTF-8."""
    try:
        os.fspath(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _ask(reader: str, path: Path, most: int) -> list[bytes]:
    process = _running()
    is_new = process.answers == 0
    try:
        parts = list(_parts(process, reader, path, most))
    except _EndedError:
        _end()
        # A file is to blame only if a new process ends with it, too: what was read before may have taken the memory.
        if is_new or process.is_late:
            raise NotTextError(
                UNOPENED, _sentence("late" if process.is_late else "crash", seconds=process.patience)
            ) from None
        return _ask(reader, path, most)
    except BaseException:
        # The rest of the answer would be taken for the next one.
        _end()
        raise
    process.answers += 1
    reason, detail = json.loads(parts.pop())
    if reason:
        raise NotTextError(UNOPENED, _sentence(reason, detail))
    return parts


class _EndedError(Exception):
    """The process ended before the end of its answer."""


def _parts(process: _Process, reader: str, path: Path, most: int) -> Iterator[bytes]:
    """The lines of an answer; the last one is the outcome."""
    assert process.child.stdin is not None and process.child.stdout is not None
    process.patience = PATIENCE + path.stat().st_size / 1e6
    size = 0
    try:
        process.moment = time.monotonic()
        process.child.stdin.write(json.dumps([reader, os.fspath(path.absolute())]).encode("ascii") + b"\n")
        process.child.stdin.flush()
        while line := process.child.stdout.readline(most):
            process.moment = time.monotonic()
            size += len(line)
            if size >= most:
                raise NotTextError(UNOPENED, _sentence("large", most=most))
            if not line.endswith(b"\n"):
                break
            yield line
            if line.startswith(_LAST):
                return
    except OSError as error:
        # It ended before it read the request.
        raise _EndedError from error
    finally:
        process.moment = 0.0
    process.child.wait()
    raise _EndedError


def _sentence(reason: str, detail: str = "", seconds: float = 0, most: int = 0) -> str:
    """Why a file is not read and what to do, as a reason that can follow its name."""
    if reason == LOCKED:
        return tr("needs a password; save it without one")
    if reason == "late":
        return tr("has a page or sheet that takes more than {seconds:.0f} seconds; save it again", seconds=seconds)
    if reason == "large":
        return tr("contains more than {size} MiB of text; divide it", size=most >> 20)
    if reason == "crash":
        return tr("ends the library that reads it, or needs more than 1 GiB of memory; save it again")
    return tr("is damaged ({error}); save it again with the program that made it", error=detail)


def _running() -> _Process:
    """The process that serves; a new one if there is none."""
    if _current and _current[0].child.poll() is None:
        return _current[0]
    _end()
    # What a library prints about a damaged file is not for people.
    child = subprocess.Popen(
        command_of("explorer.documents.library_child"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    _current.append(_Process(child))
    threading.Thread(target=_current[0].watch, daemon=True, name="library-watch").start()
    return _current[0]


def _end() -> None:
    """End the process, if there is one."""
    while _current:
        _current.pop().end()


atexit.register(_end)
