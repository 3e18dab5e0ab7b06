"""The guide: short pages with pictures, one for each screen, from the files that ship with the program."""

from __future__ import annotations

from importlib.metadata import version

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from explorer.gui.dialog import Dialog
from explorer.gui.screen import named
from explorer.i18n import mark, tr
from explorer.resources import resource_path, resource_text
from explorer.version import VERSION

PAGES = (
    ("start", mark("First steps")),
    ("search", mark("Search")),
    ("next-token", mark("Next token")),
    ("trace", mark("Trace")),
    ("agreement", mark("Agreement")),
    ("index", mark("Index: open, build, check")),
    ("about", mark("About")),
)
_LIBRARIES = ("PySide6-Essentials", "numpy", "pyqtgraph", "tokenizers", "zstandard", "pyarrow", "XlsxWriter")


class HelpDialog(Dialog):
    """A list of pages and the page. Nothing is downloaded: pictures and texts are part of the program."""

    def __init__(self, parent: QWidget, page: str) -> None:
        super().__init__(parent, tr("Help"))
        self.pages = named(QListWidget(), tr("Pages"))
        self.pages.addItems([tr(title) for _, title in PAGES])
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
        self.pages.setCurrentRow(next((row for row, (name, _) in enumerate(PAGES) if name == page), 0))

    def _show(self, row: int) -> None:
        self.text.setMarkdown(page_text(PAGES[row][0]))
        self.text.moveCursor(self.text.textCursor().MoveOperation.Start)

    def _follow(self, url: QUrl) -> None:
        """Open a link: another page here, a web address in the browser."""
        names = [name for name, _ in PAGES]
        if url.toString() in names:
            self.pages.setCurrentRow(names.index(url.toString()))
        elif url.scheme() == "https":
            QDesktopServices.openUrl(url)


def page_text(name: str) -> str:
    """A page in Markdown."""
    if name != "about":
        return resource_text(f"guide/{name}.md")
    libraries = "\n".join(f"- {library} {version(library)}" for library in _LIBRARIES)
    return tr(
        "# Corpus Explorer {version}\n\nApache License 2.0.\n\nBuilt with\n\n{libraries}\n",
        version=VERSION,
        libraries=libraries,
    )
