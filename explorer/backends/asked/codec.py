"""Values of questions and answers as JSON, and back: arrays as compressed bytes, frozen values by their names."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable
from dataclasses import fields
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.asked.kinds import LATER, VALUES, made

TAG = "is"
"""The key that tells what an object of JSON is."""
MOST_ITEMS = 1 << 26
"""Items of the longest array that is read."""
_DEEPEST = 8
_ARRAYS = ("bool", "uint8", "int32", "int64", "uint64")
_PACKED = ("uint8", "uint16", "uint32", "int32", "int64", "uint64")


def to_json(value: Any) -> Any:
    """Write a value as JSON.

    value: A number, text, None, array, frozen value of `kinds.VALUES`, or a list or tuple of these; a dictionary is of
        JSON already.
    Raises `TypeError` if it is something else.

    Examples
    --------
    >>> to_json((1, "a"))
    {'is': 'tuple', 'of': [1, 'a']}
    """
    if value is None or isinstance(value, bool | str | int | float):
        return value
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.ndarray):
        return _array_to_json(value)
    if isinstance(value, list):
        return [to_json(one) for one in value]
    if isinstance(value, tuple):
        return {TAG: "tuple", "of": [to_json(one) for one in value]}
    if isinstance(value, dict):
        return {TAG: "json", "of": value}
    # What a backend adds to a value stays on its machine.
    kind = next((base for base in type(value).__mro__ if VALUES.get(base.__name__) is base), None)
    if kind is None:
        raise TypeError(f"{type(value).__name__} is not a value of questions")
    usual = LATER.get(kind.__name__, {})
    names = [field.name for field in fields(kind)]
    sent = [name for name in names if name not in usual or getattr(value, name) != usual[name]]
    return {TAG: kind.__name__, **{name: to_json(getattr(value, name)) for name in sent}}


def from_json(data: Any) -> Any:
    """Read a value that was written by `to_json`, on a machine that is not trusted.

    Returns: The value. Of which kind it is must be checked: see `kinds.fits`.

    Examples
    --------
    >>> from_json(to_json((1, "a")))
    (1, 'a')
    """
    return _read(data, 0)


def _read(data: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        raise ValueError("too deep")
    if isinstance(data, list):
        return [_read(one, depth + 1) for one in data]
    if not isinstance(data, dict):
        return data
    tag = data.get(TAG)
    rest = {name: value for name, value in data.items() if name != TAG}
    reader = _READERS.get(tag) if isinstance(tag, str) else None
    if reader is not None:
        return reader(rest, depth)
    return made(str(tag), {name: _read(value, depth + 1) for name, value in rest.items()})


def _tuple_of(rest: dict[str, Any], depth: int) -> tuple[Any, ...]:
    if not isinstance(rest.get("of"), list):
        raise ValueError("a tuple has no items")
    return tuple(_read(one, depth + 1) for one in rest["of"])


def _json_of(rest: dict[str, Any], depth: int) -> dict[str, Any]:
    if not isinstance(found := rest.get("of"), dict):
        raise ValueError("an object is not one")
    return found


def _array_to_json(array: NDArray[Any]) -> dict[str, Any]:
    packed = _smallest(array)
    data = base64.b64encode(zlib.compress(np.ascontiguousarray(packed).tobytes(), 1)).decode("ascii")
    return {
        TAG: "array",
        "type": array.dtype.name,
        "shape": list(array.shape),
        "packed": packed.dtype.name,
        "data": data,
    }


def _smallest(array: NDArray[Any]) -> NDArray[Any]:
    """The same numbers in fewer bytes, little-endian."""
    if array.dtype == np.bool_:
        return array.astype(np.uint8)
    if array.dtype != np.int64 or not array.size or array.min() < 0:
        return array.astype(array.dtype.newbyteorder("<"))
    most = int(array.max())
    name = next(name for name, end in (("u1", 1 << 8), ("u2", 1 << 16), ("u4", 1 << 32), ("u8", 1 << 64)) if most < end)
    return array.astype(f"<{name}")


def _array_of(rest: dict[str, Any], depth: int) -> NDArray[Any]:
    kind, packed, shape, data = (rest.get(name) for name in ("type", "packed", "shape", "data"))
    sizes: list[int] = shape if isinstance(shape, list) else [-1]
    known = all(type(size) is int and 0 <= size <= MOST_ITEMS for size in sizes) and len(sizes) <= 2
    if kind not in _ARRAYS or packed not in _PACKED or not known or not isinstance(data, str):
        raise ValueError("an array is not described")
    items = prod(sizes)
    if items > MOST_ITEMS:
        raise ValueError("an array is too long")
    stored = np.dtype(packed).newbyteorder("<")
    raw = _inflated(data, items * stored.itemsize)
    found = np.frombuffer(raw, dtype=stored).reshape(sizes)
    if packed == "uint64" and kind == "int64" and found.size and int(found.max()) >= 1 << 63:
        raise ValueError("a number has more than 63 bits")
    return found.astype(np.dtype(kind))


def _inflated(data: str, size: int) -> bytes:
    """As many bytes as an array has, and never more: a few bytes may become gigabytes."""
    try:
        opened = zlib.decompressobj()
        raw = opened.decompress(base64.b64decode(data, validate=True), size + 1)
    except (binascii.Error, zlib.error) as error:
        raise ValueError("the bytes of an array are damaged") from error
    if len(raw) != size or not opened.eof:
        raise ValueError("an array has another length")
    return raw


_READERS: dict[str, Callable[[dict[str, Any], int], Any]] = {"tuple": _tuple_of, "json": _json_of, "array": _array_of}
