"""Small pictures for the guide, from the screenshots.

usage: python packaging/guide_pictures.py build/screenshots resources/guide
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

PAGES = {
    "search": "search-levels",
    "search-text": "search-text",
    "next-token": "next",
    "trace": "trace",
    "agreement": "agreement",
    "index": "index",
}
WIDTH = 660
_ALIKE = 7


def _apart(one: int, other: int) -> int:
    """The largest difference of red, green or blue."""
    return max(abs((one >> shift & 255) - (other >> shift & 255)) for shift in (0, 8, 16))


def few_colors(picture: QImage) -> QImage:
    """With the 256 most common colors that are not alike; Qt's own palette would strew dots over plain grounds."""
    found = Counter(picture.pixel(x, y) for y in range(picture.height()) for x in range(picture.width()))
    palette: list[int] = []
    for color, _ in found.most_common():
        if len(palette) < 256 and all(_apart(color, other) > _ALIKE for other in palette):
            palette.append(color)
    return picture.convertToFormat(
        QImage.Format.Format_Indexed8,
        palette,
        Qt.ImageConversionFlag.AvoidDither | Qt.ImageConversionFlag.ThresholdDither,
    )


if __name__ == "__main__":
    screenshots, guide = map(Path, sys.argv[1:3])
    for page, name in PAGES.items():
        picture = QImage(str(screenshots / f"{name}-light.png"))
        small = picture.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
        # PySide6 takes a str for the format, and no bytes, whatever its stubs tell.
        if not few_colors(small).save(str(guide / f"{page}.png"), "PNG", 0):  # type: ignore[call-overload]
            sys.exit(f"{guide / page}.png cannot be written")
