"""The agreement screen, and the figures that it exports, read back."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pypdf
import pytest
from PySide6.QtGui import QColor, QImage

from explorer.agreement.analysis import AgreementRequest, analyse
from explorer.agreement.figure import AgreementFigure, make_series
from explorer.export.tables import ExportError
from explorer.gui.figures.painter import HEIGHT, WIDTH, nice_step, short_number
from explorer.gui.figures.save import save_agreement

TEXT = "the dog sat on the rug and the cat saw the dog. " * 4


@pytest.fixture
def figure(small):
    return analyse(small.index, AgreementRequest((TEXT,))).figure


def test_the_screen_analyses_and_exports(opened, qtbot, tmp_path, figure):
    opened.show_screen("Agreement")
    opened.agreement.analyse_text(TEXT)
    qtbot.waitUntil(lambda: opened.agreement._analysis is not None)
    assert opened.agreement._analysis.figure == figure
    assert f"{figure.infgram.tokens:,} tokens" in opened.agreement.summary[1].text()
    for name in ("a.png", "a.svg", "a.pdf", "a.csv"):
        opened.agreement.export_to(tmp_path / name)
        qtbot.waitUntil(lambda: not opened.agreement._exporter.busy)
    assert sorted(p.name for p in tmp_path.glob("a.*")) == ["a.csv", "a.pdf", "a.png", "a.svg"]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))
    assert len(rows) == sum(len(panel.bins) for panel in figure.panels)


def test_an_unwritable_place_is_said(opened, qtbot, tmp_path):
    opened.show_screen("Agreement")
    opened.agreement.analyse_text(TEXT)
    qtbot.waitUntil(lambda: opened.agreement._analysis is not None)
    opened.agreement.export_to(tmp_path / "none" / "a.png")
    qtbot.waitUntil(lambda: opened.agreement.notice.isVisible())
    assert "cannot be written" in opened.agreement.notice.text()


def test_files_in_place_of_pasted_text(opened, qtbot, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.txt").write_text("the cat")
    opened.show_screen("Agreement")
    opened.agreement.use_files((tmp_path / "a.txt", tmp_path / "b.txt"))
    qtbot.waitUntil(lambda: opened.agreement._analysis is not None)
    assert list(opened.agreement._analysis.groups) == ["a.txt", "b.txt"]
    assert not opened.agreement.editor.isEnabled()
    opened.agreement.use_files(())
    assert opened.agreement.editor.isEnabled()


def shapes(path):
    """Texts, filled rectangles in the bars' colour and ellipses of an SVG."""
    tree = ET.parse(path)
    texts = ["".join(node.itertext()).strip() for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    bars = dots = 0
    for group in tree.iter("{http://www.w3.org/2000/svg}g"):
        if group.get("fill", "").lower() == "#a9bcdf":
            bars += len(group.findall("{http://www.w3.org/2000/svg}path"))
            bars += len(group.findall("{http://www.w3.org/2000/svg}rect"))
        if group.get("fill", "").lower() == "#b3400c":
            dots += len(group.findall("{http://www.w3.org/2000/svg}circle"))
            dots += len(group.findall("{http://www.w3.org/2000/svg}ellipse"))
    return tree, texts, bars, dots


def test_svg(qapp, figure, tmp_path):
    save_agreement(figure, tmp_path / "a.svg", "A title & more")
    tree, texts, bars, dots = shapes(tmp_path / "a.svg")
    count = sum(len(panel.bins) for panel in figure.panels)
    assert (bars, dots) == (count, count)
    assert "A title & more" in texts
    assert {"Agreement", "Tokens", "Effective n"} <= set(texts)
    assert tree.getroot().get("viewBox").split() == ["0", "0", f"{WIDTH:g}", f"{HEIGHT:g}"]


def test_pdf(qapp, figure, tmp_path):
    save_agreement(figure, tmp_path / "a.pdf", "A title")
    page = pypdf.PdfReader(tmp_path / "a.pdf").pages[0]
    assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx((WIDTH, HEIGHT), abs=1)
    text = re.sub(r"\s+", " ", page.extract_text())
    assert "A title" in text and "Effective n" in text


def test_png_sizes_and_margins(qapp, figure, tmp_path):
    for dpi in (72, 300):
        save_agreement(figure, tmp_path / "a.png", "A title", dpi)
        image = QImage(str(tmp_path / "a.png"))
        assert (image.width(), image.height()) == (round(WIDTH * dpi / 72), round(HEIGHT * dpi / 72))
        assert round(image.dotsPerMeterX() * 0.0254) == dpi
    # Nothing touches an edge: nothing is clipped.
    white = QColor("white").rgb()
    edges = [image.pixel(x, y) for x in range(image.width()) for y in (0, image.height() - 1)]
    edges += [image.pixel(x, y) for y in range(image.height()) for x in (0, image.width() - 1)]
    assert set(edges) == {white}


def test_figures_of_nothing_and_of_much(qapp, tmp_path):
    empty = make_series("x", np.empty(0, dtype=np.int64), np.empty(0, dtype=np.bool_))
    large = make_series("y", np.repeat(np.arange(1, 400), 5000), np.ones(399 * 5000, dtype=np.bool_))
    for series in (empty, large):
        save_agreement(AgreementFigure(5, series, series, series), tmp_path / "a.svg", "x")
        assert shapes(tmp_path / "a.svg")[2] == 3 * min(32, len(series.bins))


def test_an_unknown_format(qapp, figure, tmp_path):
    with pytest.raises(ExportError, match=r"\.png, \.svg, \.pdf"):
        save_agreement(figure, tmp_path / "a.gif")


@pytest.mark.parametrize(("span", "parts", "step"), [(1, 4, 0.5), (10, 5, 2), (7, 4, 2), (1000, 4, 500), (30, 6, 5)])
def test_steps(span, parts, step):
    assert nice_step(span, parts) == pytest.approx(step)


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (950, "950"), (1500, "1.5k"), (2e6, "2M")])
def test_numbers_of_axes(value, text):
    assert short_number(value) == text
