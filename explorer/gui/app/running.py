"""One program per person: a start hands what it was asked for to the program that already runs. No Qt.

The running program writes where it is reached, and a secret, to a file in the folder of the settings that only its
owner can read: a row per version of the program, since two may run side by side. A start reads the file, proves that
it knows the secret, sends what to open as JSON, and ends when that was taken. Whatever goes wrong, it opens a window of
its own. Settings apart, programs know nothing of each other.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer import version
from explorer.gui.app.startup import Startup, startup_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection, Listener

FILE = "running.json"
TAKEN = b"taken"
REFUSED = b"refused"
_PATIENCE_S = 3.0
"""How long a start waits for a program that may hang before it opens a window of its own."""
_PAUSE_S = 0.05
_MOST_BYTES = 1 << 20
_ACTIVATION = "XDG_ACTIVATION_TOKEN"
"""With this of the process that a person started, Wayland lets another one come to the front."""

_LOG = logging.getLogger("explorer.gui")


def hand_over(folder: Path, startup: Startup, patience: float = _PATIENCE_S) -> bool:
    """Hand what is to be opened to the program that runs.

    patience: Seconds to wait for an answer.
    Returns: Whether it was taken; False if no program runs, if it has another version, or if it does not answer.

    Examples
    --------
    >>> hand_over(Path("nowhere"), Startup())
    False
    """
    found = _read(folder / FILE)
    if found is None:
        return False
    answers: list[bool] = []
    # On a thread: what a program that hangs never answers cannot be given up in any other way.
    thread = threading.Thread(target=_ask, args=(found, startup, answers), daemon=True, name="hand over")
    thread.start()
    thread.join(patience)
    return answers == [True]


def _read(path: Path) -> tuple[str, bytes] | None:
    """The address and the secret of a program of this version; None for none."""
    try:
        found = _rows(path)[version.VERSION]
        return str(found["address"]), bytes.fromhex(found["secret"])
    except (ValueError, TypeError, KeyError):
        return None


def _rows(path: Path) -> dict[str, Any]:
    """What the file has of each version; nothing if it cannot be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["programs"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _write_rows(path: Path, rows: dict[str, Any]) -> None:
    if not rows:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{FILE}.{os.getpid()}")
    # Readable for its owner from the beginning.
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump({"programs": rows}, file)
    part.replace(path)


def _ask(found: tuple[str, bytes], startup: Startup, answers: list[bool]) -> None:
    from multiprocessing import AuthenticationError
    from multiprocessing.connection import Client

    address, secret = found
    message = {"startup": startup.as_json(), "activation": os.environ.get(_ACTIVATION, "")}
    # What is left of a program that was killed refuses, and whoever has its address by now does not know the secret.
    with suppress(OSError, EOFError, ValueError, AuthenticationError), Client(address, authkey=secret) as connection:
        connection.send_bytes(json.dumps(message).encode())
        answers.append(connection.recv_bytes(len(REFUSED)) == TAKEN)


class Door:
    """Where the running program takes what later starts hand over.

    take: Called with it, on a thread of its own.
    """

    def __init__(self, folder: Path, take: Callable[[Startup], None]) -> None:
        self._path, self._take = folder / FILE, take
        self._listener: Listener | None = None
        self._lock = threading.Lock()
        self._closed = False

    def open(self) -> None:
        """Begin to take; if that is impossible, later starts open windows of their own, as the log tells."""
        threading.Thread(target=self._run, daemon=True, name="door").start()

    def close(self) -> None:
        """Take nothing any more. The file of a program that began later is left to it."""
        with self._lock:
            self._closed = True
            listener, self._listener = self._listener, None
        if listener is None:
            return
        found = _read(self._path)
        with suppress(OSError):
            if found is not None and found[0] == str(listener.address):
                rows = _rows(self._path)
                del rows[version.VERSION]
                _write_rows(self._path, rows)
            listener.close()

    def _run(self) -> None:
        from multiprocessing.connection import Listener

        secret = secrets.token_bytes(32)
        try:
            # At an address of the system's choice, in a folder that only its owner enters.
            listener = Listener(authkey=secret)
            with self._lock:
                if self._closed:
                    listener.close()
                    return
                self._listener = listener
                self._write(str(listener.address), secret)
        except OSError as error:
            _LOG.warning("Later starts will not find this window, since a file cannot be written: %s", error)
            self.close()
            return
        self._serve(listener)

    def _write(self, address: str, secret: bytes) -> None:
        own = {version.VERSION: {"address": address, "secret": secret.hex()}}
        _write_rows(self._path, _rows(self._path) | own)

    def _serve(self, listener: Listener) -> None:
        from multiprocessing import AuthenticationError

        while self._listener is listener:
            try:
                with listener.accept() as connection:
                    self._answer(connection)
            except (OSError, EOFError, AuthenticationError):
                # Without the secret, or gone before the answer: others may still come. A
                # process that has no files left must not turn round without a pause.
                time.sleep(_PAUSE_S)

    def _answer(self, connection: Connection[Any, Any]) -> None:
        try:
            message = json.loads(connection.recv_bytes(_MOST_BYTES))
            startup = startup_of(message["startup"])
            activation = message["activation"]
        except (ValueError, TypeError, KeyError, RecursionError):
            startup = None
        if startup is None or not isinstance(activation, str):
            connection.send_bytes(REFUSED)
            return
        if activation.isprintable() and "\0" not in activation:
            os.environ[_ACTIVATION] = activation
        self._take(startup)
        connection.send_bytes(TAKEN)
