"""A text to read and edit: high lines of at most 110 characters, with painted marks."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import (
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em, font_of
from explorer.gui.widgets.texts.painted_runs import Painted, PaintedRuns
from explorer.gui.widgets.texts.plain_text import has_long_word

_LINE_HEIGHT = 1.7
"""From line to line, as a multiple of the size of the letters."""
_LARGER = 1.08
"""The size of text that is read, as a multiple of the interface's."""
_WIDEST = 110
"""Characters of a line."""


class ProseEdit(QTextEdit):
    """Plain text in lines that are easy to read. `runs`: its painted marks.

    `laid_out`: the height of the text has changed, or its width.
    """

    laid_out = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # First, since `_restyle` below gives them the colors of the theme.
        self.runs = PaintedRuns(self)
        # The text that was put here, until it is edited. Qt's own text may differ from it, as in its line ends.
        self._written: str | None = ""
        self.document().contentsChange.connect(self._edited)
        self.setAcceptRichText(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self.laid_out.emit())
        self._restyle()
        when_restyled(self, self._restyle)

    def _restyle(self) -> None:
        font = font_of(_LARGER)
        # Qt reports other sizes like edits of the whole text, and every run would collapse.
        with self.runs.steady():
            self.setFont(font)
            self.document().setDefaultFont(font)
            self.document().setDocumentMargin(em(0.7))
            self._fit_width()
        # The colors of letters are stored with the text, unlike fills and lines, which are painted with the theme of
        # the moment.
        self.runs.paint_letters()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break lines at the new width, or at the widest that can be read well."""
        super().resizeEvent(event)
        self._fit_width()
        self.laid_out.emit()

    def _fit_width(self) -> None:
        widest = QFontMetricsF(self.document().defaultFont()).averageCharWidth() * _WIDEST
        margins = 2 * self.document().documentMargin()
        width = round(min(float(self.viewport().width()), widest + margins))
        # Setting it lays out the whole text again.
        if width != self.lineWrapColumnOrWidth():
            self.setLineWrapColumnOrWidth(max(1, width))

    def text(self) -> str:
        """The text with its original characters; Qt's own export would change some spaces."""
        return self.document().toRawText().replace("\u2029", "\n")

    @property
    def is_selected(self) -> bool:
        """Whether all of the text is selected; an empty text always is."""
        cursor = self.textCursor()
        # Both in UTF-16. The count has one more than the text: the separator after the last paragraph.
        return cursor.selectionEnd() - cursor.selectionStart() >= self.document().characterCount() - 1

    @property
    def written(self) -> str:
        """The text as it was put here, to which places in it belong; after an edit, the text as it is now."""
        return self.text() if self._written is None else self._written

    def _edited(self, position: int, removed: int, added: int) -> None:
        if not self.runs.is_steady:
            self._written = None

    def setPlainText(self, text: str) -> None:
        """Set the text; it is shown from its beginning, and cannot be undone."""
        self.put(text)

    def put(self, text: str, decorate: Callable[[QTextCursor], None] | None = None) -> None:
        """Set the text, and give parts of it formats, so that it is laid out once.

        decorate: Gives formats by the cursor that it gets; None for none.
        """
        long = has_long_word(text)
        # Every intermediate layout has no long word, or breaks anywhere.
        if long:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        # First no marks: those of the former text belong to no place in this one.
        self.runs.paint(Painted())
        _replace(self, text, decorate)
        self._written = text
        if not long:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def append_text(self, text: str, decorate: Callable[[QTextCursor], None]) -> None:
        """Add to the end of the text that was put here; the view stays where it is, and so do the marks.

        decorate: Gives formats by the cursor that it gets.
        """
        if has_long_word(text):
            self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        written, document = self.written, self.document()
        document.setUndoRedoEnabled(False)
        cursor = QTextCursor(document)
        with self.runs.steady():
            cursor.beginEditBlock()
            cursor.movePosition(QTextCursor.MoveOperation.End)
            at = cursor.position()
            # In the look of plain text: what was added before may end in a list, or in code.
            cursor.setCharFormat(QTextCharFormat())
            cursor.insertText(text)
            cursor.setPosition(at)
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(QTextCharFormat())
            if written:
                # Its first paragraph continues the last one that was there.
                cursor.setPosition(at + 1)
                cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.setBlockFormat(_lines_of(document))
            decorate(cursor)
            cursor.endEditBlock()
        document.setUndoRedoEnabled(True)
        self._written = written + text

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy only the text: Qt would add HTML with fonts and heights of lines."""
        data = QMimeData()
        data.setText(self.textCursor().selectedText().replace("\u2029", "\n"))
        return data

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert text; one that replaces everything is shown from its beginning."""
        cursor, replaces = self.textCursor(), self.is_selected
        if not source.hasText():
            return
        # Never set back here: what was pasted before may have a long word, too. `put` decides for a whole text.
        if has_long_word(source.text()):
            self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        cursor.insertText(source.text())
        if replaces:
            _go_to_the_beginning(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint fills beneath the text, and underlines and frames on top of it."""
        # Two painters, one after the other: Qt paints the text by its own, and a widget takes one at a time.
        painter = QPainter(self.viewport())
        self.paint_below(painter)
        self.runs.below(painter)
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self.runs.above(painter)
        painter.end()

    def paint_below(self, painter: QPainter) -> None:
        """Paint what is beneath all marks; here nothing."""


def _replace(edit: QTextEdit, text: str, decorate: Callable[[QTextCursor], None] | None) -> None:
    document = edit.document()
    # Text and height of lines in one edit, so that the text is laid out once; neither can be undone.
    document.setUndoRedoEnabled(False)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    cursor.select(QTextCursor.SelectionType.Document)
    # Without formats: the text would get those of the place where the cursor was, such as a block of code.
    cursor.insertText(text, QTextCharFormat())
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.setBlockFormat(_lines_of(document))
    if decorate is not None:
        decorate(cursor)
    cursor.endEditBlock()
    document.setUndoRedoEnabled(True)
    _go_to_the_beginning(edit)


def _lines_of(document: QTextDocument) -> QTextBlockFormat:
    """The height of lines of text that is read."""
    font = document.defaultFont()
    # Qt takes percent of the height of the font, which is more than the size of its letters.
    percent = 100 * _LINE_HEIGHT * QFontInfo(font).pixelSize() / QFontMetricsF(font).height()
    form = QTextBlockFormat()
    form.setLineHeight(percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    return form


def dress(edit: ProseEdit, decorate: Callable[[QTextCursor], None]) -> None:
    """Give parts of a text other formats; the text and its marks stay as they are."""
    document = edit.document()
    # Formats are of the theme, and no edits that a person could take back.
    document.setUndoRedoEnabled(False)
    cursor = QTextCursor(document)
    with edit.runs.steady():
        cursor.beginEditBlock()
        decorate(cursor)
        cursor.endEditBlock()
    document.setUndoRedoEnabled(True)


def _go_to_the_beginning(edit: QTextEdit) -> None:
    edit.moveCursor(QTextCursor.MoveOperation.Start)
    # Qt scrolls only until the cursor is visible, which leaves the margin above it out.
    edit.verticalScrollBar().setValue(0)
