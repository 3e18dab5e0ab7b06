"""The widgets of the Perplexity tab: they draw the presenter's state and hand on what a person does."""

from __future__ import annotations

from typing import Any

from explorer.gui.help.topics import about
from explorer.gui.presenting.requests import SearchText
from explorer.gui.screens.model.method_bar import MethodBar, leave_box
from explorer.gui.screens.model.perplexity.examples import EXAMPLES, SHUFFLED
from explorer.gui.screens.model.perplexity.figures_panel import FiguresPanel
from explorer.gui.screens.model.perplexity.plot import PerplexityPlot
from explorer.gui.screens.model.perplexity.presenter import PerplexityPresenter, restore, session_of
from explorer.gui.screens.model.perplexity.state import PerplexityState
from explorer.gui.screens.model.perplexity.surprise_text import SurprisePanel, least_size
from explorer.gui.screens.model.perplexity.token_panel import TokenPanel
from explorer.gui.screens.model.perplexity.words import is_bytes
from explorer.gui.screens.model.texts_page import TextsPage, halves
from explorer.gui.sources.inputs import pasted_name, source_key
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, perplexity_recipe

_NARROW = 58
"""Width in em below which plot and table, text and token, are one below the other."""


class PerplexityPage(TextsPage[PerplexityPresenter]):
    """Texts and method on top, the answer in a sentence, plot and table, and the text below them."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes, PerplexityPresenter(lanes), "perplexity", [tr(words) for words in EXAMPLES])
        presenter = self.presenter
        self.bar_for("perplexity", presenter.stop)
        self.methods = about(MethodBar(presenter.set), "model#methods")
        self.leave = leave_box()
        self.methods.add(self.leave)
        self.plot = PerplexityPlot()
        self.plot_panel = Panel()
        self.plot_panel.hold(self.plot)
        self.table = FiguresPanel(presenter)
        self.text, self.token = SurprisePanel(presenter), TokenPanel()
        figures = self.beside((self.plot_panel, self.table), (540, 460))
        texts = self.beside((self.text, self.token), (540, 460))
        # Room for the explanation below the table.
        at_least(self.table, 20, 26)
        self._fit_text()
        when_restyled(self.text, self._fit_text)
        self._connect()
        self.begin((self.methods,), halves(figures, texts), (self.plot_panel, self.table, self.text))

    def _fit_text(self) -> None:
        self.text.setMinimumSize(least_size())

    def _connect(self) -> None:
        presenter = self.presenter
        self.methods.chosen.connect(presenter.choose_method)
        self.invitation.tried.connect(lambda number: presenter.example.ask(shuffled=EXAMPLES[number] == SHUFFLED))
        self.leave.toggled.connect(presenter.leave_one_out)
        self.plot.chosen.connect(presenter.pick_method)
        self.token.search_wanted.connect(lambda text: self.requested.emit(SearchText(text)))

    def _draw(self, state: PerplexityState, before: PerplexityState | None) -> None:
        """Draw the method, the figures, the text and its token."""
        self.methods.draw(state.method)
        self.leave.setChecked(state.leave_one_out)
        # Measuring the plot takes longer than comparing what it shows.
        other = before is None or (state.answer.value, state.chosen) != (before.answer.value, before.chosen)
        if other and state.answer.value is not None and state.corpus is not None:
            bytes_ = is_bytes(state.corpus.index)
            axis = tr("Perplexity per byte (log)") if bytes_ else tr("Perplexity per token (log)")
            self.plot.show_lines(state.lines, state.answer.value.chosen, axis)
        self.table.draw(state, before)
        self.text.draw(state, before)
        self.token.draw(state, before)

    def score_text(self, text: str) -> None:
        """Make this the pasted text, and score and show it."""
        self.presenter.enter(text=text)
        # Not `choose_source`, which takes only sources of the answer: this one comes with the next.
        self.presenter.change(source=source_key(pasted_name()), place=0)
        self.presenter.run()

    # --- what the screen asks ------------------------------------------------------------------------

    def theme_changed(self) -> None:
        """Shade in the new colors."""
        self.text.shade()
        self.plot.update()

    def recipe(self, source: Source) -> Recipe | None:
        """The perplexity that is shown."""
        # Only a current answer: a dimmed one belongs to other inputs than these.
        found = self.presenter.state.answer.current
        if found is None:
            return None
        asked = found.question
        return perplexity_recipe(source, asked.inputs, asked.method, asked.leave_one_out)

    def session(self) -> dict[str, Any]:
        """Texts, files and method."""
        return session_of(self.presenter.state)

    def restore_session(self, values: dict[str, Any]) -> None:
        """Score the same texts again."""
        restore(self.presenter, values)
