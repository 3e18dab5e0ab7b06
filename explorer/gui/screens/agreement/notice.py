"""What went wrong in the Agreement screen, or should be known of the analysis, with what can be done about it."""

from __future__ import annotations

from functools import partial

from explorer.gui.screen import Notice
from explorer.gui.screens.agreement.presenter import AgreementPresenter
from explorer.gui.screens.agreement.state import EXCLUDE, AgreementState
from explorer.i18n import tr


class AnalysisNotice(Notice):
    """Draws the notice of a state.

    Parameters
    ----------
    presenter
        The screen's.
    """

    def __init__(self, presenter: AgreementPresenter) -> None:
        super().__init__()
        self._presenter = presenter

    def draw(self, state: AgreementState, before: AgreementState | None) -> None:
        """Draw the notice of a state.

        Parameters
        ----------
        state
            The new state.
        before
            The one that was drawn before; None for the first.
        """
        shown = (state.notice, state.remedies)
        # This replaces the buttons, so not while somebody may be about to press one.
        if before is not None and shown == (before.notice, before.remedies):
            return
        words = {
            "field": tr("Use no fields"),
            "format": tr("Read as text"),
            "on_bad": tr("Skip bad lines"),
            EXCLUDE: tr("Exclude their documents"),
        }
        remedies = [(words[name], partial(self._presenter.remedy, name)) for name in state.remedies]
        self.show_notice(state.notice, kind="error" if state.failed else "warn", remedies=remedies)
