"""Which section of the guide explains a control: F1, Shift+F1 and buttons with a question mark show it."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QToolButton, QWidget

from explorer.gui.presenting.requests import ShowHelp
from explorer.gui.screens.screen import Screen
from explorer.gui.widgets.fields.buttons import icon_button
from explorer.gui.widgets.fields.popover import Popover
from explorer.i18n import tr

W = TypeVar("W", bound=QWidget)
THE_WINDOW = "start#the-window"
"""The topic of what is around the screens."""
_TOPIC = "help_topic"
"""The property with a topic: the name of a page of the guide, or "page#section"."""


def about(widget: W, topic: str) -> W:
    """Name the section of the guide that explains a widget and all that is in it.

    topic: The name of a page, or "page#section" with the section's heading in lower case and hyphens for spaces.
    """
    widget.setProperty(_TOPIC, topic)
    return widget


def topic_of(widget: QWidget | None) -> str:
    """The topic of a widget or of the nearest one around it; "" if none has a topic."""
    # A property and not a table: a widget that is deleted takes its topic with it.
    part: QObject | None = widget
    while part is not None:
        if isinstance(topic := part.property(_TOPIC), str):
            return topic
        # An open pop-over is a part of the window, but what it is about is next to its anchor.
        part = part.anchor if isinstance(part, Popover) else part.parent()
    return ""


def help_button(topic: str, name: str, within: QWidget | None = None) -> QToolButton:
    """Make a small button with a question mark that shows a section of the guide.

    name: What is explained, for its tool tip.
    within: A widget of the screen that is asked; None for the button itself. What is in a pop-over is in the window
        then.
    Returns: The button; it asks by way of the screen that it is in.
    """
    button = icon_button("help", tr("Help: {name}", name=name))
    about(button, topic)

    def ask() -> None:
        # Looked for when it is pressed: a button is made before it is put into its screen.
        part: QObject | None = within or button
        while part is not None and not isinstance(part, Screen):
            part = part.parent()
        if part is not None:
            part.requested.emit(ShowHelp(topic))

    button.clicked.connect(ask)
    return button
