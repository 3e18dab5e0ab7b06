"""The table of a watch list, and the button that opens one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.gui.chrome.folders import begin_in
from explorer.gui.screens.screen import Notice, label
from explorer.gui.screens.search.views.watch_presenter import HEADER, WatchPresenter, WatchState
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.notices.empty_state import EmptyState
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr


class WatchView(QWidget):
    """A watch list with its counts. `export_wanted()`."""

    export_wanted = Signal()

    def __init__(self, presenter: WatchPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.open_button = QPushButton(tr("Open a watch list …"))
        self.open_button.setToolTip(
            tr("A text file with one pattern per line, or a table (CSV, TSV) with a column “pattern”")
        )
        self.export = QPushButton(tr("Export …"))
        self.summary = label("", "muted")
        self.summary.setWordWrap(True)
        self.notice = Notice()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Watch list"), wide=(4,), yielding=(0, 1))
        top = QHBoxLayout()
        top.addWidget(self.open_button)
        top.addWidget(self.summary, 1)
        top.addWidget(self.export)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(top)
        layout.addWidget(self.notice)
        layout.addWidget(self.table, 1)
        # The drop zone is the whole page: a file is dropped on the sentence that asks for it.
        self.empty = EmptyState("list")
        self.empty.say(
            tr("Count many patterns at once"),
            tr(
                "Open a text file with one pattern per line, or a table (CSV, TSV) with a column “pattern” and, if you "
                "like, “label”, or drop it here. For example:\n\npattern,label\nJane Doe,name\n"
                "sk-live-4242,key"
            ),
        )
        layout.addWidget(self.empty, 1)
        self.setAcceptDrops(True)
        self._stale = Dimmer(self.table, parent=self)
        self.open_button.clicked.connect(self.ask)
        self.export.clicked.connect(self.export_wanted)
        self.table.activated.connect(lambda index: presenter.show_lines(index.row()))

    def draw(self, state: WatchState, before: WatchState | None) -> None:
        """Show the counts.

        before: The one that was drawn before; None for the first.
        """
        self.summary.setText(state.summary)
        begun = state.path is not None
        self.table.setVisible(begun)
        self.empty.setVisible(not begun)
        self.notice.show_text(state.notice)
        # Old counts can be read while new ones are on their way, but not written to a file.
        self.export.setEnabled(state.answer.current is not None)
        # Only then: a reset of the model loses the selection and the place in the table.
        if before is None or state.answer.value is not before.answer.value:
            self.model.show(tuple(map(tr, HEADER)) if state.rows else (), state.rows)
            # A list of patterns only has no labels.
            self.table.leave_out(0, not any(row[0] for row in state.rows))
        self._stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take one file."""
        if _file_in(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Count the patterns of a file."""
        path = _file_in(event)
        if path is not None:
            event.acceptProposedAction()
            self._presenter.open(path)

    def ask(self) -> None:
        """Ask for a list and count it."""
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Open a watch list"), begin_in(), tr("Lists (*.txt *.csv *.tsv);;All files (*)")
        )
        if name:
            self._presenter.open(Path(name))


def _file_in(event: QDropEvent) -> Path | None:
    """The one file that is dragged; None for several, for folders, and for anything else."""
    urls = event.mimeData().urls()
    path = Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
    return path if path is not None and path.is_file() else None
