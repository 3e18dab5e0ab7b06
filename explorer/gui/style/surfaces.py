"""The parts of the windows that have the theme's style sheet, each its own.

Qt restyles every widget below the one whose sheet changes, 0.1 ms each. With one sheet for a window of 900 widgets, a
change of theme blocked the event loop for 130 ms. Here one part is restyled per turn of the loop, visible parts first.

A sheet takes a millisecond to parse, and half a mebibyte, for each widget that has it. So parts are as large as a turn
allows, what no rule applies to has none, and a control on its own has only the rules that can apply to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import shiboken6
from PySide6.QtCore import QChildEvent, QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QScrollBar,
    QSplitter,
    QSplitterHandle,
    QStackedWidget,
    QToolBar,
    QToolTip,
    QWidget,
)

from explorer.gui.style.sheet import style_sheet
from explorer.gui.style.theme import apply_theme, em, looks, monospace, scaled


@dataclass(frozen=True)
class Part:
    """Something that is drawn again with the theme.

    change: Applies the theme of that moment.
    """

    widget: QWidget
    change: Callable[[], None]


_MOST = 80
"""Widgets below one that has a sheet: Qt restyles them all in one turn of the event loop."""
_KEPT = 512
"""The fewest parts at which those of deleted widgets are dropped."""

_SPLIT = "split_into_parts"
"""The property of a container whose parts have sheets, and which has none."""

_PAGE = "page_of_parts"
"""The property of a page that derives from a page of the program, and like it draws nothing of a style sheet's."""

# For the interface thread only, like every widget.
# `styled_parts` does not keep a widget alive: Python's object stays, Qt's may be deleted in any turn of the event loop.
# So each use asks `isValid` first, and `when_restyled` drops what is gone each time that the list has doubled: it does
# not grow without bound, and a part costs the same however many there are.
# `_waiting` are those that still show the previous theme, in the order in which they are restyled. A turn of the loop
# is under way exactly while it is not empty.
_applied: list[tuple[object, ...]] = []
styled_parts: list[Part] = []
_waiting: list[Part] = []
_limit = [_KEPT]
# By class, since a window has thousands of widgets.
_by_size: dict[type[QWidget], bool] = {}


def apply_stylesheet(widget: QWidget) -> None:
    """Keep the theme's sheet on a widget and everything below it."""

    def put_on() -> None:
        widget.setStyleSheet(style_sheet(_kinds(widget)))

    put_on()
    when_restyled(widget, put_on)


def _kinds(widget: QWidget) -> frozenset[str] | None:
    """The classes of a control without parts, and of its menus and tool tips; None for all that may have others."""
    alone = isinstance(widget, QLabel | QPushButton | QScrollBar | QSplitterHandle) and not widget.findChildren(QWidget)
    return frozenset(kind.__name__ for kind in (*type(widget).__mro__, QMenu, QToolTip)) if alone else None


