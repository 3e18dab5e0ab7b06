"""The tabs of a page: words with a count, and a line under the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QTabBar, QToolButton, QWidget

from explorer.gui.style.theme import chrome, font_of, qcolor, scaled, width_of
from explorer.gui.style.untrusted import caption
from explorer.gui.widgets.painting import draw_words, ring, rounded
from explorer.i18n import tr

_PAD, _TIGHT, _GAP, _LINE, _COUNT = 10, 4, 6, 2, 0.85


class PageTabs(QTabBar):
    """`currentChanged(int)` as with every tab bar; arrow keys move the choice.

    name: What the pages belong to, for assistive technology.
    squeezed: Whether it leaves less room beside the words by itself where not all tabs fit. Where other parts of the
        row depend on it, `set_tight` does so instead.
    """

    def __init__(self, *names: str, name: str = "", squeezed: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: dict[int, str] = {}
        self._pad = _PAD
        self._squeezed = squeezed
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setDocumentMode(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        # Qt names them in its own words, which are not in the catalogs.
        for button, words in zip(self.findChildren(QToolButton), (tr("Scroll left"), tr("Scroll right")), strict=True):
            button.setAccessibleName(words)
        if name:
            self.setAccessibleName(name)
        for text in names:
            self.addTab(caption(text))

    def set_count(self, number: int, count: str) -> None:
        """Show a count after the words of a tab; "" for none.

        number: The number of the tab, from 0.
        """
        if self._counts.get(number, "") == count:
            return
        self._counts[number] = count
        words = self._words(number)
        self.setAccessibleTabName(number, tr("{name}, {count}", name=words, count=count) if count else words)
        # A tab bar measures its tabs when one of their texts changes, and then only.
        self.setTabText(number, self.tabText(number))

    def count_of(self, number: int) -> str:
        """The count of a tab as it is shown; "" for none."""
        return self._counts.get(number, "")

    def set_tight(self, tight: bool) -> None:
        """Leave little room beside the words, or the usual room."""
        pad = _TIGHT if tight else _PAD
        if pad != self._pad:
            self._pad = pad
            for number in range(self.count()):
                self.setTabText(number, self.tabText(number))

    def width_of_all(self, tight: bool) -> int:
        """The width of all tabs, with little room beside the words or the usual room."""
        pad = _TIGHT if tight else _PAD
        others = 2 * (scaled(pad) - scaled(self._pad)) * self.count()
        return sum(self.tabSizeHint(number).width() for number in range(self.count())) + others

    def tabSizeHint(self, index: int) -> QSize:
        """Measured in bold, so that a choice moves nothing."""
        words, count = self._widths(index)
        return QSize(2 * scaled(self._pad) + words + (scaled(_GAP) + count if count else 0), chrome(36))

    def minimumTabSizeHint(self, index: int) -> QSize:
        """No tab is cut; those without room are reached by the buttons at the end."""
        return self.tabSizeHint(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the room beside the words that there is."""
        super().resizeEvent(event)
        self._squeeze()

    def _squeeze(self) -> None:
        if self._squeezed:
            self.set_tight(self.width_of_all(tight=False) > self.width())

    def _words(self, index: int) -> str:
        # Undoes `caption`: the words are drawn here, where & marks no shortcut.
        return self.tabText(index).replace("&&", "&")

    def _widths(self, index: int) -> tuple[int, int]:
        count = self._counts.get(index, "")
        return width_of(self._words(index), 1.0, 600) + 1, width_of(count, _COUNT) + 1 if count else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Each tab, and a line under all of them."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(self.layoutDirection())
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), qcolor("line"))
        over = self.tabAt(self.mapFromGlobal(self.cursor().pos())) if self.underMouse() else -1
        for index in range(self.count()):
            if self.isTabVisible(index):
                self._draw_tab(painter, index, index == over)
        painter.end()

    def _draw_tab(self, painter: QPainter, index: int, over: bool) -> None:
        area, on, enabled = self.tabRect(index), index == self.currentIndex(), self.isTabEnabled(index)
        if not self.isEnabled():
            enabled = False
        painter.setFont(font_of(1.0, 600 if on else 500))
        painter.setPen(qcolor("faint" if not enabled else "text" if on or over else "muted"))
        seen = area.intersected(self._free())
        if seen.width() < area.width():
            # At the edge of a bar that scrolls: as much of the words as has room, and not half a letter.
            inside = seen.adjusted(scaled(self._pad), 0, -scaled(self._pad), 0)
            room, cut = max(0, inside.width()), Qt.TextElideMode.ElideRight
            draw_words(painter, QRectF(inside), QFontMetrics(painter.font()).elidedText(self._words(index), cut, room))
        else:
            self._draw_words(painter, index, area, enabled)
        if on:
            pad, line = scaled(self._pad), scaled(_LINE)
            under = QRectF(area.left() + pad, self.height() - line, area.width() - 2 * pad, line)
            rounded(painter, under, line / 2, "accent" if enabled else "line_strong")
        if on and self.hasFocus():
            ring(painter, QRectF(area).adjusted(1, 2, -1, -4), 6)

    def _draw_words(self, painter: QPainter, index: int, area: QRect, enabled: bool) -> None:
        """The words of a tab and its count."""
        words, count = self._widths(index)
        place = QRect(area.left() + scaled(self._pad), area.top(), words, area.height())
        draw_words(painter, QRectF(self._mirrored(place, area)), self._words(index))
        if count:
            place = QRect(place.right() + 1 + scaled(_GAP), area.top(), count, area.height())
            painter.setFont(font_of(_COUNT))
            painter.setPen(qcolor("muted" if enabled else "faint"))
            draw_words(painter, QRectF(self._mirrored(place, area)), self._counts[index])

    def _free(self) -> QRect:
        """The bar without the buttons that scroll it."""
        buttons = [button.geometry() for button in self.findChildren(QToolButton) if button.isVisible()]
        if not buttons:
            return self.rect()
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            return self.rect().adjusted(max(place.right() for place in buttons) + 1, 0, 0, 0)
        return QRect(0, 0, min(place.left() for place in buttons), self.height())

    def _mirrored(self, place: QRect, area: QRect) -> QRect:
        if self.layoutDirection() == Qt.LayoutDirection.LeftToRight:
            return place
        return QRect(area.left() + area.right() - place.right(), place.top(), place.width(), place.height())

    def changeEvent(self, event: QEvent) -> None:
        """Measure again in another text size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.count():
            # As in `set_count`: the text stays, but setting it makes the bar measure again.
            self.setTabText(0, self.tabText(0))
            self._squeeze()
