"""What the tabs of the Statistics screen look like: settings, a sentence, what failed, progress, then the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.asking.focus import enter_answer_once
from explorer.gui.asking.presenter import TabPresenter
from explorer.gui.asking.state import TabState, why_no_settings
from explorer.gui.charts.export.table_export import TableExport
from explorer.gui.chrome.undo_keys import follow_choices
from explorer.gui.presenting.hints import unable, why_unable
from explorer.gui.screens.screen import Notice, offer
from explorer.gui.screens.tab_page import TabPage
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.layouts.scroll_areas import TallArea
from explorer.gui.widgets.layouts.splitter import Splitter, turn_where_narrow
from explorer.gui.widgets.layouts.stack import LowStack
from explorer.gui.widgets.notices.empty_state import EmptyState
from explorer.gui.widgets.notices.headline import Headline
from explorer.gui.widgets.notices.job_bar import JobBar
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError


class Asked:
    """The parts of a tab that asks: a notice, the answer, and what takes its place.

    picture: The icon over an invitation.
    """

    def __init__(self, presenter: TabPresenter[Any], settings: QWidget, answer: QWidget, picture: str) -> None:
        self.notice, self.empty, self.stack = Notice(), EmptyState(picture), LowStack()
        self._presenter, self._settings = presenter, settings
        self.stack.addWidget(self.empty)
        self.stack.addWidget(answer)
        self.empty.chosen.connect(lambda _: self._make())

    def _make(self) -> None:
        """Make the words; the button that asked for it goes, and with it the focus."""
        enter_answer_once(self.stack, self._settings)
        self._presenter.run(make=True)

    def draw(self, state: TabState[Any, Any], before: TabState[Any, Any] | None) -> None:
        """Draw what went wrong, and the answer or what takes its place.

        before: The one that was drawn before; None for the first state, of which everything is drawn.
        """
        if before is None or state.notice != before.notice:
            again = [(tr("Try again"), self._presenter.run)] if state.answer.error is not None else []
            self.notice.show_notice(state.notice, kind="error", remedies=again)
        never = why_unable(state.answer.error)
        shown = unable(never) if never else state.invitation
        self.empty.say(*shown, (tr("Make the word index"),) if state.missing else ())
        offer(self._settings, why_no_settings(state))
        self.stack.setCurrentIndex(1 if state.answered else 0)


class AskingPage(TabPage):
    """A tab: its own widgets are the settings on top, what is between the sentence and a notice, and the answer."""

    PICTURE: ClassVar = "statistics"
    """The icon over an invitation."""
    _presenter: TabPresenter[Any]

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.headline, self.job, self.saving = Headline(), JobBar(), JobBar()
        self.turning: list[tuple[Splitter, int]] = []

    def enter(self) -> None:
        """Move to the button that makes the words, if they are missing: Enter was pressed in a setting."""
        # What is not asked now will not be answered soon, and then the focus must stay.
        self.empty.focus_next(self._presenter.state.answer.awaited)

    def frame(
        self,
        presenter: TabPresenter[Any],
        file_name: str,
        settings: QWidget,
        answer: QWidget,
        told: Sequence[QWidget] = (),
    ) -> None:
        """Lay out the page, and connect what all tabs have.

        answer: What an invitation takes the place of.
        """
        self._presenter = presenter
        self.asked = Asked(presenter, settings, answer, self.PICTURE)
        self.notice, self.empty, self.stack = self.asked.notice, self.asked.empty, self.asked.stack
        self.export = TableExport(
            self.lanes.slot(f"{presenter.id} charts"),
            presenter.charts,
            presenter.fail_beside,
            presenter.save,
            file_name,
        )
        self._lay_out_frame(settings, told)
        follow_choices(self, presenter.choices)
        for name, bar, stop in (
            ("list", self.job, presenter.stop),
            ("file", self.saving, presenter.file.cancel),
        ):
            lane = self.lanes.named(f"{presenter.id} {name}")
            lane.progressed.connect(bar.show_progress)
            lane.busy_changed.connect(bar.set_busy)
            bar.cancelled.connect(stop)

    def _lay_out_frame(self, settings: QWidget, told: Sequence[QWidget]) -> None:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for widget in (settings, self.headline, *told, self.notice, self.job, self.saving):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(TallArea(page))

    def begin(self, draw: Callable[[Any, Any], None]) -> None:
        """Draw the first state, with None before it, and then every change, with the state before."""
        draw(self._presenter.state, None)
        self._presenter.watch(draw)

    def draw_frame(self, state: TabState[Any, Any], before: TabState[Any, Any] | None) -> None:
        """Draw what all tabs have.

        before: The one that was drawn before; None for the first state, of which everything is drawn.
        """
        self.export.setEnabled(state.found is not None)
        self.headline.say(*state.headline)
        self.asked.draw(state, before)
        if not state.answer.awaited:
            self.empty.focus_now()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put what is beside something below it in a narrow window."""
        super().resizeEvent(event)
        turn_where_narrow(self, self.turning)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Ask the same of the new index."""
        self._presenter.use_corpus(corpus)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the index."""
        self._presenter.fail_beside(error)

    def session(self) -> dict[str, Any]:
        """What is asked for."""
        return self._presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """Ask for the same again."""
        self._presenter.restore(values)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask what was not seen before."""
        super().showEvent(event)
        self._presenter.appear(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Ask nothing while nobody looks."""
        super().hideEvent(event)
        self._presenter.appear(False)
