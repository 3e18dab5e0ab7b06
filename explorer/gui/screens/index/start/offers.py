"""Builds that were paused or interrupted, each with a button to resume it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from explorer.gui.screens.index.start.state import describe_paused
from explorer.gui.screens.screen import label
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.building.paused import PausedBuild


class PausedOffers(QWidget):
    """`resume_requested(PausedBuild)`, `discard_requested(PausedBuild)`; hidden while there is nothing to offer."""

    resume_requested = Signal(object)
    discard_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.resume_buttons: list[QPushButton] = []
        self.discard_buttons: list[QPushButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self.hide()

    def show_builds(self, builds: Sequence[PausedBuild]) -> None:
        """Offer only these."""
        self.resume_buttons, self.discard_buttons = [], []
        while (item := self._column.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                # Hide it at once: it is deleted only in the next turn of the event loop.
                old.hide()
                old.deleteLater()
        for build in builds:
            self._column.addWidget(self._card(build))
        self.setVisible(bool(builds))

    def _card(self, build: PausedBuild) -> QFrame:
        card = QFrame()
        card.setProperty("role", "card")
        column = QVBoxLayout(card)
        column.setContentsMargins(18, 14, 18, 14)
        title = label(tr("Paused build: {name}", name=build.name), "heading")
        sentence = label(describe_paused(build), "muted")
        for part in (title, sentence):
            part.setWordWrap(True)
            column.addWidget(part)
        resume = push_button(tr("Resume build"), icon_name="play")
        resume.setAccessibleName(tr("Resume build of {name}", name=build.name))
        resume.clicked.connect(lambda _=False: self.resume_requested.emit(build))
        discard = push_button(tr("Discard …"), "danger")
        discard.setAccessibleName(tr("Discard build of {name}", name=build.name))
        discard.clicked.connect(lambda _=False: self.discard_requested.emit(build))
        self.resume_buttons.append(resume)
        self.discard_buttons.append(discard)
        column.addWidget(flowing(resume, discard))
        return card
