"""The switch that shares the open index with other programs of this machine, and what they need to ask it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from explorer.gui.help.topics import about, help_button
from explorer.gui.presenting.requests import Told
from explorer.gui.remote.sharing import COPIES
from explorer.gui.screens.index.parts import framed
from explorer.gui.screens.screen import label, named, offer
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.toggle import Toggle
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.gui.widgets.notices.notice import Notice
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.remote.sharing import SharePresenter, ShareState

TOPIC = "index#share-an-index"


class ShareView(QWidget):
    """Draws the presenter's state. `asked(Request)`: something that the window does."""

    asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter: SharePresenter | None = None
        self.switch = named(Toggle(), tr("Share on this machine"))
        self.said = label("", "muted")
        self.said.setWordWrap(True)
        self.notice = Notice()
        self.copy_token = push_button(tr("Copy token"))
        self.more = push_button(tr("Copy …"))
        self.stop = push_button(tr("Stop"))
        self.menu = QMenu(self.more)
        self.menu.setToolTipsVisible(True)
        for id, text, _ in COPIES:
            self.menu.addAction(tr(text), partial(self.copy, id)).setData(id)
        self.more.setMenu(self.menu)
        about(self, TOPIC)
        self._lay_out()
        self.switch.clicked.connect(lambda _=False: self._switch(self.switch.isChecked()))
        self.stop.clicked.connect(lambda _=False: self._switch(False))
        self.copy_token.clicked.connect(lambda _=False: self.copy("token"))

    def _lay_out(self) -> None:
        frame, content = framed(tr("Share on this machine"), self.switch, help_button(TOPIC, tr("Share an index")))
        self._buttons = flowing(self.copy_token, self.more, self.stop)
        for part in (self.said, self.notice, self._buttons):
            content.addWidget(part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)

    def use_presenter(self, presenter: SharePresenter) -> None:
        """Show what the window shares."""
        self._presenter = presenter
        self._draw(presenter.state, presenter.state)
        presenter.watch(self._draw)

    def _switch(self, on: bool) -> None:
        if self._presenter is not None:
            self._presenter.switch(on)
            # What could not be switched is drawn as it was.
            self._draw(self._presenter.state, self._presenter.state)

    def copy(self, id: str) -> None:
        """Copy the address, the token, or lines of another program; `id`: of `COPIES`."""
        text = "" if self._presenter is None else self._presenter.copied(id)
        if text:
            QGuiApplication.clipboard().setText(text)
            name = next(name for known, name, _ in COPIES if known == id)
            self.asked.emit(Told(tr("Copied: {name}", name=tr(name))))

    def _draw(self, state: ShareState, before: ShareState) -> None:
        self.switch.setChecked(state.on and not state.stopping)
        offer(self.switch, state.why_not)
        self.said.setText(state.sentence)
        self.notice.show_text(state.notice)
        self._buttons.setVisible(state.can_copy)
        for action in self.menu.actions():
            offer(action, state.why_not_copy(action.data()))
