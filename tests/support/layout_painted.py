"""Finds painted texts that go over an edge, or lie over each other; see `layout_checks` for those that widgets hold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from painted_texts import PaintedText, WindowTexts
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QGraphicsView,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

SLACK = 2.5
"""Pixels that nobody misses: letters do not fill the boxes that fonts give them."""
_WIDTH, _SHARE = 3.0, 0.3
"""What two texts may share: pixels of width, since italics lean over, and of the height, which letters do not fill."""


def in_paint(widget: QWidget, painted: WindowTexts) -> Iterator[str]:
    """Every text that a widget paints, and of which a part is lost.

    Parameters
    ----------
    widget
        A visible widget. One that paints nothing itself gives nothing.
    painted
        The texts of its window.

    Returns
    -------
    Iterator[str]
        One sentence for each text.
    """
    if not _paints(widget):
        return
    texts = [text for text in painted.of(widget) if text.text.strip()]
    across, along = _limits(widget)
    rect = QRectF(widget.rect())
    tips = _tips(_view_of(widget))
    for text in texts:
        if text.area.intersects(rect) and text.text.strip() not in tips:
            what = _lost(text, rect, across, along)
            if what:
                yield f"painted {text.text.strip()[:40]!r}: {what}"
    for one, other in combinations(texts, 2):
        common = one.seen.intersected(other.seen)
        # The same text again is a mark that is drawn over it.
        if one.text.strip() in other.text or other.text.strip() in one.text:
            continue
        if common.width() > _WIDTH and common.height() > _SHARE * min(one.area.height(), other.area.height()):
            pair = f"{one.text.strip()[:30]!r} and {other.text.strip()[:30]!r}"
            yield f"painted {pair} cover each other: {common.width():.0f} × {common.height():.0f} px"


def _view_of(widget: QWidget) -> QAbstractScrollArea | None:
    """What scrolls the widget, if it is the viewport of one."""
    above = widget.parentWidget()
    return above if isinstance(above, QAbstractScrollArea) and above.viewport() is widget else None


def _tips(view: QAbstractScrollArea | None) -> str:
    """What the tool tips of a table's header show, in which titles may be cut."""
    model = view.model() if isinstance(view, QHeaderView) else None
    if model is None:
        return ""
    across, role = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    return "\n".join(str(model.headerData(number, across, role) or "") for number in range(model.columnCount()))


def _paints(widget: QWidget) -> bool:
    """Whether its texts are painted by the program, or by a view of items."""
    view = _view_of(widget)
    if isinstance(view, QTextEdit | QPlainTextEdit) or isinstance(widget, QLineEdit):
        # Lines are wrapped or scrolled, and what is marked is painted twice.
        return False
    return isinstance(view, QAbstractItemView | QGraphicsView) or _by_hand(widget if view is None else view)


def _by_hand(widget: QWidget) -> bool:
    # Python's classes only: Qt's own have no entry of this name that is theirs.
    kind = next((kind for kind in type(widget).__mro__ if "paintEvent" in vars(kind)), QWidget)
    return kind.__module__.startswith("explorer")


def _limits(widget: QWidget) -> tuple[bool, bool]:
    """Whether the edges at its sides, and those above and below it, cut texts; what scrolls there does not."""
    view = _view_of(widget)
    if view is None or isinstance(view, QGraphicsView):
        return True, True
    # A table scrolls its header.
    above = view.parentWidget()
    scrolls = above if isinstance(view, QHeaderView) and isinstance(above, QAbstractScrollArea) else view
    return scrolls.horizontalScrollBar().maximum() == 0, isinstance(view, QHeaderView)


def _lost(text: PaintedText, rect: QRectF, across: bool, along: bool) -> str:
    area = text.area
    # Painting that is limited to a cell cuts its text wherever the table is scrolled.
    own = area if text.limits is None else text.limits
    left = max(rect.left(), own.left()) if across else own.left()
    right = min(rect.right(), own.right()) if across else own.right()
    sides = max(left - area.left(), area.right() - right) - text.blank
    if sides > SLACK:
        return f"{sides:.0f} px are cut off at a side"
    heights = max(rect.top() - area.top(), area.bottom() - rect.bottom()) if along else 0.0
    return f"{heights:.0f} px are cut off above or below" if heights > SLACK else ""
