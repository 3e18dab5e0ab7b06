"""The lines in which the chosen word or n-gram occurs."""

from __future__ import annotations

from explorer.gui.charts.export.table_export import FORMS
from explorer.gui.chrome.save_dialog import ask_where
from explorer.gui.found_lines.presenter import HEADER, LinesPresenter, LinesState
from explorer.gui.found_lines.work import LINES
from explorer.gui.screens.screen import text_order
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr


class LinesPanel(Panel):
    """A page of lines, and buttons to the pages before and after it.

    presenter: Turns the pages, and opens the document of a line.
    """

    def __init__(self, presenter: LinesPresenter) -> None:
        self._title = ElidedLabel()
        self.before = icon_button("chevron-left", tr("Previous lines"))
        self.after = icon_button("chevron-right", tr("Next lines"))
        self.save = push_button(tr("Save lines …"), "quiet")
        super().__init__(footer=(self._title, self.save, self.before, self.after))
        self.footer_row.setStretch(0, 1)
        self.model = PlainModel(self)
        self.table = text_order(PlainTable(self.model, tr("Lines of the chosen row"), wide=(0, 2)))
        self.hold(self.table)
        at_least(self, 22, 9)
        self.table.activated.connect(lambda at: presenter.open_line(at.row()))
        self._presenter = presenter
        self.save.clicked.connect(self.ask_file)
        self.before.clicked.connect(lambda: presenter.turn(-1))
        self.after.clicked.connect(lambda: presenter.turn(1))
        # Drawn once by hand: `watch` reports changes only.
        self._draw(presenter.state, None)
        presenter.watch(self._draw)

    def ask_file(self) -> None:
        """Ask for a file, and have all lines of the row written to it."""
        path = ask_where(self, tr("Save lines"), "lines", FORMS)
        if path is not None:
            self._presenter.save(path)

    def _draw(self, state: LinesState, before: LinesState | None) -> None:
        self._title.setText(state.title)
        self.save.setEnabled(state.count > 0)
        self.before.setEnabled(state.first > 0)
        self.after.setEnabled(state.first + LINES < state.count)
        if before is None or state.lines.value is not before.lines.value:
            self.model.show(tuple(map(tr, HEADER)) if state.lines.value else (), state.table)
