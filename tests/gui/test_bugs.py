"""Unexpected errors: one dialog at a time, and a log."""

from __future__ import annotations

import logging

from PySide6.QtWidgets import QMessageBox

from explorer.gui.app.log import log_path, start_log
from explorer.gui.app.log_dialog import LogDialog


def test_bugs_come_one_at_a_time(opened, qtbot, tmp_path):
    for number in range(30):
        opened.report_bug(f"Traceback {number}")
    boxes = opened.findChildren(QMessageBox)
    assert len(boxes) == 1
    assert "29 more errors followed" in boxes[0].informativeText()
    assert "Traceback 0" in boxes[0].detailedText()
    boxes[0].close()
    qtbot.waitUntil(lambda: opened.bugs.box is None)
    opened.report_bug("Traceback 0")
    assert opened.bugs.box is None
    opened.report_bug("Traceback other")
    opened.bugs.box.close()


def test_errors_are_kept_in_the_log(opened, qtbot, tmp_path):
    start_log(tmp_path)
    logger = logging.getLogger("explorer")
    try:
        opened.report_bug("Traceback: kept")
        opened.bugs.box.close()
        assert "Traceback: kept" in log_path(tmp_path).read_text()
        dialog = LogDialog(log_path(tmp_path), opened)
        assert "Traceback: kept" in dialog.text.toPlainText()
        dialog.close()
    finally:
        for handler in [h for h in logger.handlers if getattr(h, "path", None) == log_path(tmp_path)]:
            logger.removeHandler(handler)
            handler.close()
    assert "No errors so far" in LogDialog(tmp_path / "none", opened).text.toPlainText()
