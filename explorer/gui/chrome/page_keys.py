"""What keys do on every screen alike: turn the tabs, open files, and export the result."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QWidget

from explorer.gui.screens.screen import Screen
from explorer.gui.widgets.layouts.page_tabs import PageTabs


def turn_page(screen: Screen, by: int) -> None:
    """Go to another tab of a page; after the last one comes the first.

    screen: The screen. Of several rows of tabs, the one with the focus turns, or else the upper one.
    by: 1 for the next tab, -1 for the previous one. Disabled and hidden tabs are passed over.
    """
    rows = [tabs for tabs in screen.findChildren(PageTabs) if tabs.isVisibleTo(screen)]
    if not rows:
        return
    focused = QApplication.focusWidget()
    rows.sort(key=lambda tabs: (tabs is not focused, _height(tabs, screen)))
    tabs = rows[0]
    for step in range(1, tabs.count()):
        number = (tabs.currentIndex() + by * step) % tabs.count()
        if tabs.isTabEnabled(number) and tabs.isTabVisible(number):
            tabs.setCurrentIndex(number)
            return


def _height(widget: QWidget, screen: QWidget) -> int:
    return widget.mapTo(screen, widget.rect().topLeft()).y()


def open_files(screen: Screen) -> None:
    """Press the button of a screen that asks for the files to work on, if it has one."""
    button = screen.pressed_by_keys().files
    # It may be hidden, or disabled while no index is open.
    if button is not None and button.isVisibleTo(screen):
        button.click()


def export_result(screen: Screen) -> None:
    """Press the button that exports what a screen shows; nothing happens while there is nothing to export."""
    for button in screen.pressed_by_keys().exports:
        if button.isVisibleTo(screen):
            # Also opens the menu of a button that has one; a disabled button does nothing.
            button.click()
            return
