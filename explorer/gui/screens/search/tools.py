"""The line of controls above the results: the views, filters, and what applies to the lines."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from explorer.gui.screen import label, offer, tab_group
from explorer.gui.screens.search.columns import ColumnsMenu, menu_button
from explorer.gui.screens.search.line_options import SortChoice
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.state import VIEW_NAMES, SearchState, View
from explorer.gui.widgets.flow_layout import FlowLayout, side_by_side
from explorer.i18n import tr


class Tools(QWidget):
    """Tabs, filter, sort, options, columns, export."""

    def __init__(self, presenter: SearchPresenter, filters: QPushButton, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs = tab_group(self, tuple(map(tr, VIEW_NAMES)))
        self._filters = filters
        self.sort = SortChoice(presenter.lines)
        self.options = QPushButton(tr("Options"))
        self.options.setCheckable(True)
        self.options.setToolTip(tr("Context width, font, sampling, and merging duplicates"))
        self.columns = ColumnsMenu(presenter, self)
        self.export = menu_button(tr("Export"))
        sort = side_by_side(label(tr("Sort by"), "muted"), self.sort)
        self._of_lines: tuple[QWidget, ...] = (sort, self.options, self.columns.button, self.export)
        row = FlowLayout(self, gap=8)
        tabs = side_by_side(*(self.tabs.button(number) for number in View))
        for widget in (tabs, side_by_side(filters), *self._of_lines):
            row.addWidget(widget)
        self.tabs.idClicked.connect(presenter.show_view)

    def draw(self, state: SearchState, before: SearchState | None) -> None:
        """Show the tabs, and what belongs to the chosen one.

        Parameters
        ----------
        state
            The state.
        before
            The one that was drawn before; None for the first.
        """
        for view in View:
            offer(self.tabs.button(view), state.why_not(view))
        self.tabs.button(state.view).setChecked(True)
        self._filters.setVisible(state.has_filters)
        for tool in self._of_lines:
            tool.setVisible(state.has_line_tools)
        self.sort.draw(state.lines, None if before is None else before.lines)
        self.sort.levels.setVisible(state.has_levels)
        self.setVisible(state.has_tools)
