"""The document behind a hit: metadata, text around it, this hit strong and the others pale."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.corpus.document import Document
from explorer.errors import CorpusError
from explorer.gui.icons import icon
from explorer.gui.screen import DocumentRequest, Notice, Screen, label, named
from explorer.gui.text_positions import Utf16Map, one_line
from explorer.gui.theme import monospace, qcolor
from explorer.search.in_document import PART_TOKENS, DocumentPart, Hit, read_part

_MAX_VALUE = 300


class DocumentPanel(Screen):
    """Shows one document at a time. `closed()`: the person wants it away."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = self.make_runner("document")
        self._request: DocumentRequest | None = None
        self._part: DocumentPart | None = None
        self._current = (0, 0)
        self._make_widgets()
        self._lay_out()
        self._show_navigation()

    def _make_widgets(self) -> None:
        self.title = label("", "heading")
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.title.setMinimumWidth(60)
        self.place = label("", "muted")
        self.close_button = _tool("close", "Close the document (Esc)")
        self.close_button.clicked.connect(self.closed)
        self.previous = _tool("previous", "Previous hit in this document")
        self.previous.clicked.connect(lambda: self.step(-1))
        self.following = _tool("following", "Next hit in this document")
        self.following.clicked.connect(lambda: self.step(1))
        self.position = label("", "muted")
        self.metadata = named(QTreeWidget(columnCount=2), "Metadata")
        self.metadata.setRootIsDecorated(False)
        self.metadata.setHeaderHidden(True)
        self.metadata.setUniformRowHeights(True)
        self.text = named(QPlainTextEdit(readOnly=True), "Text of the document")
        self.text.setFont(monospace())
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.earlier = QPushButton("Earlier text")
        self.earlier.clicked.connect(lambda: self._move(-PART_TOKENS))
        self.later = QPushButton("Later text")
        self.later.clicked.connect(lambda: self._move(PART_TOKENS))
        self.notice = Notice()
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self.closed)

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.addWidget(self.title, 1)
        header.addWidget(self.close_button)
        navigation = QHBoxLayout()
        navigation.addStretch(1)
        navigation.addWidget(self.previous)
        navigation.addWidget(self.position)
        navigation.addWidget(self.following)
        more = QHBoxLayout()
        more.addWidget(self.earlier)
        more.addStretch(1)
        more.addWidget(self.later)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 16, 16, 12)
        layout.setSpacing(8)
        layout.addLayout(header)
        layout.addWidget(self.place)
        layout.addWidget(self.notice)
        layout.addWidget(self.metadata)
        layout.addLayout(navigation)
        layout.addWidget(self.text, 1)
        layout.addLayout(more)

    def corpus_changed(self) -> None:
        """A document of another index is none of ours."""
        self._request, self._part = None, None
        self.text.clear()
        self.metadata.clear()
        self.closed.emit()

    def open(self, request: DocumentRequest) -> None:
        """Show a document at a hit."""
        self._request = request
        self._current = (request.offset, request.length)
        self._load(request.offset)

    def _load(self, centre: int) -> None:
        if self.corpus is None or self._request is None:
            return
        index, request = self.corpus.index, self._request
        patterns = request.patterns
        self._reader.run(
            lambda cancel: read_part(Document(index, request.number), centre, patterns), self._show, self._fail
        )

    def _fail(self, error: CorpusError) -> None:
        self.notice.show_error(error)

    def _show(self, part: DocumentPart) -> None:
        self._part = part
        self.notice.show_text("")
        self.title.setText(one_line(part.title))
        self.title.setToolTip(part.title)
        self.place.setText(f"Document {part.number:,} · {part.token_count:,} tokens")
        self._show_metadata(part)
        self.text.setPlainText(part.text)
        self.earlier.setVisible(part.first > 0)
        self.later.setVisible(part.last < part.token_count)
        self._mark()

    def _show_metadata(self, part: DocumentPart) -> None:
        self.metadata.clear()
        for key, value in part.metadata.items():
            text = one_line(str(value))[:_MAX_VALUE]
            item = QTreeWidgetItem([str(key), text])
            item.setToolTip(1, text)
            self.metadata.addTopLevelItem(item)
        self.metadata.resizeColumnToContents(0)
        rows = min(6, len(part.metadata))
        self.metadata.setFixedHeight(rows * self.metadata.sizeHintForRow(0) + 8)
        self.metadata.setVisible(rows > 0)

    def _mark(self) -> None:
        """Mark all hits, and bring the current one into view."""
        part = self._part
        if part is None:
            return
        positions = Utf16Map(part.text)
        selections = []
        current: Hit | None = None
        for hit in part.hits:
            strong = (hit.offset, hit.length) == self._current
            current = hit if strong else current
            selections.append(self._selection(positions, hit, strong))
        self.text.setExtraSelections(selections)
        if current is not None:
            cursor = self.text.textCursor()
            cursor.setPosition(positions.to_qt(current.start))
            self.text.setTextCursor(cursor)
            self.text.centerCursor()
        self._show_navigation()

    def _selection(self, positions: Utf16Map, hit: Hit, strong: bool) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(positions.to_qt(hit.start))
        cursor.setPosition(positions.to_qt(hit.end), QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setBackground(qcolor("strong" if strong else "pale"))
        if strong:
            form.setForeground(qcolor("on_strong"))
            form.setFontWeight(700)
        selection.cursor, selection.format = cursor, form
        return selection

    def theme_changed(self) -> None:
        """Mark again in the new colours."""
        self._mark()

    def _number(self) -> int:
        """Number of the current hit among all of the document, -1 if it is none of them."""
        if self._part is None:
            return -1
        for number, (offset, length) in enumerate(self._part.offsets.tolist()):
            if (offset, length) == self._current:
                return number
        return -1

    def _show_navigation(self) -> None:
        total = self._part.hits_total if self._part else 0
        number = self._number()
        self.position.setText(
            f"hit {number + 1:,} of {total:,}" if number >= 0 else (f"{total:,} hits" if total else "")
        )
        self.previous.setEnabled(number > 0)
        self.following.setEnabled(0 <= number < total - 1 or (number < 0 < total))

    def step(self, by: int) -> None:
        """Go to the next or previous hit of this document."""
        if self._part is None or not self._part.hits_total:
            return
        number = min(max(0, self._number() + by), self._part.hits_total - 1)
        offset, length = self._part.offsets[number].tolist()
        self._current = (offset, length)
        if self._part.first <= offset and offset + length <= self._part.last:
            self._mark()
        else:
            self._load(offset)

    def _move(self, by: int) -> None:
        if self._part is not None:
            self._load((self._part.first + self._part.last) // 2 + by)


def _tool(name: str, text: str) -> QToolButton:
    button = QToolButton()
    button.setIcon(icon(name))
    button.setIconSize(QSize(16, 16))
    button.setToolTip(text)
    button.setAccessibleName(text)
    return button
