"""A table as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import IO, Any

from explorer.export.jsonable import to_plain


def write(file: IO[str], header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write one object per row, its cells under the names of the columns."""
    for row in rows:
        # `strict`: a row of another length than the header is a fault of ours, and not a table with shifted values.
        record = dict(zip(header, to_plain(list(row)), strict=True))
        file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
