"""Finds texts that have no room and widgets that lie over each other, in a window as it is on the screen."""

from __future__ import annotations

from itertools import combinations

from PySide6.QtCore import QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSizeGrip,
    QWidget,
)

from explorer.gui.widgets.dimmed import _Veil

KINDS = (QLabel, QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit)
SLACK = 2


def _name(widget: QWidget) -> str:
    text = getattr(widget, "text", lambda: "")() or widget.accessibleName()
    return f"{type(widget).__name__} {text[:40]!r}"


def _shown(window: QWidget, kinds: type | tuple[type, ...] = QWidget) -> list[QWidget]:
    found = [w for w in window.findChildren(QWidget) if isinstance(w, kinds) and w.isVisible()]
    return [w for w in found if w.window() is window and w.objectName() != "qt_toolbar_ext_button"]


def _scrolls(widget: QWidget) -> bool:
    """Whether it lies in something that scrolls."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QAbstractScrollArea):
        above = above.parentWidget()
    return above is not None


def _inner(widget: QWidget) -> bool:
    """Whether it is Qt's own part of another control, or of a header."""
    return isinstance(widget.parentWidget(), KINDS) or widget.objectName().startswith("qt_")


def too_small(widget: QWidget) -> str:
    """What of a control has no room; "" where all has."""
    if isinstance(widget, QLabel) and widget.wordWrap():
        needed = widget.heightForWidth(widget.width())
        return f"{widget.height()} of {needed} px high" if widget.height() < needed - SLACK else ""
    # A label that says in its minimum that it may be cut shows the whole text in a tool tip.
    may_be_cut = isinstance(widget, QLabel) and 0 < widget.minimumWidth() < widget.minimumSizeHint().width()
    room = widget.minimumSizeHint()
    if isinstance(widget, QAbstractSpinBox):
        # Qt asks for some pixels more after its text was changed than before; the line of text is what counts.
        room.setHeight(min(room.height(), widget.fontMetrics().height() + 8))
    if isinstance(widget, QLabel) and not widget.text():
        return ""
    if widget.height() < room.height() - SLACK:
        return f"{widget.height()} of {room.height()} px high"
    if widget.width() < room.width() - SLACK and not may_be_cut:
        return f"{widget.width()} of {room.width()} px wide"
    return ""


def cut(widget: QWidget) -> str:
    """What is cut off by the edges of what it lies in, where nothing scrolls."""
    if _scrolls(widget):
        return ""
    seen, whole = widget.visibleRegion().boundingRect(), widget.rect()
    lost = (whole.width() - seen.width(), whole.height() - seen.height())
    return f"{lost[0]} × {lost[1]} px are cut off" if max(lost) > SLACK else ""


def over_each_other(parent: QWidget) -> list[str]:
    """Pairs of a widget's children that lie over each other."""
    children = [
        child
        for child in parent.children()
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow()
        if not isinstance(child, _Veil | QSizeGrip)
    ]
    found = []
    for one, other in combinations(children, 2):
        common = one.geometry().intersected(other.geometry())
        if min(common.width(), common.height()) > SLACK:
            found.append(f"{_name(one)} and {_name(other)} lie over each other in {_name(parent)}: {_at(common)}")
    return found


def _at(rect: QRect) -> str:
    return f"{rect.width()} × {rect.height()} px at {rect.x()}, {rect.y()}"


def without_room(window: QWidget) -> list[str]:
    """Everything that has too little room in a window."""
    found = []
    for widget in _shown(window, KINDS):
        if not _inner(widget) and (what := too_small(widget) or cut(widget)):
            found.append(f"{_name(widget)}: {what}")
    for parent in (window, *_shown(window)):
        plain = not isinstance(parent, (*KINDS, QAbstractScrollArea)) or isinstance(parent, QScrollArea)
        if plain and not parent.objectName().startswith("qt_"):
            found += over_each_other(parent)
    return found
