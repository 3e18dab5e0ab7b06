"""Figures to PNG, SVG and PDF files."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QByteArray, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from explorer.agreement.figure import AgreementFigure
from explorer.export.tables import ExportError, replacing
from explorer.gui.figures.painter import HEIGHT, WIDTH, paint_agreement

PNG_DPI = 300
_PDF_DPI = 1200
_POINTS_AN_INCH = 72


def save_agreement(figure: AgreementFigure, path: Path, title: str = "", dpi: int = PNG_DPI) -> None:
    """Write the figure in the format of the path's ending; needs a running Qt application.

    dpi: resolution of a PNG; the figure measures 540 × 210 points. Raises ExportError.
    """
    writers = {".png": _save_png, ".svg": _save_svg, ".pdf": _save_pdf}
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise ExportError(f"{path}: a figure is written as {', '.join(writers)}. Give the file one of these endings.")
    with replacing(path) as partial:
        writer(figure, partial, title, dpi)


def save_agreement_without_window(figure: AgreementFigure, path: Path, title: str = "") -> None:
    """The same from a program that shows no window."""
    if QGuiApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        application = QGuiApplication([])
        save_agreement(figure, path, title)
        application.shutdown()
        return
    save_agreement(figure, path, title)


def _paint(painter: QPainter, path: Path, figure: AgreementFigure, title: str) -> None:
    if not painter.isActive():
        raise ExportError(f"{path.parent} cannot be written to. Choose another place.")
    paint_agreement(painter, figure, title)
    painter.end()


def _save_png(figure: AgreementFigure, path: Path, title: str, dpi: int) -> None:
    scale = dpi / _POINTS_AN_INCH
    image = QImage(QSize(round(WIDTH * scale), round(HEIGHT * scale)), QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(dpi / 0.0254))
    image.setDotsPerMeterY(round(dpi / 0.0254))
    painter = QPainter(image)
    painter.scale(scale, scale)
    _paint(painter, path, figure, title)
    if not QImageWriter(str(path), QByteArray(b"png")).write(image):
        raise ExportError(f"{path.parent} cannot be written to. Choose another place.")


def _save_svg(figure: AgreementFigure, path: Path, title: str, dpi: int) -> None:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setResolution(_POINTS_AN_INCH)
    generator.setSize(QSize(round(WIDTH), round(HEIGHT)))
    generator.setViewBox(QRectF(0, 0, WIDTH, HEIGHT))
    generator.setTitle(title)
    _paint(QPainter(generator), path, figure, title)


def _save_pdf(figure: AgreementFigure, path: Path, title: str, dpi: int) -> None:
    writer = QPdfWriter(str(path))
    writer.setPageSize(QPageSize(QSizeF(WIDTH, HEIGHT), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(_PDF_DPI)
    writer.setTitle(title)
    painter = QPainter(writer)
    painter.scale(_PDF_DPI / _POINTS_AN_INCH, _PDF_DPI / _POINTS_AN_INCH)
    _paint(painter, path, figure, title)
