"""How a server is reached, and what it takes on."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from explorer.http.wire.infini_gram import LIMITS, Limits

PORT = 8765
MOST_BYTES = 1 << 20
"""The largest body of a request."""
MOST_BYTES_OF_HITS = 1 << 25
"""The same of questions that carry hits: lines are sorted by what is around up to two million of them."""
MOST_DEPTH = 12
"""Lists and objects inside each other, in the JSON of a request."""


@dataclass(frozen=True)
class Settings:
    """How a server is reached, and what it takes on.

    host: The address to listen at; "" for this machine only, by both of its addresses.
    port: The port; 0 for a free one.
    token: What each request must carry; "" for nothing, on this machine only.
    hosts: Further names under which the server is reached, for example through a proxy.
    threads: Questions that are answered at once.
    queue: Questions that wait; further ones are refused.
    connections: Connections that are kept open; further ones are closed at once.
    """

    host: str = ""
    port: int = PORT
    token: str = field(default="", repr=False)
    hosts: tuple[str, ...] = ()
    limits: Limits = LIMITS
    deadline: float = 10.0
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    queue: int = 64
    connections: int = 512
