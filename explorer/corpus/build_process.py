"""A build in a process of its own, so that the window keeps its event loop and its memory.

The two talk in JSON lines: the request goes in, progress and then the result or the error come out. The child
ends when its input is closed, so it never outlives the program that asked for it.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from dataclasses import asdict, fields
from pathlib import Path
from typing import IO, Any

import explorer.errors
from explorer.corpus.build import BuildRequest, build_index, discard_unless_resumable
from explorer.corpus.folders import exists
from explorer.corpus.manifest import Manifest
from explorer.errors import BuildError, Cancelled, CorpusError
from explorer.jobs import CancelToken, Progress, Report, no_report

_POLL = 0.05


def build_in_process(request: BuildRequest, report: Report = no_report, cancel: CancelToken | None = None) -> Manifest:
    """As `build_index`, in another process. A cancelled build leaves what can be resumed, or nothing."""
    cancel = cancel or CancelToken()
    child = subprocess.Popen(
        # -P: no module of the folder that the program happens to run in.
        [sys.executable, "-P", "-m", "explorer.corpus.build_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert child.stdin is not None and child.stdout is not None
    try:
        child.stdin.write(json.dumps(_as_json(request)) + "\n")
        child.stdin.flush()
        return _follow(child, report, cancel)
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
        child.stdin.close()
        if not exists(request.out):
            discard_unless_resumable(request.out)


def _follow(child: subprocess.Popen[str], report: Report, cancel: CancelToken) -> Manifest:
    lines: queue.Queue[str] = queue.Queue()
    assert child.stdout is not None
    threading.Thread(target=_read, args=(child.stdout, lines), daemon=True, name="build-output").start()
    while True:
        cancel.check()
        try:
            line = lines.get(timeout=_POLL)
        except queue.Empty:
            continue
        if not line:
            raise BuildError(
                f"The build ended unexpectedly (exit code {child.wait()}), perhaps for want of memory. Set a memory "
                "limit or more shards, and resume it."
            )
        kind, value = json.loads(line)
        if kind == "progress":
            report(Progress(**value))
        elif kind == "done":
            return Manifest(**{**value, "sources": tuple(value["sources"])})
        else:
            raise _error(*value)


def _read(stream: IO[str], lines: queue.Queue[str]) -> None:
    try:
        for line in stream:
            lines.put(line)
    except ValueError:
        # Closed while it was read: the build was cancelled.
        pass
    lines.put("")


def _error(name: str, message: str) -> CorpusError:
    kind = getattr(explorer.errors, name, BuildError)
    return kind(message) if isinstance(kind, type) and issubclass(kind, CorpusError) else BuildError(message)


def _as_json(request: BuildRequest) -> dict[str, Any]:
    return {**asdict(request), "sources": [str(path) for path in request.sources], "out": str(request.out)}


def _from_json(value: dict[str, Any]) -> BuildRequest:
    known = {field.name: value[field.name] for field in fields(BuildRequest)}
    return BuildRequest(**{**known, "sources": tuple(map(Path, value["sources"])), "out": Path(value["out"])})


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


def _say(kind: str, value: Any) -> None:
    print(json.dumps([kind, value]), flush=True)


def main() -> None:
    """The child: one request from standard input."""
    request = _from_json(json.loads(sys.stdin.readline()))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    wishes = {name: value for name, value in vars(request).items() if name not in ("sources", "out")}
    try:
        manifest = build_index(
            request.sources, request.out, report=lambda progress: _say("progress", vars(progress)), **wishes
        )
        _say("done", asdict(manifest))
    except (CorpusError, Cancelled) as error:
        _say("error", [type(error).__name__, str(error)])


if __name__ == "__main__":
    main()
