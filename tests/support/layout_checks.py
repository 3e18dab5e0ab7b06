"""Finds texts that have no room and widgets that cover each other, in a window as it is on the screen.

`clipped(window)` and `overlapping(window)` walk all visible widgets and return sentences; an empty list is what a test
wants. A text may be elided on purpose: then its tool tip has to have the whole text.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from layout_painted import in_paint
from painted_texts import WindowTexts
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSizeGrip,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QTabBar,
    QWidget,
)

from explorer.gui.document.panel import DocumentPanel
from explorer.gui.widgets.fields.chip import Chip
from explorer.gui.widgets.fields.popover import Ground, Popover
from explorer.gui.widgets.layouts.side_sheet import SideSheet
from explorer.gui.widgets.notices.toasts import Toast

CONTROLS = (QLabel, QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit)
OVER_THE_PAGE = (Popover, Ground, SideSheet, Toast, QSizeGrip, DocumentPanel)
"""What covers a page on purpose."""
AT_A_SIDE = "at a side that does not scroll"
SLACK = 2
"""Pixels that nobody misses: letters do not fill the boxes that fonts give them."""


def clipped(window: QWidget) -> list[str]:
    """Every visible text of a window that has too little room.

    Parameters
    ----------
    window
        A window or dialog that is shown.

    Returns
    -------
    list[str]
        One sentence for each: the widget, its text, and how many pixels are missing.
    """
    found: list[str] = []
    painted = WindowTexts(window)
    for widget in _shown(window):
        if isinstance(widget, QHeaderView):
            found += _in_header(widget)
        elif isinstance(widget, QTabBar):
            found += _in_tabs(widget)
        elif isinstance(widget, QGroupBox):
            found += _in_title(widget)
        elif isinstance(widget, CONTROLS) and not _part_of_another(widget):
            what = _too_small(widget) or _cut_off(widget)
            found += [f"{_name(widget)}: {what}"] if what else []
        found += (f"{_name(widget)}: {what}" for what in (*in_paint(widget, painted), *_beyond_its_parent(widget)))
    return found


def overlapping(window: QWidget) -> list[str]:
    """Every pair of visible siblings in a window that cover each other.

    Parameters
    ----------
    window
        A window or dialog that is shown.

    Returns
    -------
    list[str]
        One sentence for each pair, with the area that both cover. Pop-overs, side sheets, toasts, and what lets the
        pointer through, such as the veil of an old answer, cover the page on purpose and are left out.
    """
    found: list[str] = []
    for parent in (window, *_shown(window)):
        plain = not isinstance(parent, (*CONTROLS, QAbstractScrollArea, QTabBar)) or isinstance(parent, QScrollArea)
        if plain and not parent.objectName().startswith("qt_"):
            found += _over_each_other(parent)
    return found


def _shown(above: QWidget) -> Iterator[QWidget]:
    """What is visible in a widget, in its own window."""
    # Step by step: most of a window's widgets are in pages that are hidden, and are not asked.
    for child in above.children():
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow():
            if child.objectName() != "qt_toolbar_ext_button":
                yield child
            yield from _shown(child)


def _name(widget: QWidget) -> str:
    above = widget.parentWidget()
    if isinstance(above, QAbstractScrollArea) and above.viewport() is widget:
        return f"{_name(above)} in {type(above.parentWidget()).__name__}"
    # A method of Qt's widgets, and a property of some of ours.
    own = getattr(widget, "text", "")
    own = own() if callable(own) else own
    # A few have a part of that name.
    text = (own if isinstance(own, str) else "") or widget.accessibleName()
    return f"{type(widget).__name__} {text[:40]!r}"


def _part_of_another(widget: QWidget) -> bool:
    """Whether it is Qt's own part of another control, or of a header."""
    above = widget.parentWidget()
    return isinstance(above, (*CONTROLS, QTabBar)) or widget.objectName().startswith("qt_")


def _tip_has(widget: QWidget, text: str) -> bool:
    """Whether the tool tip shows the text, of which some is elided."""
    return text.strip()[:60] in widget.toolTip()


def _too_small(widget: QWidget) -> str:
    """What of a control has no room; "" where all has."""
    if isinstance(widget, Chip):
        return "" if widget.shown_words() == widget.words or widget.toolTip() else "is elided without a tool tip"
    if isinstance(widget, QLabel):
        return _label(widget)
    room = widget.minimumSizeHint()
    if isinstance(widget, QAbstractSpinBox):
        # Qt asks for some pixels more after its text was changed than before; the line of text is what counts.
        room.setHeight(min(room.height(), widget.fontMetrics().height() + 8))
    if widget.height() < room.height() - SLACK:
        return f"{widget.height()} of {room.height()} px high"
    if isinstance(widget, QComboBox):
        return _combo(widget)
    if isinstance(widget, QLineEdit) and (what := _placeholder(widget)):
        return what
    if widget.width() < room.width() - SLACK:
        return f"{widget.width()} of {room.width()} px wide"
    return ""


def _label(label: QLabel) -> str:
    if not label.text():
        return ""
    if label.wordWrap():
        needed = label.heightForWidth(label.width())
        return f"{label.height()} of {needed} px high" if label.height() < needed - SLACK else ""
    lines = label.text().splitlines()
    metrics = label.fontMetrics()
    if label.height() < metrics.height() * len(lines) - SLACK:
        return f"{label.height()} of {metrics.height() * len(lines)} px high"
    needed = max(metrics.horizontalAdvance(line) for line in lines)
    room = label.contentsRect().width() - 2 * label.margin()
    if room < needed - SLACK and not _tip_has(label, label.text()):
        return f"{room} of {needed} px wide, and no tool tip with the rest"
    return ""


