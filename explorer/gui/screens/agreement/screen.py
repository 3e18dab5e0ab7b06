"""The widgets of the Agreement screen: they draw the presenter's state and hand on what a person does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.analyses.agreement.analysis import Texts
from explorer.gui.app.host import Host, HostedScreen
from explorer.gui.charts.export.button import ExportButton
from explorer.gui.help.topics import about
from explorer.gui.screens.agreement.halves import Halves
from explorer.gui.screens.agreement.notice import AnalysisNotice
from explorer.gui.screens.agreement.presenter import AgreementPresenter
from explorer.gui.screens.agreement.sampling import SamplingPopover
from explorer.gui.screens.agreement.state import AgreementState
from explorer.gui.screens.agreement.texts.state import TokensState
from explorer.gui.screens.agreement.top_row import TopRow
from explorer.gui.screens.agreement.work import effective_question
from explorer.gui.screens.screen import KeyButtons
from explorer.gui.sources.inputs import pasted_name, source_key
from explorer.gui.sources.invitation import Invitation
from explorer.gui.sources.sources_bar import SourcesBar
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.scroll_areas import TallArea
from explorer.gui.widgets.layouts.stack import LowStack
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.notices.headline import Headline
from explorer.gui.widgets.notices.job_bar import JobBar
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, agreement_recipe


class AgreementScreen(HostedScreen):
    """Sources on top, the answer in a sentence, a large plot, and the text below it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = AgreementPresenter(self.lanes)
        self._make_widgets()
        self._lay_out()
        self._connect()
        # Drawn once by hand: `watch` reports changes only.
        self._draw(self.presenter.state, None)
        self._draw_tokens(self.presenter.tokens.state, None)
        self.presenter.watch(self._draw)
        self.presenter.tokens.watch(self._draw_tokens)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.sources = about(SourcesBar(presenter), "agreement#sources-and-prompts")
        self.sampling_button = push_button("", "quiet", "settings")
        self.sampling = SamplingPopover(self.sampling_button, presenter)
        self.figure_button = ExportButton(self.lanes.slot("charts"), presenter.charts, presenter.fail_beside)
        self.top = TopRow(self.sources, self.sampling_button, self.figure_button)
        self.headline = Headline()
        # One line: with large text, more would leave no room for the plot.
        self.facts = ElidedLabel()
        self.facts.setProperty("role", "muted")
        self.job = JobBar()
        self.halves = Halves(presenter, self.requested.emit)
        self.notice = AnalysisNotice(presenter, self.halves.plots.ask_neural)
        self.invitation = Invitation(
            "agreement", self.sources.paste.open, self.sources.ask_files, lambda paths: presenter.add_files(*paths)
        )
        self.setAcceptDrops(True)

    def _lay_out(self) -> None:
        self.stack = LowStack()
        self.stack.addWidget(self.invitation)
        self.stack.addWidget(self.halves)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(self.top)
        column.addWidget(self.headline)
        column.addWidget(self.facts)
        column.addWidget(self.notice)
        column.addWidget(self.job)
        column.addWidget(self.stack, 1)
        # All of it scrolls, not only the plot, of which large text and a notice would leave a strip.
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(TallArea(page))
        self.stale = Dimmer(self.headline, self.facts, *self.halves.places, parent=self)

    def _connect(self) -> None:
        presenter = self.presenter
        self.sampling_button.clicked.connect(self.sampling.toggle)
        # The presenter knows its slot only as something that runs work; signals for a bar come from the lane of that
        # name.
        analyst = self.lanes.named("agreement")
        analyst.progressed.connect(self.job.show_progress)
        analyst.busy_changed.connect(self.job.set_busy)
        self.job.cancelled.connect(presenter.stop)

    def sizeHint(self) -> QSize:
        """Room for the plot and the text."""
        return QSize(1000, 600)

    def use_host(self, host: Host) -> None:
        """Begin with what the settings have for new windows."""
        self.presenter.enter(max_n=host.settings.get("agreement_n"))

    def recipe(self, source: Source) -> Recipe | None:
        """The share of tokens that the corpus predicts."""
        state = self.presenter.state
        if state.corpus is None or state.answer.current is None:
            return None
        # Only for a current answer, as checked above: a dimmed one belongs to other inputs than these.
        inputs = state.inputs
        pasted = ((inputs.text,), (pasted_name(),), (inputs.prompt,)) if inputs.has_text else ((), (), ())
        files = tuple(map(str, inputs.files))
        question = effective_question(state.corpus, inputs)
        return agreement_recipe(source, question, Texts(*pasted), files, inputs.choice, inputs.removed)

    def pressed_by_keys(self) -> KeyButtons:
        """Another source; the figure and its data."""
        return KeyButtons(self.sources.add, (self.figure_button,))

    def focus_input(self) -> None:
        """The first source, or the pasted text."""
        self.sources.focus_first()

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited, or a text was pasted that is not read yet."""
        return super().busy or self.sources.paste.reading

    def corpus_changed(self) -> None:
        """Analyze the same inputs in the new index."""
        self.presenter.use_corpus(self.corpus)

    def theme_changed(self) -> None:
        """Shade in the new colors; the plots update themselves."""
        self.halves.reshade()

    def analyze_text(self, text: str) -> None:
        """Make this the pasted text, and analyze and show it."""
        self.presenter.enter(text=text)
        # Not `choose_source`, which takes only sources of the answer: this one comes with the next.
        self.presenter.show(source=source_key(pasted_name()))
        self.presenter.run()

    def session(self) -> dict[str, Any]:
        """Text, files and settings."""
        return self.presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """Analyze the same inputs again."""
        self.presenter.restore(values)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: AgreementState, before: AgreementState | None) -> None:
        self.sources.draw(state)
        self.sampling.draw(state)
        self.top.say(state.sampling)
        self.figure_button.setEnabled(state.drawable)
        self.notice.draw(state, before)
        share, interval, how = state.headline
        sentence = tr("The corpus predicts {share} of these tokens", share=share) if share else ""
        self.headline.say(sentence, share, interval)
        self.headline.setToolTip(tip(how))
        # A pass over all texts, of which there may be thousands.
        if before is None or state.answer.value is not before.answer.value or state.chosen != before.chosen:
            self.facts.setText(state.facts)
            self.facts.setVisible(bool(self.facts.text()))
        self.invitation.say(*state.invitation, offered=state.corpus is not None and state.inputs.empty)
        # Dimmed or not, an answer keeps its place: nothing jumps while a new one is awaited.
        self.stack.setCurrentIndex(0 if state.page is None else 1)
        self.halves.draw(state, before)
        # What is on its way dims only after a moment; after an error there is nothing to wait for.
        self.stale.set_stale(state.dimmed, at_once=not state.answer.awaited)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add files as sources."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.presenter.add_files(*paths)

    def _draw_tokens(self, state: TokensState, before: TokensState | None) -> None:
        self.halves.draw_tokens(state, before)
