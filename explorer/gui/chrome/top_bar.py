"""The bar along the top of the window: menus, the field that opens the palette, and the open index."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QStyle,
    QStyleOption,
    QToolButton,
    QWidget,
)

from explorer.gui.help.topics import THE_WINDOW, about
from explorer.gui.screens.screen import named
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import keep_icon_size, when_restyled
from explorer.gui.style.theme import chrome, colors, em, font_of, qcolor
from explorer.gui.style.untrusted import caption, tip
from explorer.i18n import tr

_FIELD_EMS = 30
"""The widest that the field gets."""
_LEAST_EMS = 3
"""Only its icon is left at this width."""
_NAME_EMS = 18
"""The widest that the name of an index gets."""


class CommandField(QAbstractButton):
    """Looks like a field, and opens the palette: a sentence, and the key that does the same."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        text = tr("Search commands, indexes and settings")
        self.setText(text)
        self.setToolTip(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._key = ""
        when_restyled(self, self.updateGeometry)

    def show_key(self, key: str) -> None:
        """Show the shortcut in a key cap."""
        self._key = key
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as a field, in the size of the text."""
        return QSize(em(_FIELD_EMS), chrome(28))

    def minimumSizeHint(self) -> QSize:
        """Only the icon."""
        return QSize(em(_LEAST_EMS), chrome(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the outline, the icon, the sentence and the key cap; what has no room is left out."""
        # Painted and not a disabled line edit: it must not take the text cursor, nor show a text to select.
        theme, painter = colors(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = self.hasFocus()
        painter.setPen(qcolor("accent" if ring else "line"))
        painter.setBrush(qcolor("hover" if self.underMouse() else "surface"))
        inset = 1.0 if ring else 0.5
        pen = painter.pen()
        pen.setWidth(2 if ring else 1)
        painter.setPen(pen)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(inset, inset, -inset, -inset), 6, 6)
        side, gap = em(1.2), em(0.6)
        area = self.rect().adjusted(gap, 0, -gap, 0)
        # Everything is measured from the side at which lines begin.
        flip = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = area.right() - side if flip else area.left()
        icon("search").paint(painter, left, (self.height() - side) // 2, side, side)
        painter.setFont(font_of(1.0))
        painter.setPen(qcolor("muted"))
        # The sentence gives way before the cap: the key is what a newcomer cannot guess.
        cap = self._cap_width()
        room = area.adjusted(0, 0, -(side + gap), 0) if flip else area.adjusted(side + gap, 0, 0, 0)
        words = room.adjusted(cap + gap, 0, 0, 0) if flip else room.adjusted(0, 0, -(cap + gap), 0)
        metrics = QFontMetrics(painter.font())
        if words.width() > em(4):
            text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, words.width())
            align = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
            # The base direction is that of the text, whatever the window's is.
            painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
            painter.drawText(words, QStyle.visualAlignment(self.layoutDirection(), align), text)
            if cap:
                self._draw_cap(painter, area.left() if flip else area.right() - cap, cap, theme.line_strong)
        painter.end()

    def _cap_width(self) -> int:
        return QFontMetrics(font_of(0.85)).horizontalAdvance(self._key) + em(0.8) if self._key else 0

    def _draw_cap(self, painter: QPainter, left: int, width: int, outline: str) -> None:
        height = QFontMetrics(font_of(0.85)).height() + em(0.2)
        painter.setFont(font_of(0.85))
        painter.setPen(outline)
        painter.setBrush(qcolor("surface"))
        box = self.rect().adjusted(0, 0, 0, 0)
        box.setRect(left, (self.height() - height) // 2, width, height)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(qcolor("muted"))
        # Keys are read from left to right in every language.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._key)


class IndexSwitcher(QToolButton):
    """Names the open index, once in the window; its menu has the recent ones. `named()`: it shows another name."""

    named = Signal()

    def __init__(self, fill: Callable[[QMenu], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setIcon(icon("index"))
        self.setProperty("role", "switcher")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        keep_icon_size(self, 16)
        menu = QMenu(self)
        # Filled each time it opens: another window may have changed the list.
        menu.aboutToShow.connect(lambda: fill(menu))
        self.setMenu(menu)
        self._name, self._about, self._room = "", "", _NAME_EMS
        self.when_asked: Callable[[], str] = lambda: ""
        """Gives what else is known of the index while its tool tip is shown, such as when it answered last."""
        self.show_index("", "")
        when_restyled(self, self._draw)

    def use_room(self, pixels: int) -> None:
        """Show as much of the name as has room.

        pixels: The width that the button may take.
        """
        # What is not name: the icon, the arrow and the padding, which the style sheet decides.
        name = QFontMetrics(font_of(1.0, 600)).horizontalAdvance(self._shown())
        ems = min(_NAME_EMS, max(_LEAST_EMS, (pixels - self.sizeHint().width() + name) // em(1)))
        if ems != self._room:
            self._room = ems
            self._draw()

    def _shown(self) -> str:
        # In the middle: names of indexes of one corpus often differ at the end only.
        metrics = QFontMetrics(font_of(1.0, 600))
        return metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, em(self._room))

    def show_index(self, name: str, about: str, picture: str = "index") -> None:
        """Show which index is open.

        name: Its name; "" if none is open.
        picture: The name of its icon: a cloud for one that is asked by an address.
        """
        self._name, self._about = name or tr("No index"), about
        self.setIcon(icon(picture))
        self.setToolTip(tip(about or tr("Open or build an index")))
        self.setAccessibleName(tr("Index: {name}", name=self._name))
        self._draw()
        self.named.emit()

    def event(self, event: QEvent) -> bool:
        """Write the tool tip when it is wanted: it has the time of the last answer."""
        if event.type() == QEvent.Type.ToolTip and (more := self.when_asked()):
            self.setToolTip(tip("\n".join(filter(None, (self._about, more)))))
        return super().event(event)

    def _draw(self) -> None:
        # A style sheet cannot set the distance between icon and text.
        self.setText(f" {caption(self._shown())}")


class Menus(QMenuBar):
    """Shows all its menus: it would fold them into an arrow before the field next to it becomes narrower."""

    def sizeHint(self) -> QSize:
        """As wide as its menus next to each other."""
        hint = super().sizeHint()
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            # There, Qt measures how far menus reach to the right of the bar's edge, which is not at all.
            places = [self.actionGeometry(action) for action in self.actions()]
            metrics = QStyle.PixelMetric
            around = (metrics.PM_MenuBarHMargin, metrics.PM_MenuBarPanelWidth, metrics.PM_MenuBarItemSpacing)
            edges = 2 * sum(self.style().pixelMetric(metric, None, self) for metric in around)
            if places:
                left, right = min(place.left() for place in places), max(place.right() for place in places)
                hint.setWidth(right + 1 - left + edges)
        return hint

    def minimumSizeHint(self) -> QSize:
        """All of it."""
        return self.sizeHint()


class TopBar(QWidget):
    """Menus at the left, the command field in the middle, the index at the right. `palette_wanted()`."""

    palette_wanted = Signal()

    def __init__(self, fill: Callable[[QMenu], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("top")
        about(self, THE_WINDOW)
        self.menus = Menus()
        self.menus.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.field = CommandField()
        self.switcher = IndexSwitcher(fill)
        named(self.menus, tr("Menus"))
        self.field.clicked.connect(self.palette_wanted)
        self.switcher.named.connect(self._share_room)
        layout = QGridLayout(self)
        # Equal shares at both sides keep the field in the middle as long as there is room.
        for column, share in ((0, 1), (1, 0), (2, 1)):
            layout.setColumnStretch(column, share)
        start = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        layout.addWidget(self.menus, 0, 0, start)
        layout.addWidget(self.field, 0, 1, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.switcher, 0, 2, Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
        self._fit_to_text()
        when_restyled(self, self._fit_to_text)

    def _fit_to_text(self) -> None:
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(em(0.6), 0, em(0.6), 0)
        layout.setSpacing(em(0.9))
        self.setFixedHeight(chrome(40))
        self._share_room()

    def event(self, event: QEvent) -> bool:
        """Share the room again when a part needs another width, as after a change of the text size."""
        done = super().event(event)
        # Parts learn of the text size in turns of their own, some of them after this bar.
        if event.type() == QEvent.Type.LayoutRequest:
            self._share_room()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The name of the index gives way in a narrow window; menus do not."""
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        beside = self.menus.sizeHint().width() + self.field.minimumSizeHint().width()
        self.switcher.use_room(self.width() - beside - 2 * em(0.6) - 2 * em(0.9))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the background and the line of the style sheet, which Qt leaves to a widget's own class."""
        option = QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, QPainter(self), self)
