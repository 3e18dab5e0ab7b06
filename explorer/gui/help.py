"""The guide in a dialog: a list of short pages with pictures, one for each screen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from explorer.gui.dialog import Dialog
from explorer.gui.guide import GuidePage
from explorer.gui.screen import named
from explorer.i18n import tr
from explorer.resources import resource_path


class HelpDialog(Dialog):
    """A list of pages and the page. Nothing is downloaded: pictures and texts are part of the program."""

    def __init__(self, parent: QWidget, guide: Sequence[GuidePage], page: str) -> None:
        super().__init__(parent, tr("Help"))
        self._guide = tuple(guide)
        self.pages = named(QListWidget(), tr("Pages"))
        self.pages.addItems([tr(known.title) for known in guide])
        self.pages.setMaximumWidth(210)
        self.text = named(QTextBrowser(), tr("Page"))
        self.text.setOpenLinks(False)
        self.text.setSearchPaths([str(resource_path("guide"))])
        self.text.anchorClicked.connect(self._follow)
        close = QPushButton(tr("Close"))
        close.clicked.connect(self.accept)
        top = QHBoxLayout()
        top.addWidget(self.pages)
        top.addWidget(self.text, 1)
        bottom = QHBoxLayout()
        bottom.addStretch(1)
        bottom.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addLayout(top, 1)
        layout.addLayout(bottom)
        self.resize(940, 640)
        self.pages.currentRowChanged.connect(self._show)
        self.pages.setCurrentRow([known.name for known in guide].index(page))

    def _show(self, row: int) -> None:
        self.text.setMarkdown(self._guide[row].read())
        self.text.moveCursor(self.text.textCursor().MoveOperation.Start)

    def _follow(self, url: QUrl) -> None:
        """Open a link: another page here, a web address in the browser."""
        names = [page.name for page in self._guide]
        if url.toString() in names:
            self.pages.setCurrentRow(names.index(url.toString()))
        elif url.scheme() == "https":
            QDesktopServices.openUrl(url)
