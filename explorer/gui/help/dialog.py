"""The guide in a dialog: a list of short pages with pictures, one for each screen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QFont,
    QFontMetrics,
    QImage,
    QPainter,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextListFormat,
    QTextTable,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListWidget, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from explorer.gui.chrome.dialog import Dialog
from explorer.gui.help.guide import GuidePage
from explorer.gui.screens.screen import named
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import colors, em, is_dark
from explorer.i18n import tr
from explorer.resources import resource_path, resource_text

_PICTURE = "\ufffc"
"""What a picture is in the text of its line."""
_LINE_HEIGHT = 130
"""Per cent of the font's own: text that is read."""
_WIDEST_EMS, _LEAST_EMS, _MARGIN_EMS = 46, 12, 1.8
_SMOOTH = Qt.TransformationMode.SmoothTransformation
_BULLET, _BULLET_EMS = "•", 1.1
_DISC = QTextListFormat.Style.ListDisc
_APART_EMS = 0.8
"""Below pictures and tables."""
_DRAWN_EMS = 38
"""Width of a picture that is drawn here."""


def section_name(heading: str) -> str:
    """The name by which links lead to a heading: "Text and tokens" is "text-and-tokens"."""
    return re.sub(r"[^\w]+", "-", heading.lower()).strip("-")


# Qt asks twice for each picture of a page. Few are kept: each is a mebibyte and a half.
@lru_cache(maxsize=3)
def _photograph(name: str, dark: bool, widest: int) -> QImage:
    """A picture of the window; in the dark theme the dark one, where there is one."""
    other = resource_path(f"guide/{name.removesuffix('.png')}-dark.png")
    picture = QImage(str(other if dark and other.is_file() else resource_path(f"guide/{name}")))
    return picture.scaledToWidth(widest, _SMOOTH) if picture.width() > widest else picture


