"""The first page: what the program does, a place to drop files, recent indexes, and the sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QEnterEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QInputDialog, QVBoxLayout, QWidget

from explorer.gui.presenting.requests import (
    CheckIndex,
    ChooseIndex,
    ChooseRemote,
    ForgetIndex,
    LocateIndex,
    OpenRequest,
    PinIndex,
    RenameIndex,
    Request,
)
from explorer.gui.screens.index.parts import RowButton, framed
from explorer.gui.screens.index.start.offers import PausedOffers
from explorer.gui.screens.index.start.recent_list import RecentList
from explorer.gui.screens.index.start.state import EXAMPLES, StartState
from explorer.gui.screens.screen import label
from explorer.gui.style.theme import em
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.notices.empty_state import DropZone
from explorer.gui.widgets.texts.key_cap import KeyCap
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.screens.index.start.presenter import StartPresenter

_NO_LIMIT = (1 << 24) - 1
"""Qt's own largest height of a widget."""
_WIDEST, _STACKED = 86, 56
"""The width of the page at most, and the width below which its parts are below each other, in em."""


class StartView(QWidget):
    """Draws the presenter's state. `asked(Request)`: something that the window does.

    presenter: Offers what can be opened.
    """

    asked = Signal(object)

    def __init__(self, presenter: StartPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.offers = PausedOffers()
        self.zone = DropZone(
            tr("Drop files or a folder here"),
            tr("Texts, documents, tables and e-mail, also compressed. You can review the files before the build."),
        )
        self.files = push_button(tr("Choose files …"), "primary")
        self.folder = push_button(tr("Choose a folder …"))
        self.recent = RecentList()
        self.open_button = push_button(tr("Open …"), "quiet", "folder")
        # Without words, for which large text has no room here; menus and palette have them.
        self.remote_button = icon_button("cloud", tr("Open a remote index …"))
        self.key = KeyCap("")
        self.sample_title = label("", "heading")
        self.sample_title.setWordWrap(True)
        self.sample = push_button("", "link")
        self.examples = tuple(RowButton(True, example.picture, arrow=True) for example in EXAMPLES)
        self._lay_out()
        self._connect()
        # Drawn once by hand: `watch` reports changes only.
        self._draw(presenter.state, None)
        presenter.watch(self._draw)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Name the kinds of files in a hint: the list is longer than the zone, and not needed to show the window."""
        from explorer.documents.kinds import labels

        self.zone.setToolTip(tip(tr("Files that are read: {kinds}", kinds=labels())))
        super().enterEvent(event)

    def _lay_out(self) -> None:
        display, lead = label(tr("See what is in a corpus"), "display"), label("", "lead")
        lead.setText(
            tr(
                "Search, trace and measure text collections of any size. Everything stays on this computer, unless you "
                "open an index on another one."
            )
        )
        recent, content = framed(tr("Recent indexes"), self.remote_button, self.open_button, self.key, inset=False)
        for button in (self.files, self.folder):
            self.zone.row.addWidget(button)
        self.zone.hint.setContentsMargins(0, 0, 0, 12)
        content.addWidget(self.recent)
        content.addStretch(1)
        self._upper = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._upper.setSpacing(24)
        self._upper.addWidget(self.zone, 10)
        self._upper.addWidget(recent, 9)
        sample = QHBoxLayout()
        sample.addWidget(self.sample_title, 1)
        sample.addWidget(self.sample)
        self._lower = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lower.setSpacing(16)
        for card in self.examples:
            self._lower.addWidget(card, 1)
        self._column = QVBoxLayout(self)
        self._column.setSpacing(12)
        for text in (display, lead):
            text.setWordWrap(True)
            self._column.addWidget(text)
        self._column.addSpacing(12)
        self._column.addWidget(self.offers)
        self._column.addLayout(self._upper)
        self._column.addSpacing(24)
        self._column.addLayout(sample)
        self._column.addLayout(self._lower)
        self._column.addStretch(1)

    def _connect(self) -> None:
        self.open_button.clicked.connect(lambda _=False: self.asked.emit(ChooseIndex()))
        self.remote_button.clicked.connect(lambda _=False: self.asked.emit(ChooseRemote()))
        self.sample.clicked.connect(lambda _=False: self.presenter.open_sample())
        self.recent.acted.connect(self._act)
        for number, card in enumerate(self.examples):
            # The number is bound here: without it, every card would ask the last example.
            card.clicked.connect(lambda _=False, number=number: self.presenter.try_example(number))

    def _act(self, what: str, path: str) -> None:
        """Ask for what a person wants of a recent index."""
        requests: dict[str, Request] = {
            "open": OpenRequest((path,)),
            "pin": PinIndex(path),
            "forget": ForgetIndex(path),
            "locate": LocateIndex(path),
            "check": CheckIndex(path),
        }
        if what == "show":
            QDesktopServices.openUrl(QUrl.fromLocalFile(path))
        elif what == "rename":
            self._rename(path)
        else:
            self.asked.emit(requests[what])

    def _rename(self, path: str) -> None:
        row = next(row for row in self.presenter.state.rows if row.path == path)
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(tr("Rename"))
        dialog.setLabelText(tr("Shown name; leave it empty for the index's own name"))
        dialog.setTextValue(row.name)
        dialog.textValueSelected.connect(lambda name: self.asked.emit(RenameIndex(path, name)))
        # Not `exec`: no event loop runs inside this call, so the list may change while the dialog is open.
        dialog.open()

    def show_key(self, key: str) -> None:
        """Show the shortcut that opens an index; "" for none."""
        self.key.show_keys(key)

    def _draw(self, state: StartState, before: StartState | None) -> None:
        if before is None or state.paused != before.paused:
            self.offers.show_builds(state.paused)
        if before is None or state.rows != before.rows:
            self.recent.show_rows(state.rows)
        self.sample_title.setText(state.sample_title)
        self.sample.setText(state.sample_action)
        for card, example in zip(self.examples, EXAMPLES, strict=True):
            card.say(tr(example.title), tr(example.screen))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep lines short in a wide window, and put the parts below each other in a narrow one."""
        super().resizeEvent(event)
        width = event.size().width()
        margin = max(em(2), (width - em(_WIDEST)) // 2)
        narrow = width - 2 * margin < em(_STACKED)
        self._column.setContentsMargins(margin, em(1 if narrow else 4), margin, em(2))
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        # Below each other, the list and the examples are not to be pushed out of view, nor the buttons of the zone.
        self.zone.show_picture(not narrow)
        self.zone.setMinimumHeight(em(9 if narrow else 22))
        self.zone.setMaximumHeight(em(13) if narrow else _NO_LIMIT)
        self._upper.setDirection(way)
        self._lower.setDirection(way)

    def minimumSizeHint(self) -> QSize:
        """As wide as its parts are below each other."""
        return QSize(em(24), super().minimumSizeHint().height())
