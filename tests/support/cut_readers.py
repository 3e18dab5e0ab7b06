"""Exports of cuts, read as the programs do that they are for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import zstandard


def of_documented_tool(folder: Path) -> bytes:
    """What finish_single_file of deduplicate-text-datasets leaves: it copies the bytes outside the ranges."""
    data = (folder / "texts").read_bytes()
    lines = (folder / "texts.remove.byterange").read_text().splitlines()
    left, start = b"", 0
    for line in lines[lines.index("out") + 1 :]:
        first, last = map(int, line.split())
        left, start = left + data[start:first], last
    return left + data[start:]


def in_google_layout(data: bytes, texts: list[str]) -> bool:
    """Whether a file holds these texts, each after its separator and number."""
    return data == b"".join(
        b"\xff\xff" + number.to_bytes(4, "little") + text.encode() for number, text in enumerate(texts, 1)
    )


def rows_of(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    if path.suffix == ".zst":
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return [json.loads(line) for line in data.decode().splitlines()]
