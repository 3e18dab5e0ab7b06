"""The machines that have the folders of the open index: what is missing is seen before it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.screens.index.about.machines import completeness, machine_rows, missing
from explorer.gui.screens.index.parts import Picture, framed
from explorer.gui.screens.screen import Notice, label
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.screens.index.about.presenter import AboutPresenter
    from explorer.gui.screens.index.about.state import AboutState

_ROWS = 8
"""Rows that are seen without scrolling."""


class MachinesView(QWidget):
    """Draws the folders of the presenter's state; hidden for an index in one place.

    presenter: Looks where the folders are.
    """

    def __init__(self, presenter: AboutPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.again = push_button(tr("Look again"))
        self.again.setToolTip(tr("Asks every machine what it has now"))
        self.picture = Picture("done", 16, "ok")
        self.message = label("", "")
        self.message.setWordWrap(True)
        self.notice = Notice()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Folders"), wide=(0, 4))
        frame, content = framed(tr("Machines"), self.again)
        said = QHBoxLayout()
        said.setSpacing(8)
        said.addWidget(self.picture)
        said.addWidget(self.message, 1)
        content.addWidget(self.notice)
        content.addLayout(said)
        content.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(frame)
        self.again.clicked.connect(lambda _=False: presenter.look_at_machines())
        self.hide()

    def draw(self, state: AboutState) -> None:
        """Show a state."""
        folders, error = state.machines.value or (), state.machines.error
        self.setVisible(bool(folders))
        self.again.setEnabled(not state.machines.awaited)
        self.notice.show_text("" if error is None else str(error))
        # What was seen before an error is not known to be so now.
        self.message.setText(completeness(folders) if error is None else "")
        for part in (self.picture, self.message):
            part.setVisible(bool(self.message.text()))
        lost = missing(folders)
        self.picture.show_icon("warning" if lost else "done", "warn" if lost else "ok")
        header = tr("Folder"), tr("Shards"), tr("Tokens"), tr("Copies"), tr("Machines")
        tips = "", "", "", tr("Machines that have the folder and answer now"), ""
        self.model.show(header, machine_rows(folders), tips)
        self.table.setVisible(bool(folders))
        self.table.setMinimumHeight(em(4 + round(2.4 * min(_ROWS, len(folders)))))
