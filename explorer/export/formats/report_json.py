"""A trace report as JSON."""

from __future__ import annotations

from pathlib import Path

from explorer.export.destination import save_text
from explorer.export.jsonable import to_json
from explorer.export.reports.trace_html import Evidence, evidence


def write(path: Path, traced: Evidence) -> None:
    """Write the facts and the traces.

    Raises `ExportError` if the file cannot be written.
    """
    save_text(path, to_json(evidence(traced.index, traced.traces, traced.without_self)))
