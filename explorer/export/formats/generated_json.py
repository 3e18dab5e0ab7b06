"""A generated text as JSON, each token with where it comes from."""

from __future__ import annotations

from pathlib import Path

from explorer.export.destination import save_text
from explorer.export.jsonable import to_json
from explorer.export.records.model import GeneratedRecord


def write(path: Path, generated: GeneratedRecord) -> None:
    """Write the record of `generate --format jsonl`.

    Raises `ExportError` if the file cannot be written.
    """
    save_text(path, to_json(generated))
