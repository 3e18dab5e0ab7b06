"""The base of every dialog: it has the theme's style sheet, and follows a change of theme while it is open."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QIcon, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QMessageBox, QWidget

from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import apply_stylesheet
from explorer.gui.style.theme import em, scaled
from explorer.gui.style.untrusted import plain

Kind = Literal["info", "warn", "error"]

_MARGIN, _ICON = 16, 32
_WORDS_EMS = 24
_OVER_LIMIT = 440
"""A width of the sentence, in pixels, with which a box is always wider than the 500 up to which Qt does not wrap."""
_ICONS = {"info": ("info", "accent"), "warn": ("warning", "warn"), "error": ("error", "error")}


class Dialog(QDialog):
    """A dialog in the current theme; it is deleted when it is closed."""

    def __init__(self, parent: QWidget | None, title: str, flags: Qt.WindowType = Qt.WindowType.Dialog) -> None:
        super().__init__(parent, flags)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        apply_stylesheet(self)

    def showEvent(self, event: QShowEvent) -> None:
        """Give it the margins of a page; a palette, which fills its frame, has none."""
        # Not in the constructor, which runs before that of the subclass, where the layout is made.
        if self.objectName() != "palette":
            _leave_room(self)
        super().showEvent(event)


def _leave_room(dialog: QDialog) -> None:
    layout, margin = dialog.layout(), scaled(_MARGIN)
    if layout is not None:
        layout.setContentsMargins(margin, margin, margin, margin)


class _MessageBox(QMessageBox):
    """Has the margins of every dialog, and lines of its text as long in every size of the text."""

    def showEvent(self, event: QShowEvent) -> None:
        """Give it room."""
        # Here and not where it is made: Qt lays it out again for each button and each further sentence.
        _leave_room(self)
        text, more = (self.findChild(QLabel, f"qt_msgbox_{name}") for name in ("label", "informativelabel"))
        if more is not None:
            # Qt's own limit is in pixels: large text would have two words per line.
            more.setMinimumWidth(em(_WORDS_EMS))
        if text is not None:
            # Qt lets the sentence wrap only if the box would be wider than its limit, and else cuts what is wider than
            # the least width: that is the whole width of the text, or enough to be over the limit.
            whole = QFontMetrics(text.font()).size(0, text.text()).width()
            text.setMinimumWidth(min(whole, max(em(_WORDS_EMS), _OVER_LIMIT)))
        for each in (text, more):
            if each is not None and self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
                # Qt asks the text where lines begin: English would be at the far side of the icon.
                across = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
                each.setAlignment(across | each.alignment() & Qt.AlignmentFlag.AlignVertical_Mask)
        super().showEvent(event)


def message_box(parent: QWidget, title: str, text: str, kind: Kind = "warn") -> QMessageBox:
    """Make a message box with plain text, deleted when it is closed; the caller adds the buttons.

    text: Its text, in which nothing is taken for markup.
    kind: "info", "warn" or "error": its icon.
    Returns: The box, not shown yet.
    """
    box = _MessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(title)
    apply_stylesheet(box)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(plain(text))
    name, color = _ICONS[kind]
    side = round(scaled(_ICON) * parent.devicePixelRatioF())
    picture = icon(name, color).pixmap(side, side)
    picture.setDevicePixelRatio(parent.devicePixelRatioF())
    # Not `setIcon`, whose pictures are those of the platform. The scale is the parent's: the box is on no screen yet.
    box.setIconPixmap(picture)
    return box


def without_icons(box: QDialogButtonBox) -> None:
    """Remove the style's icons from the buttons, since no other button has one."""
    for button in box.buttons():
        button.setIcon(QIcon())
