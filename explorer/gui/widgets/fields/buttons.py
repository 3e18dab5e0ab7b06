"""Buttons by what they are for; their look is in the style sheet, by role."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QToolButton

from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import keep_icon_size
from explorer.gui.style.untrusted import caption, tip
from explorer.gui.widgets.painting import RING, ring

_ICON, _GAP = 16, 4


class PrimaryButton(QPushButton):
    """The one button that a screen is for. On its fill a ring of the accent would not be seen: a gap sets it off."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setProperty("role", "primary")

    def paintEvent(self, event: QPaintEvent) -> None:
        """The button of the style sheet, and the gap of the focus ring."""
        super().paintEvent(event)
        if self.hasFocus() and self.isEnabled():
            painter = QPainter(self)
            inside = QRectF(self.rect()).adjusted(RING, RING, -RING, -RING)
            # 6 pixels: the radius that the style sheet gives to buttons.
            ring(painter, inside, 6 - RING, "on_accent")
            painter.end()


def push_button(text: str, role: str = "", icon_name: str = "") -> QPushButton:
    """Make a button with words.

    role: "" for an ordinary one; "primary" for the one that the screen is for, "quiet" without a frame, "danger" for
        what cannot be undone.
    icon_name: The name of an icon; "" for none.
    """
    button = PrimaryButton(caption(text)) if role == "primary" else QPushButton(caption(text))
    if role:
        button.setProperty("role", role)
    if icon_name:
        button.setIcon(icon(icon_name, "on_accent" if role == "primary" else ""))
        keep_icon_size(button, _ICON, gap=_GAP)
    return button


def icon_button(icon_name: str, text: str) -> QToolButton:
    """Make a button with an icon only.

    text: What it does: its tool tip and its name for assistive technology.
    """
    button = QToolButton()
    button.setProperty("role", "icon")
    button.setIcon(icon(icon_name))
    keep_icon_size(button, _ICON)
    button.setToolTip(tip(text))
    button.setAccessibleName(text)
    return button
