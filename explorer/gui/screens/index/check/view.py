"""The check of the open index: a button, what it found, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.help.topics import help_button
from explorer.gui.screens.index.parts import Picture, framed
from explorer.gui.screens.screen import Notice, label, offer
from explorer.gui.style.surfaces import keep_least
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.notices.job_bar import JobBar
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.screens.index.check.presenter import CheckPresenter
    from explorer.gui.screens.index.check.state import CheckState


class VerifyView(QWidget):
    """Shows what a check finds; `draw` is called with every state."""

    def __init__(self, presenter: CheckPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self._make_widgets()
        self._lay_out()
        self.check.clicked.connect(lambda _=False: presenter.run())
        self.deep.toggled.connect(presenter.choose_deep)
        self.job.cancelled.connect(presenter.stop)

    def _make_widgets(self) -> None:
        self.deep = QCheckBox(tr("Check every entry"))
        self.deep.setToolTip(
            tr(
                "Check every pair of neighbors in the suffix array, and that each position occurs exactly once. "
                "Takes a while."
            )
        )
        self.check = push_button(tr("Check"))
        self.check.setToolTip(
            tr(
                "Checks sizes, widths, offsets and metadata, the order of the suffix array at 2,000 positions per "
                "shard, and whether the tokenizer fits. Nothing is changed."
            )
        )
        self.picture = Picture("done", 16, "ok")
        self.message = label("", "")
        self.message.setWordWrap(True)
        self.notice = Notice()
        self.job = JobBar()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Findings"), wide=(1,))
        self.table.setWordWrap(True)
        keep_least(self.table, high=9)
        self._stale = Dimmer(self.message, self.table, parent=self)

    def _lay_out(self) -> None:
        frame, content = framed(tr("Check for damage"), self.deep, self.check, help_button("index#check", tr("Checks")))
        found = QHBoxLayout()
        found.setSpacing(8)
        found.addWidget(self.picture)
        found.addWidget(self.message, 1)
        for part in (self.job, self.notice):
            content.addWidget(part)
        content.addLayout(found)
        content.addWidget(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)

    def draw(self, state: CheckState, before: CheckState | None) -> None:
        """Show a state.

        before: The one that was drawn before; None: everything is drawn.
        """
        self.deep.setChecked(state.deep)
        for part in (self.check, self.deep):
            offer(part, state.why_not)
        self.check.setEnabled(state.can_check)
        self.message.setText(state.message)
        self.message.setVisible(bool(state.message))
        # Without a check, nothing is known to be sound.
        self.picture.setVisible(bool(state.message) and not state.why_not)
        self.picture.show_icon("warning" if state.findings else "done", "error" if state.findings else "ok")
        self.notice.show_text(state.notice)
        # The bar measures how long a job takes: it is told when one begins and ends.
        if before is not None and state.answer.awaited != before.answer.awaited:
            self.job.set_busy(state.answer.awaited)
        if state.progress is not None and (before is None or state.progress is not before.progress):
            self.job.show_progress(state.progress)
        if before is None or state.answer is not before.answer:
            self.model.show((tr("File"), tr("Problem and remedy")), state.rows)
            self.table.setVisible(bool(state.rows))
            self._stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)
