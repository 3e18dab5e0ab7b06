"""Files and folders that other programs leave beside data, by their names: they have no texts."""

from __future__ import annotations

import re

_MARKER = re.compile(
    r"_SUCCESS|_(started|committed|vacuum)_\d+|_(common_)?metadata|_temporary|.*\.crc|Thumbs\.db|ehthumbs(_vista)?\.db|"
    r"desktop\.ini|Icon\r",
    re.IGNORECASE,
)
"""Of Spark, Hadoop, Databricks, Dask, Windows and macOS."""
MARKER_FOLDERS = {"__MACOSX": "macOS", "_delta_log": "Delta Lake", "_temporary": "Hadoop", "__pycache__": "Python"}
"""Folders, with the program that writes them."""


def is_marker(name: str) -> bool:
    """Whether a file is one that a program leaves beside data."""
    return _MARKER.fullmatch(name) is not None
