"""What the widths of the curves in a word tree mean."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gui.screens.next_token.tree_painting import thickness
from explorer.gui.style.theme import em, font_of, qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.painting import draw_words
from explorer.i18n import numeral, tr

_SHARES = (1.0, 0.5, 0.1)
_SAMPLE, _PAD, _GAP = 28, 16, 8
_SCALE = 0.92


class WidthLegend(QWidget):
    """A sentence, and samples with their shares, as wide as the tree's curves are now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._zoom = 1.0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.words)
        self.setToolTip(tip(self.words))

    @property
    def words(self) -> str:
        """What the width means."""
        return tr("Line width: share of the branch it comes from")

    def show_zoom(self, zoom: float) -> None:
        """Draw the samples as the tree is zoomed."""
        self._zoom = zoom
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """One line, with room for the widest sample."""
        line = max(QFontMetrics(font_of(_SCALE)).height(), round(thickness(1.0) * self._zoom))
        return QSize(em(20), line + scaled(8))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The samples and the sentence, from the side where lines begin."""
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        painter.setFont(font_of(_SCALE))
        right = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        metrics, at = QFontMetrics(font_of(_SCALE)), scaled(_PAD)

        def area(width: int) -> QRectF:
            x = self.width() - at - width if right else at
            return QRectF(x, 0, width, self.height())

        for share in _SHARES:
            sample = area(scaled(_SAMPLE))
            painter.setPen(QPen(qcolor("bar"), thickness(share) * self._zoom, c=Qt.PenCapStyle.FlatCap))
            middle = sample.center().y()
            painter.drawLine(QPointF(sample.left(), middle), QPointF(sample.right(), middle))
            at += scaled(_SAMPLE + _GAP)
            words = numeral(share, ".0%")
            painter.setPen(qcolor("muted"))
            draw_words(painter, area(metrics.horizontalAdvance(words) + 1), words)
            at += metrics.horizontalAdvance(words) + scaled(2 * _GAP)
        room = self.width() - at - scaled(_PAD)
        draw_words(painter, area(room), metrics.elidedText(self.words, Qt.TextElideMode.ElideRight, room))
        painter.end()
