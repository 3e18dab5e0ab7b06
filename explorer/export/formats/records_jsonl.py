"""A typed table as JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path

from explorer.core.files.encoding import replace_surrogates
from explorer.export.columns import RecordTable
from explorer.export.jsonable import to_plain


def write(path: Path, table: RecordTable) -> None:
    """Write one object per row, its values under the names of the columns; unknown values are null.

    Raises `OSError` if the file cannot be written.
    """
    # `newline=""` keeps \n on Windows, too.
    with open(path, "w", encoding="utf-8", newline="") as file:
        for row in table.rows():
            found = dict(zip(table.header, to_plain(list(row)), strict=True))
            file.write(replace_surrogates(json.dumps(found, ensure_ascii=False, allow_nan=False)) + "\n")