class _Late(QObject):
    """Gives style sheets to widgets that are put into a container after its parts have theirs."""

    def __init__(self, container: QWidget) -> None:
        # A child of the container, so that it lives as long: Qt does not own an event filter.
        super().__init__(container)
        containers: list[QWidget] = []
        self._left = deque(parts_below(container, split=containers))
        self._watch(containers)

    def style_next(self) -> bool:
        """Style one more part of the container. False if all were styled."""
        part = self._left.popleft() if self._left else None
        # It may have been deleted, or shown and so styled, since the list was made.
        if part is not None and shiboken6.isValid(part) and not part.styleSheet():
            apply_stylesheet(part)
        return part is not None

    def style(self, container: QWidget) -> None:
        """Style everything below a container, part by part, and what is added to it later."""
        containers: list[QWidget] = []
        for part in parts_below(container, split=containers):
            apply_stylesheet(part)
        self._watch(containers)

    def _watch(self, containers: list[QWidget]) -> None:
        for each in containers:
            each.setProperty(_SPLIT, True)
            each.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Style a child that was polished, that is, that is complete and about to be shown."""
        # Not ChildAdded: the child's constructor is still running then, and a sheet would polish half a widget.
        if event.type() == QEvent.Type.ChildPolished and isinstance(event, QChildEvent):
            child = event.child()
            # A container is polished as well when it is shown for the first time, and stays without a sheet. Parts that
            # are styled ahead wait for their turns: here, all of them would get their sheets at once.
            waits = child in self._left
            if isinstance(child, QWidget) and not (waits or child.styleSheet() or child.property(_SPLIT)):
                if _is_split(child, _MOST):
                    self.style(child)
                else:
                    apply_stylesheet(child)
        return False


def apply_stylesheet_to_parts(container: QWidget) -> None:
    """Give style sheets to everything below a container, part by part, including later additions.

    The containers themselves have no style sheet, and none of their parents has one. Qt passes the palette on only to
    widgets without a sheet: a container below any sheet, even one that no theme changes, would keep the background of
    the theme in which it was created.
    """
    while style_next_part(container):
        pass


def style_next_part(container: QWidget) -> bool:
    """Do a part of the work of `apply_stylesheet_to_parts`, for what is not shown yet.

    Returns: Whether there may be more to do: False if all its parts have their sheets.
    """
    late = container.findChild(_Late, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return (late or _Late(container)).style_next()


def style_in_turns(container: QWidget) -> None:
    """Leave the parts of a container to `style_next_part`, although it is put into one that has its sheets.

    container: The container, which has no parent yet.
    """
    # Its own watcher splits it, so that the watcher above it leaves it alone when it is polished.
    _Late(container)


def _is_container(widget: QWidget) -> bool:
    """Whether no rule of the sheet applies to the widget itself, but only to what is in it."""
    # A view of a screen derives from QWidget directly, and like it draws nothing of a style sheet's.
    kind = type(widget)
    ours = QWidget in kind.__bases__ and not kind.__module__.startswith("PySide6")
    ours = ours or bool(widget.property(_PAGE))
    return kind is QWidget or ours or isinstance(widget, QSplitter | QStackedWidget | QScrollArea)


def split_page(page: QWidget) -> None:
    """Have the parts of a page styled one by one, although its class derives from another of the program."""
    page.setProperty(_PAGE, True)


def _is_split(widget: QWidget, most: int) -> bool:
    """Whether the parts of a widget get sheets of their own. What is empty and paints itself has no parts, so none."""
    if not _is_container(widget):
        return False
    count = len(widget.findChildren(QWidget))
    # Pages are added to a stack when they are first shown.
    if not count or isinstance(widget, QStackedWidget):
        return True
    # What scrolls may grow later: recent indexes, cards.
    above = widget.parentWidget()
    areas = (widget, above, above.parentWidget() if above is not None else None)
    return any(isinstance(area, QScrollArea) for area in areas) or count > most


def parts_below(container: QWidget, most: int = _MOST, split: list[QWidget] | None = None) -> list[QWidget]:
    """Split a container into subtrees that get their own style sheet.

    container: The container. It is split even if it is small.
    most: Widgets below a child that is not split further.
    split: A list to which the containers that were split are added; no rule of the sheet applies to them. None: not
        wanted.
    Returns: The roots of the subtrees, in the order of the widgets.
    """
    parts: list[QWidget] = []
    if split is not None:
        split.append(container)
    for child in container.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if _is_split(child, most):
            parts += parts_below(child, most, split)
        else:
            parts.append(child)
    return parts


def when_restyled(widget: QWidget, change: Callable[[], None]) -> None:
    """Call a function at every change of the theme or the text size, as long as a widget lives.

    widget: The widget whose life decides.
    change: Called in a turn of the event loop of its own, so that many of them do not stop the window.
    """
    if len(styled_parts) >= _limit[0]:
        forget_deleted_parts()
    styled_parts.append(Part(widget, change))


def forget_deleted_parts() -> None:
    """Drop what is to be drawn again of deleted widgets, and with it what they showed."""
    styled_parts[:] = [part for part in styled_parts if shiboken6.isValid(part.widget)]
    _limit[0] = max(_KEPT, 2 * len(styled_parts))


def keep_monospace(widget: QWidget) -> None:
    """Keep the fixed-width font on a widget, in the current text size."""

    def put_on() -> None:
        widget.setFont(monospace())

    put_on()
    when_restyled(widget, put_on)


def keep_icon_size(widget: QAbstractButton | QToolBar, pixels: int, gap: int = 0) -> None:
    """Give a widget icons that grow with the text.

    pixels: The size of the icons at a text size of 10 points.
    gap: Pixels between icon and words, besides the few that Qt leaves.
    """

    def put_on() -> None:
        widget.setIconSize(QSize(scaled(pixels + gap), scaled(pixels)))

    put_on()
    when_restyled(widget, put_on)


def keep_least(widget: QWidget, wide: float = 0, high: float = 0) -> None:
    """Keep a widget from becoming smaller than some letters, in the current text size.

    wide, high: The least width and height in em; 0 for one that is not limited.
    """

    def put_on() -> None:
        if wide:
            widget.setMinimumWidth(em(wide))
        if high:
            widget.setMinimumHeight(em(high))

    put_on()
    when_restyled(widget, put_on)


def restyle(app: QApplication) -> None:
    """Apply the current theme: colors and sizes at once, the parts one after another."""
    wanted = [looks()]
    # Qt also reports a change that the program requested.
    if wanted == _applied:
        return
    _applied[:] = wanted
    apply_theme(app)
    # A change in the middle of another: the turn that is under way continues with the new list.
    idle = not _waiting
    _waiting[:] = sorted(
        (part for part in styled_parts if shiboken6.isValid(part.widget)), key=lambda part: not part.widget.isVisible()
    )
    if idle:
        _restyle_next()


def all_restyled() -> bool:
    """Whether every part shows the current theme."""
    return not _waiting


def _restyle_next() -> None:
    if _waiting:
        part = _waiting.pop(0)
        # By way of the event loop: what the user does comes between two parts. First, so that a part that fails does
        # not keep the others in the old theme.
        QTimer.singleShot(0, _restyle_next if _waiting else _forget_sizes)
        # It may have been deleted since the list was made.
        if shiboken6.isValid(part.widget):
            part.change()


def _forget_sizes() -> None:
    """Discard all sizes measured with another text size; Qt measures hidden pages only when they are shown.

    Until then the window's minimum size would be that of the largest text size so far.
    """
    for window in QApplication.topLevelWidgets():
        below = window.findChildren(QWidget)
        # Children come after their parents: going from the last to the first, each layout queries those below it again.
        for widget in reversed(below):
            layout = widget.layout()
            if layout is not None:
                layout.invalidate()
            widget.updateGeometry()
        # Parents first: what is in them is placed by what they decide.
        for widget in below:
            # It may have been deleted by what another one decided.
            if shiboken6.isValid(widget) and _decides_by_size(widget):
                _fit_again(widget)


def _decides_by_size(widget: QWidget) -> bool:
    """Whether a widget folds, turns or cuts what is in it by its own size."""
    kind = type(widget)
    if kind not in _by_size:
        ours = (each for each in kind.__mro__ if each.__module__.startswith("explorer."))
        _by_size[kind] = any("resizeEvent" in vars(each) for each in ours)
    return _by_size[kind]


def _fit_again(widget: QWidget) -> None:
    """Let a widget fit what it shows into its size, which has room for more or fewer words than before.

    Without this, it would do so when its size changes next: Qt tells it of nothing else.
    """
    # What scrolls learns of its size from its viewport.
    area = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    if area.isVisible():
        QApplication.sendEvent(area, QResizeEvent(area.size(), area.size()))
    else:
        # Qt sends the event when it shows the widget.
        area.setAttribute(Qt.WidgetAttribute.WA_PendingResizeEvent)
