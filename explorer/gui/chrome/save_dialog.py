"""Asking where to save a file: filters and endings come from the registry of export formats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QWidget

from explorer.export.registry import Exporter, Formats
from explorer.gui.chrome.folders import begin_in, saved_in
from explorer.i18n import tr


def file_filter(formats: Formats[Any] | tuple[Exporter[Any], ...]) -> str:
    """Make the filter of a file dialog, such as "CSV (*.csv);;TSV (*.tsv)"."""
    return ";;".join(f"{tr(form.label)} (*{form.suffix})" for form in formats)


def ask_where(parent: QWidget, title: str, name: str, formats: Formats[Any] | tuple[Exporter[Any], ...]) -> Path | None:
    """Ask where to save something.

    name: The proposed name, without an ending.
    formats: What can be saved; the first one is the default.
    Returns: The path; one without an ending gets that of the filter that was chosen. None if the user cancels.
    """
    first = next(iter(formats))
    # A chosen default folder wins over the system's last one.
    text, chosen = QFileDialog.getSaveFileName(parent, title, begin_in(name + first.suffix), file_filter(formats))
    if not text:
        return None
    saved_in(text)
    path = Path(text)
    # The dialog returns the filter as text, so the text is looked up.
    by_filter = {file_filter((form,)): form.suffix for form in formats}
    return path if path.suffix else path.with_suffix(by_filter.get(chosen, first.suffix))
