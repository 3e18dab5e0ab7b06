"""A trace report as a page that needs no other file."""

from __future__ import annotations

from pathlib import Path

from explorer.export.destination import save_text
from explorer.export.reports.trace_html import Evidence, trace_html


def write(path: Path, traced: Evidence) -> None:
    """Write the page.

    Raises `ExportError` if the file cannot be written.
    """
    save_text(path, trace_html(traced.index, traced.traces, traced.without_self))
