"""Charts drawn with Qt, as pictures and as files."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from explorer.chart import Chart
from explorer.export.about import facts_text
from explorer.export.destination import ExportError
from explorer.export.figure import POINTS_PER_INCH, Figure, Paper, paper_size
from explorer.export.saving import save_figure
from explorer.gui.charts.export.painter import paint_chart
from explorer.i18n import mark

PLAIN = Paper()
"""Paper of the size that suits the chart."""
# PDF lengths are whole device units: at 1,200 to the inch, rounding moves no line by a visible distance.
_PDF_DPI = 1200
# 400 MB of memory. More is a slip of the keyboard rather than a wish.
_MOST_PIXELS = 100_000_000


def save_chart(chart: Chart, path: Path, paper: Paper = PLAIN) -> None:
    """Write a chart to a file.

    path: The file. Its ending is that of one of `registry.FIGURES`: a picture, or the data that are drawn.
    paper: Size, resolution and text size of a picture.
    Raises `QueryError` if the ending is unknown.
    Raises `ExportError` if the picture would be too large, or the file cannot be written.

    Notes
    -----
    Pictures need a running Qt application.
    """
    save_figure(path, Figure(chart, paper, QtCanvas()))


def save_without_window(chart: Chart, path: Path, paper: Paper = PLAIN) -> None:
    """Write a chart from a program that shows no window; a Qt application is started if none is running."""
    # A command line on a server has no display. A platform that was chosen stays.
    if QGuiApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        application = QGuiApplication([])
        save_chart(chart, path, paper)
        application.shutdown()
        return
    save_chart(chart, path, paper)


def chart_image(chart: Chart, paper: Paper = PLAIN) -> QImage:
    """Paint a chart as a picture.

    paper: The size in points and the resolution in dots per inch.
    Raises `ExportError` if it would be too large.
    """
    width, height = paper_size(chart, paper)
    scale = paper.dpi / POINTS_PER_INCH
    size = QSize(round(width * scale), round(height * scale))
    if size.width() * size.height() > _MOST_PIXELS:
        raise ExportError(
            mark("A picture of {width:,} × {height:,} pixels is too large."),
            reason="picture-too-large",
            width=size.width(),
            height=size.height(),
        )
    # Without an alpha channel: programs that show PNG on a dark ground would otherwise show black on black.
    image = QImage(size, QImage.Format.Format_RGB32)
    # The last row and column may be covered only in part.
    image.fill(Qt.GlobalColor.white)
    image.setDotsPerMeterX(round(paper.dpi / 0.0254))
    image.setDotsPerMeterY(round(paper.dpi / 0.0254))
    painter = QPainter(image)
    painter.scale(scale, scale)
    paint_chart(painter, chart, width, height, paper.text_size)
    painter.end()
    return image


class QtCanvas:
    """Draws charts with Qt into memory: Qt would only warn about a path that cannot be written, or a full drive."""

    def pixels(self, chart: Chart, paper: Paper, kind: str) -> bytes:
        """Paint a picture of pixels in a format of Qt's.

        Raises `ExportError` if the picture would be too large.
        """
        data = _open_buffer()
        image = chart_image(chart, paper)
        for name, text in (("Title", chart.title), ("Description", facts_text(chart.facts))):
            if text:
                image.setText(name, text)
        QImageWriter(data, QByteArray(kind.encode())).write(image)
        return bytes(data.data().data())

    def svg(self, chart: Chart, paper: Paper) -> bytes:
        """Paint a chart as SVG; its units are points."""
        data = _open_buffer()
        width, height = paper_size(chart, paper)
        generator = QSvgGenerator()
        generator.setOutputDevice(data)
        # One unit per point, so that the sizes in the file are those of the dialog.
        generator.setResolution(POINTS_PER_INCH)
        generator.setSize(QSize(round(width), round(height)))
        generator.setViewBox(QRectF(0, 0, width, height))
        generator.setTitle(chart.title)
        generator.setDescription(facts_text(chart.facts))
        _paint(QPainter(generator), chart, paper)
        return bytes(data.data().data())

    def pdf(self, chart: Chart, paper: Paper) -> bytes:
        """Paint a chart as a PDF of one page."""
        data = _open_buffer()
        width, height = paper_size(chart, paper)
        writer = QPdfWriter(data)
        size = QPageSize(QSizeF(width, height), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
        writer.setPageSize(size)
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        writer.setResolution(_PDF_DPI)
        writer.setTitle(chart.title)
        if chart.facts:
            writer.setDocumentXmpMetadata(_xmp(chart).encode())
        painter = QPainter(writer)
        painter.scale(_PDF_DPI / POINTS_PER_INCH, _PDF_DPI / POINTS_PER_INCH)
        _paint(painter, chart, paper)
        return bytes(data.data().data())


def _xmp(chart: Chart) -> str:
    """Title and facts of a chart as a packet of XMP, where PDF has its metadata."""
    title, facts = (
        "".join(character for character in text if character.isprintable() or character == "\n")
        for text in (chart.title, facts_text(chart.facts))
    )
    values = "".join(
        f'<dc:{name}><rdf:Alt><rdf:li xml:lang="x-default">{escape(text)}</rdf:li></rdf:Alt></dc:{name}>'
        for name, text in (("title", title), ("description", facts))
    )
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/">{values}</rdf:Description></rdf:RDF></x:xmpmeta>'
        '<?xpacket end="w"?>'
    )


def _open_buffer() -> QBuffer:
    data = QBuffer()
    data.open(QBuffer.OpenModeFlag.WriteOnly)
    return data


def _paint(painter: QPainter, chart: Chart, paper: Paper) -> None:
    paint_chart(painter, chart, *paper_size(chart, paper), paper.text_size)
    painter.end()
