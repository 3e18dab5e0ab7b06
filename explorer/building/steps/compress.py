"""The second half of a build of a compressed index: the files of each part, made from its tokens."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.building.state import BuildState
from explorer.building.steps.tables import Tables, on_a_thread
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.index.fm.blocks import BLOCK, TEXT_BLOCK, BlockWriter, dictionary_of
from explorer.index.fm.file import write_part
from explorer.index.writer import Written, written_of

_STEPS_A_BYTE = 11
"""The sort counts 4 to 6 steps for each byte, and the tree one for each bit of its code."""
_LINES_LEVEL, _TEXT_LEVEL = 12, 9
"""How hard Zstandard compresses: lines are few, and text is much."""


def compress_parts(
    partial: Path, state: BuildState, keep_text: bool, report: Report, cancel: CancelToken
) -> BuildState:
    """Make the files of the parts that a build does not have yet; finished ones are recorded every few seconds.

    keep_text: Whether to store the text as well.
    report: Called with the bytes that are done, of all parts.
    Raises `OSError` if the drive is full or cannot be written.
    """
    with Tables(partial, state) as tables:
        done = 0
        for number, shard in enumerate(state.shards):
            for name, make in makers(partial, number, keep_text):
                if name in state.tables:
                    continue

                def so_far(steps: int, before: int = done, most: int = shard.token_count) -> None:
                    report(Progress("Sorting", before + min(most, steps // _STEPS_A_BYTE), state.token_count, "tokens"))

                tables.add(name, on_a_thread(make, so_far, cancel))
            done += shard.token_count
            report(Progress("Sorting", done, state.token_count, "tokens"))
    return tables.state


Make = Callable[[CancelToken, NDArray[np.int64]], Written]


def makers(partial: Path, number: int, keep_text: bool) -> list[tuple[str, Make]]:
    """The files of a part, and what makes each."""
    index, lines, text = (f"{name}.{number}" for name in ("fm", "lines", "text"))
    made: list[tuple[str, Make]] = [
        (lines, lambda cancel, _: _write_lines(partial, number, cancel)),
        (index, lambda cancel, steps: _write_index(partial, number, cancel, steps)),
    ]
    if keep_text:
        made.append((text, lambda cancel, _: _write_text(partial, number, cancel)))
    return made


def _write_index(partial: Path, number: int, cancel: CancelToken, steps: NDArray[np.int64]) -> Written:
    documents = np.fromfile(partial / f"offset.{number}", dtype="<u8").astype(np.int64)
    path = partial / f"fm.{number}"
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        write_part(path, partial / f"tokenized.{number}", documents, cancel, steps, pool)
    return written_of(path)


def _write_lines(partial: Path, number: int, cancel: CancelToken) -> Written:
    """Write the metadata in blocks of whole lines."""
    path = partial / f"lines.{number}"
    source = partial / f"metadata.{number}"
    writer = BlockWriter(path, _LINES_LEVEL, dictionary_of(source))
    try:
        with open(source, "rb") as file:
            while lines := file.readlines(BLOCK):
                cancel.check()
                writer.add(b"".join(lines), len(lines))
        writer.finish()
    finally:
        writer.close()
    return written_of(path)


def _write_text(partial: Path, number: int, cancel: CancelToken) -> Written:
    path = partial / f"text.{number}"
    source = partial / f"tokenized.{number}"
    writer = BlockWriter(path, _TEXT_LEVEL, dictionary_of(source))
    try:
        with open(source, "rb") as file:
            while data := file.read(TEXT_BLOCK):
                cancel.check()
                writer.add(data, len(data))
        writer.finish()
    finally:
        writer.close()
    return written_of(path)


def drop_originals(partial: Path, state: BuildState) -> None:
    """Remove the files of which the parts were made; the parts hold all that is in them."""
    for shard in state.shards:
        for name in shard.files:
            (partial / name).unlink(missing_ok=True)
