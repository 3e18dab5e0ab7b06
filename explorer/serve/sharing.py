"""One index for the other programs of this machine, in a process of its own: what the window's switch starts.

Without the packages of a server, until it starts.
"""

from __future__ import annotations

import importlib.util
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.core.jobs.cancel import ASKED
from explorer.core.jobs.child import run_in_child
from explorer.errors import CorpusError
from explorer.i18n import mark
from explorer.serve.settings import PORT, Settings
from explorer.version import install_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from explorer.serve.indexes import ServedIndex
    from explorer.serve.running import Server

PORTS = 10
"""Ports that are tried, from the usual one on, before any free one is taken."""
_LOOK = 0.2
"""Seconds between two looks at whether it is to end, and at how much was asked."""
_PACKAGES = ("starlette", "uvicorn")


@dataclass(frozen=True)
class ShareRequest:
    """What is shared.

    token: What each request must carry.
    """

    index: IndexRequest
    name: str
    token: str = field(repr=False)


@dataclass(frozen=True)
class Shared:
    """How an index is shared."""

    address: str
    questions: int = 0


def check_packages() -> None:
    """Check that a server can be started.

    Raises `CorpusError` if its packages are not installed.
    """
    if any(importlib.util.find_spec(name) is None for name in _PACKAGES):
        raise CorpusError(
            mark("A server needs starlette and uvicorn, which are not installed."),
            reason="needs-serve-packages",
            command=install_command("serve"),
        )


def takes_assistants() -> bool:
    """Whether the server has tools for assistants: their extra is installed."""
    return importlib.util.find_spec("mcp") is not None


def share_in_child(request: ShareRequest, tell: Callable[[Shared], None], cancel: CancelToken) -> None:
    """Share an index from another process until it is asked to stop.

    tell: Called on this thread when questions can come, and when their number changes.
    cancel: Ends the process; when it is paused (`CancelToken.pause`), running questions are answered first.
    Raises `CorpusError` if the index cannot be opened or shared, or no server can be started.
    """
    check_packages()
    run_in_child(_share, request, lambda progress: tell(Shared(progress.stage, progress.done)), cancel)


def _share(request: ShareRequest, report: Report) -> None:
    """In the child."""
    from explorer.backends.registry import BACKENDS
    from explorer.core.files.mapped import enable_fault_guard
    from explorer.corpus import Corpus
    from explorer.serve.indexes import served

    enable_fault_guard()
    server = _server(served([(request.name, Corpus(BACKENDS.open(request.index)))]), request.token)

    def ready() -> None:
        threading.Thread(target=_watch, args=(server, report), daemon=True).start()

    server.run(ready)


def _server(indexes: Mapping[str, ServedIndex], token: str) -> Server:
    """A server at the usual port, or at the next one that is free."""
    from explorer.serve.running import Server
    from explorer.serve.sockets import ServeError

    for port in (*range(PORT, PORT + PORTS), 0):
        try:
            # Nobody reads what it complains about: whoever asks gets the same as an answer.
            return Server(indexes, Settings(port=port, token=token), lambda sentence: None)
        except ServeError as error:
            if error.reason != "port-taken":
                raise
    raise ServeError(mark("No free port was found."), reason="no-port")


def _watch(server: Server, report: Report) -> None:
    """Report how much is asked, and end the server when the parent wants it."""
    day, before, told = date.today(), 0, -1
    while not ASKED.cancelled:
        asked = server.host.pool.asked
        if date.today() != day:
            day, before = date.today(), asked
        if asked - before != told:
            told = asked - before
            report(Progress(server.address, told, 0))
        time.sleep(_LOOK)
    server.stop()
