"""Result dataclasses as JSON, with the same field names."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np


def to_plain(value: Any) -> Any:
    """Dataclasses, arrays and paths as plain lists, dicts and numbers; nan becomes None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, np.ndarray):
        return to_plain(value.tolist())
    if isinstance(value, np.generic):
        return to_plain(value.item())
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Path):
        return str(value)
    return value


def to_json(value: Any, indent: int | None = 2) -> str:
    """A result as JSON text."""
    return json.dumps(to_plain(value), ensure_ascii=False, indent=indent)
