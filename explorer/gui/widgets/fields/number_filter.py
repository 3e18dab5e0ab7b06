"""A number with its word that is also a switch: “14 passages” shows only those."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget

from explorer.gui.style.theme import chrome, font_of, qcolor, scaled, width_of
from explorer.gui.widgets.painting import PaintedButton, draw_words, ring, rounded
from explorer.i18n import tr

_RADIUS, _PAD, _GAP = 6, 10, 6
_NUMBER = 1.23


class NumberFilter(PaintedButton):
    """A large number and its word; `toggled(bool)` as with every button that can be checked.

    number: The number as it is written, with separators; ≈ in front of an estimate.
    word: What is counted, in the number that agrees with it.

    Notes
    -----
    With `setCheckable(False)` it is a fact and not a filter: it takes no focus and does not react to the pointer.
    """

    _number = _word = ""

    def __init__(self, number: str, word: str, parent: QWidget | None = None) -> None:
        # Before the base class, which may ask for the size.
        self._number, self._word = number, word
        super().__init__("", parent)
        self.setCheckable(True)
        self.show_number(number, word)

    @property
    def number(self) -> str:
        """The number as it is shown."""
        return self._number

    @property
    def word(self) -> str:
        """The word as it is shown."""
        return self._word

    def show_number(self, number: str, word: str) -> None:
        """Show another number, with the word that agrees with it.

        word: What is counted, singular or plural.
        """
        self._number, self._word = number, word
        # Both in one text: it is the button's name for assistive technology, while `draw` sets them in two sizes.
        self.set_words(tr("{number} {word}", number=number, word=word))

    def sizeHint(self) -> QSize:
        """As wide as number and word."""
        number, word = self._widths()
        return QSize(2 * scaled(_PAD) + number + scaled(_GAP) + word, chrome(28))

    def minimumSizeHint(self) -> QSize:
        """It is never cut."""
        return self.sizeHint()

    def _widths(self) -> tuple[int, int]:
        return width_of(self._number, _NUMBER, 600) + 1, width_of(self._word) + 1

    def draw(self, painter: QPainter) -> None:
        """Number and word on one base line."""
        area = QRectF(self.rect())
        if self.isChecked():
            rounded(painter, area, _RADIUS, "select", "accent_mid")
        elif self.isCheckable() and self.hovered:
            rounded(painter, area, _RADIUS, "hover")
        if self.hasFocus():
            ring(painter, area, _RADIUS)
        number, word = self._widths()
        # The larger font sets the base line of both: each in the middle of the height, they would not be on one.
        large = QFontMetrics(font_of(_NUMBER, 600))
        base = (self.height() + large.ascent() - large.descent()) / 2
        left = float(scaled(_PAD))
        for text, width, font, ink in (
            (self._number, number, font_of(_NUMBER, 600), "text"),
            (self._word, word, font_of(), "muted"),
        ):
            place = self.mirrored(QRectF(left, 0, width, self.height()))
            painter.setFont(font)
            painter.setPen(qcolor(ink if self.isEnabled() else "faint"))
            line = QFontMetrics(font)
            place.setTop(base - line.ascent())
            place.setHeight(line.height())
            draw_words(painter, place, text)
            left += width + scaled(_GAP)

    def setCheckable(self, on: bool) -> None:
        """Make it a filter or a fact."""
        super().setCheckable(on)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if on else Qt.FocusPolicy.NoFocus)
