"""The items of a benchmark that are not flagged, as a file of the records that they were made of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from explorer.analyses.contamination.item_matches import ItemMatches, Thresholds
from explorer.export.destination import save_text
from explorer.export.jsonable import to_plain


def write_clean(path: Path, found: Sequence[Sequence[ItemMatches]], thresholds: Thresholds) -> int:
    """Write the records of items that are not flagged in any index to a file of JSON Lines.

    Returns: How many items it has; suspicious ones and those that are too short to tell are not among them.
    Raises `ExportError` if it cannot be written.
    """
    verdicts = ([thresholds.verdict(each) == "not-flagged" for each in items] for items in found)
    clean = [each.item for each, *kept in zip(found[0], *verdicts, strict=True) if all(kept)]
    # Half a pair of UTF-16 can be in JSON, but not in a file.
    lines = [
        json.dumps(to_plain(dict(record)), ensure_ascii=_is_odd(record)) for item in clean for record in item.records
    ]
    save_text(path, "".join(f"{line}\n" for line in lines))
    return len(clean)


def _is_odd(record: object) -> bool:
    try:
        str(record).encode()
    except UnicodeEncodeError:
        return True
    return False
