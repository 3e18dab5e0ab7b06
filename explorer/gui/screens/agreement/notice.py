"""What went wrong in the Agreement screen, or should be known of the analysis, with what can be done about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from explorer.gui.screens.agreement.presenter import AgreementPresenter
from explorer.gui.screens.agreement.state import AGAIN, EXCLUDE, NO_NEURAL, OTHER_NEURAL, AgreementState
from explorer.gui.screens.screen import Notice
from explorer.i18n import tr


class AnalysisNotice(Notice):
    """Draws the notice of a state.

    ask_neural: Lets the user choose a file of a model's probabilities.
    """

    def __init__(self, presenter: AgreementPresenter, ask_neural: Callable[[], object]) -> None:
        super().__init__()
        self._presenter = presenter
        self._actions = {OTHER_NEURAL: ask_neural, NO_NEURAL: presenter.forget_neural}

    def draw(self, state: AgreementState, before: AgreementState | None) -> None:
        """Draw the notice of a state.

        before: The one that was drawn before; None for the first.
        """
        shown = (state.notice, state.remedies)
        # This replaces the buttons, so not while somebody may be about to press one.
        if before is not None and shown == (before.notice, before.remedies):
            return
        words = {
            "field": tr("Use no fields"),
            "format": tr("Read as text"),
            "on_bad": tr("Skip bad lines"),
            AGAIN: tr("Analyze"),
            EXCLUDE: tr("Exclude their documents"),
            OTHER_NEURAL: tr("Open other probabilities …"),
            NO_NEURAL: tr("Leave it out"),
        }
        remedies = [(words[name], self._action(name)) for name in state.remedies]
        self.show_notice(state.notice, kind="error" if state.failed else "warn", remedies=remedies)

    def _action(self, name: str) -> Callable[[], object]:
        return self._actions.get(name) or partial(self._presenter.remedy, name)
