"""The mouse wheel changes no value by accident: it scrolls what is around a control that has no focus."""

from __future__ import annotations

from typing import TypeGuard

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QApplication, QComboBox, QScrollBar, QTabBar, QWidget

_KINDS = (QComboBox, QAbstractSpinBox, QAbstractSlider, QTabBar)


class WheelGuard(QObject):
    """Watches all controls of a program, also those of dialogs and pop-overs."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass the wheel on to what is around a control without focus."""
        # Every event of the program comes here, and most are for other objects. To ask for the kind of the event, which
        # PySide looks up in an enumeration, would take four times as long as to look at the object.
        if not _is_control(watched):
            return False
        kind = event.type()
        if kind == QEvent.Type.Polish:
            # Before the wheel turns: Qt gives the focus to whatever takes it from the wheel, and asks filters later.
            if watched.focusPolicy() == Qt.FocusPolicy.WheelFocus:
                watched.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            return False
        if kind != QEvent.Type.Wheel or watched.hasFocus():
            return False
        # Handled but not accepted: Qt offers the event to the parent.
        event.ignore()
        return True


def _is_control(watched: QObject) -> TypeGuard[QWidget]:
    return isinstance(watched, _KINDS) and not isinstance(watched, QScrollBar)


def guard_wheel(application: QApplication) -> None:
    """Keep the wheel from changing values in a program; once is enough."""
    if application.findChild(WheelGuard) is None:
        WheelGuard(application)