def _combo(box: QComboBox) -> str:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    style, part = box.style(), QStyle.SubControl.SC_ComboBoxEditField
    room = style.subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width()
    needed = QFontMetrics(box.font()).horizontalAdvance(box.currentText())
    if box.isEditable() or room >= needed - SLACK or _tip_has(box, box.currentText()):
        return ""
    return f"{room} of {needed} px wide for {box.currentText()[:40]!r}, and no tool tip with the rest"


def _placeholder(field: QLineEdit) -> str:
    """What of an empty field's placeholder has no room."""
    if field.text() or not field.placeholderText() or _tip_has(field, field.placeholderText()):
        return ""
    option = QStyleOptionFrame()
    field.initStyleOption(option)
    room = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, field).width()
    needed = field.fontMetrics().horizontalAdvance(field.placeholderText())
    if room >= needed - SLACK:
        return ""
    return f"{room} of {needed} px wide for its placeholder, and no tool tip with the rest"


def _beyond_its_parent(widget: QWidget) -> Iterator[str]:
    """What of a widget is outside the one that it is in, where nothing scrolls to it."""
    above = widget.parentWidget()
    # The content of a scroll area is larger than its viewport; texts and controls are `_cut_off`.
    if above is None or isinstance(widget, (*CONTROLS, *OVER_THE_PAGE)) or _part_of_another(widget):
        return
    if isinstance(above, QAbstractScrollArea) or isinstance(above.parentWidget(), QAbstractScrollArea):
        return
    part, whole = widget.geometry(), above.rect()
    lost = max(-part.left(), -part.top(), part.right() - whole.right(), part.bottom() - whole.bottom())
    if lost > SLACK and part.isValid():
        yield f"{lost} px are outside {_name(above)}"


def _cut_off(widget: QWidget) -> str:
    """What is cut off by the edges of what it is in, where nothing scrolls to it."""
    area = _scroll_area(widget)
    if area is None:
        seen, whole = widget.visibleRegion().boundingRect(), widget.rect()
        lost = (whole.width() - seen.width(), whole.height() - seen.height())
        return f"{lost[0]} × {lost[1]} px are cut off" if max(lost) > SLACK else ""
    if area.horizontalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
        return ""
    at = QRect(widget.mapTo(area.viewport(), widget.rect().topLeft()), widget.size())
    lost_at_sides = max(-at.left(), at.right() + 1 - area.viewport().width())
    return f"{lost_at_sides} px are cut off {AT_A_SIDE}" if lost_at_sides > SLACK else ""


def _scroll_area(widget: QWidget) -> QAbstractScrollArea | None:
    """The nearest one that it is in, in its own window: a dialog may belong to a part of a page that scrolls."""
    above: QWidget | None = widget
    while above is not None and not isinstance(above, QAbstractScrollArea):
        above = None if above.isWindow() else above.parentWidget()
    return above


def _in_header(header: QHeaderView) -> Iterator[str]:
    """Titles of columns that are elided without a tool tip, or lower than their text."""
    model = header.model()
    if model is None or header.orientation() != Qt.Orientation.Horizontal or not header.count():
        return
    metrics = header.fontMetrics()
    if header.height() < metrics.height() - SLACK:
        yield f"header of {header.height()} px for text of {metrics.height()} px"
    for section in range(header.count()):
        if header.isSectionHidden(section) or header.sectionViewportPosition(section) >= header.viewport().width():
            continue
        text = str(model.headerData(section, Qt.Orientation.Horizontal) or "")
        tip = str(model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) or "")
        needed, room = metrics.horizontalAdvance(text), header.sectionSize(section)
        if room < needed - SLACK and text not in tip:
            yield f"column {text[:40]!r}: {room} of {needed} px wide, and no tool tip with the rest"


def _in_tabs(bar: QTabBar) -> Iterator[str]:
    """Tabs whose words do not fit; those beyond the edge are reached by the bar's buttons."""
    for number in range(bar.count()):
        words = bar.tabText(number).replace("&&", "&")
        area, metrics = bar.tabRect(number), bar.fontMetrics()
        needed = metrics.horizontalAdvance(words)
        if not bar.isTabVisible(number):
            continue
        if area.width() < needed - SLACK and words not in bar.tabToolTip(number):
            yield f"tab {words[:40]!r}: {area.width()} of {needed} px wide"
        if area.height() < metrics.height() - SLACK:
            yield f"tab {words[:40]!r}: {area.height()} of {metrics.height()} px high"
        if area.right() > bar.width() + SLACK and not bar.usesScrollButtons():
            yield f"tab {words[:40]!r} is cut off by the edge of its bar"


def _in_title(box: QGroupBox) -> Iterator[str]:
    needed = box.fontMetrics().horizontalAdvance(box.title())
    if box.width() < needed - SLACK:
        yield f"title {box.title()[:40]!r}: {box.width()} of {needed} px wide"


def _over_each_other(parent: QWidget) -> Iterator[str]:
    """Pairs of a widget's children that cover each other."""
    through = Qt.WidgetAttribute.WA_TransparentForMouseEvents
    children = [
        child
        for child in parent.children()
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow()
        if not isinstance(child, OVER_THE_PAGE) and not child.testAttribute(through)
    ]
    for one, other in combinations(children, 2):
        common = one.geometry().intersected(other.geometry())
        if min(common.width(), common.height()) > SLACK:
            at = f"{common.width()} × {common.height()} px at {common.x()}, {common.y()}"
            yield f"{_name(one)} and {_name(other)} cover each other in {_name(parent)}: {at}"
