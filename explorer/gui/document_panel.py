"""The document of a hit: metadata, the text around it, this hit highlighted and the others dimmed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence, QShortcut, QTextCharFormat
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.documents.document import Document
from explorer.documents.original import original_file
from explorer.errors import CorpusError
from explorer.export.provenance import citation
from explorer.gui.dialog import message_box
from explorer.gui.direction import isolated, reads_right_to_left
from explorer.gui.icons import icon
from explorer.gui.requests import DocumentRequest, TraceText
from explorer.gui.screen import Notice, Screen, label, named
from explorer.gui.surfaces import keep_icon_size, keep_monospace
from explorer.gui.text_positions import Utf16Map, cell_text
from explorer.gui.theme import qcolor
from explorer.gui.widgets.find_bar import FindBar
from explorer.gui.widgets.marked_text import Run, mark_runs
from explorer.gui.widgets.metadata_tree import MetadataTree
from explorer.gui.widgets.plain_text import PlainText
from explorer.i18n import tr, trn
from explorer.jobs import Kind
from explorer.search.in_document import PART_TOKENS, DocumentPart, Hit, find_text, read_part
from explorer.tokens.decode import trim

_SCALE = 10_000
_SAID_MS = 6000
TRACED_TOKENS = 5_000
"""Tokens of a document that are traced: a long one from its beginning."""


class DocumentPanel(Screen):
    """Shows one document at a time, and of a long one the part around a match.

    `closed()`: the user closed the panel.
    """

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = self.make_runner("document", kind=Kind.QUICK)
        self._finder = self.make_runner("find")
        self._worker = self.make_runner("document facts", kind=Kind.LATER)
        self._request: DocumentRequest | None = None
        self._part: DocumentPart | None = None
        self._current: tuple[int, ...] = (0, 0, 0)
        """Offset, length and begin of the hit that is looked at."""
        self._found: tuple[int, int] | None = None
        self._kept_token = -1
        self._make_widgets()
        self._lay_out()
        self._show_navigation()

    def _make_widgets(self) -> None:
        self.title = label("", "heading")
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.title.setMinimumWidth(60)
        self.place = label("", "muted")
        self.close_button = _tool("close", tr("Close the document (Esc)"))
        self.close_button.clicked.connect(self.closed)
        self.previous = _tool("previous", tr("Previous hit in this document"))
        self.previous.clicked.connect(lambda: self.step(-1))
        self.following = _tool("following", tr("Next hit in this document"))
        self.following.clicked.connect(lambda: self.step(1))
        self.position = label("", "muted")
        self.outside = label("", "muted")
        self.outside.setWordWrap(True)
        self.metadata = MetadataTree()
        self.find_bar = FindBar()
        self.find_bar.asked.connect(self.find_next)
        self._finder.progressed.connect(
            lambda progress: self.find_bar.message.setText(tr("{fraction:.0%} …", fraction=progress.fraction))
        )
        self.more = _tool("more", tr("Find, cite, trace or open the original"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setProperty("role", "icon")
        self.more.setMenu(self._make_menu())
        self.message = label("", "muted")
        self.message.setWordWrap(True)
        self.message.hide()
        # A report of what was done disappears by itself; an error stays, in the notice.
        self._silence = QTimer(self, singleShot=True, interval=_SAID_MS)
        self._silence.timeout.connect(self.message.hide)
        self.text = named(PlainText(readOnly=True), tr("Text of the document"))
        keep_monospace(self.text)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.scale = named(QSlider(Qt.Orientation.Horizontal), tr("Position in the document"))
        self.scale.setToolTip(tr("Position of this part in the whole document"))
        self.scale.setRange(0, _SCALE)
        self.scale.sliderReleased.connect(self._scale_moved)
        # Keys, and clicks beside the handle, move the slider without a release. A key that is held down reads one part,
        # at the end.
        self._scale_later = QTimer(self, singleShot=True, interval=120)
        self._scale_later.timeout.connect(self._scale_moved)
        self.scale.actionTriggered.connect(lambda _: self._scale_later.start())
        self.notice = Notice()
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

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.addWidget(self.title, 1)
        header.addWidget(self.more)
        header.addWidget(self.close_button)
        navigation = QHBoxLayout()
        navigation.addWidget(self.outside, 1)
        navigation.addWidget(self.previous)
        navigation.addWidget(self.position)
        navigation.addWidget(self.following)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 16, 16, 12)
        layout.setSpacing(8)
        layout.addLayout(header)
        layout.addWidget(self.place)
        layout.addWidget(self.notice)
        layout.addWidget(self.metadata)
        layout.addLayout(navigation)
        # Widgets that appear and disappear are below the text, so that the text does not move.
        layout.addWidget(self.find_bar)
        layout.addWidget(self.text, 1)
        for part in (self.scale, self.message):
            layout.addWidget(part)

    def corpus_changed(self) -> None:
        """Close the document, since it belongs to another index."""
        self._request, self._part, self._found = None, None, None
        self.text.clear()
        self.metadata.clear()
        self.closed.emit()

    def open(self, request: DocumentRequest) -> None:
        """Show a document at a hit."""
        self._request, self._found, self._kept_token = request, None, -1
        self.message.hide()
        self.outside.setText("")
        self._current = (request.offset, request.length, request.begin)
        self._load(request.offset)

    def show_listed(self, number: int, listed: bool) -> None:
        """Show whether any of the listed lines is in this document.

        Parameters
        ----------
        number
            The document that was checked; another one than the open one is ignored.
        listed
            Whether a line is in it.
        """
        if self._request is not None and self._request.number == number:
            self.outside.setText("" if listed else tr("None of the listed lines is in this document."))

    def _load(self, center: int) -> None:
        """Read the part around a token."""
        if self.corpus is None or self._request is None:
            return
        # Read here: both may have changed when a thread of the pool begins the work.
        index, request = self.corpus.index, self._request
        needle = request.needle
        self._reader.run(
            lambda cancel: read_part(Document(index, request.number), center, needle), self._show, self._fail
        )

    def _fail(self, error: CorpusError) -> None:
        self.notice.show_error(error)

    @property
    def part(self) -> DocumentPart | None:
        """The part of a document that is shown; None until one has been read."""
        return self._part

    def _settle_current(self, part: DocumentPart) -> None:
        """The hit at the requested tokens, if only these are known."""
        # Several hits may begin in the same token. If the requested byte is of none of them, the first one counts.
        same = part.offsets[(part.offsets[:, :2] == np.array(self._current[:2])).all(axis=1)]
        if len(same) and self._current not in map(tuple, same.tolist()):
            self._current = tuple(same[0].tolist())

    def _show(self, part: DocumentPart) -> None:
        self._part = part
        self._settle_current(part)
        self.notice.show_text("")
        self.title.setText(isolated(cell_text(part.title)))
        self.title.setToolTip(part.title)
        self.place.setText(
            trn(
                "Document {number:,} · {n:,} token",
                "Document {number:,} · {n:,} tokens",
                part.token_count,
                number=part.number + 1,
            )
        )
        self.metadata.show_metadata(part.metadata)
        # Before the text is set, so that it is laid out only once.
        self._run_as(part.text)
        self.text.setPlainText(part.text)
        whole = part.first == 0 and part.last >= part.token_count
        self.scale.setVisible(not whole)
        self.scale.setPageStep(max(1, _SCALE * PART_TOKENS // max(1, part.token_count)))
        # The slider goes over the places at which a part can begin.
        room = max(1, part.token_count - (part.last - part.first))
        with QSignalBlocker(self.scale):
            self.scale.setValue(_SCALE * part.first // room)
        self._mark()
        self._keep_place(part)

    def _run_as(self, text: str) -> None:
        """Lay the text out in its own direction; Qt would use the direction of the window."""
        right_to_left = reads_right_to_left(text)
        option = self.text.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight)
        option.setAlignment(Qt.AlignmentFlag.AlignRight if right_to_left else Qt.AlignmentFlag.AlignLeft)
        self.text.document().setDefaultTextOption(option)

    def _mark(self) -> None:
        """Mark all hits, and bring the current one into view."""
        part = self._part
        if part is None:
            return
        positions = Utf16Map(part.text)
        runs: list[Run] = []
        pale, bright = _format(False), _format(True)
        current: Hit | None = None
        for hit in (*part.hits, *self._found_hit(part)):
            place = (hit.offset, hit.length, hit.begin)
            # What was found takes the bright mark from the hit, since only one place is looked at.
            strong = place[:2] == self._found if self._found is not None else place == self._current
            current = hit if strong else current
            runs.append((positions.to_qt(hit.start), positions.to_qt(hit.end), bright if strong else pale))
        mark_runs(self.text, runs)
        if current is not None:
            cursor = self.text.textCursor()
            cursor.setPosition(positions.to_qt(current.start))
            self.text.setTextCursor(cursor)
            self.text.centerCursor()
        self._show_navigation()

    def theme_changed(self) -> None:
        """Mark again in the new colors."""
        self._mark()

    def _number(self) -> int:
        """The number of the current hit among all hits of the document, -1 if it is not one of them."""
        if self._part is None:
            return -1
        found = np.flatnonzero((self._part.offsets == np.array(self._current)).all(axis=1))
        return int(found[0]) if len(found) else -1

    def _show_navigation(self) -> None:
        total = self._part.hits_total if self._part else 0
        number = self._number()
        self.position.setText(
            tr("hit {number:,} of {total:,}", number=number + 1, total=total)
            if number >= 0
            else (trn("{n:,} hit", "{n:,} hits", total) if total else "")
        )
        self.previous.setEnabled(number > 0)
        # Number -1: the place is not a hit, and the next one is the first of all.
        self.following.setEnabled(0 <= number < total - 1 or (number < 0 < total))

    def step(self, by: int) -> None:
        """Go to the next or previous hit of this document."""
        if self._part is None or not self._part.hits_total:
            return
        # From a place that is not a hit (-1), the step leads to the first hit.
        number = min(max(0, self._number() + by), self._part.hits_total - 1)
        offset, length, begin = self._part.offsets[number].tolist()
        self._current, self._found = (offset, length, begin), None
        # A hit within this part needs no reading.
        if self._part.first <= offset and offset + length <= self._part.last:
            self._mark()
        else:
            self._load(offset)

    # --- moving through a long document --------------------------------------------------------

    def _scrolled(self, value: int) -> None:
        """At either end of the part, continue with the next one; the same line stays in view."""
        part, bar = self._part, self.text.verticalScrollBar()
        # A text that fits into the view is at both of its ends, without having been scrolled there.
        if part is None or self._reader.busy or bar.maximum() <= bar.minimum():
            return
        if value == bar.maximum() and part.last < part.token_count:
            self._kept_token = part.last
            self._load(part.last)
        elif value == bar.minimum() and part.first > 0:
            self._kept_token = part.first
            self._load(part.first)

    def _scale_moved(self) -> None:
        part = self._part
        if part is not None:
            room = part.token_count - (part.last - part.first)
            self._kept_token = -1
            self._load(self.scale.value() * room // _SCALE + PART_TOKENS // 2)

    def _keep_place(self, part: DocumentPart) -> None:
        """Bring the token that was at the edge of the last part back into view."""
        if part.first <= self._kept_token <= part.last:
            # An estimate: the characters are taken to be spread evenly over the tokens.
            share = (self._kept_token - part.first) / max(1, part.last - part.first)
            cursor = self.text.textCursor()
            cursor.setPosition(int(share * self.text.document().characterCount() * 0.999))
            # This is not the user scrolling to an end, which would load the next part.
            with QSignalBlocker(self.text.verticalScrollBar()):
                self.text.setTextCursor(cursor)
                self.text.centerCursor()
        self._kept_token = -1

    # --- finding, citing, tracing --------------------------------------------------------------

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction(tr("Find in this document"), self.find_bar.open)
        menu.addAction(tr("Copy a citation"), self.copy_citation)
        menu.addAction(tr("Trace this document"), self.trace_document)
        menu.addAction(tr("Open the original file …"), self.open_original)
        return menu

    def find_next(self, text: str, backwards: bool) -> None:
        """Go to the next occurrence of a text in the document, in the background.

        Parameters
        ----------
        text
            The text.
        backwards
            Whether to go towards the beginning.
        """
        if self.corpus is None or self._request is None:
            return
        document = Document(self.corpus.index, self._request.number)
        # The search continues from what an earlier search found, or else from the hit.
        here = (self._found or self._current)[0]
        report = self._finder.reporter()
        self._finder.run(
            lambda cancel: find_text(document, text, here, backwards, report, cancel), self._show_place, self._fail
        )

    def _show_place(self, place: tuple[int, int] | None) -> None:
        self.find_bar.message.setText("" if place else tr("not in this document"))
        if place is None or self._part is None:
            return
        self._found = place
        if self._part.first <= place[0] and sum(place) <= self._part.last:
            self._mark()
        else:
            self._load(place[0])

    def _found_hit(self, part: DocumentPart) -> tuple[Hit, ...]:
        """The found occurrence, if it is in this part and is not a hit itself."""
        if self._found is None or any((hit.offset, hit.length) == self._found for hit in part.hits):
            return ()
        offset, length = self._found
        if not (part.first <= offset and offset + length <= part.last):
            return ()
        # The text was found in whole tokens; spaces at the ends of these are not marked.
        start, end = (int(part.starts[place - part.first]) for place in (offset, offset + length))
        return (Hit(offset, length, *trim(part.text, start, end)),)

    def copy_citation(self) -> None:
        """Copy a citation of this place to the clipboard."""
        if self.corpus is None or self._request is None:
            return
        # Read here, for the same reason as in `_load`; so is what the methods below ask for.
        index, number, place = self.corpus.index, self._request.number, self._found or self._current[:2]

        def done(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self._say(tr("Copied: {text}", text=text))

        self._worker.run(lambda cancel: citation(index, number, *place), done, self._fail)

    def trace_document(self) -> None:
        """Send the text to the Trace screen; of a long document, its beginning."""
        if self.corpus is None or self._request is None:
            return
        document = Document(self.corpus.index, self._request.number)
        self._worker.run(lambda cancel: document.part(0, TRACED_TOKENS).text.strip(), self._trace, self._fail)

    def _trace(self, text: str) -> None:
        self.requested.emit(TraceText(text))

    def open_original(self) -> None:
        """Ask, then open the original file of the document."""
        if self.corpus is None or self._request is None:
            return
        index, number = self.corpus.index, self._request.number
        self._worker.run(lambda cancel: original_file(index, number), self._ask_original, self._fail)

    def _ask_original(self, path: Path | None) -> None:
        if path is None:
            self._say(tr("The original file is not on this computer, or the index does not record its location."))
            return
        # Asked first: the path is from the index, which may have been made by anybody.
        question = tr("Open this file with the system's default program?\n\n{path}", path=path)
        box = message_box(self, tr("Open the original file"), question)
        box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel)
        box.button(QMessageBox.StandardButton.Open).clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
        )
        box.open()

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.message.show()
        self._silence.start()


def _format(strong: bool) -> QTextCharFormat:
    """The formats of the current hit and of the others."""
    form = QTextCharFormat()
    form.setBackground(qcolor("strong" if strong else "pale"))
    if strong:
        form.setForeground(qcolor("on_strong"))
        form.setFontWeight(700)
    return form


def _tool(name: str, text: str) -> QToolButton:
    button = QToolButton()
    button.setIcon(icon(name))
    keep_icon_size(button, 16)
    button.setToolTip(text)
    button.setAccessibleName(text)
    return button
