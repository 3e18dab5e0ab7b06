"""The end of the log of unexpected errors, to read and copy."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.gui.chrome.dialog import Dialog
from explorer.gui.screens.screen import label, named
from explorer.gui.style.surfaces import keep_monospace
from explorer.gui.style.theme import scaled
from explorer.gui.widgets.texts.plain_text import PlainText
from explorer.i18n import tr

_SHOWN_CHARACTERS = 100_000


class LogDialog(Dialog):
    """Show the end of the log, to read and copy."""

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__(parent, tr("Log"))
        try:
            # At most half a megabyte, so reading it here holds the event loop for a few milliseconds.
            text = path.read_text(encoding="utf-8", errors="replace")[-_SHOWN_CHARACTERS:]
        except OSError:
            text = ""
        self.text = named(PlainText(text or tr("No errors so far.")), tr("Log"))
        self.text.setReadOnly(True)
        keep_monospace(self.text)
        copy, close = QPushButton(tr("Copy")), QPushButton(tr("Close"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(label(str(path), "muted"), 1)
        row.addWidget(copy)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.text)
        layout.addLayout(row)
        self.resize(min(scaled(760), parent.width()), min(scaled(460), parent.height()))