class GuideText(QTextBrowser):
    """A page. Drawings have the colors of the theme and the size of the text; photographs of the window are as wide."""

    _markdown = ""
    _drawn_for = 0
    """The room that the pictures of the page were made for, in pixels."""

    def _room(self) -> int:
        """The width of the page without its margins; a page does not scroll to the side for a picture."""
        # Not of the viewport, which changes with the scroll bar while a page is being read.
        bar = self.verticalScrollBar().sizeHint().width()
        return max(em(_LEAST_EMS), self.width() - bar - 2 * em(_MARGIN_EMS + 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make pictures again that are too wide now, or that have more room."""
        super().resizeEvent(event)
        widest = em(_WIDEST_EMS)
        if self._markdown and min(self._room(), widest) != min(self._drawn_for, widest):
            place = self.textCursor().position()
            self.show_page(self._markdown)
            cursor = self.textCursor()
            cursor.setPosition(min(place, self.document().characterCount() - 1))
            self.setTextCursor(cursor)
            QTimer.singleShot(0, self, self._scroll_to_cursor)

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        """Load a picture of the page.

        Returns: The picture; for other types what Qt finds.
        """
        text = name if isinstance(name, str) else name.toString()
        if type == QTextDocument.ResourceType.ImageResource.value and text.endswith(".svg"):
            return self._drawn(text)
        if type == QTextDocument.ResourceType.ImageResource.value:
            return _photograph(text, is_dark(), min(em(_WIDEST_EMS), self._room()))
        return super().loadResource(type, name)

    def _drawn(self, name: str) -> QImage:
        # Colors are written as names of the theme, so that one file serves both.
        svg = resource_text(f"guide/{name}")
        theme = colors()
        # Unknown names are errors in our own file, so they raise.
        svg = re.sub(r"@(\w+)", lambda found: getattr(theme, found[1]), svg)
        renderer, ratio = QSvgRenderer(svg.encode()), self.devicePixelRatioF()
        side = min(em(_DRAWN_EMS), self._room())
        size = renderer.defaultSize().scaled(QSize(side, side), Qt.AspectRatioMode.KeepAspectRatio)
        image = QImage(size * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter, QRectF(image.rect()))
        painter.end()
        image.setDevicePixelRatio(ratio)
        return image

    def show_page(self, markdown: str) -> None:
        """Show a page from its beginning."""
        document = self.document()
        self._markdown, self._drawn_for = markdown, self._room()
        # Drawings are made again: they were drawn for another theme or text size.
        document.clear()
        document.setDocumentMargin(em(_MARGIN_EMS))
        self.setMarkdown(markdown)
        self._space_lines()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _space_lines(self) -> None:
        spaced = QTextBlockFormat()
        spaced.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        # What follows a picture would touch it.
        apart = QTextBlockFormat()
        apart.setBottomMargin(em(_APART_EMS))
        # One edit: the document is laid out again after it, and not after each line, of which a table has hundreds.
        whole = QTextCursor(self.document())
        whole.beginEditBlock()
        block = self.document().begin()
        while block.isValid():
            cursor = QTextCursor(block)
            if (items := cursor.currentList()) is not None and items.format().style() == _DISC:
                items.remove(block)
                self._draw_bullet(cursor)
            # Qt's stubs promise a table everywhere.
            table: QTextTable | None = cursor.currentTable()
            # A line with a picture would get half of its height below it.
            if _PICTURE in block.text():
                cursor.mergeBlockFormat(apart)
            elif table is not None:
                framed = table.format()
                # Each of its cells comes by here.
                if framed.bottomMargin() != em(_APART_EMS):
                    framed.setBottomMargin(em(_APART_EMS))
                    table.setFormat(framed)
            # A heading that wraps is one thing.
            elif not block.blockFormat().headingLevel():
                cursor.mergeBlockFormat(spaced)
            block = block.next()
        whole.endEditBlock()

    def _draw_bullet(self, cursor: QTextCursor) -> None:
        """Begin a line with a bullet. Qt's own touches the text, and has no setting for that."""
        hanging = QTextBlockFormat()
        hanging.setIndent(0)
        hanging.setLeftMargin(em(2 * _BULLET_EMS))
        hanging.setTextIndent(-em(_BULLET_EMS))
        cursor.mergeBlockFormat(hanging)
        bullet = QTextCharFormat()
        bullet.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
        bullet.setFontLetterSpacing(em(_BULLET_EMS) - QFontMetrics(self.font()).horizontalAdvance(_BULLET))
        cursor.insertText(_BULLET, bullet)

    def go_to(self, section: str) -> None:
        """Bring a heading to the top, by its `section_name`; without such a heading, the page stays at its top."""
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and section_name(block.text()) == section:
                self.setTextCursor(QTextCursor(block))
                # In the next turn: the range of the scroll bar is that of the page before until then.
                QTimer.singleShot(0, self, self._scroll_to_cursor)
                return
            block = block.next()

    def _scroll_to_cursor(self) -> None:
        """Bring the line of the cursor to the top."""
        block = self.textCursor().block()
        top = int(self.document().documentLayout().blockBoundingRect(block).top())
        self.verticalScrollBar().setValue(top - em(1))


class HelpDialog(Dialog):
    """A list of pages and the page. Nothing is downloaded: pictures and texts are part of the program.

    topic: The page to show first, or "page#section".
    """

    def __init__(self, parent: QWidget, guide: Sequence[GuidePage], topic: str) -> None:
        super().__init__(parent, tr("Help"))
        self._guide = tuple(guide)
        self.pages = named(QListWidget(), tr("Pages"))
        self.pages.setProperty("role", "pages")
        self.pages.addItems([tr(known.title) for known in guide])
        self.text = named(GuideText(), tr("Page"))
        self.text.setProperty("role", "inner")
        self.text.setOpenLinks(False)
        self.text.setSearchPaths([str(resource_path("guide"))])
        self.text.anchorClicked.connect(self._follow)
        self._lay_out(parent.size())
        self.pages.currentRowChanged.connect(self._show)
        self._fit_to_text()
        when_restyled(self, self._fit_to_text)
        # The text gets its width now. A page that is shown before that is made again when it is.
        self.ensurePolished()
        self._row.activate()
        self._card.activate()
        self.show_topic(topic)

    def _lay_out(self, room: QSize) -> None:
        close = QPushButton(tr("Close"))
        close.clicked.connect(self.accept)
        self._side = QVBoxLayout()
        self._side.addWidget(self.pages, 1)
        self._side.addWidget(close)
        card = QFrame()
        card.setProperty("role", "card")
        self._card = QHBoxLayout(card)
        self._card.setContentsMargins(1, 1, 1, 1)
        self._card.addWidget(self.text)
        self._row = QHBoxLayout(self)
        self._row.addLayout(self._side)
        self._row.addWidget(card, 1)
        self.resize(min(em(74), room.width()), min(em(52), room.height()))

    def _fit_to_text(self) -> None:
        self.pages.setFixedWidth(em(15))
        self._row.setContentsMargins(em(1), em(1), em(1), em(1))
        self._row.setSpacing(em(1))
        # In another theme or size: margins, spacing and drawings are part of the document.
        if self.pages.currentRow() >= 0:
            self._show(self.pages.currentRow())

    def show_topic(self, topic: str) -> None:
        """Show a page, or a section of one; an unknown page counts as the first."""
        page, _, section = topic.partition("#")
        names = [known.name for known in self._guide]
        self.pages.setCurrentRow(names.index(page) if page in names else 0)
        if section:
            self.text.go_to(section)

    def _show(self, row: int) -> None:
        self.text.show_page(self._guide[row].read())

    def _follow(self, url: QUrl) -> None:
        """Open a link: another page here, a web address in the browser."""
        if url.scheme() == "https":
            QDesktopServices.openUrl(url)
        # No other scheme: a page must not open a file or run a program.
        elif url.toString().partition("#")[0] in [page.name for page in self._guide]:
            self.show_topic(url.toString())
