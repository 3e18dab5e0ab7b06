"""Draw the program's icon for Windows and macOS.

python packaging/bundle/icons.py FILE.ico|FILE.icns|FILE.bmp …

The first two are made of packaging/linux/corpus-explorer.svg, as PNG pictures of several sizes in one file. The third
is the picture beside the last page of the installer. Needs PySide6.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SVG = Path(__file__).resolve().parents[1] / "linux" / "corpus-explorer.svg"
ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)
"""What Windows shows at scales from 100 % to 250 %, in pixels."""
ICNS_TYPES = {
    b"icp4": 16, b"icp5": 32, b"ic11": 32, b"ic12": 64, b"ic07": 128, b"ic13": 256, b"ic08": 256, b"ic14": 512,
    b"ic09": 512, b"ic10": 1024,
}  # fmt: skip
"""The types of pictures in Apple's format, with their sizes in pixels; some are for screens with twice the dots."""
BESIDE = (328, 628)
"""The picture of the installer in pixels: for screens of 200 %, since Windows makes it smaller where it must."""
BACKGROUND = "#e8eef6"


def png(size: int) -> bytes:
    """The icon as a PNG picture of a width and height in pixels."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(SVG)).render(painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # bytes, as its types want, are refused
    return bytes(data.data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """Windows' file of pictures by their sizes: a head, a row for each, then all of them."""
    head = struct.pack("<HHH", 0, 1, len(pictures))
    at = len(head) + 16 * len(pictures)
    for size, data in pictures.items():
        # 256 does not fit into a byte, and is written as 0.
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), at)
        at += len(data)
    return head + b"".join(pictures.values())


def icns(pictures: dict[bytes, bytes]) -> bytes:
    """Apple's file of pictures by their types: a type and a length before each, and before all."""
    body = b"".join(kind + struct.pack(">I", 8 + len(data)) + data for kind, data in pictures.items())
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def beside() -> QImage:
    """The icon on a plain background."""
    image = QImage(*BESIDE, QImage.Format.Format_RGB888)
    image.fill(BACKGROUND)
    painter = QPainter(image)
    width = BESIDE[0]
    QSvgRenderer(str(SVG)).render(painter, QRectF(width / 4, width / 4, width / 2, width / 2))
    painter.end()
    return image


def write(path: Path) -> None:
    """Write the file for the system that its ending belongs to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".bmp":
        beside().save(str(path))
    elif path.suffix == ".ico":
        path.write_bytes(ico({size: png(size) for size in ICO_SIZES}))
    else:
        path.write_bytes(icns({kind: png(size) for kind, size in ICNS_TYPES.items()}))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(name))
