"""Blocks of files elsewhere: what is near is one request, and what was read is kept, up to a limit."""

from __future__ import annotations

import random

import pytest

from explorer.backends.bucket import blocks as module
from explorer.backends.bucket.blocks import BLOCK, Blocks
from explorer.http.parts import FileFacts, FilePart

DATA = {name: random.Random(name).randbytes(50_000) for name in ("a", "b")}


class Held:
    """Files in memory that note what was read."""

    host = address = "here"

    def __init__(self):
        self.parts = []

    def read(self, parts, cancel=None):
        self.parts += parts
        return [DATA[part.name][part.first : part.first + part.size] for part in parts]


@pytest.fixture
def held():
    return Held()


@pytest.fixture
def blocks(held):
    return Blocks(held, {name: FileFacts(len(data)) for name, data in DATA.items()})


def test_any_spans_are_read_as_they_are(blocks):
    draw = random.Random(1)
    for _ in range(60):
        spans = [
            FilePart(draw.choice("ab"), draw.randrange(52_000), draw.choice([0, 1, 30, 1024, 5000, 60_000]))
            for _ in range(draw.randrange(6))
        ]
        expected = [DATA[span.name][span.first : span.first + span.size] for span in spans]
        assert blocks.read(spans) == expected


def test_near_spans_are_one_request_and_far_ones_are_not(blocks, held):
    blocks.read(
        [FilePart("a", 0, 10), FilePart("a", 3 * BLOCK, 10), FilePart("a", 20 * BLOCK, 10), FilePart("b", 0, 1)]
    )
    assert held.parts == [
        FilePart("a", 0, 4 * BLOCK),
        FilePart("a", 20 * BLOCK, BLOCK),
        FilePart("b", 0, BLOCK),
    ]
    assert (blocks.rounds, blocks.requests, blocks.bytes) == (1, 3, 6 * BLOCK)
    # Also what was between them is here now; the last block of a file is shorter.
    blocks.read([FilePart("a", 2 * BLOCK, 10), FilePart("a", 49_999, 10)])
    assert held.parts[3:] == [FilePart("a", 48 * BLOCK, 50_000 - 48 * BLOCK)]


def test_long_spans_are_several_requests(blocks, held, monkeypatch):
    monkeypatch.setattr(module, "_MOST_RUN", 16)
    assert blocks.read([FilePart("b", 0, 50_000)]) == [DATA["b"]]
    assert len(held.parts) == 4 and max(part.size for part in held.parts) == 16 * BLOCK


def test_the_least_recently_used_blocks_make_room(blocks, held, monkeypatch):
    monkeypatch.setattr(module, "_MOST_BLOCKS", 3)
    for number in (0, 10, 20, 0, 30, 0, 10):
        blocks.read([FilePart("a", number * BLOCK, 1)])
    assert [part.first // BLOCK for part in held.parts] == [0, 10, 20, 30, 10]
