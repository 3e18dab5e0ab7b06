"""The plots, and the text below them; both are made when there is an answer, or ahead of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from explorer.gui.help.topics import about
from explorer.gui.presenting.requests import ProfileToken, Request, ScoreText, SearchText
from explorer.gui.screens.agreement.plots.plots import PlotsPanel
from explorer.gui.screens.agreement.presenter import AgreementPresenter
from explorer.gui.screens.agreement.state import AgreementState
from explorer.gui.screens.agreement.texts.state import TokensState
from explorer.gui.screens.agreement.texts.view import TextPanel
from explorer.gui.widgets.layouts.later import LaterPage
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.layouts.splitter import Splitter

_LEAST_BELOW = (20, 25)
"""Width and height of the text at least, in points of the text size."""


class Halves(Splitter):
    """What an analysis found: the plots above, the text below.

    ask: Takes requests to other screens.
    """

    def __init__(self, presenter: AgreementPresenter, ask: Callable[[Request], object]) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._presenter, self._ask = presenter, ask
        self._plots = LaterPage(self._make_plots)
        self._text = LaterPage(self._make_text)
        for place in self.places:
            self.addWidget(place)
        # A proportion, not pixels: the splitter spreads the room that there is.
        self.setSizes([420, 300])
        at_least(self._text, *_LEAST_BELOW)

    @property
    def places(self) -> tuple[QWidget, QWidget]:
        """Where the plots and the text are."""
        return self._plots, self._text

    @property
    def plots(self) -> PlotsPanel:
        """The plots and the table of sources."""
        return self._plots.page

    @property
    def text(self) -> TextPanel:
        """The text with its tokens."""
        return self._text.page

    def _make_plots(self) -> PlotsPanel:
        plots, state = PlotsPanel(self._presenter), self._presenter.state
        if state.page is not None:
            plots.draw(state, None)
        plots.draw_marks(self._presenter.tokens.state)
        return plots

    def _make_text(self) -> TextPanel:
        panel = about(TextPanel(self._presenter.tokens), "agreement#the-text")
        panel.search_wanted.connect(lambda context: self._ask(SearchText(context)))
        panel.score_wanted.connect(lambda text: self._ask(ScoreText(text)))
        panel.profile_wanted.connect(lambda *token: self._ask(ProfileToken(*token)))
        panel.draw(self._presenter.tokens.state, None)
        return panel

    def draw(self, state: AgreementState, before: AgreementState | None) -> None:
        """Show an analysis.

        before: The one that was drawn before; None for the first.
        """
        self._text.setVisible(state.answer.value is not None)
        if state.page is not None and self._plots.made is not None:
            self._plots.made.draw(state, before)

    def draw_tokens(self, state: TokensState, before: TokensState | None) -> None:
        """Show the tokens of a text, and what is marked in it.

        before: The one that was drawn before; None for the first.
        """
        if self._text.made is not None:
            self._text.made.draw(state, before)
        if self._plots.made is not None:
            self._plots.made.draw_marks(state)

    def reshade(self) -> None:
        """Shade the text in the theme's colors; the plots update themselves."""
        if self._text.made is not None:
            self._text.made.reshade()
