"""Answers take turns: of several that arrive at once, each is drawn in a turn of the event loop of its own.

Without this, five answers that arrive together, for instance after an index is opened, are drawn in one turn, which
holds the window five times as long. Everything here runs on the interface thread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QTimer

_waiting: deque[Callable[[], None]] = deque()
# Whether the turn that is under way was given to somebody; one element, for a name that functions can change.
_given = [False]


def in_turn(call: Callable[[], None]) -> None:
    """Call a function now if nothing was called so far in this turn of the event loop, or else in a later one.

    call: Called in the order in which the calls were handed in. It checks itself whether it is still wanted by then.
    """
    if _given[0]:
        _waiting.append(call)
        return
    _given[0] = True
    # First: a call that fails must not keep the others waiting.
    QTimer.singleShot(0, _next)
    call()


def _next() -> None:
    if not _waiting:
        _given[0] = False
        return
    call = _waiting.popleft()
    QTimer.singleShot(0, _next)
    call()
