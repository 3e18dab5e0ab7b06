"""Charts to PNG, SVG, PDF, CSV and JSON files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from explorer.export.chart import Chart, chart_size
from explorer.export.destination import ExportError, save_bytes, save_text
from explorer.export.jsonable import to_json, to_plain
from explorer.export.tables import save_table
from explorer.gui.figures.painter import paint_chart
from explorer.i18n import tr

FORMATS = (".png", ".svg", ".pdf", ".csv", ".json")
POINTS_AN_INCH = 72
MM_A_POINT = 25.4 / POINTS_AN_INCH
_PDF_DPI = 1200
_MOST_PIXELS = 100_000_000


@dataclass(frozen=True)
class Paper:
    """How a chart is exported: width and height in points (0: chosen for the chart), text size, resolution of a PNG."""

    width: float = 0.0
    height: float = 0.0
    text_size: int = 8
    dpi: int = 300


def paper_size(chart: Chart, paper: Paper) -> tuple[float, float]:
    """Give the size in which a chart is saved.

    Parameters
    ----------
    chart
        The chart, whose own size counts where the paper has none.
    paper
        The size that was chosen; 0 for the chart's own.

    Returns
    -------
    tuple[float, float]
        Width and height in points.
    """
    width, height = chart_size(chart)
    return paper.width or width, paper.height or height


def save_chart(chart: Chart, path: Path, paper: Paper = Paper()) -> None:
    """Write a chart to a file.

    Parameters
    ----------
    chart
        The chart.
    path
        The file. Its ending decides the format: a picture, or .csv and .json, which hold what is drawn.
    paper
        Size, resolution and text size of a picture.

    Raises
    ------
    ExportError
        If the ending is unknown, the picture would be too large, or the file cannot be written.

    Notes
    -----
    Pictures need a running Qt application.
    """
    form = path.suffix.lower()
    if form == ".csv":
        save_table(path, chart.header, chart.data, "csv", chart.facts)
    elif form == ".json":
        save_text(path, chart_json(chart))
    elif form in _WRITERS:
        # Qt would only warn about a path that cannot be written, or a full drive.
        data = QBuffer()
        data.open(QBuffer.OpenModeFlag.WriteOnly)
        _WRITERS[form](chart, data, paper)
        save_bytes(path, bytes(data.data().data()))
    else:
        raise ExportError(
            tr(
                "{path}: a figure is written as {names}. Give the file one of these endings.",
                path=path,
                names=", ".join(FORMATS),
            )
        )


def save_without_window(chart: Chart, path: Path, paper: Paper = Paper()) -> None:
    """Write a chart from a program that shows no window; a Qt application is started if none is running.

    Parameters
    ----------
    chart
        The chart.
    path
        The file, as in `save_chart`.
    paper
        As in `save_chart`.

    Raises
    ------
    ExportError
        As in `save_chart`.
    """
    if QGuiApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        application = QGuiApplication([])
        save_chart(chart, path, paper)
        application.shutdown()
        return
    save_chart(chart, path, paper)


def chart_json(chart: Chart) -> str:
    """Title, facts and rows of a chart, the rows with the table's column names."""
    rows = [dict(zip(chart.header, to_plain(list(row)), strict=True)) for row in chart.data]
    return to_json({"figure": chart.name, "title": chart.title, "facts": dict(chart.facts), "rows": rows}) + "\n"


def chart_image(chart: Chart, paper: Paper = Paper()) -> QImage:
    """Paint a chart as a picture.

    Parameters
    ----------
    chart
        The chart.
    paper
        The size in points and the resolution in dots per inch.

    Returns
    -------
    QImage
        The picture, on white.

    Raises
    ------
    ExportError
        If it would be too large.
    """
    width, height = paper_size(chart, paper)
    scale = paper.dpi / POINTS_AN_INCH
    size = QSize(round(width * scale), round(height * scale))
    if size.width() * size.height() > _MOST_PIXELS:
        raise ExportError(
            tr(
                "A picture of {width:,} × {height:,} pixels is too large. Choose a smaller size or "
                "resolution, or SVG or PDF, which have no pixels.",
                width=size.width(),
                height=size.height(),
            )
        )
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


def _save_png(chart: Chart, data: QIODevice, paper: Paper) -> None:
    QImageWriter(data, QByteArray(b"png")).write(chart_image(chart, paper))


def _paint(painter: QPainter, chart: Chart, paper: Paper) -> None:
    paint_chart(painter, chart, *paper_size(chart, paper), paper.text_size)
    painter.end()


def _save_svg(chart: Chart, data: QIODevice, paper: Paper) -> None:
    width, height = paper_size(chart, paper)
    generator = QSvgGenerator()
    generator.setOutputDevice(data)
    generator.setResolution(POINTS_AN_INCH)
    generator.setSize(QSize(round(width), round(height)))
    generator.setViewBox(QRectF(0, 0, width, height))
    generator.setTitle(chart.title)
    _paint(QPainter(generator), chart, paper)


def _save_pdf(chart: Chart, data: QIODevice, paper: Paper) -> None:
    width, height = paper_size(chart, paper)
    writer = QPdfWriter(data)
    size = QPageSize(QSizeF(width, height), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageSize(size)
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(_PDF_DPI)
    writer.setTitle(chart.title)
    painter = QPainter(writer)
    painter.scale(_PDF_DPI / POINTS_AN_INCH, _PDF_DPI / POINTS_AN_INCH)
    _paint(painter, chart, paper)


_WRITERS = {".png": _save_png, ".svg": _save_svg, ".pdf": _save_pdf}
