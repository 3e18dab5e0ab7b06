"""The tabs of the Trace screen, and what can be done on each of them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from explorer.export.registry import REPORTS
from explorer.gui.chrome.folders import begin_in
from explorer.gui.chrome.save_dialog import ask_where
from explorer.gui.screens.screen import offer
from explorer.gui.screens.trace.folding_row import FoldingRow
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.reports import why_no_report
from explorer.gui.screens.trace.state import Part, TraceState, View
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import qcolor
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.page_tabs import PageTabs
from explorer.i18n import tr


class TraceHead(QWidget):
    """Tabs, and buttons that give up their words before a tab is cut.

    presenter: What the buttons do.
    """

    def __init__(self, presenter: TracePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.tabs = PageTabs(
            tr("One text"), tr("Conversation"), tr("File of answers"), tr("Ask a model"), name=tr("Trace")
        )
        self.clear = push_button(tr("Clear"), "quiet", "close")
        self.open = push_button(tr("Open …"), "quiet", "folder")
        self.report = push_button(tr("Export report …"), "quiet", "export")
        self.settings = push_button(tr("Trace settings"), "quiet", "side-sheet")
        self.settings.setCheckable(True)
        self.tools = FoldingRow()
        for button in (self.clear, self.open, self.report, self.settings):
            self.tools.put(button)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.tabs, 1)
        row.addWidget(self.tools)
        self.tabs.currentChanged.connect(lambda number: presenter.choose_view(View(number)))
        self.clear.clicked.connect(presenter.clear)
        self.open.clicked.connect(self._ask_file)
        self.report.clicked.connect(self._ask_report)
        self.settings.toggled.connect(lambda on: presenter.show_part(Part.SETTINGS, on))
        when_restyled(self, self._fold)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give up words where there is less room."""
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        self.tools.fold(max(0, self.width() - self.tabs.sizeHint().width() - 4))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line under the tabs runs through below the buttons."""
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, qcolor("line"))
        painter.end()

    def draw(self, state: TraceState) -> None:
        """Show which tab is open, and what it offers."""
        self.tabs.setCurrentIndex(state.view)
        offer(self.open, tr("Files are opened in the other tabs.") if state.view is View.ASK else "")
        self.settings.setChecked(Part.SETTINGS in state.parts)
        self.offer_report()

    def offer_report(self) -> None:
        """Offer a report if something is traced."""
        offer(self.report, why_no_report(self.presenter.reported, self.presenter.state.view is View.FILE))

    def _ask_file(self) -> None:
        from explorer.documents.kinds import kinds_of_records, kinds_of_texts, patterns

        every = tr("All files (*)")
        texts, records = patterns(kinds_of_texts()), patterns(kinds_of_records())
        kinds = {
            View.TEXT: tr("Texts and conversations ({patterns})", patterns=f"{texts} *.json") + f";;{every}",
            View.CONVERSATION: tr("Conversations ({patterns})", patterns="*.json *.txt *.md") + f";;{every}",
            View.ASK: every,
            View.FILE: tr("Files of answers ({patterns})", patterns=records) + f";;{every}",
        }
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Open a file to trace"), begin_in(), kinds[self.presenter.state.view]
        )
        if name:
            self.presenter.open(Path(name))

    def _ask_report(self) -> None:
        path = ask_where(self, tr("Export a report"), "trace", REPORTS)
        if path is not None:
            self.presenter.reports.save(path, self.presenter.reported)
