"""A generated text as plain text."""

from __future__ import annotations

from pathlib import Path

from explorer.export.destination import save_text
from explorer.export.records.model import GeneratedRecord


def write(path: Path, generated: GeneratedRecord) -> None:
    """Write the prompt and the text that continues it.

    Raises `ExportError` if the file cannot be written.
    """
    save_text(path, generated.prompt + generated.text)
