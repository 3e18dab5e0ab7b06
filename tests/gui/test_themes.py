"""Pictures of every view and dialog in both themes: no part keeps the ground, or the ink, of the other theme."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton, QDialog, QLabel, QTextBrowser, QWidget
from views import fill, open_dialogs, screen_views

from explorer.gui.app.app import make_application, show_window
from explorer.gui.app.startup import Startup
from explorer.gui.charts.export.dialog import Preview
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.style.surfaces import all_restyled

pytestmark = pytest.mark.usefixtures("all_screens")

BLOCK = 12
SHARE = 0.75
"""Of a block's pixels that make it one of the other theme: text never covers so much."""
OTHERS = {"dark": lambda light: light > 195, "light": lambda light: light < 70}
"""The luminances of the other theme's grounds. Accents and marks of the text lie between."""
CONTRAST = 2.5


def luminance(image: QImage) -> np.ndarray:
    """0 to 255 for each pixel."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    blue, green, red = (pixels[:, : image.width(), i].astype(np.float32) for i in range(3))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def foreign(light: np.ndarray, scheme: str) -> list[tuple[int, int]]:
    """Corners of the blocks that belong to the other theme."""
    height, width = (size // BLOCK * BLOCK for size in light.shape)
    blocks = OTHERS[scheme](light[:height, :width]).reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK)
    return [(int(x) * BLOCK, int(y) * BLOCK) for y, x in np.argwhere(blocks.mean((1, 3)) > SHARE)]


def paper_left_out(widget: QWidget, light: np.ndarray, scheme: str) -> np.ndarray:
    """Figures are white paper in both themes, and the guide's pictures show the light one."""
    light = light.copy()
    for paper in (*widget.findChildren(Preview), *widget.findChildren(QTextBrowser)):
        if paper.isVisible():
            corner = paper.mapTo(widget, paper.rect().topLeft())
            light[corner.y() : corner.y() + paper.height(), corner.x() : corner.x() + paper.width()] = 128
    return light


def pale_labels(widget: QWidget, light: np.ndarray) -> list[str]:
    """Texts of labels and buttons that hardly differ from what they lie on."""
    found = []
    for part in widget.findChildren(QWidget):
        shown = isinstance(part, QLabel | QAbstractButton) and part.isVisible() and part.text().strip()
        if not shown or part.window() is not widget or part.visibleRegion().isEmpty():
            continue
        # In a narrow window, the document lies over the screen.
        if widget.childAt(part.mapTo(widget, part.visibleRegion().boundingRect().center())) is not part:
            continue
        area = part.visibleRegion().boundingRect()
        corner = part.mapTo(widget, area.topLeft())
        piece = light[corner.y() : corner.y() + area.height(), corner.x() : corner.x() + area.width()]
        # Letters that are cut to a few pixels, by the edge of what scrolls, have no ink to speak of.
        if area.height() < 0.8 * part.height() or area.width() < 8:
            continue
        if contrast(piece) < CONTRAST:
            found.append(f"{part.text()[:40]}: {contrast(piece):.1f}")
    return found


def contrast(piece: np.ndarray) -> float:
    """Of the strongest ink against the commonest ground, as WCAG reckons it."""
    linear = (piece / 255.0) ** 2.2
    ground = float(np.median(linear))
    return max((max(float(v), ground) + 0.05) / (min(float(v), ground) + 0.05) for v in (linear.min(), linear.max()))


def looked_at(views, scheme: str) -> list[str]:
    """What is wrong in the views."""
    wrong = []
    for view in views:
        widget = view.show()
        whole = luminance(widget.grab().toImage())
        if blocks := foreign(paper_left_out(widget, whole, scheme), scheme):
            wrong.append(f"{view.name} in {scheme}: {len(blocks)} blocks of the other theme, at {blocks[:3]}")
        wrong += [f"{view.name} in {scheme}: {text}" for text in pale_labels(widget, whole)]
    return wrong


@pytest.mark.parametrize(
    ("first", "second", "size"),
    [
        ("light", "dark", 0),
        pytest.param("dark", "light", 0, marks=pytest.mark.nightly),
        pytest.param("light", "dark", 20, marks=pytest.mark.nightly),
    ],
)
def test_no_view_keeps_the_other_theme(first, second, size, qtbot, settings, small_index, monkeypatch):
    # Pictures are taken in the turn that shows a page: all of it is painted then.
    monkeypatch.setattr("explorer.gui.widgets.layouts.stack.paint_in_turns", lambda page: None)
    settings.set("scheme", first)
    settings.set("text_size", size)
    make_application(settings)
    window = show_window(Startup(), settings)
    qtbot.addWidget(window)
    window.resize(1440, 900)
    window.open(OpenRequest((str(small_index),)))
    qtbot.waitUntil(lambda: window.corpus is not None and window.screens.complete, timeout=60_000)
    fill(window, qtbot)
    views = [*screen_views(window), *open_dialogs(window, qtbot)]
    assert len(views) > 20
    wrong = looked_at(views, first)
    for scheme in (second, first):
        window.set_scheme(scheme)
        qtbot.waitUntil(all_restyled, timeout=60_000)
        wrong += looked_at(views, scheme)
    for dialog in window.findChildren(QDialog):
        dialog.close()
    window.close()
    assert wrong == []


def test_the_search_for_foreign_blocks_finds_them():
    picture = np.full((100, 200), 30.0)
    assert foreign(picture, "dark") == [] and len(foreign(picture, "light")) == 8 * 16
    picture[20:50, 40:120] = 245
    assert (48, 24) in foreign(picture, "dark")
    assert contrast(np.array([[244.0, 244.0], [244.0, 170.0]])) < CONTRAST < contrast(np.array([[244.0, 90.0]] * 3))
