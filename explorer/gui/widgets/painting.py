"""What widgets that paint themselves share: rounded fills, the focus ring, and a button with nothing drawn yet."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from explorer.gui.style.direction import reads_right_to_left
from explorer.gui.style.theme import font_of, qcolor
from explorer.gui.style.untrusted import caption

RING = 2.0
"""Pixels of the focus ring. It does not grow with the text: it is a line, like a frame."""


def rounded(
    painter: QPainter, area: QRectF, radius: float, fill: str = "", outline: str = "", dashed: bool = False
) -> None:
    """Fill and outline a rounded rectangle.

    area: The outer edge, outline included.
    fill, outline: Fields of `Colors`; "" for none.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(qcolor(fill) if fill else Qt.BrushStyle.NoBrush)
    style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
    painter.setPen(QPen(qcolor(outline), 1, style) if outline else Qt.PenStyle.NoPen)
    # A line of one pixel is centered on its path: half a pixel inside, it fills one row and is not blurred over two.
    inner = area.adjusted(0.5, 0.5, -0.5, -0.5) if outline else area
    painter.drawRoundedRect(inner, radius, radius)


def ring(painter: QPainter, area: QRectF, radius: float, color: str = "accent") -> None:
    """Draw the focus ring at the inner side of an edge."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(qcolor(color), RING))
    half = RING / 2
    # The path is the middle of the line: with a radius less by half its width, its outer corners are those of the edge.
    painter.drawRoundedRect(area.adjusted(half, half, -half, -half), radius - half, radius - half)


def draw_words(painter: QPainter, area: QRectF, words: str) -> None:
    """Draw one line of text in the middle of an area, at the side where the window's lines begin.

    The order of the words is that of the text itself: a number or a token is not turned in a right-to-left window.

    painter: The painter, with the font, the pen and the layout direction of the window.
    words: The text, which is not cut here: the caller has elided it if it must be.
    """
    window = painter.layoutDirection()
    right = window == Qt.LayoutDirection.RightToLeft
    turned = reads_right_to_left(words)
    painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if turned else Qt.LayoutDirection.LeftToRight)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    # Absolute: otherwise Qt would take the sides from the painter's direction, which is now that of the words.
    flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
    painter.drawText(area, int(flags | Qt.TextFlag.TextSingleLine), words)
    painter.setLayoutDirection(window)


def paler(color: str, strength: float) -> QColor:
    """A color of the theme as it looks on a surface when it is partly transparent; itself it hides what is below.

    strength: From 0, the color of the surface, to 1, the color itself.
    Returns: The color. Qt draws long lines in it ten times as fast as in a transparent one.
    """
    return mixed(qcolor(color), qcolor("surface"), strength)


def mixed(above: QColor, ground: QColor, strength: float) -> QColor:
    """Two colors as one.

    strength: From 0, the ground, to 1, the color above it.
    """
    pairs = ((above.red(), ground.red()), (above.green(), ground.green()), (above.blue(), ground.blue()))
    return QColor(*(round(strength * a + (1 - strength) * b) for a, b in pairs))


def see_through(color: str, strength: float) -> QColor:
    """A color of the theme, partly transparent: `strength` from 0 to 1.

    strength: From 0, which cannot be seen, to 1, which hides what is below.
    """
    made = qcolor(color)
    made.setAlphaF(strength)
    return made


class PaintedButton(QPushButton):
    """A button that draws itself from the theme's colors each time, so that a change of theme costs it nothing.

    Subclasses override `sizeHint` and `draw`. Its text is shown as it is: & makes no shortcut.

    text: The words on it, which are also its name for assistive technology.
    """

    SIZE = 1.0
    """Size of its text as a multiple of ordinary text."""
    WEIGHT = 400
    # Of the class too: Qt asks for a size while Python takes the widget apart.
    _words = ""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        # In a dialog, Qt would let any push button that has the focus take Enter.
        self.setAutoDefault(False)
        self.set_words(text)

    @property
    def words(self) -> str:
        """The text as it is shown."""
        return self._words

    def set_words(self, text: str) -> None:
        """Show another text."""
        self._words = text
        self.setText(caption(text))
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def metrics(self, weight: int = 0) -> QFontMetrics:
        """Of its text; `weight` 0 for its usual one."""
        return QFontMetrics(font_of(self.SIZE, weight or self.WEIGHT))

    @property
    def hovered(self) -> bool:
        """Whether the pointer is over it and it can be used."""
        return self.isEnabled() and self.underMouse()

    def changeEvent(self, event: QEvent) -> None:
        """Measure again in another text size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(self.layoutDirection())
        self.draw(painter)
        painter.end()

    def draw(self, painter: QPainter) -> None:
        """Draw the button; to be overridden."""
        raise NotImplementedError

    def mirrored(self, area: QRectF) -> QRectF:
        """The area, on the other side in a window that runs from right to left."""
        if self.layoutDirection() == Qt.LayoutDirection.LeftToRight:
            return area
        return QRectF(self.width() - area.right(), area.top(), area.width(), area.height())
