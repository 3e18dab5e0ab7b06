"""Unexpected errors: written to a local log and shown one at a time, with a report to copy."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QPushButton, QVBoxLayout, QWidget

from explorer.gui.dialog import Dialog, message_box
from explorer.gui.screen import label, named
from explorer.gui.surfaces import keep_monospace
from explorer.gui.theme import scaled
from explorer.gui.widgets.plain_text import PlainText
from explorer.i18n import tr, trn
from explorer.version import VERSION

_LOG = logging.getLogger("explorer")
_MOST_BYTES = 512_000
_SHOWN_CHARACTERS = 100_000


def log_path(folder: Path) -> Path:
    """The path of the log, in the folder of the settings."""
    return folder / "corpus-explorer.log"


def start_log(folder: Path) -> None:
    """Write errors of the program to the log; if it cannot be written, they are only shown."""
    # Several windows share one process and one log; a second handler would write every line twice.
    if any(isinstance(handler, RotatingFileHandler) for handler in _LOG.handlers):
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            log_path(folder), maxBytes=_MOST_BYTES, backupCount=1, encoding="utf-8", delay=True
        )
    except OSError:
        return
    handler.setFormatter(logging.Formatter(f"%(asctime)s {VERSION} %(levelname)s %(message)s"))
    _LOG.addHandler(handler)


class BugReporter:
    """Shows one dialog at a time; errors that follow are counted in it and written to the log."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent
        self.box: QMessageBox | None = None
        self._more = 0
        self._known: set[str] = set()

    def report(self, text: str) -> None:
        """Take a report; the same report is shown only once."""
        _LOG.error("unexpected error\n%s", text)
        if self.box is not None:
            self._more += 1
            self.box.setInformativeText(self._about())
            return
        # What fails at every key press would open a dialog at every key press.
        if text in self._known:
            return
        self._known.add(text)
        self._show(text)

    def _about(self) -> str:
        more = (
            trn(
                " {n:,} more error followed; see the log.",
                " {n:,} more errors followed; see the log.",
                self._more,
            )
            if self._more
            else ""
        )
        return tr("“Show Details” has the report, which helps fix the problem. Nothing has been sent.{more}", more=more)

    def _show(self, text: str) -> None:
        self._more = 0
        sentence = tr("An error occurred in the program. Your files were not changed.")
        box = message_box(self._parent, tr("Unexpected error"), sentence, "error")
        box.setInformativeText(self._about())
        box.setDetailedText(tr("Corpus Explorer {version}\n{text}", version=VERSION, text=text))
        copy = box.addButton(tr("Copy the report"), QMessageBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(box.detailedText()))
        # Without a reject button, neither Esc nor the window's close button would close it.
        box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Ok))
        box.finished.connect(self._closed)
        self.box = box
        box.open()

    def _closed(self) -> None:
        self.box = None


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
