"""Matrices of numbers in files: .npy, or one tensor of a .safetensors file; mapped, and read by rows."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue
from explorer.errors import CorpusError, QueryError
from explorer.i18n import mark

# A header of safetensors is at most this long; the format's own limit.
_LONGEST_HEADER = 100_000_000
# By the names of the format. bfloat16 has no type of numpy: its bits are the upper half of float32.
_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
# What models of the transformers library call the embeddings of their tokens.
_USUAL = ("embed_tokens.weight", "wte.weight", "word_embeddings.weight", "tok_embeddings.weight", "embed_in.weight")


@dataclass(frozen=True, eq=False)
class Matrix(ArrayValue):
    """A mapped matrix.

    name: Of the tensor; "" for a .npy file.
    values: Floats [rows, columns], or the bits of bfloat16 as uint16.
    """

    path: Path
    name: str
    values: NDArray[Any]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.values.shape
        return int(rows), int(columns)

    def rows(self, numbers: NDArray[Any]) -> NDArray[np.float32]:
        """Read rows as float32, whose numbers must be in range."""
        # Of the plain array: a part of a mapped one is an object of its own, which takes microseconds to make.
        found = np.take(np.asarray(self.values), numbers, axis=0)
        if found.dtype.kind == "f":
            return found.astype(np.float32)
        wide: NDArray[np.float32] = (found.astype(np.uint32) << np.uint32(16)).view(np.float32)
        return wide


def open_matrix(path: Path, name: str = "") -> Matrix:
    """Map a matrix of floats.

    path: A .npy file, or a .safetensors file.
    name: The tensor in a .safetensors file; "" for its only matrix, or the one with a usual name of token embeddings.
    Returns: The matrix; nothing but its header was read.
    Raises `CorpusError` if the file cannot be read, is cut short, or has no matrix of floats.
    Raises `QueryError` if no tensor has this name, or several could be meant.
    """
    try:
        matrix = _tensor(path, name) if path.suffix.lower() == ".safetensors" else _array(path)
    except OSError as error:
        raise CorpusError(
            mark("{path} cannot be read: {cause}."), reason="unreadable", path=path, cause=error.strerror or error
        ) from error
    except (EOFError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        # Sentences of our own pass: they are values as well.
        if isinstance(error, CorpusError):
            raise
        raise _damaged(path) from error
    if matrix.values.ndim != 2 or not (matrix.values.dtype.kind == "f" or matrix.values.dtype == np.uint16):
        raise _damaged(path)
    return matrix


def _damaged(path: Path) -> CorpusError:
    return CorpusError(
        mark("{path} is not a matrix of floating-point numbers, or it is cut short."), reason="not-a-matrix", path=path
    )


def _array(path: Path) -> Matrix:
    # Never with pickled objects, which would run whatever they hold.
    values: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    # An archive of several arrays has no type, which is an error like any other.
    if values.dtype.kind != "f":
        raise _damaged(path)
    return Matrix(path, "", values)


def _tensor(path: Path, name: str) -> Matrix:
    """One tensor: the size of the header in eight bytes, the header as JSON, and the arrays."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > min(_LONGEST_HEADER, size - 8):
            raise _damaged(path)
        header: dict[str, Any] = json.loads(file.read(length))
    facts = header[name] if name in header and name != "__metadata__" else header[_chosen(path, header, name)]
    name = next(each for each, value in header.items() if value is facts)
    kind, shape, (begin, end) = np.dtype(_TYPES[facts["dtype"]]), tuple(facts["shape"]), facts["data_offsets"]
    whole = all(isinstance(each, int) and each >= 0 for each in (*shape, begin, end))
    if not whole or end - begin != kind.itemsize * math.prod(shape) or 8 + length + end > size:
        raise _damaged(path)
    return Matrix(path, name, np.memmap(path, kind, "r", 8 + length + begin, shape))


def _chosen(path: Path, header: dict[str, Any], name: str) -> str:
    """The tensor that is meant where none of exactly this name exists."""
    known = sorted(
        each
        for each, facts in header.items()
        if each != "__metadata__" and len(facts["shape"]) == 2 and facts["dtype"] in _TYPES
    )
    usual = [each for each in known if each.endswith(_USUAL)]
    for found in (known, usual):
        if not name and len(found) == 1:
            return found[0]
    raise QueryError(
        mark("{path} has no matrix {name}. Its matrices: {known}.")
        if name
        else mark("{path} has {count} matrices, and it is unclear which is meant: {known}."),
        reason="which-tensor",
        path=path,
        name=name,
        count=len(known),
        known=", ".join(known[:9]) + (", …" if len(known) > 9 else ""),
    )
