"""Hints as files for training: a folder of .npy files, or one .safetensors file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import QueryError
from explorer.export.destination import ExportError, replacing
from explorer.i18n import mark

Arrays = dict[str, NDArray[Any]]
# The names of the types in a .safetensors file.
_KINDS = {"<i4": "I32", "|u1": "U8", "<i8": "I64"}


def layout(tokens: int, samples: int, texts: int) -> dict[str, tuple[str, tuple[int, ...]]]:
    """Give the arrays of a file of hints.

    Returns: Per name, the type and the shape. Text i has the rows starts[i] to starts[i + 1] - 1 of the others.
    """
    return {
        "starts": ("<i8", (texts + 1,)),
        "counts": ("<i8", (tokens,)),
        "tokens": ("<i4", (tokens,)),
        "samples": ("<i4", (tokens, samples)),
        "context_lengths": ("<i4", (tokens,)),
        "lengths": ("|u1", (tokens,)),
    }


@contextmanager
def hint_files(path: Path, tokens: int, samples: int, texts: int) -> Iterator[Arrays]:
    """Write hints that need not fit into memory.

    path: A file whose name ends with .safetensors, which may exist; or else a folder for .npy files, which may not.
    Yields: The arrays of the file, full of zeros.
    Raises `ExportError` if the path cannot be written.
    Raises `QueryError` if there are no tokens.
    """
    if not tokens:
        raise QueryError(mark("There are no tokens to make hints for."), reason="no-text-given")
    wanted = layout(tokens, samples, texts)
    if path.suffix == ".safetensors":
        # One file is replaced like any other export; a folder would lose files that are not ours.
        with replacing(path) as partial:
            yield _safetensors(partial, wanted)
        return
    partial = path.with_name(f"{path.name}.partial")
    try:
        if path.exists():
            raise ExportError(mark("{path} exists already."), reason="out-exists", path=path)
        partial.mkdir(parents=True)
        yield {
            name: np.lib.format.open_memmap(partial / f"{name}.npy", "w+", np.dtype(kind), shape)
            for name, (kind, shape) in wanted.items()
        }
        # Only now: a folder of this name has all of its files.
        partial.rename(path)
    except OSError as error:
        raise ExportError(
            mark("{path} cannot be written: {cause}."), reason="unwritable", path=path, cause=error.strerror or error
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _safetensors(path: Path, wanted: dict[str, tuple[str, tuple[int, ...]]]) -> Arrays:
    """The arrays of a new file: the size of the header in eight bytes, the header as JSON, and the arrays in turn."""
    # Offsets count from the end of the header, so its length need not be known.
    header, spans, at = {}, dict[str, tuple[int, int]](), 0
    for name, (kind, shape) in wanted.items():
        end = at + np.dtype(kind).itemsize * int(np.prod(shape))
        header[name] = {"dtype": _KINDS[kind], "shape": list(shape), "data_offsets": [at, end]}
        spans[name] = (at, end)
        at = end
    text = json.dumps(header).encode()
    # Spaces at its end, so that the numbers are at multiples of eight.
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        # Full of zeros, which take no room on a drive until they are written.
        file.truncate(8 + len(text) + at)
    # Mapped once: each array is a view of its part.
    data = np.memmap(path, np.uint8, "r+", 8 + len(text))
    return {name: data[slice(*spans[name])].view(kind).reshape(shape) for name, (kind, shape) in wanted.items()}
