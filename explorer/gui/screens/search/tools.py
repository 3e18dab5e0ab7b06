"""The line of tabs, and at its end what applies to the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from explorer.gui.help.topics import about
from explorer.gui.screens.search.lines.columns import ColumnsForm
from explorer.gui.screens.search.lines.sort_form import SortForm
from explorer.gui.screens.search.lines.sorting import order_label
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.state import VIEW_NAMES, SearchState, View
from explorer.gui.style.icons import draw_icon, icon
from explorer.gui.style.surfaces import keep_icon_size
from explorer.gui.style.theme import em, qcolor, scaled
from explorer.gui.style.untrusted import caption, tip
from explorer.gui.widgets.layouts.later import LaterPopover
from explorer.gui.widgets.layouts.page_tabs import PageTabs
from explorer.i18n import tr

_FOR_ARROW = " " * 2
"""Room for the arrow after the words."""


class Tool(QToolButton):
    """A button with an icon and words, which it drops where there is no room."""

    def __init__(self, icon_name: str, text: str, explanation: str) -> None:
        super().__init__()
        self.setIcon(icon(icon_name))
        keep_icon_size(self, 16)
        self.setProperty("role", "quiet")
        self._explanation = explanation
        self._compact = False
        self.say(text)

    def say(self, text: str) -> None:
        """Show other words."""
        self._words = text
        self.setAccessibleName(text)
        # Without words, the tip has to name the button, too.
        self.setToolTip(tip(f"{text}\n{self._explanation}" if self._compact else self._explanation))
        style = Qt.ToolButtonStyle
        self.setToolButtonStyle(style.ToolButtonIconOnly if self._compact else style.ToolButtonTextBesideIcon)
        self.setText("" if self._compact else caption(text) + _FOR_ARROW)

    def set_compact(self, compact: bool) -> None:
        """Show only the icon, or the words, too."""
        if compact != self._compact:
            self._compact = compact
            self.say(self._words)

    def width_in_full(self) -> int:
        """The width with words, in pixels."""
        return self.iconSize().width() + self.fontMetrics().horizontalAdvance(self._words + _FOR_ARROW) + scaled(34)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button, and that it opens something."""
        super().paintEvent(event)
        if not self._compact:
            painter = QPainter(self)
            side = scaled(12)
            left = scaled(6) if self.isRightToLeft() else self.width() - scaled(6) - side
            draw_icon(painter, "chevron-down", QRectF(left, (self.height() - side) / 2, side, side), "muted")
            painter.end()


class Tools(QWidget):
    """Tabs, sort, columns, export."""

    def __init__(self, presenter: SearchPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        about(self, "search#lines")
        self.tabs = about(PageTabs(*map(tr, VIEW_NAMES), name=tr("Views of the lines")), "search#other-views")
        self.sort = Tool("sort", tr("Sort"), tr("Order, sample, and merging of identical lines"))
        self.columns = Tool("columns", tr("Columns"), tr("Columns, context and font of the lines"))
        self.export = Tool("export", tr("Export"), tr("Save lines to a file"))
        self.export_menu = QMenu(self.export)
        # Not as the button's own menu, whose arrow would not be that of the others.
        self.export.clicked.connect(self._open_export)
        self._sort_form = LaterPopover(lambda: SortForm(presenter.lines, self.sort), self.sort)
        self._columns_form = LaterPopover(lambda: ColumnsForm(presenter, self.columns), self.columns)
        self.sort.clicked.connect(self._sort_form.open)
        self.columns.clicked.connect(self._columns_form.open)
        self._of_lines = (self.sort, self.columns, self.export)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.tabs, 1)
        for tool in self._of_lines:
            row.addWidget(tool)
        self.tabs.currentChanged.connect(presenter.show_view)

    @property
    def sort_form(self) -> SortForm:
        """The form of the order."""
        return self._sort_form.popover

    @property
    def columns_form(self) -> ColumnsForm:
        """The form of the columns."""
        return self._columns_form.popover

    def open_sort(self) -> None:
        """Open the form of the order, if there are lines in front."""
        if self.sort.isVisible():
            self.sort.click()

    def _open_export(self) -> None:
        self.export_menu.popup(self.export.mapToGlobal(QPoint(0, self.export.height())))

    def draw(self, state: SearchState, before: SearchState | None) -> None:
        """Show the tabs, and what belongs to the chosen one.

        before: The one that was drawn before; None for the first.
        """
        for view in View:
            why_not = state.why_not(view)
            self.tabs.setTabEnabled(view, not why_not)
            self.tabs.setTabToolTip(view, tip(why_not))
        # Shown, not chosen: the signal would ask for the view again.
        with QSignalBlocker(self.tabs):
            self.tabs.setCurrentIndex(state.view)
        for tool in self._of_lines:
            tool.setVisible(state.has_line_tools)
        self.sort.say(order_label(state.lines.sort, state.lines.right_to_left))
        sort, columns = self._sort_form.made, self._columns_form.made
        if sort is not None and (before is None or state.lines is not before.lines):
            sort.draw(state.lines, None if before is None else before.lines)
        if columns is not None:
            columns.draw(state)
        self.setVisible(state.has_tools)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Narrow: words become icons, and tabs scroll, when the width is known."""
        return QSize(em(24), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show words or icons."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Icons only, where the tabs need the room of the words."""
        # By the widths with words, whatever is shown: by the present ones, words would come and go at each resize.
        # The bar is asked, not changed: two changes of the room in its tabs would have all of them measured twice.
        tabs = self.tabs.width_of_all(tight=False)
        words = sum(tool.width_in_full() for tool in self._of_lines)
        for tool in self._of_lines:
            tool.set_compact(tabs + words + 8 > self.width())
        icons = sum(tool.sizeHint().width() + 2 for tool in self._of_lines if not tool.isHidden())
        self.tabs.set_tight(tabs + icons > self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line below the tabs continues below the tools."""
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, qcolor("line"))
        painter.end()
