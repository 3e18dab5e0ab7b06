"""The rail: a tile for each screen, at the left edge of the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics, QIcon, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolBar, QToolButton, QWidget

from explorer.gui.help.topics import THE_WINDOW, about
from explorer.gui.screens.registry import ScreenSpec
from explorer.gui.screens.screen import named, with_key
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import chrome, font_of, qcolor, scaled, text_size, width_of
from explorer.i18n import tr

_WIDTH, _TILE, _BARE, _LOW, _ICON, _BESIDE = 72, 52, 44, 36, 20, 4
"""Pixels at a text size of 10 points: a tile with its label; width and height of one without, so that all have room in
a low window; an icon; room at each side of a label."""
_LABELS_BELOW = 16
"""From this text size in points on, labels would be wider than the rail: only tool tips name the screens."""
_UNLIMITED = 1 << 20
_MARK = 3
"""Width of the mark at the edge of the chosen tile."""


class Tile(QToolButton):
    """The icon of a screen and its name below; all tiles are of one size.

    names: The names of all screens: the longest decides how wide every tile is.
    """

    def __init__(self, action: QAction, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names, self._size, self._room = tuple(names), QSize(), _UNLIMITED
        self.setDefaultAction(action)
        named(self, action.text())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._fit_to_text()
        when_restyled(self, self._fit_to_text)

    def limit(self, pixels: int) -> None:
        """Be no higher than a number of pixels: without its label, if that has no room."""
        if pixels != self._room:
            self._room = pixels
            self._fit_to_text()
            self.update()

    @property
    def _labeled(self) -> bool:
        return text_size() < _LABELS_BELOW and chrome(_TILE) <= self._room

    def _fit_to_text(self) -> None:
        self.setIconSize(QSize(chrome(_ICON), chrome(_ICON)))
        # Kept: a tool bar asks every tile a dozen times whenever another screen is shown.
        self._size = self._measured()
        # It asks again when a tile reports that its geometry changed.
        self.updateGeometry()

    def _measured(self) -> QSize:
        if not self._labeled:
            return QSize(chrome(_BARE), max(chrome(_ICON), min(chrome(_LOW), self._room)))
        # Measured in bold, the look of the chosen one: a choice must not cut a label.
        label = max((width_of(name, 0.85, 600) for name in self._names), default=0) + 2 * scaled(_BESIDE)
        return QSize(max(chrome(_WIDTH), label), chrome(_TILE))

    def sizeHint(self) -> QSize:
        """The same for every tile."""
        return self._size

    def minimumSizeHint(self) -> QSize:
        """Tiles do not shrink."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the fill, the mark at the edge, the icon and the label."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on, over = self.isChecked(), self.underMouse()
        if on or over:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qcolor("select" if on else "hover"))
            painter.drawRoundedRect(self.rect(), 6, 6)
        if self.hasFocus():
            pen = painter.pen()
            pen.setStyle(Qt.PenStyle.SolidLine)
            pen.setColor(qcolor("accent"))
            pen.setWidth(2)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 6, 6)
        # Not by the style: it would place icon and label differently on each platform.
        self._draw_content(painter, on, over)
        painter.end()

    def _draw_content(self, painter: QPainter, on: bool, over: bool) -> None:
        side, shown = self.iconSize().width(), self._labeled
        painter.setFont(font_of(0.85, 600 if on else 400))
        metrics = QFontMetrics(painter.font())
        text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width() - 2) if shown else ""
        gap = chrome(4)
        height = side + (gap + metrics.height() if shown else 0)
        top = (self.height() - height) // 2
        mode = QIcon.Mode.Active if over else QIcon.Mode.Normal
        state = QIcon.State.On if on else QIcon.State.Off
        self.icon().paint(
            painter, QRect((self.width() - side) // 2, top, side, side), Qt.AlignmentFlag.AlignCenter, mode, state
        )
        painter.setPen(qcolor("accent" if on else "text" if over else "muted"))
        box = QRect(0, top + side + gap, self.width(), metrics.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


class Rail(QToolBar):
    """Shows the screens in the order of their rows; some are at the lower end. `chosen(str)`: the id of a screen."""

    chosen = Signal(str)

    def __init__(self, screens: Sequence[ScreenSpec]) -> None:
        super().__init__(tr("Screens"), movable=False)
        self.setObjectName("rail")
        # For the button of what has no room, which Qt makes.
        about(self, THE_WINDOW)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.screen_actions: dict[str, QAction] = {}
        self.tiles: dict[str, Tile] = {}
        self._group = QActionGroup(self)
        self._names = tuple(tr(spec.title) for spec in screens)
        for spec in screens:
            if not spec.at_bottom:
                self._add(spec)
        if any(spec.at_bottom for spec in screens):
            # A tool bar has no stretch: an empty widget takes the height that is left.
            space = QWidget()
            space.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
            self.addWidget(space)
        for spec in screens:
            if spec.at_bottom:
                self._add(spec)

    def _add(self, spec: ScreenSpec) -> None:
        action = QAction(icon(spec.picture), tr(spec.title), self, checkable=True)
        action.triggered.connect(lambda _: self.chosen.emit(spec.id))
        self._group.addAction(action)
        # The action is in the group and has the tool tip; the tile only draws it.
        tile = self.tiles[spec.id] = about(Tile(action, self._names), spec.page.name)
        self.addWidget(tile)
        self.screen_actions[spec.id] = action

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have room for all tiles: one that does not fit would be in a menu that few people find."""
        layout, count = self.layout(), len(self.tiles)
        assert layout is not None
        margins = layout.contentsMargins()
        # One more space: what keeps the tiles of the lower end there is between two others.
        free = self.height() - margins.top() - margins.bottom() - (count + 1) * layout.spacing()
        for tile in self.tiles.values():
            tile.limit(free // max(1, count))
        super().resizeEvent(event)

    def check(self, id: str) -> None:
        """Mark the visible screen."""
        self.screen_actions[id].setChecked(True)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar and, at the window's edge, the mark of the visible screen."""
        super().paintEvent(event)
        flip = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        line = QPainter(self)
        line.fillRect(0 if flip else self.width() - 1, 0, 1, self.height(), qcolor("line"))
        line.end()
        # Here and not in the tile, which does not reach to the edge of the window.
        for id, action in self.screen_actions.items():
            tile = self.tiles[id]
            if action.isChecked() and tile.isVisible():
                painter = QPainter(self)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(qcolor("accent"))
                width, inset = chrome(_MARK), chrome(12)
                left = self.width() - width if flip else 0
                painter.drawRoundedRect(left, tile.y() + inset, width, tile.height() - 2 * inset, 1.5, 1.5)
                painter.end()

    def show_keys(self, key: Callable[[str], str]) -> None:
        """Show the screens' shortcuts in the tool tips; `key` has them by id."""
        for id, action in self.screen_actions.items():
            action.setToolTip(with_key(action.text(), key(id)))
