"""The top of the plots: their tabs, and the tools of the large plot, which fold into a menu in a narrow window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QMenu, QToolButton, QWidget

from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.style.untrusted import caption
from explorer.gui.widgets.fields.buttons import icon_button
from explorer.gui.widgets.layouts.page_tabs import PageTabs
from explorer.i18n import tr

_GAP = 4


class PlotTools(QWidget):
    """Switches and buttons in a row; some or all of them can be in a menu.

    switches: Buttons with words that are on or off. They are the first to go into the menu.
    buttons: Buttons with an icon, whose names are what the menu shows.
    """

    def __init__(self, switches: Sequence[QToolButton], buttons: Sequence[QToolButton]) -> None:
        super().__init__()
        self._switches, self._buttons = tuple(switches), tuple(buttons)
        self._folded: tuple[QToolButton, ...] = ()
        self.more = icon_button("more", tr("Options of the plot"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self)
        # Asked when it opens: switches change with the state, and buttons with the zoom.
        self.menu.aboutToShow.connect(self._fill)
        self.more.setMenu(self.menu)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        for widget in (*self._switches, *self._buttons, self.more):
            row.addWidget(widget)
        self.more.hide()

    def widths(self) -> tuple[int, int, int]:
        """The width with nothing in the menu, with the switches in it, and with everything."""
        menu = self.more.sizeHint().width()
        switches, buttons = (
            sum(each.sizeHint().width() + _GAP for each in part) for part in (self._switches, self._buttons)
        )
        return switches + buttons - _GAP, buttons + menu, menu

    def fold(self, level: int) -> None:
        """Put nothing into the menu (0), the switches (1), or everything (2)."""
        folded = (*self._switches[: None if level else 0], *self._buttons[: None if level > 1 else 0])
        if folded != self._folded:
            self._folded = folded
            for each in (*self._switches, *self._buttons):
                each.setHidden(each in folded)
            self.more.setHidden(not folded)

    def _fill(self) -> None:
        self.menu.clear()
        for each in self._folded:
            action = QAction(caption(each.text() or each.accessibleName()), self.menu)
            action.setCheckable(each.isCheckable())
            action.setChecked(each.isChecked())
            action.setEnabled(each.isEnabled())
            action.triggered.connect(lambda _, each=each: each.click())
            self.menu.addAction(action)


class PlotTop(QWidget):
    """Tabs and tools with a line under them. Tools without room go into a menu, or into a line of their own."""

    def __init__(self, tabs: PageTabs, tools: PlotTools) -> None:
        super().__init__()
        self._tabs, self._tools = tabs, tools
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(scaled(6), 0, scaled(8), 0)
        self._row.setSpacing(0)
        self._row.addWidget(tabs, 1, Qt.AlignmentFlag.AlignBottom)
        self._row.addWidget(tools, 0, Qt.AlignmentFlag.AlignRight)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold what has no room."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """In another text size, the same width has room for more or less."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._arrange()

    def _arrange(self) -> None:
        edges = self._row.contentsMargins()
        room, widths = self.width() - edges.left() - edges.right(), self._tools.widths()
        # Tabs as they are before anything is folded, and with less room beside their words after.
        level = next((n for n in range(3) if self._tabs.width_of_all(tight=n > 0) + widths[n] <= room), -1)
        self._tabs.set_tight(level != 0)
        self._tools.fold(max(0, level))
        # From the bottom up: the tabs must touch the line that is painted at the bottom.
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.BottomToTop
        self._row.setDirection(below if level < 0 else beside)

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for the two in lines of their own, whichever way they are now."""
        wide = max(self._tabs.minimumSizeHint().width(), self._tools.widths()[0])
        return QSize(wide + scaled(16), super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line."""
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, qcolor("line"))
        painter.end()
