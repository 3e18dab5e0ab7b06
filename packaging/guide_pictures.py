"""Small pictures for the guide, from the screenshots.

usage: python packaging/guide_pictures.py build/screenshots resources/guide
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

PAGES = {"search": "search-levels", "next-token": "next", "trace": "trace", "agreement": "agreement", "index": "index"}
WIDTH = 660

if __name__ == "__main__":
    screenshots, guide = map(Path, sys.argv[1:3])
    for page, name in PAGES.items():
        picture = QImage(str(screenshots / f"{name}-light.png"))
        small = picture.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
        if not small.convertToFormat(QImage.Format.Format_Indexed8).save(str(guide / f"{page}.png"), "PNG", 0):
            sys.exit(f"{guide / page}.png cannot be written")
