"""No connection to a cluster outlives the tests of a file."""

from __future__ import annotations

import asyncio
import sys

import pytest


@pytest.fixture(scope="module", autouse=True)
def connections_end():
    """Close those that a test left open: they try to come back, at random moments, which disturbs Hypothesis."""
    yield
    if "distributed" in sys.modules:
        for client in list(sys.modules["distributed"].Client._instances):
            asyncio.run_coroutine_threadsafe(_closed(client), client.loop.asyncio_loop).result(30)


async def _closed(client):
    await client.close(timeout=2)
