"""What else is known of a benchmark: facts, documents to remove, and whether it is in the index itself."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.screens.curation.contamination.own_notice import OwnNotice
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.gui.screens.curation.contamination.state import BenchState
from explorer.gui.screens.screen import label
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.notices.job_bar import JobBar
from explorer.i18n import mark, tr

_NOTHING_FLAGGED = mark("No item is flagged.")
_REMOVAL = mark("Find the documents of which 80 % or more of the 13-grams are in these benchmarks")


class ToldPanel(QWidget):
    """Below the sentence."""

    def __init__(self, presenter: ContaminationPresenter, lanes: Lanes) -> None:
        super().__init__()
        self._presenter = presenter
        self.facts = label("", "muted")
        self.facts.setWordWrap(True)
        # No primary button: most benchmarks have no flagged item, and nothing is to be removed then.
        self.remove = push_button(tr("Remove from corpus …"))
        self.own, self.searching = OwnNotice(presenter), JobBar()
        row = QHBoxLayout()
        row.addWidget(self.facts, 1)
        row.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        for part in (self.own, self.searching):
            column.addWidget(part)
        self.remove.clicked.connect(self._find_documents)
        lane = lanes.named("contamination removal")
        lane.progressed.connect(self.searching.show_progress)
        lane.busy_changed.connect(self.searching.set_busy)
        self.searching.cancelled.connect(presenter.outputs.removing.cancel)

    def _find_documents(self) -> None:
        state = self._presenter.state
        if state.corpus is not None and state.answer.current is not None:
            self._presenter.outputs.remove(state.corpus, state.answer.current)

    def draw(self, state: BenchState, before: BenchState | None) -> None:
        """Show what is known.

        before: The one that was drawn before; None for the first.
        """
        self.facts.setText(state.told)
        flagged = any(judged.flagged for judged in state.judged)
        self.remove.setEnabled(state.answer.current is not None and state.found is not None and flagged)
        self.remove.setToolTip(tr(_REMOVAL if flagged else _NOTHING_FLAGGED))
        self.own.draw(state, before)
