"""Whether there is a newer version: what asking sends, a button that asks, and the answer."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.chrome.dialog import Dialog
from explorer.gui.screens.screen import label
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em
from explorer.gui.updates.presenter import UpdatePresenter, UpdateState
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.toggle import Toggle
from explorer.gui.widgets.notices.notice import Kind, Notice, Remedy
from explorer.i18n import tr


class UpdateDialog(Dialog):
    """Draws the presenter's state.

    presenter: What it shows, and what is done with it.
    """

    def __init__(self, parent: QWidget, presenter: UpdatePresenter) -> None:
        super().__init__(parent, tr("New versions"))
        self.presenter = presenter
        self._widest = parent.width()
        self.title, self.about = label(presenter.state.installed, "heading"), label(presenter.state.about)
        self.answer = Notice()
        self.weekly = Toggle(tr("Ask once a week"))
        self.look = push_button(tr("Ask now"), "primary")
        self.close_button = push_button(tr("Close"))
        self._lay_out()
        self.weekly.clicked.connect(lambda: presenter.choose_weekly(self.weekly.isChecked()))
        self.look.clicked.connect(presenter.look)
        self.close_button.clicked.connect(self.accept)
        self._draw(presenter.state)
        presenter.watch(lambda state, _: self._draw(state))
        # The presenter still keeps its answer; nothing draws it.
        self.finished.connect(lambda _: presenter.watch(lambda *_: None))

    def _lay_out(self) -> None:
        for words in (self.title, self.about):
            words.setWordWrap(True)
        knows = self.presenter.state.releases is not None
        # A switch and a button that could do nothing are not shown.
        self.weekly.setVisible(knows)
        self.look.setVisible(knows)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (self.close_button, self.look):
            buttons.addWidget(button)
        self._column = QVBoxLayout(self)
        for part in (self.title, self.about, self.answer, self.weekly):
            self._column.addWidget(part)
        self._column.addStretch(1)
        self._column.addLayout(buttons)
        (self.look if knows else self.close_button).setDefault(True)
        self._fit()
        when_restyled(self, self._fit)

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the height once the margins are those of a dialog."""
        super().showEvent(event)
        self._grow()
        (self.close_button if self.look.isHidden() else self.look).setFocus()

    def _fit(self) -> None:
        self.setMinimumWidth(min(em(34), self._widest))
        self._column.setSpacing(em(0.9))
        self._grow()

    def _grow(self) -> None:
        """Give wrapped sentences the height that they need: Qt's own hint is for a wider dialog."""
        width = max(self.width(), self.minimumWidth())
        self.resize(width, max(self._column.totalHeightForWidth(width), self._column.totalMinimumSize().height()))

    def _draw(self, state: UpdateState) -> None:
        self.weekly.setChecked(state.weekly)
        self.look.setEnabled(not state.asking)
        kind: Kind = "error" if state.error is not None else "info"
        remedies: list[Remedy] = [(tr("Open the download page"), self._open_page)] if state.has_newer else []
        if self.answer.text() != state.answer:
            self.answer.show_notice(state.answer, kind=kind, remedies=remedies)
            self._grow()

    def _open_page(self) -> None:
        releases = self.presenter.state.releases
        if releases is not None:
            # The page that the program was made with: no address of an answer is ever opened.
            QDesktopServices.openUrl(QUrl(releases.page))
