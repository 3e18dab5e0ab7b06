"""The Generate tab: the corpus continues a prompt, and every token shows the places that it is from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.export.registry import GENERATED
from explorer.gui.charts.export.button import ExportButton
from explorer.gui.chrome.save_dialog import ask_where
from explorer.gui.presenting.requests import Told
from explorer.gui.screens.model.generate.context_plot import ContextPlot
from explorer.gui.screens.model.generate.legend import PlacesLegend
from explorer.gui.screens.model.generate.presenter import GeneratePresenter
from explorer.gui.screens.model.generate.provenance import LevelsPanel, PlacesPanel
from explorer.gui.screens.model.generate.settings_row import PromptRow, SettingsRow
from explorer.gui.screens.model.generate.shaded_text import GeneratedText
from explorer.gui.screens.model.generate.state import GenerateState
from explorer.gui.screens.screen import Notice, label
from explorer.gui.screens.tab_page import TabPage
from explorer.gui.style.theme import em
from explorer.gui.threads.lanes import Lanes
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.fields.buttons import icon_button
from explorer.gui.widgets.layouts.panel import Panel, margin_of
from explorer.gui.widgets.layouts.scroll_areas import TallArea, at_least
from explorer.gui.widgets.layouts.splitter import Splitter
from explorer.gui.widgets.layouts.stack import Stack
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.notices.empty_state import EmptyState
from explorer.gui.widgets.notices.headline import Headline
from explorer.gui.widgets.notices.job_bar import JobBar
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError
    from explorer.recipes import Recipe, Source

_WIDE = 60
"""Em from which the text and its provenance are side by side; below, one is above the other."""


class GenerateExport(ExportButton):
    """Offers the text besides the figure, its data and the code."""

    def __init__(self, presenter: GeneratePresenter, runner: Runner) -> None:
        super().__init__(runner, presenter.charts, presenter.fail_beside, presenter.recipe)
        self._presenter = presenter
        # Before the figure: the text is what most people save.
        first = self.menu_of_exports.actions()[0]
        for words, action in ((tr("Copy text"), self.copy_text), (tr("Save text …"), self._ask_text)):
            made = self.menu_of_exports.addAction(words, action)
            self.menu_of_exports.removeAction(made)
            self.menu_of_exports.insertAction(first, made)
        self.menu_of_exports.insertSeparator(first)

    def copy_text(self) -> None:
        """Copy what was written, without the prompt."""
        text = self._presenter.state.text
        if text is not None:
            QGuiApplication.clipboard().setText(text.text)
            self.ask(Told(tr("Copied the text")))

    def _ask_text(self) -> None:
        path = ask_where(self, tr("Save text"), tr("generated text"), GENERATED)
        if path is not None:
            self._presenter.save(path)


class TextPanel(Panel):
    """The text, what its shades mean, and a button that copies it."""

    def __init__(self, presenter: GeneratePresenter, copy: Callable[[], None], parent: QWidget | None = None) -> None:
        self.copy = icon_button("copy", tr("Copy the text"))
        super().__init__(tr("Generated text"), (self.copy,), parent=parent)
        self.edit = GeneratedText()
        # Below the title and not beside it, where it could not wrap.
        under = QWidget()
        row = QHBoxLayout(under)
        row.setContentsMargins(16, 6, 16, 0)
        row.addWidget(PlacesLegend(), 1)
        self.body.addWidget(under)
        self.hold(self.edit)
        at_least(self.edit, 18, 16)
        self.edit.token_chosen.connect(presenter.choose_token)
        self.copy.clicked.connect(lambda _: copy())


class GeneratePage(TabPage):
    """The prompt and its settings, the answer in a sentence, the text, and where the chosen token is from."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = GeneratePresenter(lanes, self.requested.emit)
        self._make_widgets(lanes)
        self._lay_out()
        self._connect(lanes)
        # Drawn once by hand: `watch` reports changes only.
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _make_widgets(self, lanes: Lanes) -> None:
        presenter = self.presenter
        self.export = GenerateExport(presenter, lanes.slot("generate charts"))
        self.prompt = PromptRow(presenter)
        self.settings = SettingsRow(presenter)
        self.notice = Notice()
        self.job = JobBar()
        self.headline = Headline()
        self.facts = label("", "muted")
        self.facts.setWordWrap(True)
        self.text = TextPanel(presenter, self.export.copy_text)
        self.levels, self.places = LevelsPanel(presenter), PlacesPanel(presenter)
        self.plot = ContextPlot()
        hint = ElidedLabel(tr("longest copied stretch in strong color"))
        hint.setProperty("role", "muted")
        self.contexts = Panel(tr("Context length used"), (hint,))
        self.contexts.body.addWidget(self.plot)
        margin_of(self.contexts, 12)
        self.empty = EmptyState("model")

    def _lay_out(self) -> None:
        self.beside = QWidget()
        column = QVBoxLayout(self.beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        # The plot needs height most: the tables scroll.
        for panel, share in ((self.levels, 3), (self.places, 3), (self.contexts, 5)):
            column.addWidget(panel, share)
        # One above the other at first: side by side, they would make a window wider that has no room for both.
        self.halves = Splitter(Qt.Orientation.Vertical)
        for half in (self.text, self.beside):
            self.halves.addWidget(half)
            self.halves.setStretchFactor(self.halves.count() - 1, 1)
        # Proportions, not pixels.
        self.halves.setSizes([1_000, 1_000])
        self.stack = _Stack()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.halves)
        page = QWidget()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(16, 12, 16, 12)
        rows.setSpacing(8)
        for part in (self.prompt, self.settings, self.notice, self.job, self.headline, self.facts):
            rows.addWidget(part)
        rows.addWidget(self.stack, 1)
        # All of it scrolls where large text leaves no room for the parts.
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(TallArea(page))
        self.stale = Dimmer(self.headline, self.facts, self.text, self.beside, parent=self)

    def _connect(self, lanes: Lanes) -> None:
        presenter = self.presenter
        self.plot.token_chosen.connect(presenter.choose_token)
        self.plot.stepped.connect(presenter.step)
        # The presenter knows its slot only as something that runs work; signals for a bar come from its lane.
        writer = lanes.named("generate")
        writer.progressed.connect(self.job.show_progress)
        writer.busy_changed.connect(self.job.set_busy)
        self.job.cancelled.connect(presenter.stop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the window is narrow, put the provenance below the text."""
        super().resizeEvent(event)
        # In em: large text needs the room of a larger window.
        wide = self.width() >= em(_WIDE)
        way = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self.halves.orientation() != way:
            self.halves.setOrientation(way)
            # While it is hidden, the page would keep the width that it had side by side.
            self.stack.updateGeometry()

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Write with another index."""
        self.presenter.use_corpus(corpus)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the index."""
        self.presenter.fail_beside(error)

    def theme_changed(self) -> None:
        """Shade in the new colors."""
        self.text.edit.reshade()

    def recipe(self, source: Source) -> Recipe | None:
        """The text."""
        return self.presenter.recipe(source)

    def focus_input(self) -> None:
        """The prompt."""
        self.prompt.prompt.setFocus()

    def session(self) -> dict[str, Any]:
        """Prompt and settings."""
        return self.presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """The same prompt and settings."""
        self.presenter.restore(values)

    def _draw(self, state: GenerateState, before: GenerateState | None) -> None:
        """Draw a state; `before` is None for the first, of which everything is drawn."""
        self.prompt.draw(state)
        self.settings.draw(state)
        if before is None or state.notice != before.notice:
            again = [(tr("Try again"), self.presenter.remedy)] if state.notice else []
            self.notice.show_notice(state.notice, kind="error", remedies=again)
        # Both keep what they show until it differs.
        self.headline.say(*state.headline)
        self.facts.setText(state.facts)
        self.facts.setVisible(bool(state.facts))
        self.export.setEnabled(state.has_page)
        if not state.has_page:
            self.empty.say(*state.invitation)
        self.stack.setCurrentIndex(int(state.has_page))
        self.text.edit.show_text(state.text, state.chosen)
        self.levels.draw(state, before)
        self.places.draw(state, before)
        self.plot.show_text(state.text, state.chosen)
        # What is on its way dims only after a moment; after an error or a stop there is nothing to wait for.
        self.stale.set_stale(state.dimmed, at_once=not state.answer.awaited)


class _Stack(Stack):
    """As high as it must be: what scrolls gives it all the rest, and scrolls only where there is none."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()
