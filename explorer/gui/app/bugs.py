"""Unexpected errors: written to a local log and shown one at a time, with a report to copy."""

from __future__ import annotations

import logging

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from explorer import version
from explorer.gui.chrome.dialog import message_box
from explorer.i18n import tr, trn

_LOG = logging.getLogger("explorer")


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
        box.setDetailedText(tr("Corpus Explorer {version}\n{text}", version=version.VERSION, text=text))
        copy = box.addButton(tr("Copy the report"), QMessageBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(box.detailedText()))
        # Without a reject button, neither Esc nor the window's close button would close it.
        box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Ok))
        box.finished.connect(self._closed)
        self.box = box
        box.open()

    def _closed(self) -> None:
        self.box = None
