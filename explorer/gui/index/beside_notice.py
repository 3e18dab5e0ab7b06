"""The notice about indexes beside the open one: what is wrong with one of them, and what can be done about it."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from PySide6.QtWidgets import QFileDialog

from explorer.gui.chrome.folders import begin_in
from explorer.gui.index.beside import REMEDIES, Beside, Remedy
from explorer.gui.widgets.notices.notice import Notice
from explorer.i18n import tr


class Mender(Protocol):
    """What is done about an index with which something is wrong."""

    def locate(self, path: str) -> None:
        """Open it in another folder."""

    def again(self) -> None:
        """Try once more to open what is not open."""

    def use_anyway(self) -> None:
        """Accept its other contents."""

    def leave_out(self) -> None:
        """Compare without it; it is not saved any more."""


class BesideNotice(Notice):
    """Draws what is wrong with a comparison.

    mender: Does what the buttons offer.
    """

    def __init__(self, mender: Mender) -> None:
        super().__init__()
        self._mender = mender
        self._path = ""
        self._drawn: tuple[str, tuple[Remedy, ...]] = ("", ())

    def draw(self, sentence: str, problem: Beside | None, remedies: tuple[Remedy, ...]) -> None:
        """Draw what is wrong.

        sentence: What went wrong; "" for nothing.
        problem: The index that the buttons are for; None for none.
        remedies: What can be done about it.
        """
        self._path = "" if problem is None else problem.path
        # This replaces the buttons, so not while somebody may be about to press one.
        if (sentence, remedies) == self._drawn:
            return
        self._drawn = (sentence, remedies)
        actions = {
            "locate": self._locate,
            "again": self._mender.again,
            "use_anyway": self._mender.use_anyway,
            "leave_out": self._mender.leave_out,
        }
        self.show_notice(sentence, remedies=[(tr(REMEDIES[name]), partial(actions[name])) for name in remedies])

    def _locate(self) -> None:
        title = tr("Locate {path}", path=self._path)
        if path := QFileDialog.getExistingDirectory(self, title, begin_in()):
            self._mender.locate(path)
