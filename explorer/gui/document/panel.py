"""The document of a hit: metadata, the text around it, this hit highlighted and the others dimmed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QMenu, QMessageBox, QVBoxLayout, QWidget

from explorer.gui.chrome.dialog import message_box
from explorer.gui.document.bars import DocumentHeader, HitBar
from explorer.gui.document.presenter import DocumentActions, DocumentPresenter, Outlets
from explorer.gui.document.state import SCALE, DocumentState
from explorer.gui.document.text import DocumentText
from explorer.gui.screens.screen import Notice, Screen, label, named
from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.widgets.fields.slider import Slider
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.tables.metadata_tree import MetadataTree
from explorer.gui.widgets.texts.find_bar import FindBar
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.analyses.search.in_document import DocumentPart
    from explorer.gui.presenting.requests import DocumentRequest

_SAID_MS = 6000


class DocumentPanel(Screen):
    """Shows one document at a time, and of a long one the part around a match.

    `closed()`: the user closed the panel.
    """

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        outlets = Outlets(
            self.requested.emit, QGuiApplication.clipboard().setText, lambda path: ask_original(self, path)
        )
        self.presenter = DocumentPresenter(self.lanes, outlets)
        self.find_bar = FindBar()
        self.header = DocumentHeader(_menu(self, self.find_bar, self.presenter.actions))
        self.title, self.place = self.header.title, self.header.place
        self.metadata = MetadataTree()
        self.hits = HitBar()
        self.previous, self.following, self.position = self.hits.previous, self.hits.following, self.hits.position
        self.message = label("", "muted")
        self.message.setWordWrap(True)
        self.text = named(DocumentText(), tr("Text of the document"))
        self.scale = named(Slider(), tr("Position in the document"))
        self.scale.setToolTip(tr("Position of this part in the whole document"))
        self.scale.setRange(0, SCALE)
        self.notice = Notice()
        # A report of what was done disappears by itself; an error stays, in the notice.
        self._silence = QTimer(self, singleShot=True, interval=_SAID_MS)
        self._lay_out()
        self._connect()
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _lay_out(self) -> None:
        for inner in (self.metadata, self.text):
            inner.setProperty("role", "inner")
        facts = QWidget()
        around = QVBoxLayout(facts)
        around.setContentsMargins(scaled(8), scaled(2), scaled(8), scaled(4))
        around.addWidget(self.metadata)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        # Widgets that appear and disappear are below the text, so that the text does not move.
        for part in (self.header, self.notice, facts, self.hits, self.find_bar, self.text):
            layout.addWidget(part, 1 if part is self.text else 0)
        below = QVBoxLayout()
        below.setContentsMargins(12, 4, 12, 8)
        below.addWidget(self.scale)
        below.addWidget(self.message)
        layout.addLayout(below)
        self._stale = Dimmer(self.title, self.place, self.metadata, self.text, parent=self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill with the color of cards, and draw the edge towards the page."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), qcolor("surface"))
        edge = self.width() - 1 if self.isRightToLeft() else 0
        painter.fillRect(edge, 0, 1, self.height(), qcolor("line"))
        painter.end()

    def _connect(self) -> None:
        presenter = self.presenter
        self.header.copy.clicked.connect(presenter.actions.copy_citation)
        self.header.close_button.clicked.connect(self.closed)
        self.hits.trace.clicked.connect(presenter.actions.trace)
        self.previous.clicked.connect(lambda: presenter.step(-1))
        self.following.clicked.connect(lambda: presenter.step(1))
        self.find_bar.asked.connect(presenter.find_next)
        self.text.edge_reached.connect(presenter.scroll_on)
        # Keys, and clicks beside the handle, move the slider without a release. The value follows only after this
        # signal; the position is ahead of it.
        self.scale.actionTriggered.connect(lambda _: presenter.slide(self.scale.sliderPosition()))
        self.scale.sliderReleased.connect(lambda: presenter.release(self.scale.value()))
        self._silence.timeout.connect(presenter.hush)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        # Esc closes the panel only while the focus is in it; elsewhere in the window it has other meanings.
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self._escape)

    def _escape(self) -> None:
        """Close the find bar, or else the panel."""
        if self.find_bar.isVisible():
            self.find_bar.hide()
            self.text.setFocus()
        else:
            self.closed.emit()

    def corpus_changed(self) -> None:
        """Close the document, since it belongs to another index."""
        self.presenter.use_corpus(self.corpus)
        self.closed.emit()

    def open(self, request: DocumentRequest) -> None:
        """Show a document at a hit."""
        self.presenter.open(request)

    @property
    def part(self) -> DocumentPart | None:
        """The part of a document that is shown; None until one has been read."""
        return self.presenter.state.part.value

    def show_listed(self, number: int, listed: bool) -> None:
        """Show whether any of the listed lines is in this document.

        number: The document that was checked; another one than the open one is ignored.
        """
        self.presenter.show_listed(number, listed)

    def theme_changed(self) -> None:
        """Mark again in the new colors."""
        self.text.show_marks(self.presenter.state.marks)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: DocumentState, before: DocumentState | None) -> None:
        self.notice.show_text(state.notice)
        self.hits.show_outside(state.outside)
        self.find_bar.message.setText(state.find_note)
        self.message.setText(state.said)
        self.message.setVisible(bool(state.said))
        if before is None or state.said != before.said:
            self._silence.start()
        part, known = state.part.value, before is not None and state.part.value is before.part.value
        if not known:
            self._draw_part(state)
        # By identity: the only occurrence, found again after the user scrolled away from it, is another object.
        if not known or before is None or state.hit is not before.hit or state.found is not before.found:
            self.text.show_marks(state.marks, centered=True)
        if not known and state.kept_share is not None:
            self.text.center(state.kept_share)
        self.position.setText(state.navigation)
        self.previous.setEnabled(state.can_go_back)
        self.following.setEnabled(state.can_go_on)
        self.scale.setVisible(part is not None and state.has_scale)
        self._stale.set_stale(state.dimmed, at_once=not state.part.awaited)

    def _draw_part(self, state: DocumentState) -> None:
        part = state.part.value
        self.title.setText(state.title)
        self.title.setToolTip("" if part is None else part.title)
        self.place.setText(state.place)
        self.metadata.show_metadata({} if part is None else part.metadata)
        self.text.show_text("" if part is None else part.text, state.right_to_left)
        self.scale.setPageStep(state.scale_step)
        with QSignalBlocker(self.scale):
            self.scale.setValue(state.scale)


def ask_original(parent: QWidget, path: Path) -> None:
    """Ask whether a file is to be opened with the system's program, and open it."""
    # Asked first: the path is from the index, which may have been made by anybody.
    question = tr("Open this file with the system's default program?\n\n{path}", path=path)
    box = message_box(parent, tr("Open the original file"), question)
    box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel)
    box.button(QMessageBox.StandardButton.Open).clicked.connect(
        lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
    )
    box.open()


def _menu(parent: QWidget, find_bar: FindBar, actions: DocumentActions) -> QMenu:
    """What can be done with the document."""
    menu = QMenu(parent)
    menu.addAction(tr("Find in this document"), find_bar.open)
    menu.addAction(tr("Copy a citation"), actions.copy_citation)
    menu.addAction(tr("Copy the text shown"), actions.copy_text)
    menu.addAction(tr("Open the original file …"), actions.open_original)
    return menu
