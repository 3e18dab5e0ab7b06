"""While a window and its screens are made, nothing else becomes a window: it would flash, and take the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget


class Shown(QObject):
    """Collects widgets that are shown as windows of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.found.append(type(watched).__name__)
        return False


def test_only_the_window_is_a_window(qapp, qtbot, settings, all_screens, window):
    shown = Shown()
    QApplication.instance().installEventFilter(shown)
    another = type(window)(settings)
    another.show()
    qtbot.waitUntil(lambda: another.screens.complete)
    for name in another.screens:
        another.show_screen(name)
        qtbot.wait(10)
    qtbot.waitUntil(another.isActiveWindow)
    QApplication.instance().removeEventFilter(shown)
    another.close()
    another.deleteLater()
    assert shown.found == [type(window).__name__]
