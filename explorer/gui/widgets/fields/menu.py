"""Menus whose shortcuts are drawn as key caps, in a column of their own."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QStyleOptionMenuItem, QWidget

from explorer.gui.style.theme import scaled
from explorer.gui.widgets.texts.key_cap import draw_key_cap, key_cap_size

_PAD = 8


class Menu(QMenu):
    """A menu like any other; only its shortcuts look like keys.

    title: Its title in a menu bar or in another menu; & marks the letter that opens it.
    """

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title, parent)

    def initStyleOption(self, option: QStyleOptionMenuItem, action: QAction) -> None:
        """Take the shortcut out of what the style draws.

        option: What the style is told about the item; it is changed here.
        """
        super().initStyleOption(option, action)
        option.text = option.text.partition("\t")[0]

    def paintEvent(self, event: QPaintEvent) -> None:
        """The menu, and a cap for each shortcut."""
        super().paintEvent(event)
        painter = QPainter(self)
        for action in self.actions():
            if keys := self.keys_of(action):
                draw_key_cap(painter, self._place(action, keys), keys)
        painter.end()

    def keys_of(self, action: QAction) -> str:
        """The shortcut that an action of this menu shows, as the platform writes it; "" for none."""
        if action.isSeparator() or action.menu() is not None or not action.isShortcutVisibleInContextMenu():
            return ""
        return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def _place(self, action: QAction, keys: str) -> QPoint:
        """The upper left corner of the cap: at the end of the item, in its middle."""
        area, cap = self.actionGeometry(action), key_cap_size(keys)
        left = area.right() + 1 - scaled(_PAD) - cap.width()
        place = QRect(left, area.top() + (area.height() - cap.height()) // 2, cap.width(), cap.height())
        if self.isRightToLeft():
            place.moveLeft(area.left() + scaled(_PAD))
        return place.topLeft()
