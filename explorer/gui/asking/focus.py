"""Where the focus goes when an answer takes the place of the button that asked for it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from explorer.gui.widgets.tables.plain_table import PlainTable


def enter_answer_once(stack: QStackedWidget, settings: QWidget) -> None:
    """Give the first table the focus when another page of a stack is shown, unless a user is at the settings by then.

    stack: The button that was pressed is on one of its pages, the answer on another.
    settings: What a user can change meanwhile.
    """
    once = Qt.ConnectionType.SingleShotConnection
    stack.currentChanged.connect(lambda _: _enter(stack, settings), once)


def _enter(stack: QStackedWidget, settings: QWidget) -> None:
    now = QApplication.focusWidget()
    if now is not None and settings.isAncestorOf(now):
        return
    # Not in the order in which they were made: the first one that a reader comes to.
    tables = [table for table in stack.findChildren(PlainTable) if table.isVisible()]
    first = min(tables, key=lambda table: table.mapTo(stack, QPoint()).toTuple()[::-1], default=None)
    if first is not None:
        # When it has its rows; as Tab does, which also makes the first one current.
        QTimer.singleShot(0, first, lambda: first.setFocus(Qt.FocusReason.TabFocusReason))
