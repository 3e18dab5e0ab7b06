"""Figures to PNG, SVG and PDF files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from explorer.agreement.figure import AgreementFigure
from explorer.export.tables import ExportError, replacing
from explorer.gui.figures.painter import HEIGHT, WIDTH, largest_n, paint_agreement

PNG_DPI = 300
_PDF_DPI = 1200
_POINTS_AN_INCH = 72


Rows = Sequence[tuple[str, AgreementFigure]]
"""Figures with their titles, one below the other."""


def save_agreement(figure: AgreementFigure, path: Path, title: str = "", dpi: int = PNG_DPI) -> None:
    """Write one figure; see `save_agreements`."""
    save_agreements([(title, figure)], path, dpi)


def save_agreements(rows: Rows, path: Path, dpi: int = PNG_DPI) -> None:
    """Write figures, one below the other on the same axes, in the format of the path's ending.

    Needs a running Qt application. dpi: resolution of a PNG; each figure measures 540 × 210 points. Raises
    ExportError.
    """
    writers = {".png": _save_png, ".svg": _save_svg, ".pdf": _save_pdf}
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise ExportError(f"{path}: a figure is written as {', '.join(writers)}. Give the file one of these endings.")
    with replacing(path) as partial:
        writer(rows, partial, dpi)


def save_agreements_without_window(rows: Rows, path: Path) -> None:
    """The same from a program that shows no window."""
    if QGuiApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        application = QGuiApplication([])
        save_agreements(rows, path)
        application.shutdown()
        return
    save_agreements(rows, path)


def _paint(painter: QPainter, path: Path, rows: Rows) -> None:
    if not painter.isActive():
        raise ExportError(f"{path.parent} cannot be written to. Choose another place.")
    most = max(largest_n(figure) for _, figure in rows)
    for number, (title, figure) in enumerate(rows):
        painter.save()
        painter.translate(0, number * HEIGHT)
        paint_agreement(painter, figure, title, most)
        painter.restore()
    painter.end()


def _save_png(rows: Rows, path: Path, dpi: int) -> None:
    scale = dpi / _POINTS_AN_INCH
    image = QImage(QSize(round(WIDTH * scale), round(HEIGHT * len(rows) * scale)), QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(dpi / 0.0254))
    image.setDotsPerMeterY(round(dpi / 0.0254))
    painter = QPainter(image)
    painter.scale(scale, scale)
    _paint(painter, path, rows)
    if not QImageWriter(str(path), QByteArray(b"png")).write(image):
        raise ExportError(f"{path.parent} cannot be written to. Choose another place.")


def _save_svg(rows: Rows, path: Path, dpi: int) -> None:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setResolution(_POINTS_AN_INCH)
    generator.setSize(QSize(round(WIDTH), round(HEIGHT * len(rows))))
    generator.setViewBox(QRectF(0, 0, WIDTH, HEIGHT * len(rows)))
    generator.setTitle(rows[0][0])
    _paint(QPainter(generator), path, rows)


def _save_pdf(rows: Rows, path: Path, dpi: int) -> None:
    writer = QPdfWriter(str(path))
    writer.setPageSize(
        QPageSize(QSizeF(WIDTH, HEIGHT * len(rows)), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    )
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(_PDF_DPI)
    writer.setTitle(rows[0][0])
    painter = QPainter(writer)
    painter.scale(_PDF_DPI / _POINTS_AN_INCH, _PDF_DPI / _POINTS_AN_INCH)
    _paint(painter, path, rows)
