"""A tiny model in ONNX, written byte by byte, since the package that makes such files is not needed for anything else.

Messages are those of onnx.proto: a field is its number and wire type, and then a number, or a length and bytes.
"""

from __future__ import annotations

import numpy as np


def _number(value: int) -> bytes:
    made = b""
    while value > 127:
        made, value = made + bytes([value & 127 | 128]), value >> 7
    return made + bytes([value])


def _field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return _number(number << 3) + _number(value)
    data = value.encode() if isinstance(value, str) else value
    return _number(number << 3 | 2) + _number(len(data)) + data


def _node(kind: str, inputs: list[str], output: str, *attributes: bytes) -> bytes:
    named = b"".join(_field(1, name) for name in inputs)
    return named + _field(2, output) + _field(4, kind) + b"".join(_field(5, each) for each in attributes)


def _whole(name: str, value: int) -> bytes:
    return _field(1, name) + _field(3, value) + _field(20, 2)


def _value(name: str, kind: int, sizes: list[str]) -> bytes:
    shape = b"".join(_field(1, _field(2, size)) for size in sizes)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def last_token_model(rows: np.ndarray) -> bytes:
    """A model that gives each token a row, and a place its half: ids [batch, n] to [batch, n, columns]."""
    rows = np.ascontiguousarray(rows, dtype="<f4")
    sizes = b"".join(_field(1, size) for size in rows.shape)
    table = sizes + _field(2, 1) + _field(8, "rows") + _field(9, rows.tobytes())
    half = _field(2, 1) + _field(8, "half") + _field(9, np.float32(0.5).tobytes())
    graph = (
        _field(1, _node("Gather", ["rows", "ids"], "found", _whole("axis", 0)))
        + _field(1, _node("Mul", ["found", "half"], "made"))
        + _field(2, "tiny")
        + _field(5, table)
        + _field(5, half)
        + _field(11, _value("ids", 7, ["batch", "n"]))
        + _field(12, _value("made", 1, ["batch", "n", "columns"]))
    )
    # Version 8 of the format, and 13 of the operators, which every runtime of the last years knows.
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13))
