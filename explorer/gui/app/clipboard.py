"""What the program leaves on the clipboard when it ends."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from shiboken6 import Shiboken


def detach_clipboard() -> None:
    """Replace a `QMimeData` that was made in Python by one of Qt's own, with the same text.

    Some platforms destroy the data of the clipboard after the interpreter has ended. The part that is in Python
    cannot be destroyed then: the program would end with a segmentation fault.
    """
    clipboard = QGuiApplication.clipboard()
    data = clipboard.mimeData()
    # An empty clipboard has none.
    if isinstance(data, QMimeData) and Shiboken.createdByPython(data):
        clipboard.setText(clipboard.text())
