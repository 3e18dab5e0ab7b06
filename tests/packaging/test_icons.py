"""The program's icon for Windows and macOS."""

from __future__ import annotations

import importlib.util
import struct
from pathlib import Path

import pytest

pytestmark = pytest.mark.qt
FILE = Path(__file__).resolve().parents[2] / "packaging" / "bundle" / "icons.py"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def icons():
    spec = importlib.util.spec_from_file_location("bundle_icons", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def width(data: bytes) -> int:
    """Of a PNG picture."""
    assert data[:8] == PNG
    return int(struct.unpack(">I", data[16:20])[0])


def test_an_icon_for_windows(icons, tmp_path):
    icons.write(tmp_path / "a.ico")
    data = (tmp_path / "a.ico").read_bytes()
    count = struct.unpack("<HHH", data[:6])[2]
    rows = [struct.unpack("<BBBBHHII", data[6 + 16 * at : 22 + 16 * at]) for at in range(count)]
    assert [row[0] or 256 for row in rows] == [width(data[row[7] :]) for row in rows] == list(icons.ICO_SIZES)
    # They follow each other, to the end of the file.
    assert [row[7] + row[6] for row in rows] == [*(row[7] for row in rows[1:]), len(data)]


def test_an_icon_for_macos(icons, tmp_path):
    icons.write(tmp_path / "new folder" / "a.icns")
    data = (tmp_path / "new folder" / "a.icns").read_bytes()
    assert data[:4] == b"icns" and struct.unpack(">I", data[4:8]) == (len(data),)
    found, at = {}, 8
    while at < len(data):
        kind, size = struct.unpack(">4sI", data[at : at + 8])
        found[kind] = width(data[at + 8 : at + size])
        at += size
    assert found == icons.ICNS_TYPES


def test_it_is_drawn_on_nothing(icons):
    """Its corners are round, and what is behind them is seen."""
    from PySide6.QtGui import QImage

    image = QImage.fromData(icons.png(64))
    assert image.pixelColor(0, 0).alpha() == 0
    assert image.pixelColor(32, 6).name() == "#1f4f8f"


def test_the_picture_of_the_installer(icons, tmp_path):
    from PySide6.QtGui import QImage

    icons.write(tmp_path / "a.bmp")
    image = QImage(str(tmp_path / "a.bmp"))
    assert (image.width(), image.height()) == icons.BESIDE
    assert image.pixelColor(0, 0).name() == icons.BACKGROUND != image.pixelColor(164, 100).name()
